//! The items the model is shown, in the order they came.
//!
//! Items are kept encoded, so that a request body is a join of what is there. Beside each
//! stands the little that must be known without parsing.

use std::collections::HashSet;

use bytes::Bytes;
use serde_json::{Map, Value};
use spindle_schema::model::{CallOutput, ContentPart, OutputBody, ResponseItem, Role};

/// Bytes that count as one token in estimates.
pub(super) const BYTES_PER_TOKEN: usize = 4;
/// Tokens that a picture counts for in estimates, whatever its size.
const TOKENS_PER_IMAGE: usize = 1_500;

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
    /// An estimate of its tokens.
    pub(crate) tokens: usize,
    /// What a message of the person is recorded with, so that it can outlive a compaction.
    pub(crate) said: Option<Box<Said>>,
}

/// What a message of the person is recorded with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    /// The member of the item that only rollouts keep.
    pub(crate) passthrough: Map<String, Value>,
    /// The line's `metadata` member.
    pub(crate) metadata: Map<String, Value>,
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
        let encoded: Bytes =
            serde_json::to_vec(item).expect("an item is a tree of JSON values").into();
        let tokens = estimate(item, encoded.len());
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
        Self { encoded, tag, tokens, said: None }
    }
}

/// The tokens of an item that takes so many bytes. A picture is looked at, not read.
fn estimate(item: &ResponseItem, bytes: usize) -> usize {
    let parts = match item {
        ResponseItem::Message(message) => &message.content[..],
        ResponseItem::FunctionCallOutput(out) | ResponseItem::CustomToolCallOutput(out) => {
            match &out.output {
                OutputBody::Parts(parts) => &parts[..],
                OutputBody::Text(_) => &[],
            }
        }
        _ => &[],
    };
    let pictures = parts.iter().filter_map(|part| match part {
        ContentPart::InputImage { image_url, .. } => Some(image_url.len()),
        _ => None,
    });
    let (count, size) = pictures.fold((0, 0), |(count, size), len| (count + 1, size + len));
    bytes.saturating_sub(size).div_ceil(BYTES_PER_TOKEN) + count * TOKENS_PER_IMAGE
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

    /// How many items there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// An estimate of the tokens of all items from a place on.
    pub(crate) fn tokens_from(&self, place: usize) -> usize {
        self.entries.iter().skip(place).map(|entry| entry.tokens).sum()
    }

    /// An estimate of the tokens of what stands before the first thing said in a conversation.
    pub(super) fn tokens_of_head(&self) -> usize {
        let head = |entry: &&Entry| {
            entry.said.is_none()
                && matches!(entry.tag, Tag::Plain(Some(Role::User | Role::Developer)))
        };
        self.entries.iter().take_while(head).map(|entry| entry.tokens).sum()
    }

    /// The messages of the person, in order.
    pub(super) fn said(&self) -> impl DoubleEndedIterator<Item = (&Entry, &Said)> {
        self.entries.iter().filter_map(|entry| entry.said.as_deref().map(|said| (entry, said)))
    }

    /// The place at which about half of what stands from `place` on is left out; the end, when
    /// there is at most one item.
    pub(crate) fn half_from(&self, place: usize) -> usize {
        let half = self.tokens_from(place) / 2;
        let mut left_out = 0;
        let past = self.entries.iter().skip(place).position(|entry| {
            left_out += entry.tokens;
            left_out >= half.max(1)
        });
        past.map_or(self.len(), |at| place + at + 1)
    }

    /// The items for a request: every call with exactly one output, every output with its call.
    ///
    /// The history itself is not changed. An output that is made up stands directly after its
    /// call and has an id that stays the same.
    pub(crate) fn prompt(&self) -> Vec<Bytes> {
        self.prompt_from(0)
    }

    /// The same for the items from a place on, as if there were no others.
    pub(crate) fn prompt_from(&self, place: usize) -> Vec<Bytes> {
        let entries = self.entries.get(place..).unwrap_or_default();
        let calls: HashSet<(&str, CallKind)> = ids(entries, true);
        let outputs: HashSet<(&str, CallKind)> = ids(entries, false);
        let mut used = HashSet::new();
        let mut prompt = Vec::with_capacity(entries.len());
        for entry in entries {
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
}

fn ids(entries: &[Entry], calls: bool) -> HashSet<(&str, CallKind)> {
    entries
        .iter()
        .filter_map(|entry| match &entry.tag {
            Tag::Call { id, kind } if calls => Some((&**id, *kind)),
            Tag::Output { id, kind } if !calls => Some((&**id, *kind)),
            _ => None,
        })
        .collect()
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
