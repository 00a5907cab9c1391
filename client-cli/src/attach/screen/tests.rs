use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use spindle_schema::methods::ServerNotification;
use spindle_schema::v2::Turn;

use super::Screen;
use crate::paint::Paint;

fn said(method: &str, params: &Value) -> ServerNotification {
    ServerNotification::parse(method, Some(&to_raw_value(params).unwrap())).unwrap()
}

fn item(event: &str, item: &Value) -> ServerNotification {
    let at = if event == "item/started" { "startedAtMs" } else { "completedAtMs" };
    let mut params = json!({"threadId": "t", "turnId": "u", "item": item});
    params[at] = json!(1);
    said(event, &params)
}

fn message(text: &str) -> Value {
    json!({"type": "agentMessage", "id": "m", "text": text, "completedAtMs": 1})
}

fn command(status: &str, output: &str) -> Value {
    let code = (status == "completed").then_some(0);
    json!({
        "type": "commandExecution", "id": "c", "command": "make", "cwd": "/w", "status": status,
        "commandActions": [], "exitCode": code, "aggregatedOutput": output,
    })
}

fn delta(kind: &str, id: &str, text: &str) -> ServerNotification {
    let params = json!({"threadId": "t", "turnId": "u", "itemId": id, "delta": text});
    said(&format!("item/{kind}"), &params)
}

fn turn(status: &str, items: &[Value]) -> Turn {
    serde_json::from_value(json!({"id": "u", "items": items, "status": status})).unwrap()
}

fn shown(all: &[ServerNotification]) -> String {
    let mut out = Vec::new();
    let mut screen = Screen::new(&mut out, Paint::Bare);
    for said in all {
        screen.hear(said).unwrap();
    }
    String::from_utf8(out).unwrap()
}

#[test]
fn streamed_words_are_shown_as_they_come_and_not_again() {
    let text = shown(&[
        item("item/started", &message("")),
        delta("agentMessage/delta", "m", "one "),
        delta("agentMessage/delta", "m", "two\nthree"),
        item("item/completed", &message("one two\nthree")),
    ]);
    assert_eq!(text, "agent    one two\n         three\n");
}

#[test]
fn words_that_did_not_stream_are_shown_whole() {
    assert_eq!(shown(&[item("item/completed", &message("all at once"))]), "agent    all at once\n");
}

#[test]
fn a_command_shows_its_output_once_and_how_it_ended() {
    let streamed = shown(&[
        item("item/started", &command("inProgress", "")),
        delta("commandExecution/outputDelta", "c", "a\n"),
        delta("commandExecution/outputDelta", "c", "b"),
        item("item/completed", &command("completed", "a\nb")),
    ]);
    assert_eq!(streamed, "run      make\noutput   a\n         b\n         -> ok\n");
    let quiet = shown(&[
        item("item/started", &command("inProgress", "")),
        item("item/completed", &command("completed", "a\n")),
    ]);
    assert_eq!(quiet, "run      make\n         -> ok\n         a\n");
}

#[test]
fn a_note_never_breaks_into_a_line_of_text() {
    let text = shown(&[
        delta("agentMessage/delta", "m", "half"),
        said("warning", &json!({"threadId": "t", "message": "slow"})),
        delta("agentMessage/delta", "m", " done"),
    ]);
    assert_eq!(text, "agent    half\nwarning  slow\nagent     done");
}

#[test]
fn joining_a_running_turn_shows_the_text_so_far_and_then_what_is_new() {
    let mut out = Vec::new();
    let mut screen = Screen::new(&mut out, Paint::Bare);
    let mut half = message("so far");
    half["completedAtMs"] = Value::Null;
    let user = json!({
        "type": "userMessage", "id": "q", "content": [{"type": "text", "text": "go"}],
        "completedAtMs": 1,
    });
    screen.known_turn(&turn("inProgress", &[user, half])).unwrap();
    screen.hear(&delta("agentMessage/delta", "m", " and on")).unwrap();
    screen.hear(&item("item/completed", &message("so far and on"))).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "you      go\nagent    so far and on\n");
}

#[test]
fn a_turn_that_went_wrong_says_why() {
    let mut out = Vec::new();
    let mut screen = Screen::new(&mut out, Paint::Bare);
    let mut failed = turn("failed", &[message("x")]);
    failed.error = serde_json::from_value(json!({"message": "quota"})).unwrap();
    screen.known_turn(&failed).unwrap();
    screen.known_turn(&turn("interrupted", &[])).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text, "agent    x\nfailed   quota\nstopped  interrupted\n");
}

#[test]
fn empty_lines_within_a_text_stay_and_those_at_its_end_do_not() {
    let text = shown(&[
        delta("commandExecution/outputDelta", "c", "a\n"),
        delta("commandExecution/outputDelta", "c", "\n"),
        delta("commandExecution/outputDelta", "c", "b\n"),
        said("warning", &json!({"threadId": "t", "message": "x"})),
    ]);
    assert_eq!(text, "output   a\n         \n         b\nwarning  x\n");
}
