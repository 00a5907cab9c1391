use super::*;

fn request(text: &str) -> Request {
    read(text.as_bytes()).expect("well made").expect("whole")
}

fn passed(text: &str) -> (Target, String, Body) {
    match request(text) {
        Request { target, what: What::Pass { head, body, .. }, .. } => {
            (target, String::from_utf8(head).expect("text"), body)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_request_is_passed_on_as_to_the_host_itself() {
    let (target, head, body) = passed(
        "GET http://A.Example:8080/x?y=1#z HTTP/1.1\r\nHost: other.example\r\nAccept: */*\r\n\
         Proxy-Connection: Keep-Alive\r\nConnection: keep-alive, X-Own\r\nx-own: 1\r\n\
         Proxy-Authorization: Basic eA==\r\nUpgrade: websocket\r\n\r\nleft",
    );
    assert_eq!(target.to_string(), "a.example:8080");
    assert_eq!(
        head,
        "GET /x?y=1 HTTP/1.1\r\nHost: a.example:8080\r\nAccept: */*\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(body, Body::NONE);
}

#[test]
fn the_usual_port_and_path_are_filled_in() {
    let (target, head, _) = passed("HEAD HTTP://[::1] HTTP/1.0\r\n\r\n");
    assert_eq!((target.port, target.protocol), (80, Protocol::Http));
    assert!(head.starts_with("HEAD / HTTP/1.0\r\nHost: [::1]\r\n"), "{head}");
    let (_, head, _) = passed("GET http://a.example?q HTTP/1.1\r\n\r\n");
    assert!(head.starts_with("GET /?q HTTP/1.1\r\nHost: a.example\r\n"), "{head}");
}

#[test]
fn a_tunnel_names_host_and_port() {
    let text = "CONNECT [2001:4860::8]:443 HTTP/1.1\r\nHost: x\r\n\r\n";
    let Request { target, what, length } = request(text);
    assert_eq!(
        (target.to_string(), target.protocol),
        ("[2001:4860::8]:443".into(), Protocol::Https)
    );
    assert_eq!((what, length), (What::Tunnel, text.len()));
}

#[test]
fn a_head_that_is_not_all_there_is_waited_for_up_to_a_limit() {
    assert_eq!(read(b"GET http://a.exa"), Ok(None));
    assert_eq!(read(b""), Ok(None));
    let long = format!("GET http://a.example/{} HTTP/1.1\r\n", "x".repeat(MAX_HEAD));
    assert!(read(long.as_bytes()).is_err());
    let many = format!("GET http://a.example/ HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(200));
    assert!(read(many.as_bytes()).is_err());
}

#[test]
fn what_is_no_request_to_a_proxy_is_refused() {
    for line in [
        "GET / HTTP/1.1",
        "GET https://a.example/ HTTP/1.1",
        "GET ftp://a.example/ HTTP/1.1",
        "GET http://user@a.example/ HTTP/1.1",
        "GET http:// HTTP/1.1",
        "GET http://a.example:0/ HTTP/1.1",
        "GET http://a.example:99999/ HTTP/1.1",
        "GET http://::1/ HTTP/1.1",
        "GET http://127.1/ HTTP/1.1",
        "CONNECT a.example HTTP/1.1",
        "CONNECT a.example:0 HTTP/1.1",
        "CONNECT http://a.example:443 HTTP/1.1",
        "GET http://a.example/ HTTP/2.0",
        "\u{1}\u{2}",
    ] {
        let text = format!("{line}\r\n\r\n");
        assert!(read(text.as_bytes()).is_err(), "{line}");
    }
}

#[test]
fn a_body_has_one_clear_end() {
    let body = |headers: &str| {
        let text = format!("POST http://a.example/ HTTP/1.1\r\n{headers}\r\n");
        read(text.as_bytes()).map(|request| match request.expect("whole").what {
            What::Pass { body, .. } => body,
            What::Tunnel => panic!("no tunnel was asked for"),
        })
    };
    assert_eq!(body("Content-Length: 12\r\n"), Ok(Body::Length(12)));
    let pieces = Body::Pieces(Pieces::default());
    assert_eq!(body("Transfer-Encoding: Chunked\r\n"), Ok(pieces));
    for headers in [
        "Content-Length: 1\r\nContent-Length: 2\r\n",
        "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "Content-Length: +1\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: \r\n",
        "Content-Length: 99999999999999999999\r\n",
    ] {
        assert!(body(headers).is_err(), "{headers:?}");
    }
    let old = b"POST http://a.example/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n";
    assert!(read(old).is_err(), "old HTTP knows no pieces");
}

#[test]
fn a_connection_header_cannot_take_the_body_s_length_away() {
    let (_, head, _) = passed(
        "POST http://a.example/ HTTP/1.1\r\nConnection: content-length\r\nContent-Length: 3\r\n\r\n",
    );
    assert!(head.contains("Content-Length: 3"), "{head}");
}
