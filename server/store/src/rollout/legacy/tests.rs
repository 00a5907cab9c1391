use serde_json::json;

use super::*;

fn built(events: &[Value]) -> Vec<LegacyTurn> {
    let mut builder = Builder::default();
    for event in events {
        builder.push(serde_json::from_value(event.clone()).unwrap());
        builder.line += 1;
    }
    builder.turns
}

fn items(turn: &LegacyTurn) -> Vec<&TurnItem> {
    turn.turn.items.iter().map(|item| &item.item).collect()
}

#[test]
fn a_message_of_the_person_begins_a_turn() {
    let said = |kind: &str, text: &str| json!({"type": kind, "message": text});
    let turns = built(&[
        said("user_message", "one"),
        said("agent_message", "a"),
        said("agent_message", "b"),
        said("user_message", "two"),
    ]);
    let ids: Vec<_> = turns.iter().map(|turn| turn.turn.id.as_str()).collect();
    assert_eq!(ids, ["rollout-0", "rollout-3"]);
    assert_eq!(turns[0].turn.items.len(), 3);
    assert_eq!(turns[0].lines, [0, 1, 2]);
}

#[test]
fn a_message_within_a_started_turn_belongs_to_it() {
    let turns = built(&[
        json!({"type": "task_started", "turn_id": "t"}),
        json!({"type": "user_message", "message": "one", "images": ["data:x"], "local_images": ["/p.png"]}),
        json!({"type": "task_complete", "turn_id": "t"}),
        json!({"type": "user_message", "message": "two"}),
    ]);
    assert_eq!(turns.len(), 2);
    assert_eq!((turns[0].turn.id.as_str(), turns[0].turn.status), ("t", TurnStatus::Completed));
    let [TurnItem::UserMessage(message)] = items(&turns[0])[..] else { panic!("a message") };
    assert_eq!(message.content.len(), 3);
}

#[test]
fn thoughts_that_follow_one_another_are_one_item() {
    let thought = |text: &str| json!({"type": "agent_reasoning", "text": text});
    let turns =
        built(&[json!({"type": "user_message", "message": "x"}), thought("a"), thought("b")]);
    let TurnItem::Reasoning(item) = items(&turns[0])[1] else { panic!("a thought") };
    assert_eq!(item.summary_text, ["a", "b"]);
}

#[test]
fn tools_become_items_of_their_kind() {
    let turns = built(&[
        json!({"type": "exec_command_end", "call_id": "c", "command": ["ls"], "cwd": "/w", "parsed_cmd": [],
            "aggregated_output": "x", "exit_code": 1, "duration": {"secs": 1, "nanos": 0}}),
        json!({"type": "patch_apply_end", "call_id": "p", "success": true,
            "changes": {"/w/a": {"type": "add", "content": "x"}}}),
        json!({"type": "mcp_tool_call_end", "call_id": "m", "invocation": {"server": "s", "tool": "t", "arguments": {}},
            "result": {"Err": "no"}}),
        json!({"type": "exec_command_end", "call_id": "broken"}),
    ]);
    let [TurnItem::CommandExecution(command), TurnItem::FileChange(change), TurnItem::Other(call)] =
        items(&turns[0])[..]
    else {
        panic!("{:?}", items(&turns[0]))
    };
    assert_eq!((command.id.as_str(), command.status), ("c", CommandStatus::Failed));
    assert_eq!(change.changes.len(), 1);
    assert_eq!((&call["status"], &call["error"]["message"]), (&json!("failed"), &json!("no")));
}
