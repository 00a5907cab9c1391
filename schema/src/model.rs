//! Items exchanged with the model: messages, reasoning, calls, outputs.
//!
//! An item is kept whole. Kinds and members that are unknown here survive reading and
//! writing unchanged, so that a newer provider or a rollout of another program loses nothing.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One item of a conversation with the model, in the form of the Responses API.
///
/// Shape: `{"type":"message","id":"msg_1","role":"user","content":[{"type":"input_text","text":"hi"}]}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ResponseItem {
    /// A text or picture of one of the parties.
    Message(Message),
    /// What the model thought, in parts readable, in parts encrypted.
    Reasoning(Reasoning),
    /// A call of a tool with JSON arguments.
    FunctionCall(FunctionCall),
    /// The output of a function call, or text that a tool gave without a call.
    FunctionCallOutput(CallOutput),
    /// A call of a tool with free text.
    CustomToolCall(CustomToolCall),
    /// The output of a custom call.
    CustomToolCallOutput(CallOutput),
    /// Any other kind, kept as it came.
    #[serde(untagged)]
    Other(Map<String, Value>),
}

/// A message. Shape of `content`: parts of type `input_text`, `output_text` or `input_image`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The provider's id, or ours (`msg_…`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Box<str>>,
    /// Who speaks.
    pub role: Role,
    /// The parts, in order.
    pub content: Vec<ContentPart>,
    /// Commentary or final answer, where the model says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Members this program does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person, and context given in their name.
    User,
    /// The model.
    Assistant,
    /// The program around the model.
    Developer,
    /// Only in old rollouts.
    System,
}

/// What part of the work a message of the model belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Said along the way.
    Commentary,
    /// The answer.
    FinalAnswer,
}

/// One part of a message or of an output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentPart {
    /// Text that goes to the model.
    InputText {
        /// The text.
        text: String,
    },
    /// Text that came from the model.
    OutputText {
        /// The text.
        text: String,
        /// Members this program does not know (annotations and the like).
        #[serde(flatten)]
        extra: Map<String, Value>,
    },
    /// A picture as a data URL.
    InputImage {
        /// `data:IMAGE-TYPE;base64,…`
        image_url: String,
        /// How closely the model looks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<Box<str>>,
    },
    /// Any other part, kept as it came.
    #[serde(untagged)]
    Other(Value),
}

impl ContentPart {
    /// The text of the part, if it is text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::InputText { text } | Self::OutputText { text, .. } => Some(text),
            Self::InputImage { .. } | Self::Other(_) => None,
        }
    }
}

/// A reasoning item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reasoning {
    /// The provider's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Box<str>>,
    /// Summary parts: `{"type":"summary_text","text":…}`.
    #[serde(default)]
    pub summary: Vec<Value>,
    /// Raw parts, `null` when the provider gives none.
    #[serde(default)]
    pub content: Option<Vec<Value>>,
    /// Opaque text for the provider that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<Box<str>>,
    /// Members this program does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A function call. `arguments` is JSON text and may be malformed (SPEC C6).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FunctionCall {
    /// The provider's id, or ours (`fc_…`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Box<str>>,
    /// The tool's name.
    pub name: Box<str>,
    /// The namespace the name belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Box<str>>,
    /// JSON text as the model wrote it.
    pub arguments: String,
    /// Ties the call to its output.
    pub call_id: Box<str>,
    /// Members this program does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A call with free text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CustomToolCall {
    /// The provider's id, or ours (`ctc_…`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Box<str>>,
    /// The tool's name.
    pub name: Box<str>,
    /// The namespace the name belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Box<str>>,
    /// The text; never parsed as JSON.
    pub input: String,
    /// Ties the call to its output.
    pub call_id: Box<str>,
    /// Members this program does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The output of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallOutput {
    /// Our id (`fco_…`, `ctco_…`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Box<str>>,
    /// The call; absent where a text was given without a call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<Box<str>>,
    /// Plain text, or parts.
    pub output: OutputBody,
    /// Members this program does not know, such as the name of an output without a call.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// What a tool answers to the model (SPEC C9).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OutputBody {
    /// One text.
    Text(String),
    /// Several parts, some of them pictures.
    Parts(Vec<ContentPart>),
}

impl ResponseItem {
    /// The `type` member.
    pub fn kind(&self) -> &str {
        match self {
            Self::Message(_) => "message",
            Self::Reasoning(_) => "reasoning",
            Self::FunctionCall(_) => "function_call",
            Self::FunctionCallOutput(_) => "function_call_output",
            Self::CustomToolCall(_) => "custom_tool_call",
            Self::CustomToolCallOutput(_) => "custom_tool_call_output",
            Self::Other(map) => map.get("type").and_then(Value::as_str).unwrap_or(""),
        }
    }

    /// The item's id.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Message(item) => item.id.as_deref(),
            Self::Reasoning(item) => item.id.as_deref(),
            Self::FunctionCall(item) => item.id.as_deref(),
            Self::CustomToolCall(item) => item.id.as_deref(),
            Self::FunctionCallOutput(item) | Self::CustomToolCallOutput(item) => item.id.as_deref(),
            Self::Other(map) => map.get("id").and_then(Value::as_str),
        }
    }

    /// Gives the item an id, or another one.
    pub fn set_id(&mut self, new: &str) {
        let slot = match self {
            Self::Message(item) => &mut item.id,
            Self::Reasoning(item) => &mut item.id,
            Self::FunctionCall(item) => &mut item.id,
            Self::CustomToolCall(item) => &mut item.id,
            Self::FunctionCallOutput(item) | Self::CustomToolCallOutput(item) => &mut item.id,
            Self::Other(map) => {
                map.insert("id".into(), Value::String(new.into()));
                return;
            }
        };
        *slot = Some(new.into());
    }

    /// A developer, user or assistant text with one part.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        let text = text.into();
        let part = match role {
            Role::Assistant => ContentPart::OutputText { text, extra: Map::new() },
            Role::User | Role::Developer | Role::System => ContentPart::InputText { text },
        };
        Self::message(role, vec![part])
    }

    /// A message without an id.
    pub fn message(role: Role, content: Vec<ContentPart>) -> Self {
        Self::Message(Message { id: None, role, content, phase: None, extra: Map::new() })
    }

    fn extra_mut(&mut self) -> &mut Map<String, Value> {
        match self {
            Self::Message(item) => &mut item.extra,
            Self::Reasoning(item) => &mut item.extra,
            Self::FunctionCall(item) => &mut item.extra,
            Self::CustomToolCall(item) => &mut item.extra,
            Self::FunctionCallOutput(item) | Self::CustomToolCallOutput(item) => &mut item.extra,
            Self::Other(map) => map,
        }
    }

    /// Takes out a member that has no field here.
    pub fn take_extra(&mut self, name: &str) -> Option<Value> {
        self.extra_mut().shift_remove(name)
    }

    /// Sets a member that has no field here.
    pub fn set_extra(&mut self, name: &str, value: Value) {
        self.extra_mut().insert(name.into(), value);
    }
}

impl<'de> Deserialize<'de> for ResponseItem {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let map = Map::deserialize(deserializer)?;
        Ok(Self::from_map(map))
    }
}

impl ResponseItem {
    /// Reads an item; what does not fit its kind is kept as [`ResponseItem::Other`].
    pub fn from_map(mut map: Map<String, Value>) -> Self {
        let Some(Value::String(kind)) = map.get("type").cloned() else { return Self::Other(map) };
        let whole = map.clone();
        map.shift_remove("type");
        let map = Value::Object(map);
        let read = match kind.as_str() {
            "message" => serde_json::from_value(map).map(Self::Message),
            "reasoning" => serde_json::from_value(map).map(Self::Reasoning),
            "function_call" => serde_json::from_value(map).map(Self::FunctionCall),
            "function_call_output" => serde_json::from_value(map).map(Self::FunctionCallOutput),
            "custom_tool_call" => serde_json::from_value(map).map(Self::CustomToolCall),
            "custom_tool_call_output" => {
                serde_json::from_value(map).map(Self::CustomToolCallOutput)
            }
            _ => return Self::Other(whole),
        };
        read.unwrap_or(Self::Other(whole))
    }
}

/// Tokens that one response, or all of a turn or thread, took.
///
/// Order: `total` is what the provider says, not a sum made here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Tokens of the request, cached ones included.
    #[serde(default)]
    pub input_tokens: i64,
    /// Of the input, those the provider had cached.
    #[serde(default)]
    pub cached_input_tokens: i64,
    /// Of the input, those the provider wrote to its cache.
    #[serde(default)]
    pub cache_write_input_tokens: i64,
    /// Tokens of the answer, reasoning included.
    #[serde(default)]
    pub output_tokens: i64,
    /// Of the output, those spent on reasoning.
    #[serde(default)]
    pub reasoning_output_tokens: i64,
    /// Input and output.
    #[serde(default)]
    pub total_tokens: i64,
}

impl std::ops::AddAssign for TokenUsage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.cached_input_tokens += other.cached_input_tokens;
        self.cache_write_input_tokens += other.cache_write_input_tokens;
        self.output_tokens += other.output_tokens;
        self.reasoning_output_tokens += other.reasoning_output_tokens;
        self.total_tokens += other.total_tokens;
    }
}
