//! One line of a rollout: `{"timestamp","ordinal","type","payload"}`, and `metadata` on model items.

use serde::de::Error as _;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::event::{RateLimits, TurnError};
use crate::ids::{ThreadId, TurnId};
use crate::item::TurnItem;
use crate::model::{ResponseItem, TokenUsage};
use crate::settings::SessionSource;

/// One line.
#[derive(Debug, Clone)]
pub struct RolloutLine {
    /// When it was written. RFC 3339, UTC, milliseconds.
    pub timestamp: Box<str>,
    /// Its number in the logical history, from 0; absent in old rollouts.
    pub ordinal: Option<u64>,
    /// What it says.
    pub item: RolloutItem,
}

/// What a line says.
#[derive(Debug, Clone)]
pub enum RolloutItem {
    /// The header.
    SessionMeta(Box<SessionMeta>),
    /// Something that happened.
    Event(Box<RecordedEvent>),
    /// An item of the conversation with the model.
    Response(Box<RecordedItem>),
    /// The world as the model was told it. Members: `full`, `state`.
    WorldState(Box<RawValue>),
    /// The settings of a turn, as this program reads them.
    TurnContext(Box<TurnContext>),
    /// What one response cost.
    TokenUsage(Box<TokenUsageRecord>),
    /// The history was replaced.
    Compacted(Box<Compacted>),
    /// A kind that this program does not know, kept as it came.
    Unknown {
        /// The `type` member.
        kind: Box<str>,
        /// The `payload` member.
        payload: Box<RawValue>,
    },
}

/// An item of the conversation, with what is known about it beside its content.
#[derive(Debug, Clone)]
pub struct RecordedItem {
    /// The item, with `internal_chat_message_metadata_passthrough` among its extra members.
    pub item: ResponseItem,
    /// The line's `metadata` member.
    pub metadata: Option<Map<String, Value>>,
}

/// The header of a rollout.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SessionMeta {
    /// The session; equal to the thread for a thread of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<Box<str>>,
    /// The thread.
    pub id: ThreadId,
    /// When the thread was made. RFC 3339.
    pub timestamp: Box<str>,
    /// Working folder at the start.
    pub cwd: Box<str>,
    /// The client's name.
    #[serde(default)]
    pub originator: Box<str>,
    /// The version of the program that wrote the line.
    #[serde(default)]
    pub cli_version: Box<str>,
    /// Where the thread came from.
    #[serde(default)]
    pub source: SessionSource,
    /// The client's word for what the thread is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_source: Option<Box<str>>,
    /// The provider's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_provider: Option<Box<str>>,
    /// The base prompt: `{"text":…}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_instructions: Option<BaseInstructions>,
    /// `paginated`; absent or `legacy` in old rollouts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history_mode: Option<Box<str>>,
    /// The thread this one was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from_id: Option<ThreadId>,
    /// Another rollout that this one continues, by reference; written by the peer only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history_base: Option<HistoryBase>,
    /// The thread that spawned this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_thread_id: Option<ThreadId>,
    /// Git facts at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git: Option<GitInfo>,
    /// Members this program does not know or only carries: `account_scoped`, `context_window`,
    /// `runtime_workspace_roots`, `dynamic_tools`, …
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The base prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BaseInstructions {
    /// Its text.
    pub text: String,
}

/// The part of another rollout that comes before this one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryBase {
    /// The thread the other rollout belongs to.
    pub thread_id: ThreadId,
    /// Its lines below this ordinal.
    pub end_ordinal_exclusive: u64,
    /// The byte where they end.
    #[serde(default)]
    pub end_byte_offset: u64,
    /// Members this program does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// Git facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GitInfo {
    /// The commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit_hash: Option<Box<str>>,
    /// The branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<Box<str>>,
    /// Where `origin` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository_url: Option<Box<str>>,
}

/// Something that happened, as it is kept.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RecordedEvent {
    /// A turn began.
    TaskStarted(TaskStarted),
    /// A turn ended by itself.
    TaskComplete(TaskComplete),
    /// A turn was ended.
    TurnAborted(TurnAborted),
    /// An item is whole.
    ItemCompleted(ItemCompleted),
    /// What has been used.
    TokenCount(TokenCount),
    /// The thread's settings changed.
    ThreadSettingsApplied(Map<String, Value>),
    /// Any other event, kept as it came.
    #[serde(untagged)]
    Other(Map<String, Value>),
}

impl<'de> Deserialize<'de> for RecordedEvent {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut map = Map::deserialize(deserializer)?;
        let kind = match map.get("type") {
            Some(Value::String(kind)) => kind.clone(),
            _ => return Err(D::Error::missing_field("type")),
        };
        let whole = map.clone();
        map.shift_remove("type");
        let value = Value::Object(map);
        let read = match kind.as_str() {
            "task_started" | "turn_started" => serde_json::from_value(value).map(Self::TaskStarted),
            "task_complete" | "turn_complete" => {
                serde_json::from_value(value).map(Self::TaskComplete)
            }
            "turn_aborted" => serde_json::from_value(value).map(Self::TurnAborted),
            "item_completed" => serde_json::from_value(value).map(Self::ItemCompleted),
            "token_count" => serde_json::from_value(value).map(Self::TokenCount),
            "thread_settings_applied" => {
                serde_json::from_value(value).map(Self::ThreadSettingsApplied)
            }
            _ => return Ok(Self::Other(whole)),
        };
        Ok(read.unwrap_or(Self::Other(whole)))
    }
}

/// A turn began.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TaskStarted {
    /// The turn.
    pub turn_id: TurnId,
    /// The turn at the root of the tree it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_turn_id: Option<Box<str>>,
    /// Unix seconds.
    #[serde(default)]
    pub started_at: Option<i64>,
    /// Tokens the model can see.
    #[serde(default)]
    pub model_context_window: Option<i64>,
    /// `default` or `plan`.
    #[serde(default)]
    pub collaboration_mode_kind: Option<Box<str>>,
    /// Why and for whom: `turn_id`, `root_turn_id`, `parent_turn_id`, `turn_trigger`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_attribution: Option<Map<String, Value>>,
}

/// A turn ended by itself, well or badly.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TaskComplete {
    /// The turn.
    pub turn_id: TurnId,
    /// The turn at the root of the tree it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_turn_id: Option<Box<str>>,
    /// The model's last words.
    #[serde(default)]
    pub last_agent_message: Option<String>,
    /// Unix seconds.
    #[serde(default)]
    pub started_at: Option<i64>,
    /// Unix seconds.
    #[serde(default)]
    pub completed_at: Option<i64>,
    /// Milliseconds from start to end.
    #[serde(default)]
    pub duration_ms: Option<i64>,
    /// Milliseconds from start to the first output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_to_first_token_ms: Option<i64>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<TurnError>,
}

/// A turn was ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TurnAborted {
    /// The turn.
    #[serde(default)]
    pub turn_id: Option<TurnId>,
    /// The turn at the root of the tree it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_turn_id: Option<Box<str>>,
    /// `interrupted` or `replaced`.
    pub reason: Box<str>,
    /// Unix seconds.
    #[serde(default)]
    pub started_at: Option<i64>,
    /// Unix seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<i64>,
    /// Milliseconds from start to end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<i64>,
}

/// An item is whole.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ItemCompleted {
    /// The thread.
    pub thread_id: ThreadId,
    /// The turn.
    pub turn_id: TurnId,
    /// The item.
    pub item: TurnItem,
    /// Unix milliseconds.
    #[serde(default)]
    pub started_at_ms: Option<i64>,
    /// Unix milliseconds.
    #[serde(default)]
    pub completed_at_ms: Option<i64>,
}

/// What has been used, after a response.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TokenCount {
    /// The figures; `null` when only limits are told.
    pub info: Option<TokenInfo>,
    /// The account's limits.
    pub rate_limits: Option<RateLimits>,
}

/// Figures of use.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TokenInfo {
    /// All responses of the thread.
    pub total_token_usage: TokenUsage,
    /// The last response.
    pub last_token_usage: TokenUsage,
    /// Whether the last figure counts reasoning that the next request does not hold; absent when
    /// it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_usage_includes_reasoning: Option<bool>,
    /// Tokens the model can see.
    pub model_context_window: Option<i64>,
}

/// What one response cost.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TokenUsageRecord {
    /// The thread.
    pub thread_id: ThreadId,
    /// The turn.
    pub turn_id: TurnId,
    /// The session.
    pub session_id: Box<str>,
    /// The turn at the root of the tree it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root_turn_id: Option<Box<str>>,
    /// The provider's id of the response.
    pub response_id: Box<str>,
    /// This response.
    pub usage: TokenUsage,
    /// The turn so far.
    pub turn_token_usage: TokenUsage,
    /// The thread so far.
    pub thread_token_usage: TokenUsage,
}

/// The settings of a turn. Only what a resume needs is read; the rest is carried in `extra`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TurnContext {
    /// The turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<TurnId>,
    /// Working folder.
    pub cwd: Box<str>,
    /// The model.
    pub model: Box<str>,
    /// How hard it thinks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Box<str>>,
    /// The approval policy, sandbox policy, mode and so on, as written.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The history was replaced by a shorter one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Compacted {
    /// The summary.
    pub message: String,
    /// The new history; absent in old rollouts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement_history: Option<Vec<ResponseItem>>,
    /// Members this program only carries.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

#[derive(Deserialize)]
struct LineRef<'a> {
    #[serde(default, borrow)]
    timestamp: Option<std::borrow::Cow<'a, str>>,
    #[serde(default)]
    ordinal: Option<u64>,
    #[serde(rename = "type", borrow)]
    kind: std::borrow::Cow<'a, str>,
    #[serde(borrow)]
    payload: &'a RawValue,
    #[serde(default)]
    metadata: Option<Map<String, Value>>,
}

impl RolloutLine {
    /// Reads one line.
    ///
    /// # Errors
    /// When the text is no JSON object with `type` and `payload`, or a payload of a known kind
    /// lacks what cannot be done without.
    pub fn parse(text: &[u8]) -> serde_json::Result<Self> {
        let line: LineRef<'_> = serde_json::from_slice(text)?;
        let raw = line.payload.get();
        let item = match &*line.kind {
            "session_meta" => RolloutItem::SessionMeta(serde_json::from_str(raw)?),
            "event_msg" => RolloutItem::Event(serde_json::from_str(raw)?),
            "response_item" => RolloutItem::Response(Box::new(RecordedItem {
                item: serde_json::from_str(raw)?,
                metadata: line.metadata,
            })),
            "world_state" => RolloutItem::WorldState(line.payload.to_owned()),
            "turn_context" => RolloutItem::TurnContext(serde_json::from_str(raw)?),
            "token_usage_record" => RolloutItem::TokenUsage(serde_json::from_str(raw)?),
            "compacted" => RolloutItem::Compacted(serde_json::from_str(raw)?),
            kind => RolloutItem::Unknown { kind: kind.into(), payload: line.payload.to_owned() },
        };
        Ok(Self {
            timestamp: line.timestamp.unwrap_or_default().as_ref().into(),
            ordinal: line.ordinal,
            item,
        })
    }
}

impl RolloutItem {
    /// The line's `type` member.
    pub fn kind(&self) -> &str {
        match self {
            Self::SessionMeta(_) => "session_meta",
            Self::Event(_) => "event_msg",
            Self::Response(_) => "response_item",
            Self::WorldState(_) => "world_state",
            Self::TurnContext(_) => "turn_context",
            Self::TokenUsage(_) => "token_usage_record",
            Self::Compacted(_) => "compacted",
            Self::Unknown { kind, .. } => kind,
        }
    }

    /// Shorthand for an event.
    pub fn event(event: RecordedEvent) -> Self {
        Self::Event(Box::new(event))
    }
}

impl Serialize for RolloutLine {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("timestamp", &self.timestamp)?;
        if let Some(ordinal) = self.ordinal {
            map.serialize_entry("ordinal", &ordinal)?;
        }
        map.serialize_entry("type", self.item.kind())?;
        match &self.item {
            RolloutItem::SessionMeta(meta) => map.serialize_entry("payload", meta)?,
            RolloutItem::Event(event) => map.serialize_entry("payload", event)?,
            RolloutItem::Response(item) => {
                map.serialize_entry("payload", &item.item)?;
                if let Some(metadata) = &item.metadata {
                    map.serialize_entry("metadata", metadata)?;
                }
            }
            RolloutItem::WorldState(raw) => map.serialize_entry("payload", raw)?,
            RolloutItem::TurnContext(context) => map.serialize_entry("payload", context)?,
            RolloutItem::TokenUsage(record) => map.serialize_entry("payload", record)?,
            RolloutItem::Compacted(compacted) => map.serialize_entry("payload", compacted)?,
            RolloutItem::Unknown { payload, .. } => map.serialize_entry("payload", payload)?,
        }
        map.end()
    }
}
