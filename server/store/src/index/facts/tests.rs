use serde_json::{Value, json};

use super::*;

const T1: &str = "2026-11-30T10:00:00.000Z";
const T2: &str = "2026-11-30T10:00:05.000Z";

fn line(at: &str, kind: &str, payload: &Value) -> Vec<u8> {
    json!({"timestamp": at, "ordinal": 1, "type": kind, "payload": payload})
        .to_string()
        .into_bytes()
}

fn message(content: &Value) -> Vec<u8> {
    line(
        T1,
        "event_msg",
        &json!({"type": "item_completed", "thread_id": "", "turn_id": "t",
        "item": {"type": "UserMessage", "id": "i", "content": content}}),
    )
}

fn facts(lines: &[Vec<u8>]) -> Facts {
    let mut facts = Facts::default();
    for line in lines {
        facts.push(line);
    }
    facts
}

fn preview_of(content: &Value) -> Option<Box<str>> {
    facts(&[message(content)]).preview
}

#[test]
fn the_first_words_of_the_person_are_the_preview() {
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let both = facts(&[message(&text("first")), message(&text("second"))]);
    assert_eq!(both.preview.as_deref(), Some("first"));
    assert_eq!(
        preview_of(&json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]))
            .as_deref(),
        Some("ab")
    );
}

#[test]
fn a_message_without_words_has_a_preview_too() {
    let image = json!([{"type": "image", "image_url": "data:image/png;base64,AA"}]);
    assert_eq!(preview_of(&image).as_deref(), Some("[Image]"));
    assert_eq!(
        preview_of(&json!([{"type": "skill", "name": "lint", "path": "/s"}])).as_deref(),
        Some("$lint")
    );
    assert_eq!(
        preview_of(&json!([{"type": "mention", "name": "app", "path": "app://x"}])).as_deref(),
        Some("@app")
    );
    let old = json!({"type": "user_message", "message": "", "images": ["data:"]});
    assert_eq!(facts(&[line(T1, "event_msg", &old)]).preview.as_deref(), Some("[Image]"));
}

#[test]
fn context_that_a_client_puts_before_the_words_is_left_out() {
    let text = "# Context\nfile.rs is open\n\n## My request for Codex:\nfix it\n";
    assert_eq!(preview_of(&json!([{"type": "text", "text": text}])).as_deref(), Some("fix it"));
}

#[test]
fn a_long_preview_is_cut_between_characters() {
    let preview =
        preview_of(&json!([{"type": "text", "text": "a".to_owned() + &"中".repeat(1000)}]))
            .unwrap();
    assert_eq!(preview.len(), 1999);
}

#[test]
fn only_what_is_said_moves_the_times() {
    let started = line(T1, "event_msg", &json!({"type": "task_started", "turn_id": "t"}));
    let settings = line(
        T2,
        "event_msg",
        &json!({"type": "thread_settings_applied", "thread_id": "",
        "thread_settings": {"model": "m2", "reasoning_effort": "high"}}),
    );
    let usage =
        line(T2, "event_msg", &json!({"type": "token_count", "info": null, "rate_limits": null}));
    let facts = facts(&[started, settings, usage]);
    assert_eq!(facts.updated_ms, to_ms(T1));
    assert_eq!(facts.recency_ms, to_ms(T1));
    assert_eq!((facts.model.as_deref(), facts.effort.as_deref()), (Some("m2"), Some("high")));
}

#[test]
fn the_last_turn_stands_as_its_last_record_says() {
    let event = |payload: Value| line(T1, "event_msg", &payload);
    let started = event(json!({"type": "task_started", "turn_id": "t"}));
    let done = event(json!({"type": "task_complete", "turn_id": "t", "last_agent_message": null}));
    let failed =
        event(json!({"type": "task_complete", "turn_id": "t", "error": {"message": "no"}}));
    let aborted = event(json!({"type": "turn_aborted", "turn_id": "t", "reason": "interrupted"}));
    let status = |lines: &[&Vec<u8>]| {
        facts(&lines.iter().map(|line| (*line).clone()).collect::<Vec<_>>()).last_turn
    };
    assert_eq!(status(&[]), None);
    assert_eq!(status(&[&started]), Some(TurnStatus::InProgress));
    assert_eq!(status(&[&started, &done]), Some(TurnStatus::Completed));
    assert_eq!(status(&[&started, &failed]), Some(TurnStatus::Failed));
    assert_eq!(status(&[&started, &aborted]), Some(TurnStatus::Interrupted));
    assert_eq!(status(&[&started, &done, &started]), Some(TurnStatus::InProgress));
}

#[test]
fn garbage_tells_nothing() {
    assert_eq!(
        facts(&[b"{".to_vec(), b"\0\0".to_vec(), b"null".to_vec(), Vec::new()]),
        Facts::default()
    );
}
