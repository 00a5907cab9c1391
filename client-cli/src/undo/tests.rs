use serde_json::json;

use super::*;

fn args(words: &[&str]) -> UndoArgs {
    use clap::Parser;
    let words = ["spindle", "undo", "THREAD"].iter().chain(words);
    match crate::args::Cli::try_parse_from(words).unwrap().command {
        crate::args::Command::Undo(args) => *args,
        _ => panic!("another command"),
    }
}

fn answer() -> SpindleUndoResponse {
    serde_json::from_value(json!({
        "turns": [{"turnId": "t2", "endedAtMs": 1, "changedFiles": 1}],
        "earlierTurns": [{"turnId": "t1", "endedAtMs": 0, "changedFiles": 2}],
        "files": [
            {"path": "/w/b", "action": "delete", "conflict": "it changed since", "diff": null},
            {"path": "/w/a", "action": "update", "conflict": null, "diff": "--- a\n+++ b\n"},
        ],
        "omittedFiles": 3,
        "notes": ["not kept: /w/big (the file is too large)"],
    }))
    .unwrap()
}

#[test]
fn a_preview_tells_files_diffs_and_how_to_go_further_back() {
    let text = told(&answer(), &args(&["--dry-run"]));
    let expected = "would undo t2 (1 file)\n  conflict   /w/b: it changed since\n  update     /w/a\n  \
                    and 3 more files\nnote: not kept: /w/big (the file is too large)\n\n--- a\n+++ \
                    b\n\nTo go further back, undo again or name a turn with --to:\n  t1 (2 files)\n";
    assert_eq!(text, expected);
}

#[test]
fn what_was_done_is_told_without_diffs() {
    let text = told(&answer(), &args(&[]));
    assert!(text.starts_with("undone t2") && !text.contains("+++"), "{text}");
    assert!(told(&answer(), &args(&["--redo"])).starts_with("redone t2"));
}

#[test]
fn each_file_in_the_way_has_a_line() {
    let data =
        json!({"type": "undoConflicts", "files": [{"path": "/w/a", "reason": "it changed since"}]});
    let refused =
        CallError { method: "m", code: -32600, message: "long".to_owned(), data: Some(data) };
    assert!(refusal(&refused).ends_with(":\n  /w/a: it changed since"));
    let other = CallError { data: None, ..refused };
    assert_eq!(refusal(&other), "long");
}
