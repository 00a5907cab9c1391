use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use spindle_schema::methods::ServerNotification;

use super::TextReport;
use crate::exec::outcome::Outcome;
use crate::exec::report::{Report, ThreadFacts};
use crate::paint::Paint;

fn item(event: &str, mut item: Value) -> ServerNotification {
    let at = if event == "item/started" { "startedAtMs" } else { "completedAtMs" };
    item["startedAtMs"] = json!(1);
    let mut params = json!({"threadId": "t", "turnId": "u", "item": item});
    params[at] = json!(1);
    ServerNotification::parse(event, Some(&to_raw_value(&params).unwrap())).unwrap()
}

fn message(text: &str, phase: Option<&str>) -> ServerNotification {
    let message = json!({"type": "agentMessage", "id": "m", "text": text, "phase": phase});
    item("item/completed", message)
}

fn command(event: &str, id: &str, status: &str) -> ServerNotification {
    let code = (status == "completed").then_some(0);
    let command = json!({
        "type": "commandExecution", "id": id, "command": format!("do {id}"), "cwd": "/w",
        "status": status, "commandActions": [], "exitCode": code, "aggregatedOutput": "out\n",
    });
    item(event, command)
}

/// What goes to stderr and what goes to stdout.
fn told(all: &[ServerNotification], outcome: &Outcome) -> (String, String) {
    let (mut progress, mut answer) = (Vec::new(), Vec::new());
    let mut report = TextReport::new(&mut progress, &mut answer, Paint::Bare);
    for said in all {
        report.hear(said).unwrap();
    }
    report.end(outcome).unwrap();
    (String::from_utf8(progress).unwrap(), String::from_utf8(answer).unwrap())
}

#[test]
fn the_answer_alone_goes_to_stdout() {
    let heard = [
        message("first I look", None),
        command("item/completed", "c", "completed"),
        message("42", None),
    ];
    let (progress, answer) = told(&heard, &Outcome::Completed);
    assert_eq!(answer, "42\n");
    assert_eq!(
        progress,
        "agent    first I look\n\
         run      do c\n         -> ok\n         out\n\
         done     0 tokens used\n"
    );
}

#[test]
fn commentary_is_never_the_answer() {
    let heard =
        [message("the answer", Some("final_answer")), message("by the way", Some("commentary"))];
    let (progress, answer) = told(&heard, &Outcome::Completed);
    assert_eq!(answer, "");
    assert!(progress.contains("agent    the answer\nagent    by the way\n"), "{progress}");
}

#[test]
fn a_command_is_shown_when_it_begins_and_its_result_when_it_ends() {
    let heard =
        [command("item/started", "c", "inProgress"), command("item/completed", "c", "completed")];
    let (progress, _) = told(&heard, &Outcome::Completed);
    assert!(progress.starts_with("run      do c\n         -> ok\n         out\n"), "{progress}");
}

#[test]
fn commands_that_run_side_by_side_repeat_themselves_with_their_results() {
    let heard = [
        command("item/started", "a", "inProgress"),
        command("item/started", "b", "inProgress"),
        command("item/completed", "a", "completed"),
    ];
    let (progress, _) = told(&heard, &Outcome::Completed);
    assert!(progress.starts_with("run      do a\nrun      do b\nrun      do a\n         -> ok\n"));
}

#[test]
fn a_failure_is_the_last_line_and_nothing_goes_to_stdout() {
    let (progress, answer) =
        told(&[message("half an answer", None)], &Outcome::Failed("quota\nreached".into()));
    assert_eq!(answer, "");
    assert_eq!(progress, "agent    half an answer\nerror    quota\n         reached\n");
}

#[test]
fn the_head_says_where_and_with_what_the_thread_works() {
    let mut progress = Vec::new();
    let facts = ThreadFacts {
        id: "t1".into(),
        cwd: "/w".into(),
        model: "m".into(),
        provider: "p".into(),
        approval: "never".into(),
        sandbox: "read-only".into(),
    };
    TextReport::new(&mut progress, Vec::new(), Paint::Bare).thread(&facts).unwrap();
    assert_eq!(
        String::from_utf8(progress).unwrap(),
        "thread   t1\n         model m (p), sandbox read-only, approvals never\n         /w\n"
    );
}
