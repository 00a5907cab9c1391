use std::path::PathBuf;

use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, UnixListener};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};

use super::{Launch, connect};
use crate::client::{Address, Error};

/// Accepts one client, echoes one text and ends. Gives the path and the bearer of the upgrade.
async fn echo<S>(stream: S) -> (String, Option<String>)
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    let mut seen = (String::new(), None);
    #[expect(clippy::result_large_err, reason = "the callback's type is the library's")]
    let note = |request: &Request, response: Response| -> Result<Response, ErrorResponse> {
        let bearer = request.headers().get("authorization");
        seen = (
            request.uri().path().to_owned(),
            bearer.map(|value| value.to_str().unwrap().to_owned()),
        );
        Ok(response)
    };
    let mut socket = tokio_tungstenite::accept_hdr_async(stream, note).await.unwrap();
    let text = socket.next().await.unwrap().unwrap();
    socket.send(Message::Ping("p".into())).await.unwrap();
    socket.send(text).await.unwrap();
    socket.close(None).await.unwrap();
    while socket.next().await.is_some() {}
    seen
}

#[tokio::test]
async fn a_websocket_carries_texts_and_the_token() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let address = Address::parse(&format!("ws://127.0.0.1:{port}/x")).unwrap();
    let server = async { echo(listener.accept().await.unwrap().0).await };
    let client = async {
        let mut wire = connect(&address, Some("secret")).await.unwrap();
        wire.send(b"hello".to_vec()).await.unwrap();
        assert_eq!(wire.receive().await.unwrap().unwrap(), "hello");
        assert_eq!(wire.receive().await.unwrap(), None);
        wire.close().await;
    };
    let (seen, ()) = tokio::join!(server, client);
    assert_eq!(seen, ("/x".to_owned(), Some("Bearer secret".to_owned())));
}

#[tokio::test]
async fn a_unix_socket_speaks_websocket_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("d.sock");
    let listener = UnixListener::bind(&path).unwrap();
    let server = async { echo(listener.accept().await.unwrap().0).await };
    let client = async {
        let mut wire = connect(&Address::Unix(path.clone()), None).await.unwrap();
        wire.send(b"hello".to_vec()).await.unwrap();
        assert_eq!(wire.receive().await.unwrap().unwrap(), "hello");
        wire.close().await;
    };
    let (seen, ()) = tokio::join!(server, client);
    assert_eq!(seen, ("/rpc".to_owned(), None));
}

#[tokio::test]
async fn a_place_where_nobody_listens_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let address = Address::Unix(dir.path().join("none.sock"));
    let error = connect(&address, None).await.err().unwrap();
    assert_eq!(error.to_string(), format!("failed to connect to {address}"));
}

fn launch(program: PathBuf) -> Launch {
    Launch { program, arguments: Vec::new(), environment: Vec::new() }
}

#[tokio::test]
async fn a_program_that_is_missing_is_named() {
    let error = launch("/no/such/program".into()).start().err().unwrap();
    assert!(matches!(&error, Error::Spawn { .. }));
    assert_eq!(error.to_string(), "failed to start /no/such/program");
}

#[tokio::test]
async fn a_daemon_of_our_own_speaks_one_text_a_line() {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("daemon");
    std::fs::write(&program, "#!/bin/sh\nexec cat\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).unwrap();
    let (mut wire, _log) = launch(program).start().unwrap();
    assert!(wire.child_id().is_some());
    wire.send(b"{}".to_vec()).await.unwrap();
    wire.send(b"[]".to_vec()).await.unwrap();
    assert_eq!(wire.receive().await.unwrap().unwrap(), "{}");
    assert_eq!(wire.receive().await.unwrap().unwrap(), "[]");
    wire.close().await;
}
