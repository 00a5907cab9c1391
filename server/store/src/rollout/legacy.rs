//! Turns and items of old rollouts.
//!
//! Their lines carry no numbers, their messages are events of their own, and most turns have
//! neither a start nor an id. Ids are made up from places: `rollout-N` for a turn that begins
//! with line N, `item-N` for the N-th message. Such files are read as a whole; nobody writes
//! long ones any more.

mod pages;

pub(crate) use pages::{items, turn_cursor, turns};

use serde::Deserialize;
use serde_json::{Map, Value};
use spindle_schema::event::{ItemsView, TimedItem, TurnSnapshot, TurnStatus};
use spindle_schema::ids::{ItemId, TurnId};
use spindle_schema::item::{
    AgentContent, AgentMessage, Bare, CommandSource, CommandStatus, FileChange, ImageView,
    ReasoningItem, TurnItem, UserInput, UserMessage, WebSearch,
};
use spindle_schema::model::{Message, Phase, ResponseItem, Role};
use spindle_schema::rollout::{RecordedEvent, RolloutItem};

use super::lineage::Lineage;
use super::pages::{apply, to_timed};
use super::parse;
use super::scan::Forward;
use crate::error::{Context as _, Error};

/// A turn and the numbers of the lines that its entries stand in.
#[derive(Debug)]
pub(crate) struct LegacyTurn {
    /// The turn with all its items.
    pub(crate) turn: TurnSnapshot,
    /// The line it begins with.
    pub(crate) line: u64,
    /// The line of each item.
    pub(crate) lines: Vec<u64>,
    /// Whether a record began it.
    started: bool,
}

/// Reads all turns.
pub(crate) fn read(lineage: &Lineage) -> Result<Vec<LegacyTurn>, Error> {
    let mut turns = Builder::default();
    let mut said = Vec::new();
    for segment in &lineage.segments {
        let mut lines = Forward::new(&segment.file, 0, segment.end);
        while let Some(line) = lines.next().context("read", &segment.path)? {
            match parse::line(line.bytes).map(|line| line.item) {
                Ok(RolloutItem::Event(event)) => turns.push(*event),
                Ok(RolloutItem::Response(item)) => said.push((turns.line, item.item)),
                _ => {}
            }
            turns.line += 1;
        }
    }
    if turns.turns.is_empty() {
        // The oldest files hold nothing but what the model saw.
        for (line, item) in said {
            turns.line = line;
            turns.push_response(&item);
        }
    }
    Ok(turns.turns)
}

#[derive(Default)]
struct Builder {
    turns: Vec<LegacyTurn>,
    line: u64,
    items: u64,
}

impl Builder {
    fn push(&mut self, event: RecordedEvent) {
        match event {
            RecordedEvent::TaskStarted(started) => {
                let id = started.turn_id.clone();
                let turn = self.begin(id, true);
                apply(turn, RecordedEvent::TaskStarted(started));
            }
            RecordedEvent::TaskComplete(_) | RecordedEvent::TurnAborted(_) => {
                if let Some(turn) = self.turns.last_mut() {
                    turn.started = false;
                    apply(&mut turn.turn, event);
                }
            }
            RecordedEvent::ItemCompleted(completed) => {
                let at = self.turns.iter().rposition(|turn| turn.turn.id == completed.turn_id);
                if at.is_none() {
                    self.begin(completed.turn_id.clone(), true);
                }
                let at = at.unwrap_or(self.turns.len() - 1);
                self.turns[at].turn.items.push(to_timed(completed));
                self.turns[at].lines.push(self.line);
            }
            RecordedEvent::Other(event) => self.push_old(event),
            RecordedEvent::TokenCount(_) | RecordedEvent::ThreadSettingsApplied(_) => {}
        }
    }

    fn push_old(&mut self, event: Map<String, Value>) {
        let Some(kind) = event.get("type").and_then(Value::as_str).map(str::to_owned) else {
            return;
        };
        let event = Value::Object(event);
        match kind.as_str() {
            "user_message" => self.push_user(event),
            "agent_message" => {
                if let Ok(said) = serde_json::from_value::<Said>(event) {
                    let content = vec![AgentContent::Text { text: said.message }];
                    let id = self.next_id();
                    self.add(TurnItem::AgentMessage(AgentMessage {
                        id,
                        content,
                        phase: said.phase,
                    }));
                }
            }
            "agent_reasoning" => {
                self.push_thought(event, |item, text| item.summary_text.push(text));
            }
            "agent_reasoning_raw_content" => {
                self.push_thought(event, |item, text| item.raw_content.push(text));
            }
            "context_compacted" => {
                let id = self.next_id();
                self.add(TurnItem::ContextCompaction(Bare { id }));
            }
            _ => {
                if let Some(item) = called(&kind, event) {
                    self.add(item);
                }
            }
        }
    }

    fn push_user(&mut self, event: Value) {
        let Ok(said) = serde_json::from_value::<Asked>(event) else { return };
        let fits = self.turns.last().is_some_and(|turn| turn.started);
        if !fits {
            self.begin(TurnId::new(format!("rollout-{}", self.line)), false);
        }
        let mut content = Vec::new();
        if !said.message.is_empty() {
            content.push(UserInput::Text { text: said.message, text_elements: said.text_elements });
        }
        let images = said.images.unwrap_or_default().into_iter();
        content.extend(images.map(|image_url| UserInput::Image { detail: None, image_url }));
        let files = said.local_images.into_iter();
        content.extend(files.map(|path| UserInput::LocalImage { detail: None, path }));
        let id = self.next_id();
        self.add(TurnItem::UserMessage(UserMessage { id, client_id: None, content }));
    }

    /// Thoughts that follow one another are one item.
    fn push_thought(&mut self, event: Value, put: impl Fn(&mut ReasoningItem, String)) {
        let Ok(thought) = serde_json::from_value::<Thought>(event) else { return };
        let last = self.turns.last_mut().and_then(|turn| turn.turn.items.last_mut());
        if let Some(TimedItem { item: TurnItem::Reasoning(item), .. }) = last {
            return put(item, thought.text);
        }
        let (summary_text, raw_content) = (Vec::new(), Vec::new());
        let mut item = ReasoningItem { id: self.next_id(), summary_text, raw_content };
        put(&mut item, thought.text);
        self.add(TurnItem::Reasoning(item));
    }

    fn push_response(&mut self, item: &ResponseItem) {
        let ResponseItem::Message(message) = item else { return };
        let text = text_of(message);
        // What the program says in the person's name stands in tags.
        let is_context = text.trim_start().starts_with('<');
        match message.role {
            Role::User if !is_context => {
                let asked = serde_json::json!({"message": text});
                self.push_user(asked);
            }
            Role::Assistant => {
                let id = self.next_id();
                let content = vec![AgentContent::Text { text }];
                self.add(TurnItem::AgentMessage(AgentMessage { id, content, phase: None }));
            }
            Role::User | Role::Developer | Role::System => {}
        }
    }

    fn begin(&mut self, id: TurnId, started: bool) -> &mut TurnSnapshot {
        let turn = TurnSnapshot {
            id,
            root_turn_id: None,
            // Without a start there is no end either; it is long over.
            status: if started { TurnStatus::Interrupted } else { TurnStatus::Completed },
            error: None,
            started_at: None,
            completed_at: None,
            duration_ms: None,
            items: Vec::new(),
            view: ItemsView::Full,
        };
        let at = self.turns.len();
        self.turns.push(LegacyTurn { turn, line: self.line, lines: Vec::new(), started });
        &mut self.turns[at].turn
    }

    fn add(&mut self, item: TurnItem) {
        if self.turns.is_empty() {
            self.begin(TurnId::new(format!("rollout-{}", self.line)), false);
        }
        let line = self.line;
        if let Some(turn) = self.turns.last_mut() {
            turn.turn.items.push(TimedItem { item, started_at_ms: None, completed_at_ms: None });
            turn.lines.push(line);
        }
    }

    fn next_id(&mut self) -> ItemId {
        self.items += 1;
        ItemId::new(format!("item-{}", self.items))
    }
}

fn text_of(message: &Message) -> String {
    message.content.iter().filter_map(|part| part.text()).collect()
}

#[derive(Deserialize)]
struct Said {
    message: String,
    #[serde(default)]
    phase: Option<Phase>,
}

#[derive(Deserialize)]
struct Asked {
    message: String,
    #[serde(default)]
    images: Option<Vec<String>>,
    #[serde(default)]
    local_images: Vec<String>,
    #[serde(default)]
    text_elements: Vec<Value>,
}

#[derive(Deserialize)]
struct Thought {
    text: String,
}

#[derive(Deserialize)]
struct Viewed {
    call_id: ItemId,
    path: String,
}

#[derive(Deserialize)]
struct Searched {
    call_id: ItemId,
    query: String,
    #[serde(default)]
    action: Value,
}

#[derive(Deserialize)]
struct Patched {
    call_id: ItemId,
    success: bool,
    #[serde(default)]
    changes: Value,
    #[serde(default)]
    stdout: Option<String>,
    #[serde(default)]
    stderr: Option<String>,
}

/// The item of a tool that ended; `None` for events that are no item.
fn called(kind: &str, event: Value) -> Option<TurnItem> {
    match kind {
        "exec_command_end" => command(event),
        "patch_apply_end" => {
            let patched: Patched = serde_json::from_value(event).ok()?;
            let status =
                if patched.success { CommandStatus::Completed } else { CommandStatus::Failed };
            Some(TurnItem::FileChange(FileChange {
                id: patched.call_id,
                changes: serde_json::from_value(patched.changes).unwrap_or_default(),
                status: Some(status),
                stdout: patched.stdout,
                stderr: patched.stderr,
            }))
        }
        "view_image_tool_call" => {
            let Viewed { call_id: id, path } = serde_json::from_value(event).ok()?;
            Some(TurnItem::ImageView(ImageView { id, path }))
        }
        "web_search_end" => {
            let Searched { call_id: id, query, action } = serde_json::from_value(event).ok()?;
            Some(TurnItem::WebSearch(WebSearch { id, query, action }))
        }
        "mcp_tool_call_end" => tool_call(event),
        _ => None,
    }
}

/// A command: the event's members are the item's, but for id, source and status.
fn command(event: Value) -> Option<TurnItem> {
    let Value::Object(mut event) = event else { return None };
    let id = event.shift_remove("call_id")?;
    event.insert("id".into(), id);
    event.insert("type".into(), "CommandExecution".into());
    let failed = event.get("exit_code").and_then(Value::as_i64) != Some(0);
    let status = if failed { CommandStatus::Failed } else { CommandStatus::Completed };
    event.entry("status").or_insert(serde_json::to_value(status).ok()?);
    event.entry("source").or_insert(serde_json::to_value(CommandSource::Agent).ok()?);
    match serde_json::from_value(Value::Object(event)).ok()? {
        item @ TurnItem::CommandExecution(_) => Some(item),
        _ => None,
    }
}

/// A tool server's call, in the form that later rollouts have.
fn tool_call(event: Value) -> Option<TurnItem> {
    let Value::Object(mut event) = event else { return None };
    let mut item = Map::new();
    item.insert("type".into(), "McpToolCall".into());
    item.insert("id".into(), event.shift_remove("call_id")?);
    if let Some(Value::Object(invocation)) = event.shift_remove("invocation") {
        item.extend(invocation);
    }
    let (status, name, value) = match event.shift_remove("result") {
        Some(Value::Object(mut result)) => match result.shift_remove("Ok") {
            Some(value) => ("completed", "result", value),
            None => {
                let message = result.shift_remove("Err").unwrap_or_default();
                ("failed", "error", serde_json::json!({"message": message}))
            }
        },
        _ => ("completed", "result", Value::Null),
    };
    item.insert("status".into(), status.into());
    item.insert(name.into(), value);
    if let Some(duration) = event.shift_remove("duration") {
        item.insert("duration".into(), duration);
    }
    Some(TurnItem::Other(item))
}

#[cfg(test)]
mod tests;
