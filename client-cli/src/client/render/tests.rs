use serde_json::{Value, json};
use spindle_schema::v2::ThreadItem;

use super::{item_id, render_item};

fn item(body: &Value) -> ThreadItem {
    let mut whole = json!({"id": "i1", "startedAtMs": 1, "completedAtMs": 2});
    for (key, value) in body.as_object().unwrap() {
        whole[key] = value.clone();
    }
    serde_json::from_value(whole).unwrap()
}

fn command(status: &str, exit_code: Option<i32>, output: &str, duration_ms: i64) -> ThreadItem {
    item(&json!({
        "type": "commandExecution", "command": "make", "cwd": "/w", "status": status,
        "commandActions": [], "aggregatedOutput": output, "exitCode": exit_code,
        "durationMs": duration_ms,
    }))
}

fn whole(item: &ThreadItem) -> (&'static str, String) {
    let shown = render_item(item).unwrap();
    (shown.who, shown.whole())
}

#[test]
fn messages_show_their_words_and_name_other_content() {
    let message = item(&json!({"type": "userMessage", "content": [
        {"type": "text", "text": "look"}, {"type": "localImage", "path": "/a.png"},
    ]}));
    assert_eq!(whole(&message), ("you", "look\n[image: /a.png]".to_owned()));
    let answer = item(&json!({"type": "agentMessage", "text": "fine\n"}));
    assert_eq!(whole(&answer), ("agent", "fine".to_owned()));
}

#[test]
fn a_command_shows_how_it_ended_and_what_it_printed() {
    for (item, expected) in [
        (command("completed", Some(0), "a\nb\n", 5), "make\n-> ok\na\nb"),
        (command("failed", Some(2), "", 1500), "make\n-> exit code 2 after 1.5 s"),
        (command("declined", None, "", 0), "make\n-> declined"),
        (command("failed", None, "", 0), "make\n-> failed"),
        (command("inProgress", None, "so far", 0), "make"),
    ] {
        assert_eq!(whole(&item), ("run", expected.to_owned()));
    }
}

#[test]
fn a_long_output_shows_its_end_and_says_how_much_is_missing() {
    let lines: Vec<String> = (1..=100).map(|n| format!("line {n}")).collect();
    let (_, text) = whole(&command("completed", Some(0), &lines.join("\n"), 0));
    assert!(text.starts_with("make\n-> ok\n… 60 lines left out\nline 61\n"), "{text}");
    assert!(text.ends_with("line 100"));
}

#[test]
fn a_file_change_names_each_file_and_what_happens_to_it() {
    let change = item(&json!({"type": "fileChange", "status": "declined", "changes": [
        {"path": "a", "diff": "", "kind": {"type": "add"}},
        {"path": "b", "diff": "", "kind": {"type": "delete"}},
        {"path": "c", "diff": "", "kind": {"type": "update", "move_path": null}},
        {"path": "d", "diff": "", "kind": {"type": "update", "move_path": "e"}},
    ]}));
    let expected = "add a\ndelete b\nupdate c\nmove d to e\n-> declined";
    assert_eq!(whole(&change), ("edit", expected.to_owned()));
}

#[test]
fn a_failed_tool_says_why() {
    let call = item(&json!({
        "type": "mcpToolCall", "server": "db", "tool": "query", "arguments": {},
        "status": "failed", "error": {"message": "timed out"},
    }));
    assert_eq!(whole(&call), ("tool", "db.query\n-> timed out".to_owned()));
}

#[test]
fn entries_without_words_are_not_shown() {
    assert_eq!(
        render_item(&item(&json!({"type": "reasoning", "summary": [], "content": []}))),
        None
    );
    assert_eq!(render_item(&item(&json!({"type": "sleep", "durationMs": 5}))), None);
}

#[test]
fn every_entry_has_its_id() {
    assert_eq!(item_id(&item(&json!({"type": "plan", "text": "x"}))), "i1");
    assert_eq!(item_id(&command("completed", Some(0), "", 0)), "i1");
}
