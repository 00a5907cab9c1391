//! The history and what grows with it.

use serde_json::{Map, Value, json};
use spindle_schema::ids::TurnId;
use spindle_schema::model::{ResponseItem, Role, TokenUsage};
use spindle_schema::rollout::{RecordedEvent, RecordedItem, RolloutItem};
use spindle_store::Error;
use uuid::Uuid;

use super::history::{Entry, History, Said};
use super::recorder::Recorder;
use super::room::Room;
use super::said::is_said;
use super::world::World;
use crate::clock;

/// The member of an item that rollouts keep and providers never see.
pub(super) const PASSTHROUGH: &str = "internal_chat_message_metadata_passthrough";

/// A thread's conversation with the model. Whoever holds it may go on with it: the session
/// while nothing runs, the turn while one does.
#[derive(Debug)]
pub(crate) struct Conversation {
    /// Where lines go.
    pub(crate) recorder: Recorder,
    /// What the model sees.
    pub(crate) history: History,
    /// What the model was told about its surroundings.
    pub(crate) world: Option<World>,
    /// All responses of the thread.
    pub(crate) total_usage: TokenUsage,
    /// The last response.
    pub(crate) last_usage: TokenUsage,
    /// The id of the base prompt's message; the same for every request of the thread.
    pub(crate) base_id: Box<str>,
    /// The context window: changes with compaction.
    pub(crate) window_id: Box<str>,
    /// The thread's first context window.
    pub(super) first_window_id: Box<str>,
    /// How often the history was replaced.
    pub(crate) window_number: u64,
    /// How full the context window is.
    pub(crate) room: Room,
    /// Items recorded so far.
    sequence: u64,
    /// The last item that a request held.
    sampled_through: u64,
    /// Messages of the person and what answered them.
    user_order: u64,
}

/// What a thread starts or goes on with.
pub(crate) struct Seed {
    /// Where lines go.
    pub(crate) recorder: Recorder,
    /// The context window's id.
    pub(crate) window_id: Box<str>,
}

impl Conversation {
    /// A conversation in which nothing was said.
    pub(crate) fn new(seed: Seed) -> Self {
        Self {
            recorder: seed.recorder,
            history: History::default(),
            world: None,
            total_usage: TokenUsage::default(),
            last_usage: TokenUsage::default(),
            // The same in every life of the thread: what providers cache begins with it.
            base_id: format!("msg_{}", seed.window_id).into(),
            first_window_id: seed.window_id.clone(),
            window_id: seed.window_id,
            window_number: 0,
            room: Room::default(),
            sequence: 0,
            sampled_through: 0,
            user_order: 0,
        }
    }

    /// Writes a draft to the rollout and then takes its items into the history.
    ///
    /// # Errors
    /// When the rollout cannot be written; the history is then as it was.
    pub(crate) async fn record(&mut self, draft: Draft) -> Result<(), Error> {
        let mut lines = Vec::with_capacity(draft.parts.len());
        let mut entries = Vec::new();
        for part in draft.parts {
            match part {
                Part::Line(line) => lines.push(line),
                Part::Item(item, note) => {
                    let (line, entry) = self.prepare(*item, &note);
                    lines.push(line);
                    entries.push(entry);
                }
            }
        }
        self.recorder.append(lines).await?;
        entries.into_iter().for_each(|entry| self.history.push(entry));
        Ok(())
    }

    /// The number of the last item recorded.
    pub(crate) fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Notes that the model has answered a request that held all items up to this one.
    pub(crate) fn mark_sampled(&mut self, through: u64) {
        self.sampled_through = through;
    }

    /// Takes items that were recorded in an earlier life of the thread.
    pub(super) fn restore_item(
        &mut self,
        mut item: ResponseItem,
        metadata: Option<&Map<String, Value>>,
    ) {
        let passthrough = match item.take_extra(PASSTHROUGH) {
            Some(Value::Object(map)) => map,
            _ => Map::new(),
        };
        let number = |name| metadata.and_then(|map| map.get(name)).and_then(Value::as_u64);
        self.sequence = match number("history_sequence") {
            Some(number) => self.sequence.max(number),
            None => self.sequence + 1,
        };
        let sampled = number("sampled_through_sequence").unwrap_or(0);
        self.sampled_through = self.sampled_through.max(sampled);
        if let Some(order) = number("user_input_order") {
            self.user_order = self.user_order.max(order + 1);
        }
        let said = is_said(&item, &passthrough);
        let metadata = metadata.filter(|_| said).cloned().unwrap_or_default();
        let said = said.then(|| Box::new(Said { passthrough, metadata }));
        self.history.push(Entry { said, ..Entry::new(&item) });
    }

    /// A line for an item that is recorded and does not become part of the history.
    pub(crate) fn beside(&mut self, item: ResponseItem, note: &ItemNote) -> RolloutItem {
        self.prepare(item, note).0
    }

    fn prepare(&mut self, item: ResponseItem, note: &ItemNote) -> (RolloutItem, Entry) {
        let (item, metadata, entry) = self.number(item, note);
        let line = RolloutItem::Response(Box::new(RecordedItem { item, metadata: Some(metadata) }));
        (line, entry)
    }

    /// Gives an item its id and number: as rollouts keep it, its metadata, and as history.
    pub(super) fn number(
        &mut self,
        mut item: ResponseItem,
        note: &ItemNote,
    ) -> (ResponseItem, Map<String, Value>, Entry) {
        if item.id().is_none() {
            item.set_id(&new_id(id_prefix(&item)));
        }
        let mut entry = Entry::new(&item);
        self.sequence += 1;
        let metadata = self.metadata(&item, note);
        let passthrough = note.passthrough();
        if is_said(&item, &passthrough) {
            let (passthrough, metadata) = (passthrough.clone(), metadata.clone());
            entry.said = Some(Box::new(Said { passthrough, metadata }));
        }
        if !passthrough.is_empty() {
            item.set_extra(PASSTHROUGH, Value::Object(passthrough));
        }
        (item, metadata, entry)
    }

    /// The line's `metadata` member, as readers of rollouts know it.
    fn metadata(&mut self, item: &ResponseItem, note: &ItemNote) -> Map<String, Value> {
        let mut map = Map::new();
        map.insert("history_sequence".into(), self.sequence.into());
        map.insert("sampled_through_sequence".into(), self.sampled_through.into());
        map.insert("client_authored".into(), false.into());
        map.insert("model_search_state".into(), "unused".into());
        if note.summary {
            map.insert("compaction_output".into(), true.into());
        }
        // Said of the first item whatever it is.
        if note.attributed || self.sequence == 1 {
            map.insert("mcp_attribution".into(), json!({ "status": "none" }));
        }
        if let Some(limit) = note.token_limit {
            map.insert("fallback_token_limit_override".into(), limit.into());
        }
        let counts = match item {
            ResponseItem::FunctionCall(_) => true,
            ResponseItem::Message(message) => match message.role {
                Role::Assistant => !note.summary,
                Role::User => note.is_said(),
                Role::Developer | Role::System => false,
            },
            _ => false,
        };
        if counts {
            map.insert("user_input_order".into(), self.user_order.into());
            self.user_order += 1;
        }
        map
    }
}

fn new_id(prefix: &str) -> Box<str> {
    format!("{prefix}_{}", Uuid::now_v7().hyphenated()).into()
}

fn id_prefix(item: &ResponseItem) -> &'static str {
    match item {
        ResponseItem::Message(_) => "msg",
        ResponseItem::Reasoning(_) => "rs",
        ResponseItem::FunctionCall(_) => "fc",
        ResponseItem::FunctionCallOutput(_) => "fco",
        ResponseItem::CustomToolCall(_) => "ctc",
        ResponseItem::CustomToolCallOutput(_) => "ctco",
        ResponseItem::Other(map) => match map.get("type").and_then(Value::as_str) {
            Some("web_search_call") => "ws",
            Some("tool_search_call") => "tsc",
            Some("tool_search_output") => "tso",
            _ => "at",
        },
    }
}

/// Lines to be written together, in order.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Line(RolloutItem),
    Item(Box<ResponseItem>, ItemNote),
}

impl Draft {
    /// Adds an item of the conversation.
    pub(crate) fn item(&mut self, item: ResponseItem, note: ItemNote) -> &mut Self {
        self.parts.push(Part::Item(Box::new(item), note));
        self
    }

    /// Adds an event.
    pub(crate) fn event(&mut self, event: RecordedEvent) -> &mut Self {
        self.line(RolloutItem::event(event))
    }

    /// The items and the lines, apart from each other.
    pub(super) fn split(self) -> (Vec<(ResponseItem, ItemNote)>, Vec<RolloutItem>) {
        let (mut items, mut lines) = (Vec::new(), Vec::new());
        for part in self.parts {
            match part {
                Part::Line(line) => lines.push(line),
                Part::Item(item, note) => items.push((*item, note)),
            }
        }
        (items, lines)
    }

    /// Adds any other line.
    pub(crate) fn line(&mut self, line: RolloutItem) -> &mut Self {
        self.parts.push(Part::Line(line));
        self
    }
}

/// What is known about an item beside its content.
#[derive(Debug, Clone)]
pub(crate) struct ItemNote {
    /// The turn it belongs to.
    pub(crate) turn_id: TurnId,
    /// What each content part is.
    pub(crate) kinds: Vec<&'static str>,
    /// Where each content part comes from.
    pub(crate) provenance: Vec<Value>,
    /// Whether the item was made here, at this moment.
    pub(crate) made_here: bool,
    /// Whether it is told that no tool server had a part in it.
    pub(crate) attributed: bool,
    /// The budget an output was cut to, in tokens.
    pub(crate) token_limit: Option<u64>,
    /// Whether it is what the model wrote to take the place of the history.
    pub(crate) summary: bool,
}

impl ItemNote {
    /// An item that the model made.
    pub(crate) fn by_model(turn_id: &TurnId, item: &ResponseItem) -> Self {
        let kinds = match item {
            ResponseItem::Message(message) => vec!["unknown"; message.content.len()],
            _ => Vec::new(),
        };
        Self { kinds, made_here: false, ..Self::here(turn_id) }
    }

    /// An item that was made here.
    pub(crate) fn here(turn_id: &TurnId) -> Self {
        Self {
            turn_id: turn_id.clone(),
            kinds: Vec::new(),
            provenance: Vec::new(),
            made_here: true,
            attributed: false,
            token_limit: None,
            summary: false,
        }
    }

    /// Whether it is a person who says it.
    fn is_said(&self) -> bool {
        self.kinds.iter().any(|kind| kind.starts_with("user."))
    }

    /// Text that the program gives the model.
    pub(crate) fn harness(turn_id: &TurnId, kinds: Vec<&'static str>) -> Self {
        let provenance = kinds
            .iter()
            .map(|_| json!({ "provenance": { "type": "harness", "hook": false } }))
            .collect();
        Self { kinds, provenance, ..Self::here(turn_id) }
    }

    fn passthrough(&self) -> Map<String, Value> {
        let mut map = Map::new();
        map.insert("turn_id".into(), self.turn_id.as_str().into());
        if self.made_here {
            #[expect(
                clippy::cast_precision_loss,
                reason = "seconds with a fraction, as read by others"
            )]
            let seconds = clock::now_ms() as f64 / 1000.0;
            map.insert("create_time".into(), seconds.into());
        }
        if !self.kinds.is_empty() {
            map.insert("content_item_kinds".into(), json!(self.kinds));
        }
        if !self.provenance.is_empty() {
            map.insert("content_item_metadata".into(), json!(self.provenance));
        }
        map
    }
}
