//! Makes items of an answer that comes in pieces of text and calls.
//!
//! An item begins with the first piece of its kind, with a fresh id, and is closed when
//! something else begins or the answer ends.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use spindle_schema::model::{ContentPart, Message, Reasoning, ResponseItem, Role};

use super::names::{Names, new_id};
use crate::event::ModelEvent;

/// What is being streamed.
#[derive(Debug, Default)]
pub(super) struct Writer {
    names: Names,
    text: Option<Text>,
    call: Option<Call>,
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Message,
    Reasoning,
}

#[derive(Debug)]
struct Text {
    id: Arc<str>,
    kind: Kind,
    content: String,
}

/// A call that is being streamed.
#[derive(Debug)]
pub(super) struct Call {
    /// The provider's id of it.
    pub(super) id: Box<str>,
    /// Its flat name.
    pub(super) name: String,
    /// Its arguments so far.
    pub(super) arguments: String,
}

impl Writer {
    /// `names` says what the flat names of the request stand for.
    pub(super) fn new(names: Names) -> Self {
        Self { names, text: None, call: None }
    }

    /// Adds a piece of text.
    pub(super) fn write(&mut self, kind: Kind, piece: String, events: &mut Vec<ModelEvent>) {
        if piece.is_empty() {
            return;
        }
        if self.text.as_ref().is_none_or(|text| text.kind != kind) {
            self.close(events);
        }
        let text = self.text.get_or_insert_with(|| {
            let text = Text::new(kind);
            events.push(ModelEvent::ItemAdded(Box::new(text.begun())));
            text
        });
        text.content.push_str(&piece);
        let (item_id, delta) = (Arc::clone(&text.id), piece.into_boxed_str());
        events.push(match kind {
            Kind::Message => ModelEvent::TextDelta { item_id, delta },
            Kind::Reasoning => ModelEvent::ReasoningDelta { item_id, index: 0, delta },
        });
    }

    /// Begins a call.
    pub(super) fn begin_call(&mut self, call: Call, events: &mut Vec<ModelEvent>) {
        self.close(events);
        self.call = Some(call);
    }

    /// The call that is being streamed.
    pub(super) fn call(&mut self) -> Option<&mut Call> {
        self.call.as_mut()
    }

    /// Closes what is open.
    pub(super) fn close(&mut self, events: &mut Vec<ModelEvent>) {
        if let Some(text) = self.text.take() {
            events.push(ModelEvent::ItemDone(Box::new(text.whole())));
        }
        if let Some(call) = self.call.take() {
            let item = self.names.call(&call.name, &call.id, call.arguments);
            events.push(ModelEvent::ItemDone(Box::new(item)));
        }
    }
}

impl Text {
    fn new(kind: Kind) -> Self {
        let id = match kind {
            Kind::Message => new_id("msg"),
            Kind::Reasoning => new_id("rs"),
        };
        Self { id: id.into(), kind, content: String::new() }
    }

    fn begun(&self) -> ResponseItem {
        let id = Some(Box::from(&*self.id));
        match self.kind {
            Kind::Message => message(id, Vec::new()),
            Kind::Reasoning => reasoning(id, None),
        }
    }

    fn whole(self) -> ResponseItem {
        let id = Some(Box::from(&*self.id));
        match self.kind {
            Kind::Message => {
                let text = ContentPart::OutputText { text: self.content, extra: Map::new() };
                message(id, vec![text])
            }
            Kind::Reasoning => {
                reasoning(id, Some(vec![json!({"type": "reasoning_text", "text": self.content})]))
            }
        }
    }
}

fn message(id: Option<Box<str>>, content: Vec<ContentPart>) -> ResponseItem {
    let (role, phase, extra) = (Role::Assistant, None, Map::new());
    ResponseItem::Message(Message { id, role, content, phase, extra })
}

fn reasoning(id: Option<Box<str>>, content: Option<Vec<Value>>) -> ResponseItem {
    let (summary, encrypted_content, extra) = (Vec::new(), None, Map::new());
    ResponseItem::Reasoning(Reasoning { id, summary, content, encrypted_content, extra })
}
