use serde_json::json;
use spindle_schema::ids::TurnId;
use spindle_schema::item::FileUpdate;
use tokio::sync::mpsc;

use super::*;

fn speaker() -> Speaker {
    Speaker::new(TurnId::new("turn"), mpsc::channel(1).0)
}

fn begun(name: &str) -> Patches {
    let item = json!({ "type": "custom_tool_call", "id": "ctc", "name": name, "call_id": "call_1",
                       "input": "" });
    let mut patches = Patches::default();
    patches.begin(&serde_json::from_value(item).expect("an item"));
    patches
}

/// The form of `patch_streamed`.
#[test]
fn a_patch_is_shown_under_its_call_as_its_lines_come() {
    let (mut patches, speaker) = (begun("apply_patch"), speaker());
    assert!(patches.push("ctc", "*** Begin Patch\n*** Add Fi", &speaker).is_none());
    let Some(EventMsg::PatchUpdated(update)) = patches.push("ctc", "le: a\n+x\n", &speaker) else {
        panic!("a whole line is shown");
    };
    assert_eq!(update.item_id.as_str(), "call_1");
    let add = FileUpdate::Add { content: "x\n".into() };
    assert_eq!(update.changes, [("a".to_owned(), add)]);
}

#[test]
fn other_calls_show_nothing() {
    let (mut other, speaker) = (begun("exec"), speaker());
    assert!(other.push("ctc", "*** Begin Patch\n*** Delete File: a\n", &speaker).is_none());
    assert!(begun("apply_patch").push("unknown", "*** Begin Patch\n", &speaker).is_none());
}

#[test]
fn what_is_sent_of_a_large_patch_grows_with_its_size() {
    let (mut patches, speaker) = (begun("apply_patch"), speaker());
    patches.push("ctc", "*** Begin Patch\n*** Add File: a\n", &speaker);
    let line = format!("+{}\n", "x".repeat(98));
    let mut sent = 0;
    for _ in 0..20_000 {
        if let Some(EventMsg::PatchUpdated(update)) = patches.push("ctc", &line, &speaker) {
            let (_, FileUpdate::Add { content }) = &update.changes[0] else {
                panic!("an addition")
            };
            sent += content.len();
        }
    }
    assert!(sent < 20 * 2_000_000, "{sent} bytes for a patch of two megabytes");
}
