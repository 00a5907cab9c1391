use serde_json::{Value, json};

use super::{Target, ask};
use crate::args::Shared;
use crate::client::fake::{FakeDaemon, opened, turn};
use crate::exec::args::ExecOptions;
use crate::exec::report::JsonReport;
use crate::exec::setup::Setup;

fn setup(options: ExecOptions) -> Setup {
    let options = ExecOptions { skip_git_repo_check: true, ..options };
    Setup::new(Shared::default(), options).unwrap()
}

/// Runs one prompt against a daemon that the test plays. Gives the result and stdout.
async fn run(
    setup: &Setup,
    target: Target,
    play: impl AsyncFnOnce(FakeDaemon),
) -> (Result<String, String>, Vec<Value>) {
    let (mut session, daemon) = FakeDaemon::session().await;
    let mut out = Vec::new();
    let mut report = JsonReport::new(&mut out);
    let asking = ask(setup, &mut session, target, "hi".to_owned(), &mut report);
    let (result, ()) = tokio::join!(asking, play(daemon));
    let events = String::from_utf8(out).unwrap();
    (
        result.map(|code| format!("{code:?}")).map_err(|error| format!("{error:#}")),
        events.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
    )
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|event| event["type"].as_str()).collect()
}

fn code(number: u8) -> String {
    format!("{:?}", std::process::ExitCode::from(number))
}

/// Starts thread `t` and turn `u`.
async fn started(daemon: &mut FakeDaemon) {
    let call = daemon.expect("thread/start").await;
    daemon.answer(&call, opened("t")).await;
    let call = daemon.expect("turn/start").await;
    assert_eq!(call.params["threadId"], "t");
    assert_eq!(call.params["input"][0]["text"], "hi");
    daemon.answer(&call, json!({"turn": turn("u", "inProgress")})).await;
    daemon.tells("turn/started", json!({"threadId": "t", "turn": turn("u", "inProgress")})).await;
}

async fn says(daemon: &FakeDaemon, thread: &str, text: &str) {
    let item = json!({"type": "agentMessage", "id": format!("m-{text}"), "text": text});
    let params = json!({"threadId": thread, "turnId": "u", "item": item, "completedAtMs": 1});
    daemon.tells("item/completed", params).await;
}

async fn ended(daemon: &FakeDaemon, id: &str, status: &str) {
    daemon.tells("turn/completed", json!({"threadId": "t", "turn": turn(id, status)})).await;
}

async fn left(daemon: &mut FakeDaemon) {
    let call = daemon.expect("thread/unsubscribe").await;
    daemon.answer(&call, json!({"status": "unsubscribed"})).await;
}

#[tokio::test]
async fn a_prompt_starts_a_thread_hears_the_turn_and_gives_the_thread_back() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("answer");
    let options = ExecOptions { output_last_message: Some(file.clone()), ..ExecOptions::default() };
    let (result, events) = run(&setup(options), Target::New, async |mut daemon| {
        started(&mut daemon).await;
        says(&daemon, "t", "first").await;
        says(&daemon, "t", "the answer").await;
        ended(&daemon, "u", "completed").await;
        left(&mut daemon).await;
    })
    .await;
    assert_eq!(result.unwrap(), code(0));
    assert_eq!(
        types(&events),
        ["thread.started", "turn.started", "item.completed", "item.completed", "turn.completed"]
    );
    assert_eq!(std::fs::read_to_string(file).unwrap(), "the answer");
}

#[tokio::test]
async fn what_happens_in_other_threads_and_turns_is_not_ours() {
    let (result, events) = run(&setup(ExecOptions::default()), Target::New, async |mut daemon| {
        started(&mut daemon).await;
        says(&daemon, "other", "not for us").await;
        ended(&daemon, "earlier", "failed").await;
        ended(&daemon, "u", "completed").await;
        left(&mut daemon).await;
    })
    .await;
    assert_eq!(result.unwrap(), code(0));
    assert_eq!(types(&events), ["thread.started", "turn.started", "turn.completed"]);
}

#[tokio::test]
async fn what_is_asked_is_declined_and_the_turn_goes_on() {
    let (result, _) = run(&setup(ExecOptions::default()), Target::New, async |mut daemon| {
        started(&mut daemon).await;
        let about = json!({"threadId": "t", "turnId": "u", "itemId": "i", "startedAtMs": 1});
        for (id, method) in
            [(1, "item/commandExecution/requestApproval"), (2, "item/fileChange/requestApproval")]
        {
            daemon.says(json!({"id": id, "method": method, "params": about})).await;
            let decline = json!({"id": id, "result": {"decision": "decline"}});
            assert_eq!(daemon.hears().await, decline);
        }
        let call =
            json!({"threadId": "t", "turnId": "u", "callId": "c", "arguments": {}, "tool": "x"});
        daemon.says(json!({"id": 3, "method": "item/tool/call", "params": call})).await;
        let refused = daemon.hears().await;
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(3), &json!(-32601)));
        ended(&daemon, "u", "completed").await;
        left(&mut daemon).await;
    })
    .await;
    assert_eq!(result.unwrap(), code(0));
}

#[tokio::test]
async fn a_failed_turn_gives_one() {
    let (result, events) = run(&setup(ExecOptions::default()), Target::New, async |mut daemon| {
        started(&mut daemon).await;
        ended(&daemon, "u", "failed").await;
        left(&mut daemon).await;
    })
    .await;
    assert_eq!(result.unwrap(), code(1));
    assert_eq!(types(&events).last(), Some(&"turn.failed"));
}

#[tokio::test]
async fn a_thread_is_resumed_without_its_turns() {
    let id = "01a22cb7-49a4-7e63-bccc-25b6a10ab4e9";
    let target = Target::Named(id.to_owned());
    let (result, events) = run(&setup(ExecOptions::default()), target, async |mut daemon| {
        let call = daemon.expect("thread/resume").await;
        assert_eq!(call.params["threadId"], id);
        assert_eq!(call.params["excludeTurns"], true);
        daemon.refuse(&call, "no rollout found").await;
    })
    .await;
    assert_eq!(result, Err("thread/resume: no rollout found (code -32600)".to_owned()));
    assert_eq!(events, Vec::<Value>::new());
}

#[tokio::test]
async fn a_daemon_that_goes_away_in_the_middle_is_an_error() {
    let (result, _) = run(&setup(ExecOptions::default()), Target::New, async |mut daemon| {
        started(&mut daemon).await;
    })
    .await;
    let expected = "the daemon closed the connection before the turn ended";
    assert_eq!(result, Err(expected.to_owned()));
}

#[tokio::test]
async fn outside_git_the_settings_are_asked_whether_the_folder_is_trusted() {
    let dir = tempfile::tempdir().unwrap();
    let cwd = std::fs::canonicalize(dir.path()).unwrap();
    let options = ExecOptions { cd: Some(cwd.clone()), ..ExecOptions::default() };
    let setup = Setup::new(Shared::default(), options).unwrap();
    for (level, is_fine) in [("trusted", true), ("untrusted", false)] {
        let (mut session, mut daemon) = FakeDaemon::session().await;
        let play = async {
            let call = daemon.expect("config/read").await;
            let projects = json!({cwd.to_str().unwrap(): {"trust_level": level}});
            daemon.answer(&call, json!({"config": {"projects": projects}, "origins": {}})).await;
        };
        let (result, ()) = tokio::join!(setup.check_folder(&mut session), play);
        assert_eq!(result.is_ok(), is_fine, "{level}");
    }
}
