use super::*;

fn service(variables: &[(&str, &str)]) -> Service {
    Service::of(|name| {
        variables.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
    })
}

#[test]
fn nothing_is_said_and_taken_without_a_manager() {
    let none = service(&[("WATCHDOG_USEC", "1000"), ("LISTEN_FDS", "2")]);
    assert!(none.manager.is_none() && none.watchdog.is_none());
    assert_eq!(none.promised, 0);
    none.ready();
}

#[test]
fn what_is_meant_for_another_process_does_not_count() {
    let other = service(&[
        ("NOTIFY_SOCKET", "/run/x"),
        ("WATCHDOG_USEC", "1000"),
        ("WATCHDOG_PID", "1"),
        ("LISTEN_FDS", "2"),
        ("LISTEN_PID", "1"),
    ]);
    assert!(other.watchdog.is_none());
    assert_eq!(other.promised, 0);
}

#[tokio::test(start_paused = true)]
async fn a_manager_hears_the_start_the_end_and_that_all_is_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).expect("a socket");
    let path = path.to_str().expect("a plain path");
    let service = service(&[("NOTIFY_SOCKET", path), ("WATCHDOG_USEC", "2000000")]);
    let heard = || {
        let mut text = [0; 64];
        let len = manager.recv(&mut text).expect("something was said");
        String::from_utf8_lossy(&text[..len]).into_owned()
    };
    service.ready();
    assert_eq!(heard(), "READY=1");
    let watching = tokio::time::timeout(Duration::from_millis(1500), service.watch());
    assert!(watching.await.is_err(), "watching has no end");
    assert_eq!(heard(), "WATCHDOG=1");
    service.stopping();
    assert_eq!(heard(), "STOPPING=1", "one sign of life in one and a half seconds");
}

#[test]
fn a_name_outside_the_file_system_is_understood() {
    assert!(address(OsStr::new("@spindle-test")).is_some());
    assert!(address(OsStr::new("relative")).is_none());
}
