use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use spindle_schema::methods::ServerNotification;

use super::{EventStream, JsonReport, Report, ThreadFacts};
use crate::exec::outcome::Outcome;

fn said(method: &str, params: &Value) -> ServerNotification {
    ServerNotification::parse(method, Some(&to_raw_value(params).unwrap())).unwrap()
}

fn turn(status: &str) -> Value {
    json!({"id": "u", "items": [], "status": status, "error": null})
}

fn turn_started() -> ServerNotification {
    said("turn/started", &json!({"threadId": "t", "turn": turn("inProgress")}))
}

fn item(event: &str, item: &Value) -> ServerNotification {
    let at = if event == "item/started" { "startedAtMs" } else { "completedAtMs" };
    let mut params = json!({"threadId": "t", "turnId": "u", "item": item});
    params["item"]["startedAtMs"] = json!(1);
    params[at] = json!(1);
    said(event, &params)
}

fn command(status: &str) -> Value {
    json!({
        "type": "commandExecution", "id": "call_7", "command": "ls", "cwd": "/w",
        "status": status, "commandActions": [],
    })
}

fn message(text: &str) -> Value {
    json!({"type": "agentMessage", "id": format!("m-{text}"), "text": text})
}

fn plan(steps: &[(&str, &str)]) -> ServerNotification {
    let steps: Vec<Value> =
        steps.iter().map(|(step, status)| json!({"step": step, "status": status})).collect();
    said("turn/plan/updated", &json!({"threadId": "t", "turnId": "u", "plan": steps}))
}

fn usage(input: i64) -> ServerNotification {
    let used = json!({
        "totalTokens": input + 20, "inputTokens": input, "cachedInputTokens": 10,
        "cacheWriteInputTokens": 0, "outputTokens": 20, "reasoningOutputTokens": 5,
    });
    let tokens = json!({"total": used, "last": used, "modelContextWindow": null});
    said(
        "thread/tokenUsage/updated",
        &json!({"threadId": "t", "turnId": "u", "tokenUsage": tokens}),
    )
}

fn trouble(will_retry: bool) -> ServerNotification {
    let error = json!({"message": "Reconnecting... 1/5", "additionalDetails": "busy"});
    said("error", &json!({"threadId": "t", "turnId": "u", "error": error, "willRetry": will_retry}))
}

/// Everything that the stream says to these, one JSON object each.
fn events(all: &[ServerNotification], outcome: &Outcome) -> Vec<Value> {
    let mut stream = EventStream::default();
    let mut events: Vec<_> = all.iter().flat_map(|said| stream.hear(said)).collect();
    events.extend(stream.end(outcome));
    events.iter().map(|event| serde_json::to_value(event).unwrap()).collect()
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

#[test]
fn a_turn_with_a_command_is_told_in_order_and_one_item_keeps_its_id() {
    let heard = [
        said("warning", &json!({"threadId": "t", "message": "careful"})),
        turn_started(),
        item("item/started", &command("inProgress")),
        item("item/completed", &command("completed")),
        item("item/started", &message("done")),
        item("item/completed", &message("done")),
        usage(100),
        usage(300),
    ];
    let events = events(&heard, &Outcome::Completed);
    assert_eq!(
        types(&events),
        [
            "item.completed",
            "turn.started",
            "item.started",
            "item.completed",
            "item.completed",
            "turn.completed",
        ]
    );
    let ids: Vec<&Value> = [0, 2, 3, 4].iter().map(|at| &events[*at]["item"]["id"]).collect();
    assert_eq!(ids, ["item_0", "item_1", "item_1", "item_2"]);
    assert_eq!(events[0]["item"], json!({"id": "item_0", "type": "error", "message": "careful"}));
    assert_eq!(
        events[5]["usage"],
        json!({
            "input_tokens": 300, "cached_input_tokens": 10, "cache_write_input_tokens": 0,
            "output_tokens": 20, "reasoning_output_tokens": 5,
        })
    );
}

#[test]
fn the_list_of_steps_is_one_item_that_is_whole_when_the_turn_ends() {
    let heard = [
        turn_started(),
        plan(&[("a", "inProgress"), ("b", "pending")]),
        plan(&[("a", "completed"), ("b", "inProgress")]),
    ];
    let events = events(&heard, &Outcome::Completed);
    assert_eq!(
        types(&events),
        ["turn.started", "item.started", "item.updated", "item.completed", "turn.completed"]
    );
    let steps = json!([{"text": "a", "completed": true}, {"text": "b", "completed": false}]);
    assert_eq!(events[3]["item"], json!({"id": "item_0", "type": "todo_list", "items": steps}));
}

#[test]
fn a_failed_turn_ends_with_its_reason() {
    let heard = [turn_started(), trouble(true), trouble(false)];
    let events = events(&heard, &Outcome::Failed("broken".into()));
    assert_eq!(events[1], json!({"type": "error", "message": "Reconnecting... 1/5 (busy)"}));
    assert_eq!(events[2], json!({"type": "error", "message": "Reconnecting... 1/5"}));
    assert_eq!(events[3], json!({"type": "turn.failed", "error": {"message": "broken"}}));
}

#[test]
fn a_prompt_that_joined_a_running_turn_still_has_a_start() {
    let events = events(&[item("item/completed", &message("x"))], &Outcome::Completed);
    assert_eq!(types(&events), ["turn.started", "item.completed", "turn.completed"]);
}

#[test]
fn a_faulty_setting_is_an_item_before_the_turn() {
    let warning = json!({"summary": "bad key", "details": "config.toml:3"});
    let events = events(&[said("configWarning", &warning), turn_started()], &Outcome::Completed);
    assert_eq!(types(&events), ["item.completed", "turn.started", "turn.completed"]);
    assert_eq!(events[0]["item"]["message"], "bad key\nconfig.toml:3");
}

#[test]
fn stdout_holds_one_object_a_line_and_nothing_else() {
    let mut out = Vec::new();
    let mut report = JsonReport::new(&mut out);
    report.thread(&ThreadFacts { id: "t".into(), ..ThreadFacts::default() }).unwrap();
    report.hear(&turn_started()).unwrap();
    report.hear(&said("thread/closed", &json!({"threadId": "t"}))).unwrap();
    report.end(&Outcome::Interrupted).unwrap();
    let expected = concat!(
        r#"{"type":"thread.started","thread_id":"t"}"#,
        "\n",
        r#"{"type":"turn.started"}"#,
        "\n",
        r#"{"type":"turn.failed","error":{"message":"interrupted"}}"#,
        "\n",
    );
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}
