//! What the person said: which items it is in, and how much of it outlives a compaction.

use serde_json::{Map, Value, json};
use spindle_schema::model::{ContentPart, Message, ResponseItem, Role};

use super::history::{BYTES_PER_TOKEN, Entry, History, Said};

/// Tokens of the person's own messages that outlive a compaction.
const KEPT_TOKENS: usize = 20_000;

/// How messages begin that a program gives in the person's name. Rollouts tell what each part of
/// a message is; this is for those that are too old to.
const NOT_SAID: [&str; 7] = [
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<turn_aborted>",
    "<user_shell_command>",
    "<skill>",
    "<user_action>",
];

/// Whether an item is a message of the person. `passthrough` is what rollouts keep beside it.
pub(super) fn is_said(item: &ResponseItem, passthrough: &Map<String, Value>) -> bool {
    let ResponseItem::Message(message) = item else { return false };
    if message.role != Role::User {
        return false;
    }
    match passthrough.get("content_item_kinds").and_then(Value::as_array) {
        Some(kinds) => kinds.iter().filter_map(Value::as_str).any(|kind| kind.starts_with("user.")),
        None => {
            let first = message.content.iter().find_map(ContentPart::text).unwrap_or_default();
            !NOT_SAID.iter().any(|opening| first.starts_with(opening))
        }
    }
}

/// A message that stays: the item without internal members, and what it is recorded with.
pub(super) struct Kept {
    /// The item.
    pub(super) item: ResponseItem,
    /// What it is recorded with.
    pub(super) said: Said,
}

/// The last messages of the person, in order, as text and within a budget. Of the oldest that
/// does not fit, beginning and end stay.
pub(super) fn kept(history: &History) -> Vec<Kept> {
    let mut left = KEPT_TOKENS;
    let mut kept = Vec::new();
    for (entry, said) in history.said().rev() {
        if left == 0 {
            break;
        }
        let Some(message) = texts_of(entry) else { continue };
        let size: usize = message.content.iter().filter_map(ContentPart::text).map(str::len).sum();
        let tokens = size.div_ceil(BYTES_PER_TOKEN);
        let (message, cut) =
            if tokens > left { (shortened(message, tokens, left), true) } else { (message, false) };
        left = left.saturating_sub(tokens);
        let said = relabelled(said, message.content.len(), cut);
        kept.push(Kept { item: ResponseItem::Message(message), said });
    }
    kept.reverse();
    kept
}

/// The text of a message; `None` when there is none. Pictures stay behind, with their marks.
fn texts_of(entry: &Entry) -> Option<Message> {
    let item = serde_json::from_slice(&entry.encoded).ok()?;
    let ResponseItem::Message(mut message) = ResponseItem::from_map(item) else { return None };
    message.content.retain(|part| part.text().is_some_and(|text| !is_mark_of_image(text)));
    (!message.content.is_empty()).then_some(message)
}

fn is_mark_of_image(text: &str) -> bool {
    text.starts_with("<image name=") || text == "</image>"
}

/// A message that was too long: its beginning, what is missing, and its end.
fn shortened(message: Message, tokens: usize, budget: usize) -> Message {
    let text: String = message.content.iter().filter_map(ContentPart::text).collect();
    let half = budget / 2 * BYTES_PER_TOKEN;
    let head = &text[..text.floor_char_boundary(half)];
    let tail = &text[text.ceil_char_boundary(text.len().saturating_sub(half))..];
    let mark = format!("…{} tokens truncated…", tokens.saturating_sub(budget));
    let part = |text: &str| ContentPart::InputText { text: text.to_owned() };
    Message { content: vec![part(head), part(&mark), part(tail)], ..message }
}

/// What a message is recorded with, when it has other parts than before.
fn relabelled(said: &Said, parts: usize, cut: bool) -> Said {
    let mut said = said.clone();
    let person = json!({ "provenance": { "type": "user" } });
    let program = json!({ "provenance": { "type": "harness", "hook": false } });
    let is_mark = |at: usize| cut && at == 1;
    let kinds: Vec<_> =
        (0..parts).map(|at| if is_mark(at) { "unknown" } else { "user.text" }).collect();
    let origins: Vec<_> =
        (0..parts).map(|at| if is_mark(at) { program.clone() } else { person.clone() }).collect();
    said.passthrough.insert("content_item_kinds".into(), json!(kinds));
    said.passthrough.insert("content_item_metadata".into(), json!(origins));
    said
}

#[cfg(test)]
mod tests;
