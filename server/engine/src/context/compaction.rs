//! A shorter history in the place of a long one (SPEC H5).
//!
//! What the person said stays, within a budget; what the model must know of its surroundings is
//! told afresh; all else is in the summary.

use bytes::Bytes;
use serde_json::{Map, Value, json};
use spindle_schema::ids::TurnId;
use spindle_schema::model::{ResponseItem, Role};
use spindle_schema::rollout::{Compacted, RolloutItem};
use spindle_store::Error;

use super::conversation::{Conversation, Draft, ItemNote, PASSTHROUGH};
use super::history::{Entry, History};
use super::prompt_text::summary_message;
use super::room::tokens;
use super::said::{Kept, kept};

/// A history that can take the place of the one there is.
#[derive(Debug)]
pub(crate) struct Shorter {
    /// An estimate of its tokens.
    pub(crate) tokens: i64,
    history: History,
    window_id: Box<str>,
}

/// What a shorter history is made of.
pub(crate) struct Summary<'a> {
    /// The turn.
    pub(crate) turn_id: &'a TurnId,
    /// The model's words.
    pub(crate) text: &'a str,
    /// Members of the line that this room does not know.
    pub(crate) extra: Map<String, Value>,
}

/// An item of the new history: as the rollout keeps it, its metadata, and as history.
type Numbered = (ResponseItem, Map<String, Value>, Entry);

impl Conversation {
    /// Makes a shorter history of the one there is. `told` holds what the model must know of its
    /// surroundings. The lines that say so are drafted: the new history, then the rest of `told`.
    pub(crate) fn shorten(
        &mut self,
        told: Draft,
        summary: Summary<'_>,
        draft: &mut Draft,
    ) -> Shorter {
        let (items, lines) = told.split();
        let context = items.into_iter().map(|(item, note)| {
            let note = ItemNote { made_here: false, ..note };
            self.number(item, &note)
        });
        let context: Vec<_> = context.collect();
        let message = summary_message(summary.text);
        let note = ItemNote {
            made_here: false,
            attributed: true,
            ..ItemNote::harness(summary.turn_id, vec!["compaction.summary"])
        };
        let last = self.number(ResponseItem::text(Role::User, &*message), &note);
        let mut said: Vec<_> = kept(&self.history).into_iter().map(numbered).collect();
        // The surroundings stand close to what they are about: the last thing said.
        let tail = said.split_off(said.len().saturating_sub(1));
        let all = said.into_iter().chain(context).chain(tail).chain([last]);
        let mut history = History::default();
        let (mut items, mut metadata) = (Vec::new(), Vec::new());
        for (item, about, entry) in all {
            items.push(item);
            metadata.push(Value::Object(about));
            history.push(entry);
        }
        let window_id: Box<str> = uuid::Uuid::now_v7().to_string().into();
        let mut extra = summary.extra;
        extra.insert("replacement_history_metadata".into(), Value::Array(metadata));
        extra.insert("window_id".into(), json!(window_id));
        extra.insert("window_number".into(), json!(self.window_number + 1));
        extra.insert("first_window_id".into(), json!(self.first_window_id));
        extra.insert("previous_window_id".into(), json!(self.window_id));
        let line = Compacted { message, replacement_history: Some(items), extra };
        draft.line(RolloutItem::Compacted(Box::new(line)));
        for line in lines {
            draft.line(line);
        }
        Shorter { tokens: tokens(history.tokens_from(0)), history, window_id }
    }

    /// Writes a draft and puts the shorter history in the place of the one there is. `base` is
    /// an estimate of the tokens of the base prompt.
    ///
    /// # Errors
    /// When the rollout cannot be written; the history is then as it was.
    pub(crate) async fn adopt(
        &mut self,
        shorter: Shorter,
        draft: Draft,
        base: i64,
    ) -> Result<(), Error> {
        self.record(draft).await?;
        self.history = shorter.history;
        self.window_id = shorter.window_id;
        self.window_number += 1;
        self.note_compacted(base + shorter.tokens);
        Ok(())
    }

    /// The person's messages alone, within the budget that also outlives a compaction.
    pub(crate) fn said_only(&self) -> Vec<Bytes> {
        kept(&self.history).into_iter().map(|kept| Entry::new(&kept.item).encoded).collect()
    }
}

fn numbered(kept: Kept) -> Numbered {
    let Kept { mut item, said } = kept;
    let entry = Entry { said: Some(Box::new(said.clone())), ..Entry::new(&item) };
    if !said.passthrough.is_empty() {
        item.set_extra(PASSTHROUGH, Value::Object(said.passthrough));
    }
    (item, said.metadata, entry)
}

#[cfg(test)]
mod tests;
