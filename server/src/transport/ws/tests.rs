use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::protocol::frame::Frame as RawFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::super::unix::UnixDoor;
use super::*;

/// Sends every message back, and closes as a connection would.
#[derive(Clone)]
struct Mirror;

impl Host for Mirror {
    async fn serve<I: Inlet, O: Outlet>(&self, mut inlet: I, mut outlet: O, _: Via) {
        let closing = loop {
            match inlet.next().await {
                Ok(Some(Inbound::Message(text))) => {
                    let mut line = text.to_vec();
                    line.push(b'\n');
                    if outlet.write(&[Packet::response(line)]).await.is_err() {
                        break Closing::normal();
                    }
                }
                Ok(Some(Inbound::TooLong(_))) => {}
                Ok(None) => break Closing::normal(),
                Err(fault) => break Closing::from(&fault),
            }
        };
        outlet.close(&closing).await;
    }

    fn is_ready(&self) -> bool {
        true
    }
}

async fn listen() -> SocketAddr {
    listen_with(None).await
}

async fn listen_with(guard: Option<Guard>) -> SocketAddr {
    let door = TcpDoor::bind(([127, 0, 0, 1], 0).into()).await.expect("a free port");
    let address = door.address().expect("it listens");
    let visitors = Visitors::Programs { guard: guard.map(Arc::new) };
    tokio::spawn(serve(door, visitors, Mirror, CancellationToken::new()));
    address
}

async fn connect(address: SocketAddr) -> WebSocketStream<TcpStream> {
    let socket = TcpStream::connect(address).await.expect("it listens");
    let config = WebSocketConfig::default().max_frame_size(None).max_message_size(None);
    let url = format!("ws://{address}/any/path?query");
    client_async_with_config(url, socket, Some(config)).await.expect("it upgrades").0
}

/// Sends an HTTP request and gives status line, headers and body as text.
async fn http(address: SocketAddr, head: &str) -> String {
    let mut socket = TcpStream::connect(address).await.expect("it listens");
    let request = format!("{head}\r\nHost: x\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.expect("it reads");
    let mut text = String::new();
    socket.read_to_string(&mut text).await.expect("it answers");
    text
}

fn close_code(frame: Option<Result<Frame, WireError>>) -> u16 {
    match frame {
        Some(Ok(Frame::Close(Some(frame)))) => frame.code.into(),
        other => panic!("no close frame: {other:?}"),
    }
}

fn frame(bytes: Vec<u8>, opcode: Data, is_last: bool) -> Frame {
    Frame::Frame(RawFrame::message(bytes, OpCode::Data(opcode), is_last))
}

#[tokio::test]
async fn health_checks_need_no_upgrade() {
    let address = listen().await;
    for path in ["/healthz", "/readyz"] {
        assert!(http(address, &format!("GET {path} HTTP/1.1")).await.starts_with("HTTP/1.1 200"));
        assert!(http(address, &format!("HEAD {path} HTTP/1.1")).await.starts_with("HTTP/1.1 200"));
        assert!(http(address, &format!("POST {path} HTTP/1.1")).await.starts_with("HTTP/1.1 405"));
    }
    let plain = http(address, "GET / HTTP/1.1").await;
    assert!(plain.starts_with("HTTP/1.1 400"), "{plain}");
    assert!(plain.ends_with("Connection header did not include 'upgrade'"), "{plain}");
}

#[tokio::test]
async fn web_pages_are_refused_everywhere() {
    let address = listen().await;
    for path in ["/", "/healthz", "/readyz"] {
        for origin in ["http://localhost", "null", ""] {
            let answer = http(address, &format!("GET {path} HTTP/1.1\r\nOrigin: {origin}")).await;
            assert!(answer.starts_with("HTTP/1.1 403"), "{path} {origin}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_guard_looks_at_tokens_but_not_at_health_checks() {
    let address = listen_with(Some(Guard::of_token("sesame"))).await;
    let answer = http(address, "GET / HTTP/1.1").await;
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    assert!(answer.ends_with("missing websocket bearer token"), "{answer}");
    let with = |token: &str| format!("GET / HTTP/1.1\r\nAuthorization: Bearer {token}");
    let answer = http(address, &with("other")).await;
    assert!(answer.ends_with("invalid websocket bearer token"), "{answer}");
    let answer = http(address, &with("sesame")).await;
    assert!(answer.starts_with("HTTP/1.1 400"), "let in, but no upgrade: {answer}");
    assert!(http(address, "GET /readyz HTTP/1.1").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_text_frame_is_a_message_whatever_its_form() {
    let mut socket = connect(listen().await).await;
    socket.send(Frame::text("  ")).await.expect("open");
    socket.send(Frame::binary("ignored")).await.expect("open");
    socket.send(frame(b"{\"a\":".to_vec(), Data::Text, false)).await.expect("open");
    socket.send(Frame::Ping("p".into())).await.expect("open");
    socket.send(frame(b"1}".to_vec(), Data::Continue, true)).await.expect("open");
    assert_eq!(socket.next().await.expect("open").expect("fine"), Frame::Pong("p".into()));
    assert_eq!(socket.next().await.expect("open").expect("fine"), Frame::text("{\"a\":1}"));
    socket.send(Frame::text("{}")).await.expect("open");
    assert_eq!(
        socket.next().await.expect("open").expect("fine"),
        Frame::text("{}"),
        "one pong only"
    );
}

#[tokio::test]
async fn a_close_is_answered_with_a_close() {
    let mut socket = connect(listen().await).await;
    socket.close(None).await.expect("open");
    assert!(matches!(socket.next().await, Some(Ok(Frame::Close(_)))));
    assert!(socket.next().await.is_none());
}

#[tokio::test]
async fn a_frame_over_the_limit_is_told_with_a_code_and_not_with_a_reset() {
    let mut socket = connect(listen().await).await;
    let large = vec![b'x'; MAX_FRAME_BYTES + 1];
    socket.send(frame(large, Data::Text, true)).await.expect("the server swallows it");
    assert_eq!(close_code(socket.next().await), 1009);
}

#[tokio::test]
async fn a_message_at_the_limit_passes_in_fragments_and_one_above_does_not() {
    let mut socket = connect(listen().await).await;
    let part = vec![b'x'; 1 << 20];
    for index in 0..64 {
        let opcode = if index == 0 { Data::Text } else { Data::Continue };
        socket.send(frame(part.clone(), opcode, index == 63)).await.expect("open");
    }
    let back = socket.next().await.expect("open").expect("fine");
    assert_eq!(back.len(), MAX_MESSAGE_BYTES);
    socket.send(frame(part.clone(), Data::Text, false)).await.expect("open");
    for _ in 0..64 {
        socket.send(frame(part.clone(), Data::Continue, false)).await.expect("swallowed");
    }
    assert_eq!(close_code(socket.next().await), 1009);
}

#[tokio::test]
async fn a_frame_that_is_no_text_or_breaks_the_rules_is_told_with_a_code() {
    let mut socket = connect(listen().await).await;
    socket.send(frame(b"\xff\xfe".to_vec(), Data::Text, true)).await.expect("open");
    assert_eq!(close_code(socket.next().await), 1007);
    let mut socket = connect(listen().await).await;
    socket.send(frame(b"x".to_vec(), Data::Continue, true)).await.expect("open");
    assert_eq!(close_code(socket.next().await), 1002);
}

#[tokio::test]
async fn a_unix_socket_speaks_the_same_and_tells_its_frame_limit() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("a.sock");
    let door = UnixDoor::bind(&path).expect("nobody is there");
    let stop = CancellationToken::new();
    let serving = tokio::spawn(serve(door, Visitors::All, Mirror, stop.clone()));
    let socket = UnixStream::connect(&path).await.expect("it listens");
    let (mut socket, response) =
        client_async_with_config("ws://localhost/rpc", socket, None).await.expect("it upgrades");
    let limit = response.headers().get(FRAME_LIMIT_HEADER).and_then(|value| value.to_str().ok());
    assert_eq!(limit, Some("16777216"));
    socket.send(Frame::text("{}")).await.expect("open");
    assert_eq!(socket.next().await.expect("open").expect("fine"), Frame::text("{}"));
    drop(socket);
    stop.cancel();
    let ended = tokio::time::timeout(Duration::from_secs(5), serving).await;
    ended.expect("it stops").expect("no panic").expect("no failure");
    assert!(!path.exists());
}
