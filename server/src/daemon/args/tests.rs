use super::*;

#[test]
fn places_to_listen_are_read() {
    let read = |text: &str| text.parse::<Listen>();
    assert_eq!(read("stdio://"), Ok(Listen::Stdio));
    assert_eq!(read("off"), Ok(Listen::Off));
    assert_eq!(read("unix://"), Ok(Listen::Unix(None)));
    assert_eq!(read("unix://a/b.sock"), Ok(Listen::Unix(Some("a/b.sock".into()))));
    assert_eq!(read("unix:///a/b.sock"), Ok(Listen::Unix(Some("/a/b.sock".into()))));
    assert_eq!(read("ws://127.0.0.1:0"), Ok(Listen::WebSocket(([127, 0, 0, 1], 0).into())));
    let v6: SocketAddr = "[::1]:8080".parse().expect("an address");
    assert_eq!(read("ws://[::1]:8080"), Ok(Listen::WebSocket(v6)));
}

#[test]
fn other_places_are_refused_with_what_is_expected() {
    for text in ["ws://localhost:80", "ws://127.0.0.1", "ws://"] {
        let error = text.parse::<Listen>().expect_err("not an address");
        assert_eq!(error, InvalidListen::WebSocket(text.into()));
        assert!(error.to_string().ends_with("expected `ws://IP:PORT`"), "{error}");
    }
    for text in ["http://127.0.0.1:80", "wss://127.0.0.1:80", "stdio://x", "tcp://x", ""] {
        let error = text.parse::<Listen>().expect_err("not a transport");
        assert_eq!(error, InvalidListen::Unsupported(text.into()));
    }
}
