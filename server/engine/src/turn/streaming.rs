//! Items that are still coming.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use spindle_model::ModelEvent;
use spindle_schema::event::{DeltaKind, Deltas, EventMsg};
use spindle_schema::ids::ItemId;
use spindle_schema::item::{AgentContent, AgentMessage, ReasoningItem, TurnItem, WebSearch};
use spindle_schema::model::{ContentPart, Message, Phase, Reasoning, ResponseItem, Role};
use spindle_schema::rollout::RecordedEvent;

use super::calls::Calls;
use super::outcome::Stop;
use super::report::Speaker;
use super::run::Turn;
use crate::clock;
use crate::context::{Draft, ItemNote};
use crate::tools::ToolCall;

/// The items of a response that have begun and are not whole, and what is to be said of them.
#[derive(Default)]
pub(super) struct Streaming {
    /// By the provider's id.
    open: HashMap<Box<str>, Open>,
    /// What has not been said yet.
    events: Vec<EventMsg>,
}

/// An item that has begun.
struct Open {
    /// Unix milliseconds.
    started_at_ms: i64,
    /// The text so far, for the case that it is all that comes.
    text: String,
    /// The message's phase.
    phase: Option<Phase>,
}

impl Streaming {
    /// Takes what was gathered.
    pub(super) fn take_events(&mut self) -> Vec<EventMsg> {
        std::mem::take(&mut self.events)
    }

    /// Whether something waits to be said.
    pub(super) fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Takes a piece of an item that is not whole.
    pub(super) fn push(&mut self, event: ModelEvent, speaker: &Speaker, raw: bool) {
        match event {
            ModelEvent::ItemAdded(item) => self.begin(&item, speaker),
            ModelEvent::TextDelta { item_id, delta } => {
                self.begin_message(&item_id, None, speaker);
                if let Some(open) = self.open.get_mut(&*item_id) {
                    open.text.push_str(&delta);
                }
                self.delta(speaker, &item_id, DeltaKind::AgentMessage, Some(delta));
            }
            ModelEvent::SummaryPartAdded { item_id, index } => {
                self.begin_reasoning(&item_id, speaker);
                self.delta(speaker, &item_id, DeltaKind::SummaryPartAdded(index), None);
            }
            ModelEvent::SummaryDelta { item_id, index, delta } => {
                self.begin_reasoning(&item_id, speaker);
                self.delta(speaker, &item_id, DeltaKind::ReasoningSummary(index), Some(delta));
            }
            ModelEvent::ReasoningDelta { item_id, index, delta } if raw => {
                self.begin_reasoning(&item_id, speaker);
                self.delta(speaker, &item_id, DeltaKind::ReasoningText(index), Some(delta));
            }
            // Said elsewhere, or nothing that a client sees.
            ModelEvent::ReasoningDelta { .. }
            | ModelEvent::CustomInputDelta { .. }
            | ModelEvent::Created { .. }
            | ModelEvent::ItemDone(_)
            | ModelEvent::RateLimits(_)
            | ModelEvent::Completed { .. } => {}
        }
    }

    fn begin(&mut self, item: &ResponseItem, speaker: &Speaker) {
        match item {
            ResponseItem::Message(message) if message.role == Role::Assistant => {
                if let Some(id) = &message.id {
                    self.begin_message(id, message.phase, speaker);
                }
            }
            ResponseItem::Reasoning(reasoning) => {
                if let Some(id) = &reasoning.id {
                    self.begin_reasoning(id, speaker);
                }
            }
            ResponseItem::Other(map) if is_web_search(map) => {
                if let Some(id) = map.get("id").and_then(Value::as_str) {
                    let item = web_search(id, &Value::Null);
                    self.begin_item(id, item, None, speaker);
                }
            }
            _ => {}
        }
    }

    fn begin_message(&mut self, id: &str, phase: Option<Phase>, speaker: &Speaker) {
        let item = || {
            TurnItem::AgentMessage(AgentMessage { id: ItemId::new(id), content: Vec::new(), phase })
        };
        if !self.open.contains_key(id) {
            self.begin_item(id, item(), phase, speaker);
        }
    }

    fn begin_reasoning(&mut self, id: &str, speaker: &Speaker) {
        if !self.open.contains_key(id) {
            let item = ReasoningItem {
                id: ItemId::new(id),
                summary_text: Vec::new(),
                raw_content: Vec::new(),
            };
            self.begin_item(id, TurnItem::Reasoning(item), None, speaker);
        }
    }

    fn begin_item(&mut self, id: &str, item: TurnItem, phase: Option<Phase>, speaker: &Speaker) {
        let open = Open { started_at_ms: clock::now_ms(), text: String::new(), phase };
        self.open.insert(id.into(), open);
        self.events.push(EventMsg::ItemStarted(speaker.started(item)));
    }

    /// Adds a piece to the last batch of the same text, or begins another batch.
    fn delta(&mut self, speaker: &Speaker, id: &str, kind: DeltaKind, piece: Option<Box<str>>) {
        if let Some(EventMsg::Deltas(last)) = self.events.last_mut()
            && last.kind == kind
            && last.item_id.as_str() == id
            && let Some(piece) = piece
        {
            last.pieces.push(piece);
            return;
        }
        self.events.push(EventMsg::Deltas(Box::new(Deltas {
            turn_id: speaker.turn_id().clone(),
            item_id: ItemId::new(id),
            kind,
            pieces: piece.into_iter().collect(),
        })));
    }

    /// Begins an item of which nothing was heard before it was whole, and forgets it.
    fn finish(&mut self, empty: TurnItem, speaker: &Speaker) -> i64 {
        let id = empty.id().to_owned();
        if !self.open.contains_key(&*id) {
            self.begin_item(&id, empty, None, speaker);
        }
        self.open.remove(&*id).map_or_else(clock::now_ms, |open| open.started_at_ms)
    }
}

impl Turn {
    /// Takes an item that is whole: it is recorded, then told, then acted on (SPEC C1).
    pub(super) async fn take_item(
        &mut self,
        mut item: ResponseItem,
        streaming: &mut Streaming,
        calls: &mut Calls,
    ) -> Result<(), Stop> {
        give_id(&mut item);
        let call = ToolCall::from_item(&item);
        let seen = self.client_item(&item);
        let mut draft = Draft::default();
        let mut completed = None;
        if let Some((empty, whole)) = seen {
            let started_at_ms = streaming.finish(empty, &self.speaker);
            draft.event(self.item_event(&whole, started_at_ms));
            completed = Some(self.speaker.completed(whole, started_at_ms));
        }
        let note = ItemNote::by_model(self.id(), &item);
        draft.item(item, note);
        self.note_first_output(streaming);
        self.speaker.say(streaming.take_events()).await;
        self.conversation.record(draft).await?;
        if let Some(completed) = completed {
            self.speaker.say(vec![EventMsg::ItemCompleted(completed)]).await;
        }
        if let Some(call) = call {
            calls.start(self, call);
        }
        Ok(())
    }

    /// An item as clients see it, before and after; `None` for what they do not see.
    fn client_item(&mut self, item: &ResponseItem) -> Option<(TurnItem, TurnItem)> {
        match item {
            ResponseItem::Message(message) if message.role == Role::Assistant => {
                let whole = agent_message(message);
                self.last_message = Some(whole.text());
                let empty = AgentMessage { content: Vec::new(), ..whole.clone() };
                Some((TurnItem::AgentMessage(empty), TurnItem::AgentMessage(whole)))
            }
            ResponseItem::Reasoning(reasoning) => {
                let raw = self.rooms.config.tool.show_raw_reasoning;
                let whole = reasoning_item(reasoning, raw)?;
                let empty = ReasoningItem {
                    id: whole.id.clone(),
                    summary_text: Vec::new(),
                    raw_content: Vec::new(),
                };
                Some((TurnItem::Reasoning(empty), TurnItem::Reasoning(whole)))
            }
            ResponseItem::Other(map) if is_web_search(map) => {
                let id = map.get("id").and_then(Value::as_str)?;
                let action = map.get("action").cloned().unwrap_or_default();
                Some((web_search(id, &Value::Null), web_search(id, &action)))
            }
            _ => None,
        }
    }

    /// Keeps the text of a message that was cut off by an interrupt: the person has read it.
    pub(super) async fn keep_partial(&mut self, streaming: Streaming) -> Result<(), Stop> {
        let Streaming { open, events } = streaming;
        self.speaker.say(events).await;
        for (id, open) in open.into_iter().filter(|(_, open)| !open.text.is_empty()) {
            let whole = TurnItem::AgentMessage(AgentMessage {
                id: ItemId::new(&*id),
                content: vec![AgentContent::Text { text: open.text.clone() }],
                phase: open.phase,
            });
            let part = ContentPart::OutputText { text: open.text, extra: Map::new() };
            let item = ResponseItem::Message(Message {
                id: Some(id),
                role: Role::Assistant,
                content: vec![part],
                phase: open.phase,
                extra: Map::new(),
            });
            let mut draft = Draft::default();
            let event: RecordedEvent = self.item_event(&whole, open.started_at_ms);
            let note = ItemNote::by_model(self.id(), &item);
            draft.event(event).item(item, note);
            self.conversation.record(draft).await?;
            let completed = self.speaker.completed(whole, open.started_at_ms);
            self.speaker.say(vec![EventMsg::ItemCompleted(completed)]).await;
        }
        Ok(())
    }

    /// Remembers when the model first said something.
    pub(super) fn note_first_output(&mut self, streaming: &Streaming) {
        if self.first_output_at_ms.is_none() && streaming.has_events() {
            self.first_output_at_ms = Some(clock::now_ms());
        }
    }
}

/// Gives an item of the model an id if the provider gave none.
pub(super) fn give_id(item: &mut ResponseItem) {
    let lacks = item.id().is_none_or(str::is_empty);
    let seen_by_clients = matches!(item, ResponseItem::Message(_) | ResponseItem::Reasoning(_));
    if lacks && seen_by_clients {
        let prefix = if matches!(item, ResponseItem::Reasoning(_)) { "rs" } else { "msg" };
        item.set_id(&format!("{prefix}_{}", uuid::Uuid::now_v7().hyphenated()));
    }
}

fn agent_message(message: &Message) -> AgentMessage {
    let text: String = message.content.iter().filter_map(ContentPart::text).collect();
    AgentMessage {
        id: ItemId::new(message.id.as_deref().unwrap_or_default()),
        content: vec![AgentContent::Text { text }],
        phase: message.phase,
    }
}

/// Reasoning as clients see it; `None` when there is nothing to see.
fn reasoning_item(reasoning: &Reasoning, raw: bool) -> Option<ReasoningItem> {
    let texts = |parts: &[Value]| -> Vec<String> {
        let text = |part: &Value| part.get("text").and_then(Value::as_str).map(str::to_owned);
        parts.iter().filter_map(text).collect()
    };
    let content = reasoning.content.as_deref().unwrap_or_default();
    Some(ReasoningItem {
        id: ItemId::new(reasoning.id.as_deref()?),
        summary_text: texts(&reasoning.summary),
        raw_content: if raw { texts(content) } else { Vec::new() },
    })
}

fn is_web_search(map: &Map<String, Value>) -> bool {
    map.get("type").and_then(Value::as_str) == Some("web_search_call")
}

fn web_search(id: &str, action: &Value) -> TurnItem {
    let field = |name: &str| action.get(name).and_then(Value::as_str);
    let query = field("query").or_else(|| field("url")).unwrap_or_default().to_owned();
    let action = if action.is_null() { json!({ "type": "other" }) } else { action.clone() };
    TurnItem::WebSearch(WebSearch { id: ItemId::new(Arc::from(id)), query, action })
}
