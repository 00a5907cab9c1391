//! The items the model is shown, in the order they came.
//!
//! Items are kept encoded, so that a request body is a join of what is there. Beside each
//! stands the little that must be known without parsing.

use std::collections::HashSet;

use bytes::Bytes;
use spindle_schema::model::{CallOutput, OutputBody, ResponseItem, Role};

/// The text of an output that a call gets when it has none (SPEC C10).
const ABORTED: &str = "aborted";

/// Append-only; replaced as a whole by compaction.
#[derive(Debug, Default, Clone)]
pub(crate) struct History {
    entries: Vec<Entry>,
}

/// One item.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// What goes into a request.
    pub(crate) encoded: Bytes,
    /// What kind of item it is.
    pub(crate) tag: Tag,
}

/// What must be known of an item without parsing it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tag {
    /// A message, or anything that stands for itself.
    Plain(Option<Role>),
    /// A call that wants an output.
    Call { id: Box<str>, kind: CallKind },
    /// The output of a call.
    Output { id: Box<str>, kind: CallKind },
}

/// Function or custom: an output must match its call (SPEC C2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum CallKind {
    /// JSON arguments.
    Function,
    /// Free text.
    Custom,
}

impl Entry {
    /// Encodes an item. Members that are for rollouts only must have been taken out.
    pub(crate) fn new(item: &ResponseItem) -> Self {
        let encoded = serde_json::to_vec(item).expect("an item is a tree of JSON values").into();
        let tag = match item {
            ResponseItem::Message(message) => Tag::Plain(Some(message.role)),
            ResponseItem::FunctionCall(call) => {
                Tag::Call { id: call.call_id.clone(), kind: CallKind::Function }
            }
            ResponseItem::CustomToolCall(call) => {
                Tag::Call { id: call.call_id.clone(), kind: CallKind::Custom }
            }
            ResponseItem::FunctionCallOutput(out) => output_tag(out, CallKind::Function),
            ResponseItem::CustomToolCallOutput(out) => output_tag(out, CallKind::Custom),
            ResponseItem::Reasoning(_) | ResponseItem::Other(_) => Tag::Plain(None),
        };
        Self { encoded, tag }
    }
}

fn output_tag(output: &CallOutput, kind: CallKind) -> Tag {
    match &output.call_id {
        Some(id) => Tag::Output { id: id.clone(), kind },
        // Text given without a call stands for itself.
        None => Tag::Plain(None),
    }
}

impl History {
    /// Adds an item at the end.
    pub(crate) fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// The items for a request: every call with exactly one output, every output with its call.
    ///
    /// The history itself is not changed. An output that is made up stands directly after its
    /// call and has an id that stays the same.
    pub(crate) fn prompt(&self) -> Vec<Bytes> {
        let calls: HashSet<(&str, CallKind)> = self.ids(true);
        let outputs: HashSet<(&str, CallKind)> = self.ids(false);
        let mut used = HashSet::new();
        let mut prompt = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            match &entry.tag {
                Tag::Plain(_) => prompt.push(entry.encoded.clone()),
                Tag::Call { id, kind } => {
                    prompt.push(entry.encoded.clone());
                    if !outputs.contains(&(&**id, *kind)) {
                        prompt.push(aborted_output(id, *kind));
                    }
                }
                Tag::Output { id, kind } => {
                    if calls.contains(&(&**id, *kind)) && used.insert((&**id, *kind)) {
                        prompt.push(entry.encoded.clone());
                    }
                }
            }
        }
        prompt
    }

    fn ids(&self, calls: bool) -> HashSet<(&str, CallKind)> {
        self.entries
            .iter()
            .filter_map(|entry| match &entry.tag {
                Tag::Call { id, kind } if calls => Some((&**id, *kind)),
                Tag::Output { id, kind } if !calls => Some((&**id, *kind)),
                _ => None,
            })
            .collect()
    }
}

fn aborted_output(call_id: &str, kind: CallKind) -> Bytes {
    let output = CallOutput {
        id: Some(format!("fco_{call_id}").into()),
        call_id: Some(call_id.into()),
        output: OutputBody::Text(ABORTED.into()),
        extra: serde_json::Map::new(),
    };
    let item = match kind {
        CallKind::Function => ResponseItem::FunctionCallOutput(output),
        CallKind::Custom => ResponseItem::CustomToolCallOutput(output),
    };
    Entry::new(&item).encoded
}

#[cfg(test)]
mod tests;
