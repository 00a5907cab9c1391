use serde_json::{Map, Value, json};
use spindle_schema::ids::TurnId;
use spindle_schema::model::{ResponseItem, Role};
use spindle_schema::rollout::{Compacted, RolloutItem};

use super::super::conversation::{Conversation, Draft, ItemNote, Seed};
use super::super::recorder::Recorder;
use super::Summary;

fn turn() -> TurnId {
    TurnId::new("t")
}

fn conversation() -> Conversation {
    Conversation::new(Seed { recorder: Recorder::Nowhere, window_id: "first".into() })
}

fn person(text: &str) -> (ResponseItem, ItemNote) {
    let note = ItemNote { kinds: vec!["user.text"], attributed: true, ..ItemNote::here(&turn()) };
    (ResponseItem::text(Role::User, text), note)
}

fn context() -> Draft {
    let mut draft = Draft::default();
    let note = ItemNote::harness(&turn(), vec!["permissions.instructions"]);
    draft.item(ResponseItem::text(Role::Developer, "rules"), note);
    draft
}

async fn say(conversation: &mut Conversation, items: Vec<(ResponseItem, ItemNote)>) {
    let mut draft = Draft::default();
    for (item, note) in items {
        draft.item(item, note);
    }
    conversation.record(draft).await.expect("nothing is written");
}

fn answer(text: &str) -> (ResponseItem, ItemNote) {
    let item = ResponseItem::text(Role::Assistant, text);
    let note = ItemNote::by_model(&turn(), &item);
    (item, note)
}

async fn compact(conversation: &mut Conversation, text: &str) -> Compacted {
    let turn_id = turn();
    let mut draft = Draft::default();
    let summary = Summary { turn_id: &turn_id, text, extra: Map::new() };
    let shorter = conversation.shorten(context(), summary, &mut draft);
    let (_, lines) = draft.split();
    let line = lines.into_iter().find_map(|line| match line {
        RolloutItem::Compacted(line) => Some(*line),
        _ => None,
    });
    let line = line.expect("a line says what the new history is");
    conversation.adopt(shorter, Draft::default(), 100).await.expect("nothing is written");
    line
}

fn prompt(conversation: &Conversation) -> Vec<(String, String)> {
    let read = |bytes: &bytes::Bytes| -> Value { serde_json::from_slice(bytes).expect("JSON") };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let items = conversation.history.prompt();
    items
        .iter()
        .map(read)
        .map(|item| (text(&item["role"]), text(&item["content"][0]["text"])))
        .collect()
}

/// The order of `compact_twice`.
#[tokio::test]
async fn the_surroundings_stand_before_the_last_thing_said() {
    let mut conversation = conversation();
    let items = vec![person("one"), answer("a"), person("two"), answer("b")];
    say(&mut conversation, items).await;
    compact(&mut conversation, "first summary").await;
    say(&mut conversation, vec![person("three"), answer("c")]).await;
    compact(&mut conversation, "second summary").await;
    let prompt = prompt(&conversation);
    let said: Vec<_> = prompt.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(said[..4], ["one", "two", "rules", "three"]);
    assert_eq!(said.len(), 5, "a summary takes the place of the one before");
    assert!(said[4].ends_with(":\nsecond summary"), "{}", said[4]);
    assert!(!prompt.iter().any(|(role, _)| role == "assistant"));
}

#[tokio::test]
async fn what_nobody_said_anything_in_can_be_compacted() {
    let mut conversation = conversation();
    compact(&mut conversation, "nothing").await;
    assert_eq!(prompt(&conversation).len(), 2);
}

/// SPEC P2: what the line says is what the conversation goes on with.
#[tokio::test]
async fn a_compacted_history_is_restored_as_it_was() {
    let mut before = conversation();
    say(&mut before, vec![person("one"), answer("a")]).await;
    let line = compact(&mut before, "summary").await;
    assert_eq!(line.extra["first_window_id"], "first");
    assert_eq!(line.extra["previous_window_id"], "first");
    assert_eq!(line.extra["window_number"], 1);
    let text = serde_json::to_string(&line).expect("it can be written");
    let read: Compacted = serde_json::from_str(&text).expect("it can be read");
    let mut after = conversation();
    super::super::restore::replace(&mut after, read);
    assert_eq!(before.history.prompt(), after.history.prompt());
    assert_eq!((&before.window_id, before.window_number), (&after.window_id, 1));
    assert_eq!(before.sequence(), after.sequence());
    // What it knows of the person's messages comes back too.
    let line = compact(&mut after, "another").await;
    let metadata = line.extra["replacement_history_metadata"].as_array().expect("a list");
    assert_eq!(metadata[1]["user_input_order"], json!(0));
    assert_eq!(line.extra["first_window_id"], "first");
}
