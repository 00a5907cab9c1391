//! Items as clients see them, in the form that rollouts keep.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ids::ItemId;
use crate::model::{OutputBody, Phase};

/// One entry of a turn as clients see it.
///
/// Shape in a rollout: `{"type":"UserMessage","id":…,"content":[…]}`, members in snake case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum TurnItem {
    /// What the person said.
    UserMessage(UserMessage),
    /// What the model said.
    AgentMessage(AgentMessage),
    /// What the model thought.
    Reasoning(ReasoningItem),
    /// A command.
    CommandExecution(Box<CommandExecution>),
    /// A patch.
    FileChange(FileChange),
    /// A picture that the model looked at.
    ImageView(ImageView),
    /// A tool of a client.
    DynamicToolCall(Box<DynamicToolCall>),
    /// A search by the provider.
    WebSearch(WebSearch),
    /// A plan in plan mode.
    Plan(PlanItem),
    /// The history was summarised.
    ContextCompaction(Bare),
    /// Text that a client gave as the output of a tool.
    FunctionCallOutput(ToolText),
    /// Any other kind, kept as it came. Members: `type`, `id` and the kind's own.
    #[serde(untagged)]
    Other(Map<String, Value>),
}

/// What the person said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserMessage {
    /// Ours.
    pub id: ItemId,
    /// The client's own id of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<Box<str>>,
    /// The parts, in order.
    pub content: Vec<UserInput>,
}

/// One part of a person's input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum UserInput {
    /// Text.
    Text {
        /// The text.
        text: String,
        /// Marked ranges of the text, kept for the client that made them.
        #[serde(default)]
        text_elements: Vec<Value>,
    },
    /// A picture as a data URL.
    Image {
        /// How closely the model is to look.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<Box<str>>,
        /// `data:…`
        image_url: String,
    },
    /// A picture in a file.
    LocalImage {
        /// How closely the model is to look.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<Box<str>>,
        /// Where it is. Absolute, or relative to the thread's folder.
        path: String,
    },
    /// A skill by name.
    Skill {
        /// Its name.
        name: String,
        /// Its file.
        path: String,
    },
    /// An app or plugin by name.
    Mention {
        /// Its name.
        name: String,
        /// Its address.
        path: String,
    },
    /// Any other part, kept as it came.
    #[serde(untagged)]
    Other(Value),
}

/// What the model said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentMessage {
    /// The provider's.
    pub id: ItemId,
    /// The texts.
    pub content: Vec<AgentContent>,
    /// Commentary or final answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
}

impl AgentMessage {
    /// All texts, joined.
    pub fn text(&self) -> String {
        self.content.iter().map(|AgentContent::Text { text }| text.as_str()).collect()
    }
}

/// A part of what the model said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum AgentContent {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
}

/// What the model thought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReasoningItem {
    /// The provider's.
    pub id: ItemId,
    /// The summary, part by part.
    #[serde(default)]
    pub summary_text: Vec<String>,
    /// The raw text, part by part; empty unless the configuration shows it.
    #[serde(default)]
    pub raw_content: Vec<String>,
}

/// A command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommandExecution {
    /// The call id, or ours for a person's command.
    pub id: ItemId,
    /// The process session, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process_id: Option<Box<str>>,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Working folder, as a `file://` URL.
    pub cwd: String,
    /// What the command does, in the client's terms.
    #[serde(default)]
    pub parsed_cmd: Vec<ParsedCommand>,
    /// Who started it.
    pub source: CommandSource,
    /// How it stands.
    pub status: CommandStatus,
    /// Output, both streams merged; absent while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aggregated_output: Option<String>,
    /// Exit code; -1 when it never ran or was ended by us.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// How long it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<WireDuration>,
}

/// A length of time as rollouts hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireDuration {
    /// Whole seconds.
    pub secs: u64,
    /// The rest, in nanoseconds.
    pub nanos: u32,
}

impl From<std::time::Duration> for WireDuration {
    fn from(duration: std::time::Duration) -> Self {
        Self { secs: duration.as_secs(), nanos: duration.subsec_nanos() }
    }
}

impl WireDuration {
    /// In milliseconds, rounded down.
    pub fn as_millis(self) -> i64 {
        i64::try_from(self.secs).unwrap_or(i64::MAX / 1000).saturating_mul(1000)
            + i64::from(self.nanos / 1_000_000)
    }
}

/// What one simple command of a script does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ParsedCommand {
    /// Shows a file.
    Read {
        /// The command's text.
        cmd: String,
        /// The file's short name.
        name: String,
        /// The file.
        path: String,
    },
    /// Lists a folder.
    ListFiles {
        /// The command's text.
        cmd: String,
        /// The folder; `None` is the working folder.
        path: Option<String>,
    },
    /// Searches files.
    Search {
        /// The command's text.
        cmd: String,
        /// What is searched for.
        query: Option<String>,
        /// Where.
        path: Option<String>,
    },
    /// Anything else.
    Unknown {
        /// The command's text.
        cmd: String,
    },
}

/// Who started a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandSource {
    /// The model, before a process was there.
    Agent,
    /// A person, by `thread/shellCommand`.
    UserShell,
    /// The model, by `exec_command`.
    UnifiedExecStartup,
    /// The model, by `write_stdin`.
    UnifiedExecInteraction,
}

/// How a command stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandStatus {
    /// It runs, or waits for a yes.
    InProgress,
    /// It ended with code 0.
    Completed,
    /// It ended otherwise.
    Failed,
    /// A person said no.
    Declined,
}

/// A patch. `changes` is keyed by absolute path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileChange {
    /// The call id.
    pub id: ItemId,
    /// What changes, file by file.
    pub changes: BTreeMap<String, FileUpdate>,
    /// How it stands; absent while it is being applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<CommandStatus>,
    /// The tool's text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    /// The tool's error text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// What happens to one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FileUpdate {
    /// It is made.
    Add {
        /// The whole text.
        content: String,
    },
    /// It is removed.
    Delete {
        /// The text it had.
        content: String,
    },
    /// It changes.
    Update {
        /// Hunks without a header.
        unified_diff: String,
        /// Where it goes.
        move_path: Option<String>,
    },
}

/// A picture that the model looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImageView {
    /// The call id.
    pub id: ItemId,
    /// The file, as a `file://` URL.
    pub path: String,
}

/// A call of a tool that a client runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DynamicToolCall {
    /// The call id.
    pub id: ItemId,
    /// The namespace the tool belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Box<str>>,
    /// The tool's name.
    pub tool: Box<str>,
    /// What it is called with.
    pub arguments: Value,
    /// How it stands.
    pub status: DynamicToolStatus,
    /// What it gave back, as the client sent it: `{"type":"inputText","text":…}` and the like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_items: Option<Vec<Value>>,
    /// Whether the client calls that a success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<WireDuration>,
}

/// How a call of a client's tool stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DynamicToolStatus {
    /// The client was asked.
    InProgress,
    /// It succeeded.
    Completed,
    /// It did not, or nobody answered.
    Failed,
}

/// A search by the provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WebSearch {
    /// The provider's.
    pub id: ItemId,
    /// What is searched for, or the page.
    pub query: String,
    /// The provider's own object: `{"type":"search","query":…}`.
    pub action: Value,
}

/// A plan in plan mode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanItem {
    /// Ours.
    pub id: ItemId,
    /// Markdown.
    pub text: String,
}

/// An item that is only a mark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bare {
    /// Ours.
    pub id: ItemId,
}

/// Text that a client gave as the output of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolText {
    /// Ours.
    pub id: ItemId,
    /// The tool's name.
    pub name: String,
    /// Its namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The text or parts.
    pub output: OutputBody,
}

impl TurnItem {
    /// The item's id, empty when an unknown kind has none.
    pub fn id(&self) -> &str {
        match self {
            Self::UserMessage(item) => item.id.as_str(),
            Self::AgentMessage(item) => item.id.as_str(),
            Self::Reasoning(item) => item.id.as_str(),
            Self::CommandExecution(item) => item.id.as_str(),
            Self::FileChange(item) => item.id.as_str(),
            Self::ImageView(item) => item.id.as_str(),
            Self::DynamicToolCall(item) => item.id.as_str(),
            Self::WebSearch(item) => item.id.as_str(),
            Self::Plan(item) => item.id.as_str(),
            Self::ContextCompaction(item) => item.id.as_str(),
            Self::FunctionCallOutput(item) => item.id.as_str(),
            Self::Other(map) => map.get("id").and_then(Value::as_str).unwrap_or(""),
        }
    }
}
