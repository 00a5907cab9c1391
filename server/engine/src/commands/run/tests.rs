use super::*;

const MOMENT: Duration = Duration::from_millis(20);

async fn start(script: &str) -> Process {
    let command = Command {
        argv: ["sh", "-c", script].map(OsString::from).into(),
        cwd: "/".into(),
        env: vec![("PATH".into(), "/usr/bin:/bin".into())],
        stdio: Stdio::Separate,
        limits: Limits::lossless(),
        sandbox: Mode::FullAccess,
    };
    Process::spawn(Clearance::by_user(command)).await.expect("it runs")
}

/// The time of a command is its own: it does not run out while its client reads.
#[tokio::test]
async fn a_command_that_has_ended_is_not_late_because_its_client_is_slow() {
    let process = start("head -c 180000 /dev/zero").await;
    while !process.has_ended() {
        tokio::task::yield_now().await;
    }
    let late = tokio::time::timeout(3 * MOMENT, time_is_up(&process, Some(MOMENT))).await;
    assert!(late.is_err() && process.try_status().is_none(), "its output is unread");
}

#[tokio::test]
async fn a_command_that_runs_on_is_late() {
    let process = start("exec sleep 600").await;
    time_is_up(&process, Some(MOMENT)).await;
    let never = tokio::time::timeout(MOMENT, time_is_up(&process, None)).await;
    assert!(never.is_err(), "it has all the time there is");
}

#[test]
fn a_clients_changes_take_out_set_and_add() {
    let mut variables: env::Environment =
        [("A", "1"), ("B", "2")].map(|(name, value)| (name.into(), value.into())).into();
    let changes = [("A", None), ("B", Some("3")), ("C", Some("4"))]
        .map(|(name, value)| (name.to_owned(), value.map(str::to_owned)));
    change(&mut variables, &BTreeMap::from(changes));
    let expected: env::Environment =
        [("B", "3"), ("C", "4")].map(|(name, value)| (name.into(), value.into())).into();
    assert_eq!(variables, expected);
}
