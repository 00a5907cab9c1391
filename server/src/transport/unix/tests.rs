use std::os::unix::fs::MetadataExt;

use super::*;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it exists").mode() & 0o777
}

#[tokio::test]
async fn the_socket_and_its_folder_are_the_owners_alone() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("control/a.sock");
    let door = UnixDoor::bind(&path).expect("nobody is there");
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(path.parent().expect("a folder")), 0o700);
    drop(door);
    assert!(!path.exists(), "the socket goes with the door");
}

#[tokio::test]
async fn a_socket_in_use_is_left_alone() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("a.sock");
    let _door = UnixDoor::bind(&path).expect("nobody is there");
    let error = UnixDoor::bind(&path).expect_err("it is in use");
    assert_eq!(
        error.to_string(),
        format!("app-server control socket is already in use at {}", path.display())
    );
    assert!(path.exists());
}

#[tokio::test]
async fn a_stale_socket_is_replaced() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("a.sock");
    drop(std::os::unix::net::UnixListener::bind(&path).expect("a socket without listener"));
    assert!(path.exists());
    UnixDoor::bind(&path).expect("nobody answers there");
}

#[tokio::test]
async fn a_socket_of_a_program_that_knows_no_lock_is_left_alone() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("a.sock");
    let _other = std::os::unix::net::UnixListener::bind(&path).expect("another program");
    assert!(matches!(UnixDoor::bind(&path), Err(Error::InUse(_))));
}

#[tokio::test]
async fn a_file_is_never_replaced() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("notes");
    fs::write(&path, "precious").expect("a file");
    assert!(matches!(UnixDoor::bind(&path), Err(Error::NotASocket(_))));
    assert_eq!(fs::read_to_string(&path).expect("it is still there"), "precious");
}
