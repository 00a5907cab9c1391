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
    let doors = Doors::open(&Daemon::build(&options), &options, Vec::new()).await;
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
    let doors = Doors::open(&daemon, &options, Vec::new()).await.expect("nobody else is there");
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

/// SPEC C3: as a service manager does it, with a Unix and a TCP socket.
#[tokio::test]
async fn sockets_that_were_handed_over_are_served_and_left_where_they_are() {
    let home = home();
    let path = home.path().join("handed.sock");
    let unix = std::os::unix::net::UnixListener::bind(&path).expect("a socket");
    let tcp = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = tcp.local_addr().expect("it listens");
    let same = format!("unix://{}", path.display());
    let options = options(&home, &[&same]);
    let daemon = Daemon::build(&options);
    let handed = vec![unix.into(), tcp.into()];
    let doors = Doors::open(&daemon, &options, handed).await.expect("both are served");
    assert_eq!(doors.listeners, 2, "the place that is named twice is one place");
    let socket = UnixStream::connect(&path).await.expect("it listens");
    client_async("ws://localhost/rpc", socket).await.expect("it upgrades");
    let socket = tokio::net::TcpStream::connect(address).await.expect("it listens");
    client_async(format!("ws://{address}/"), socket).await.expect("it upgrades");
    doors.accepting.cancel();
    daemon.shut_down(Duration::from_secs(1)).await;
    assert!(path.exists(), "the socket file belongs to who made it");
}

#[tokio::test(start_paused = true)]
async fn an_unused_daemon_ends_after_its_last_client_and_not_before() {
    let home = home();
    let options = options(&home, &[]);
    let daemon = Daemon::build(&options);
    let client = daemon.connect();
    let greeting =
        r#"{"id":1,"method":"initialize","params":{"clientInfo":{"name":"t","version":"1"}}}"#;
    client.send(greeting).await.expect("it listens");
    daemon.clients().any_came().await;
    let after = Some(Duration::from_mins(1));
    let unused = tokio::time::timeout(Duration::from_hours(1), is_unused(&daemon, after));
    assert!(unused.await.is_err(), "a client is there");
    drop(client);
    let began = tokio::time::Instant::now();
    is_unused(&daemon, after).await;
    assert!(began.elapsed() >= Duration::from_mins(1));
}
