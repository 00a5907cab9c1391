use std::io;

use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::error::ProtocolError;

use super::{is_end, to_io};
use crate::client::fake::FakeDaemon;

#[tokio::test]
async fn a_daemon_in_memory_that_is_gone_ends_both_directions() {
    let (mut wire, daemon) = FakeDaemon::pair();
    daemon.says_text("last").await;
    drop(daemon);
    assert_eq!(wire.receive().await.unwrap().unwrap(), "last");
    assert_eq!(wire.receive().await.unwrap(), None);
    let error = wire.send(b"x".to_vec()).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    assert_eq!(wire.child_id(), None);
}

#[test]
fn a_connection_that_was_just_cut_has_ended_and_other_faults_are_faults() {
    assert!(is_end(&Error::ConnectionClosed));
    assert!(is_end(&Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)));
    assert!(is_end(&Error::Io(io::ErrorKind::ConnectionReset.into())));
    assert!(!is_end(&Error::Io(io::ErrorKind::TimedOut.into())));
    assert!(!is_end(&Error::Protocol(ProtocolError::WrongHttpMethod)));
}

#[test]
fn faults_of_the_stream_keep_their_kind() {
    let error = to_io(Error::Io(io::ErrorKind::TimedOut.into()));
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert_eq!(to_io(Error::AttackAttempt).kind(), io::ErrorKind::Other);
}
