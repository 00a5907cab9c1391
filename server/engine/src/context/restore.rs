//! A conversation from its rollout.

use serde_json::{Map, Value};
use spindle_schema::rollout::{Compacted, RolloutItem};
use spindle_store::History as StoredHistory;

use super::conversation::{Conversation, Seed};
use super::history::History;
use super::world::World;

/// Rebuilds a conversation from its rollout (SPEC P2).
pub(crate) fn restore(seed: Seed, history: &mut StoredHistory) -> Conversation {
    let mut conversation = Conversation::new(seed);
    for line in std::mem::take(&mut history.lines) {
        take(&mut conversation, line.item);
    }
    if let Some(record) = &history.usage {
        conversation.total_usage = record.thread_token_usage;
        conversation.last_usage = record.usage;
    }
    // Told after a response, and also when the room changed without one.
    if let Some(info) = &history.token_info {
        conversation.last_usage = info.last_token_usage;
        if history.usage.is_none() {
            conversation.total_usage = info.total_token_usage;
        }
    }
    conversation.measure();
    conversation
}

fn take(conversation: &mut Conversation, item: RolloutItem) {
    match item {
        RolloutItem::Response(recorded) => {
            conversation.restore_item(recorded.item, recorded.metadata.as_ref());
        }
        RolloutItem::Compacted(compacted) => replace(conversation, *compacted),
        RolloutItem::WorldState(raw) => take_world(conversation, raw.get()),
        RolloutItem::TurnContext(_)
        | RolloutItem::TokenUsage(_)
        | RolloutItem::Event(_)
        | RolloutItem::SessionMeta(_)
        | RolloutItem::Unknown { .. } => {}
    }
}

/// Puts the history of a `compacted` line in the place of the one there is.
pub(super) fn replace(conversation: &mut Conversation, compacted: Compacted) {
    let Some(items) = compacted.replacement_history else { return };
    conversation.history = History::default();
    let extra = &compacted.extra;
    let number = extra.get("window_number").and_then(Value::as_u64);
    conversation.window_number = number.unwrap_or(conversation.window_number + 1);
    let text = |name| extra.get(name).and_then(Value::as_str);
    if let Some(id) = text("window_id") {
        conversation.window_id = id.into();
    }
    if let Some(id) = text("first_window_id") {
        conversation.first_window_id = id.into();
    }
    let metadata = extra.get("replacement_history_metadata").and_then(Value::as_array);
    for (at, item) in items.into_iter().enumerate() {
        let about = metadata.and_then(|all| all.get(at)).and_then(Value::as_object);
        conversation.restore_item(item, about);
    }
}

fn take_world(conversation: &mut Conversation, payload: &str) {
    #[derive(serde::Deserialize)]
    struct Line {
        #[serde(default)]
        full: bool,
        state: Map<String, Value>,
    }
    let Ok(Line { full, state }) = serde_json::from_str(payload) else { return };
    match &mut conversation.world {
        Some(world) if !full => world.merge(&state),
        world => *world = Some(World::from_state(state)),
    }
}
