use std::time::Duration;

use tokio::net::UnixStream;
use tokio_tungstenite::client_async;

use super::*;

fn options(home: &tempfile::TempDir, listen: &[&str]) -> ServerOptions {
    let read = |text: &&str| text.parse().expect("a place to listen");
    ServerOptions {
        home: Some(home.path().to_path_buf()),
        listen: listen.iter().map(read).collect(),
        ..ServerOptions::default()
    }
}

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

async fn refusal(listen: &[&str]) -> String {
    let home = home();
    let options = options(&home, listen);
    let doors = Doors::open(&Daemon::build(&options), &options).await;
    doors.map(drop).expect_err("it cannot be listened on").to_string()
}

#[tokio::test]
async fn a_daemon_that_nobody_can_reach_does_not_start() {
    assert_eq!(refusal(&["off"]).await, "no transport configured; use --listen");
}

#[tokio::test]
async fn the_network_is_not_let_in_without_a_guard() {
    let text = refusal(&["ws://0.0.0.0:0"]).await;
    assert!(
        text.starts_with("refusing to start non-loopback websocket listener 0.0.0.0:0"),
        "{text}"
    );
}

#[tokio::test]
async fn an_address_in_use_is_named() {
    let taken = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let address = taken.local_addr().expect("it listens");
    let text = refusal(&[&format!("ws://{address}")]).await;
    assert_eq!(text, format!("failed to listen on ws://{address}"));
}

#[tokio::test]
async fn clients_are_told_the_end_and_the_socket_goes() {
    let home = home();
    let options = options(&home, &["unix://", "ws://127.0.0.1:0"]);
    let daemon = Daemon::build(&options);
    let doors = Doors::open(&daemon, &options).await.expect("nobody else is there");
    assert_eq!(doors.listeners, 2);
    let path = home::control_socket(home.path());
    let socket = UnixStream::connect(&path).await.expect("it listens");
    let (mut client, _) = client_async("ws://localhost/rpc", socket).await.expect("it upgrades");
    doors.accepting.cancel();
    daemon.shut_down(Duration::from_secs(1)).await;
    let last = futures_util::StreamExt::next(&mut client).await;
    let Some(Ok(tokio_tungstenite::tungstenite::Message::Close(Some(frame)))) = last else {
        panic!("no close frame: {last:?}");
    };
    assert_eq!(u16::from(frame.code), 1001);
    while path.exists() {
        tokio::task::yield_now().await;
    }
}
