use std::io::Write as _;

use proptest::prelude::*;
use serde_json::{Value, json};
use spindle_schema::ids::ThreadId;

use super::*;
use crate::testing::meta;

fn file(text: &str) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

/// Lines of every kind that a row looks at, padded so that a file has several blocks.
fn record(kind: u8, at: usize) -> Value {
    let pad = "x".repeat(3000);
    let turn = format!("t{at}");
    let (kind, payload) = match kind {
        0 => ("event_msg", json!({"type": "task_started", "turn_id": turn})),
        1 => (
            "event_msg",
            json!({"type": "task_complete", "turn_id": turn, "last_agent_message": pad}),
        ),
        2 => {
            ("event_msg", json!({"type": "turn_aborted", "turn_id": turn, "reason": "interrupted"}))
        }
        3 => (
            "turn_context",
            json!({"turn_id": turn, "cwd": format!("/w{at}"), "model": format!("m{at}"), "effort": null, "pad": pad}),
        ),
        4 => (
            "event_msg",
            json!({"type": "item_completed", "turn_id": turn, "item": {"type": "UserMessage", "id": "i",
            "content": [{"type": "text", "text": format!("words {at}")}]}}),
        ),
        5 => (
            "event_msg",
            json!({"type": "item_completed", "turn_id": turn, "item": {"type": "AgentMessage", "id": "i",
            "content": [{"type": "Text", "text": pad}]}}),
        ),
        6 => (
            "response_item",
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": pad}]}),
        ),
        7 => (
            "event_msg",
            json!({"type": "thread_settings_applied", "thread_settings": {"model": format!("s{at}")}}),
        ),
        8 => ("event_msg", json!({"type": "user_message", "message": format!("old words {at}")})),
        _ => ("world_state", json!({"full": true, "state": {}, "pad": pad})),
    };
    json!({"timestamp": format!("2026-11-30T10:{:02}:{:02}.000Z", at / 60 % 60, at % 60), "ordinal": at, "type": kind, "payload": payload})
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_row_from_the_two_ends_equals_one_that_grew(
        kinds in proptest::collection::vec(0u8..10, 0..120),
        cwd in prop_oneof![Just("/work"), Just("")],
    ) {
        let id = ThreadId::new();
        let mut head = meta(id);
        head.cwd = cwd.into();
        let mut text = format!("{}\n", json!({"timestamp": "2026-11-30T10:00:00.000Z", "ordinal": 0, "type": "session_meta", "payload": head}));
        for (at, kind) in kinds.iter().enumerate() {
            text += &record(*kind, at + 1).to_string();
            text.push('\n');
        }
        let mut grown = Facts::default();
        text.lines().for_each(|line| grown.push(line.as_bytes()));
        let read = Facts::read(&file(&text), text.len() as u64).unwrap();
        let path = Path::new("/h/sessions/x.jsonl");
        prop_assert_eq!(read.to_row(path, 1), grown.to_row(path, 1));
    }
}

#[test]
fn a_lost_header_is_made_up_from_the_name_and_the_first_turn() {
    let id = ThreadId::new();
    let lines: Vec<Value> = (1..).zip([3, 0, 4, 1]).map(|(at, kind)| record(kind, at)).collect();
    let text = format!("garbage\n{}", crate::testing::text(&lines));
    let facts = Facts::read(&file(&text), text.len() as u64).unwrap();
    let path = format!("/h/sessions/2026/11/30/rollout-2026-11-30T09-00-00-{id}.jsonl");
    let row = facts.to_row(Path::new(&path), 1).unwrap();
    assert_eq!((row.id, &*row.cwd, row.preview.as_deref()), (id, "/w1", Some("words 3")));
    assert!(row.created_ms > 0);
    assert_eq!(facts.to_row(Path::new("/h/sessions/rollout-renamed.jsonl"), 1), None);
}

#[test]
fn the_folder_says_whether_a_thread_is_archived() {
    assert!(is_archived(Path::new("/h/archived_sessions/rollout-x.jsonl")));
    assert!(!is_archived(Path::new("/h/sessions/archived_sessions/2026/rollout-x.jsonl")));
}
