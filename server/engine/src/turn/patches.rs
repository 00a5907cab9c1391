//! Patches that the model is still writing, for clients that show them grow.

use std::collections::HashMap;

use spindle_exec::patch::PatchStream;
use spindle_schema::event::{EventMsg, PatchUpdated};
use spindle_schema::ids::ItemId;
use spindle_schema::model::ResponseItem;

use super::report::Speaker;

/// Up to this size each line of a patch is shown when it comes. Bytes.
const SMALL: usize = 4096;

/// The patches of one response.
#[derive(Default)]
pub(super) struct Patches {
    /// By the provider's id of the call's item.
    open: HashMap<Box<str>, Writing>,
}

struct Writing {
    item_id: ItemId,
    stream: PatchStream,
    /// How much has come, and how much of it clients have seen. Bytes.
    come: usize,
    shown: usize,
}

impl Patches {
    /// A call begins.
    pub(super) fn begin(&mut self, item: &ResponseItem) {
        let ResponseItem::CustomToolCall(call) = item else { return };
        let Some(id) = item.id().filter(|_| &*call.name == "apply_patch") else { return };
        let writing = Writing {
            item_id: ItemId::new(&*call.call_id),
            stream: PatchStream::new(),
            come: 0,
            shown: 0,
        };
        self.open.insert(id.into(), writing);
    }

    /// More of a call's text has come. Gives the patch so far when there is something new in it.
    ///
    /// A large patch is shown again only when it has grown by an eighth, so that what is sent in
    /// all grows with its size and not with the square of it.
    pub(super) fn push(&mut self, id: &str, text: &str, speaker: &Speaker) -> Option<EventMsg> {
        let writing = self.open.get_mut(id)?;
        writing.come += text.len();
        let has_news = writing.stream.push(text);
        let is_due = writing.come <= SMALL || writing.come - writing.shown >= writing.shown / 8;
        if !has_news || !is_due {
            return None;
        }
        writing.shown = writing.come;
        Some(EventMsg::PatchUpdated(Box::new(PatchUpdated {
            turn_id: speaker.turn_id().clone(),
            item_id: writing.item_id.clone(),
            changes: writing.stream.changes(),
        })))
    }
}

#[cfg(test)]
mod tests;
