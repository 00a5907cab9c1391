use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use spindle_schema::event::Event;
use spindle_schema::ids::ConnectionId;
use tokio::sync::watch;

use super::*;
use crate::threads::{Audience, EngineOptions, Line, Recipients, ThreadManager};
use crate::{Answer, Error};

const SOON: Duration = Duration::from_secs(20);

/// The only client there is. It reads when it is told to.
struct Ear {
    reads: watch::Sender<bool>,
    heard: Mutex<Vec<u8>>,
    ends: watch::Sender<Vec<i32>>,
}

struct Room(Option<Arc<Ear>>);

impl Audience for Room {
    fn deliver(&self, _: &[Event], _: Recipients<'_>) {}

    fn listener(&self, _: ConnectionId) -> Option<Arc<dyn Listener>> {
        self.0.clone().map(|ear| ear as Arc<dyn Listener>)
    }

    fn line(&self) -> Box<dyn Line> {
        unreachable!("commands of clients belong to no session")
    }

    fn is_there(&self, _: ConnectionId) -> bool {
        true
    }
}

impl Listener for Ear {
    fn hear(&self, event: CommandEvent<'_>) {
        match event.msg {
            CommandMsg::Output { bytes, .. } => self.heard.lock().extend_from_slice(bytes),
            CommandMsg::Exited(end) => self.ends.send_modify(|ends| ends.push(end.exit_code)),
        }
    }

    fn has_room(&self) -> BoxFuture<'_, ()> {
        let mut reads = self.reads.subscribe();
        async move {
            let _ = reads.wait_for(|reads| *reads).await;
        }
        .boxed()
    }
}

struct Case {
    engine: ThreadManager,
    ear: Arc<Ear>,
    _home: tempfile::TempDir,
}

fn case(is_connected: bool) -> Case {
    let home = tempfile::tempdir().expect("a temporary folder");
    let ear = Arc::new(Ear {
        reads: watch::Sender::new(true),
        heard: Mutex::default(),
        ends: watch::Sender::new(Vec::new()),
    });
    let options = EngineOptions {
        home: home.path().to_path_buf(),
        cwd: home.path().to_path_buf(),
        config_overrides: vec![("sandbox_mode".into(), "danger-full-access".into())],
        features: vec![],
        version: "0",
        env: HashMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
    };
    let room = Room(is_connected.then(|| ear.clone()));
    Case { engine: ThreadManager::new(options, Arc::new(room)), ear, _home: home }
}

fn key(name: &str) -> CommandKey {
    let name = CommandName::Given(name.into());
    CommandKey { connection: ConnectionId(1), kind: CommandKind::Process, name }
}

fn sh(script: &str) -> CommandRequest {
    CommandRequest {
        argv: ["sh", "-c", script].map(str::to_owned).into(),
        cwd: None,
        env: BTreeMap::new(),
        held: Held::Configured,
        input: Input::Empty,
        streams: true,
        cap_bytes: None,
        timeout: None,
    }
}

async fn spawn(case: &Case, name: &str, request: CommandRequest) -> Result<(), Error> {
    let (answer, answered) = Answer::channel();
    case.engine.commands().spawn(key(name), request, answer);
    answered.await.expect("every request is answered")
}

async fn exec(case: &Case, request: CommandRequest) -> Result<Finished, Error> {
    let (answer, answered) = Answer::channel();
    let name = case.engine.commands().nameless();
    let key = CommandKey { connection: ConnectionId(1), kind: CommandKind::Exec, name };
    case.engine.commands().exec(key, request, (), answer);
    answered.await.expect("every request is answered")
}

async fn ends(case: &Case, count: usize) -> Vec<i32> {
    let mut ends = case.ear.ends.subscribe();
    let ended = tokio::time::timeout(SOON, ends.wait_for(|ends| ends.len() >= count)).await;
    ended.expect("they end in time").expect("the ear is there").clone()
}

#[tokio::test]
async fn output_waits_for_a_client_that_does_not_read_and_is_then_whole() {
    let case = case(true);
    case.ear.reads.send_replace(false);
    spawn(&case, "a", sh("yes | head -c 2000000")).await.expect("it runs");
    // Others are served meanwhile, and nothing of the output is handed over.
    for _ in 0..3 {
        let mut other = sh("echo hi");
        other.streams = false;
        assert_eq!(exec(&case, other).await.expect("it runs").stdout.text, "hi\n");
    }
    assert_eq!(case.ear.heard.lock().len(), 0);
    case.ear.reads.send_replace(true);
    assert_eq!(ends(&case, 1).await, [0]);
    assert_eq!(*case.ear.heard.lock(), b"y\n".repeat(1_000_000));
}

#[tokio::test]
async fn a_time_of_nothing_is_up_at_once() {
    let case = case(true);
    let mut request = sh("true");
    request.timeout = Some(Duration::ZERO);
    assert_eq!(exec(&case, request).await.expect("it runs").exit_code, 124);
}

#[tokio::test]
async fn text_is_kept_to_the_cap_and_not_cut_within_a_character() {
    let case = case(true);
    let mut request = sh("printf 'ab€€'; printf 'xy\\377' >&2");
    (request.streams, request.cap_bytes) = (false, Some(4));
    let end = exec(&case, request).await.expect("it runs");
    assert_eq!(end.stdout, Printed { text: "ab".into(), is_cap_reached: true });
    assert_eq!(end.stderr, Printed { text: "xy\u{fffd}".into(), is_cap_reached: false });
}

#[tokio::test]
async fn what_a_command_leaves_behind_ends_with_it() {
    let case = case(true);
    let mut request = sh("sleep 600 & echo $!");
    request.streams = false;
    let end = exec(&case, request).await.expect("it runs");
    assert!(end.output_was_held_open);
    let stat = format!("/proc/{}/stat", end.stdout.text.trim());
    let is_over = || match std::fs::read_to_string(&stat) {
        Ok(stat) => stat.contains(") Z ") || stat.contains(") X "),
        Err(_) => true,
    };
    let over = async {
        while !is_over() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(SOON, over).await.expect("it is killed");
}

#[tokio::test]
async fn a_connection_that_is_gone_runs_nothing() {
    let case = case(false);
    assert!(matches!(spawn(&case, "a", sh("true")).await, Err(Error::Dropped)));
    // Its name was not kept.
    assert!(matches!(spawn(&case, "a", sh("true")).await, Err(Error::Dropped)));
}

#[tokio::test]
async fn one_connection_cannot_have_commands_without_end() {
    let case = case(true);
    for number in 0..64 {
        spawn(&case, &number.to_string(), sh("exec sleep 600")).await.expect("it runs");
    }
    assert!(matches!(spawn(&case, "more", sh("true")).await, Err(Error::Overloaded)));
    case.engine.connection_closed(ConnectionId(1));
    let free = async {
        while spawn(&case, "more", sh("true")).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(SOON, free).await.expect("there is room again");
}

#[tokio::test]
async fn after_the_end_of_the_engine_nothing_runs() {
    let case = case(true);
    spawn(&case, "a", sh("exec sleep 600")).await.expect("it runs");
    tokio::time::timeout(SOON, case.engine.shutdown(SOON)).await.expect("it ends in time");
    assert!(matches!(spawn(&case, "b", sh("true")).await, Err(Error::Draining)));
    assert!(case.engine.commands().kill(&key("a")).is_err(), "it is still there");
}
