use std::io::Write as _;

use serde_json::json;
use spindle_schema::ids::ThreadId;

use super::*;
use crate::testing::{agent, event, turn};

fn file(text: &str) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

fn lines(items: &[RolloutItem]) -> String {
    let line = |item: &RolloutItem| {
        let line = spindle_schema::rollout::RolloutLine {
            timestamp: "2026-11-30T00:00:00.000Z".into(),
            ordinal: Some(1),
            item: item.clone(),
        };
        serde_json::to_string(&line).unwrap() + "\n"
    };
    items.iter().map(line).collect()
}

#[test]
fn words_of_people_models_and_commands_are_found() {
    let command = event(&json!({"type": "item_completed", "thread_id": ThreadId::default(),
        "turn_id": "t", "item": {"type": "CommandExecution", "id": "c", "command": ["/bin/sh", "-c", "ls -l"],
            "cwd": "file:///work", "parsed_cmd": [], "source": "unified_exec_startup", "status": "completed",
            "aggregated_output": "not this"}}));
    let text = lines(&[turn("t", "the question", "the answer"), vec![command]].concat())
        + "{\"timestamp\":\"\",\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\",\"message\":\"an \\\"old\\\" one\"}}\n"
        + "nonsense\n"
        + "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"very old\"}]}\n"
        + "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"<environment_context>\"}]}\n";
    let size = text.len() as u64;
    let (said, end) = said(&file(&text), 0, size).unwrap();
    assert_eq!(
        said,
        ["the question", "the answer", "/bin/sh -c ls -l", "an \"old\" one", "very old"]
    );
    assert_eq!(end, size);
}

#[test]
fn a_line_that_is_still_being_written_is_left_for_the_next_time() {
    let whole = lines(&agent("t", "whole"));
    let more = lines(&agent("t", "later"));
    let file = file(&(whole.clone() + &more));
    let cut = whole.len() as u64 + 20;
    let (first, end) = said(&file, 0, cut).unwrap();
    assert_eq!((first.len(), end), (1, whole.len() as u64));
    let (rest, _) = said(&file, end, (whole.len() + more.len()) as u64).unwrap();
    assert_eq!(rest, ["later"]);
}
