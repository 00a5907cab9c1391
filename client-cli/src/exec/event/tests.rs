use serde_json::{Value, json};
use spindle_schema::v2::ThreadItem;

use super::{Event, Item, body_of, has_start};

fn shown(body: &Value) -> Option<Value> {
    let mut whole = json!({"id": "x", "startedAtMs": 1, "completedAtMs": null});
    for (key, value) in body.as_object().unwrap() {
        whole[key] = value.clone();
    }
    let item: ThreadItem = serde_json::from_value(whole).unwrap();
    body_of(&item).map(|body| {
        serde_json::to_value(Event::ItemCompleted { item: Item { id: "item_0".into(), body } })
            .unwrap()
    })
}

fn text_of(value: Option<Value>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

#[test]
fn a_running_command_has_a_null_exit_code_and_empty_output() {
    let event = shown(&json!({
        "type": "commandExecution", "command": "ls", "cwd": "/w", "status": "inProgress",
        "commandActions": [], "aggregatedOutput": null, "exitCode": null, "durationMs": null,
    }));
    assert_eq!(
        text_of(event),
        r#"{"type":"item.completed","item":{"id":"item_0","type":"command_execution","command":"ls","aggregated_output":"","exit_code":null,"status":"in_progress"}}"#
    );
}

#[test]
fn a_file_change_lists_paths_and_kinds() {
    let event = shown(&json!({"type": "fileChange", "status": "declined", "changes": [
        {"path": "/w/a", "diff": "+x", "kind": {"type": "add"}},
        {"path": "/w/b", "diff": "", "kind": {"type": "update", "move_path": "/w/c"}},
    ]}));
    assert_eq!(
        text_of(event),
        r#"{"type":"item.completed","item":{"id":"item_0","type":"file_change","changes":[{"path":"/w/a","kind":"add"},{"path":"/w/b","kind":"update"}],"status":"failed"}}"#
    );
}

#[test]
fn a_tool_call_carries_its_result_or_its_error() {
    let event = shown(&json!({
        "type": "mcpToolCall", "server": "s", "tool": "t", "arguments": {"q": 1},
        "status": "completed",
        "result": {"content": [{"type": "text", "text": "x"}], "structuredContent": null},
    }))
    .unwrap();
    let result = json!({"content": [{"type": "text", "text": "x"}], "structured_content": null});
    assert_eq!(event["item"]["result"], result);
    assert_eq!(event["item"]["arguments"], json!({"q": 1}));
    assert_eq!(event["item"]["error"], Value::Null);
}

#[test]
fn reasoning_joins_its_parts_and_is_left_out_when_empty() {
    let event = shown(&json!({"type": "reasoning", "summary": ["a", "b"], "content": []})).unwrap();
    assert_eq!(event["item"]["text"], "a\nb");
    assert_eq!(shown(&json!({"type": "reasoning", "summary": [""], "content": []})), None);
}

#[test]
fn entries_that_the_stream_does_not_know_are_left_out() {
    assert_eq!(shown(&json!({"type": "userMessage", "content": []})), None);
    assert_eq!(shown(&json!({"type": "contextCompaction"})), None);
}

#[test]
fn only_entries_that_take_time_have_a_start() {
    let message: ThreadItem = serde_json::from_value(
        json!({"type": "agentMessage", "id": "m", "text": "", "startedAtMs": 1}),
    )
    .unwrap();
    assert!(!has_start(&body_of(&message).unwrap()));
    let search: ThreadItem = serde_json::from_value(
        json!({"type": "webSearch", "id": "w", "query": "q", "startedAtMs": 1}),
    )
    .unwrap();
    assert!(has_start(&body_of(&search).unwrap()));
}
