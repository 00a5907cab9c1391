use serde_json::{Map, Value, json};
use spindle_schema::model::{ContentPart, ResponseItem, Role};

use super::super::history::{Entry, History, Said};
use super::{KEPT_TOKENS, is_said, kept};

fn said(parts: Vec<ContentPart>) -> Entry {
    let item = ResponseItem::message(Role::User, parts);
    Entry { said: Some(Box::new(Said::default())), ..Entry::new(&item) }
}

fn text(text: &str) -> ContentPart {
    ContentPart::InputText { text: text.into() }
}

fn history(entries: impl IntoIterator<Item = Entry>) -> History {
    let mut history = History::default();
    entries.into_iter().for_each(|entry| history.push(entry));
    history
}

fn texts(history: &History) -> Vec<Vec<String>> {
    let texts = |item: &ResponseItem| match item {
        ResponseItem::Message(message) => {
            message.content.iter().filter_map(ContentPart::text).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    kept(history).iter().map(|kept| texts(&kept.item)).collect()
}

#[test]
fn only_what_the_person_said_is_kept() {
    let history = history([
        Entry::new(&ResponseItem::text(Role::Developer, "rules")),
        said(vec![text("one")]),
        Entry::new(&ResponseItem::text(Role::Assistant, "answer")),
        said(vec![text("two")]),
    ]);
    assert_eq!(texts(&history), [["one"], ["two"]]);
}

/// The facts of `compact_images`: pictures are not multiplied.
#[test]
fn pictures_and_their_marks_stay_behind() {
    let picture =
        ContentPart::InputImage { image_url: "data:image/png;base64,AA".into(), detail: None };
    let mark = "<image name=[Image #1] path=\"/a.png\">";
    let history = history([
        said(vec![text("look"), text(mark), picture.clone(), text("</image>")]),
        said(vec![picture]),
    ]);
    assert_eq!(texts(&history), [["look"]]);
}

/// The figures of `compact_long_messages`.
#[test]
fn a_message_that_is_too_long_keeps_its_two_ends() {
    let long = format!("{}{}", "a".repeat(60_000), "b".repeat(60_000));
    let history = history([said(vec![text("older")]), said(vec![text(&long)])]);
    let kept = texts(&history);
    assert_eq!(kept.len(), 1, "nothing is left for older ones");
    assert_eq!(kept[0][0], "a".repeat(40_000));
    assert_eq!(kept[0][1], "…10000 tokens truncated…");
    assert_eq!(kept[0][2], "b".repeat(40_000));
}

#[test]
fn the_latest_messages_have_the_budget() {
    let message = "x".repeat(KEPT_TOKENS * 4 / 2);
    let history = history((0..5).map(|_| said(vec![text(&message)])));
    assert_eq!(texts(&history).len(), 2);
}

#[test]
fn a_cut_falls_between_characters() {
    let history = history([said(vec![text(&"ü€𝄞".repeat(20_000))])]);
    assert_eq!(texts(&history)[0].len(), 3);
}

#[test]
fn a_rollout_tells_whose_words_a_message_has() {
    let message = ResponseItem::text(Role::User, "<environment_context>?");
    let kinds = |kind: &str| {
        let map: Map<String, Value> =
            json!({ "content_item_kinds": [kind] }).as_object().cloned().unwrap_or_default();
        map
    };
    assert!(is_said(&message, &kinds("user.text")));
    assert!(!is_said(&message, &kinds("compaction.summary")));
    assert!(!is_said(&ResponseItem::text(Role::Assistant, "x"), &kinds("user.text")));
}

#[test]
fn an_old_rollout_is_judged_by_how_messages_begin() {
    let none = Map::new();
    assert!(is_said(&ResponseItem::text(Role::User, "fix <this>"), &none));
    for text in ["<environment_context>\n", "# AGENTS.md instructions for /x", "<turn_aborted>"] {
        assert!(!is_said(&ResponseItem::text(Role::User, text), &none), "{text}");
    }
}
