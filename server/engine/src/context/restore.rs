//! A conversation from its rollout.

use serde_json::{Map, Value};
use spindle_schema::model::ResponseItem;
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
    if let Some(info) = &history.token_info {
        conversation.total_usage = info.total_token_usage;
        conversation.last_usage = info.last_token_usage;
    }
    if let Some(record) = &history.usage {
        conversation.total_usage = record.thread_token_usage;
        conversation.last_usage = record.usage;
    }
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

fn replace(conversation: &mut Conversation, compacted: Compacted) {
    let Some(items) = compacted.replacement_history else { return };
    conversation.history = History::default();
    conversation.window_number += 1;
    if let Some(id) = compacted.extra.get("window_id").and_then(Value::as_str) {
        conversation.window_id = id.into();
    }
    items.into_iter().for_each(|item: ResponseItem| conversation.restore_item(item, None));
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
