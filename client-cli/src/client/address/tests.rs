use std::path::PathBuf;

use super::Address;

fn ws(host: &str, port: u16, path: &str) -> Address {
    Address::WebSocket { host: host.into(), port, path: path.into() }
}

#[test]
fn a_websocket_address_has_a_host_a_port_and_maybe_a_path() {
    for (text, expected) in [
        ("ws://127.0.0.1:4500", ws("127.0.0.1", 4500, "/")),
        ("ws://127.0.0.1:4500/", ws("127.0.0.1", 4500, "/")),
        ("ws://localhost:80/rpc?x=1", ws("localhost", 80, "/rpc?x=1")),
        ("ws://localhost:80?x=1", ws("localhost", 80, "/?x=1")),
        ("ws://[::1]:9", ws("::1", 9, "/")),
    ] {
        assert_eq!(Address::parse(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn a_unix_address_names_a_path_or_means_the_control_socket() {
    assert_eq!(
        Address::parse("unix:///a/b.sock").unwrap(),
        Address::Unix(PathBuf::from("/a/b.sock"))
    );
    assert_eq!(Address::parse("unix://x.sock").unwrap(), Address::Unix(PathBuf::from("x.sock")));
    assert_eq!(Address::parse("unix://").unwrap(), Address::ControlSocket);
}

#[test]
fn anything_else_is_refused_by_name() {
    for text in ["", "http://x:1", "ws://", "ws://host", "ws://:80", "ws://h:99999", "ws://::1:80"]
    {
        let error = Address::parse(text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{text}` is no address")), "{error}");
    }
}

#[test]
fn an_address_prints_as_it_is_written() {
    for text in ["ws://127.0.0.1:4500", "ws://[::1]:9", "ws://h:1/rpc", "unix:///a.sock", "unix://"]
    {
        assert_eq!(Address::parse(text).unwrap().to_string(), text);
    }
}
