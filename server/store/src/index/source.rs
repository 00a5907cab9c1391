//! Kinds of source, as lists filter by them.

use serde_json::Value;
use spindle_schema::settings::SessionSource;

/// A kind of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// A terminal.
    Cli,
    /// A client of the app-server protocol.
    Vscode,
    /// `exec`.
    Exec,
    /// A tool server.
    AppServer,
    /// Any sub-agent.
    SubAgent,
    /// A sub-agent that reviews.
    SubAgentReview,
    /// A sub-agent that summarises.
    SubAgentCompact,
    /// A sub-agent that a thread spawned.
    SubAgentThreadSpawn,
    /// Another sub-agent.
    SubAgentOther,
    /// Nobody knows.
    Unknown,
}

impl SourceKind {
    /// The kind of a source.
    pub fn of(source: &SessionSource) -> Self {
        match source {
            SessionSource::Cli => Self::Cli,
            SessionSource::Vscode => Self::Vscode,
            SessionSource::Exec => Self::Exec,
            SessionSource::Mcp => Self::AppServer,
            SessionSource::Unknown => Self::Unknown,
            SessionSource::Other(value) => value
                .get("subagent")
                .or_else(|| value.get("subAgent"))
                .map_or(Self::Unknown, Self::of_sub_agent),
        }
    }

    fn of_sub_agent(value: &Value) -> Self {
        match value {
            Value::String(kind) if kind == "review" => Self::SubAgentReview,
            Value::String(kind) if kind == "compact" => Self::SubAgentCompact,
            Value::Object(kind) if kind.contains_key("thread_spawn") => Self::SubAgentThreadSpawn,
            _ => Self::SubAgentOther,
        }
    }

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cli => "cli",
            Self::Vscode => "vscode",
            Self::Exec => "exec",
            Self::AppServer => "appServer",
            Self::SubAgent => "subAgent",
            Self::SubAgentReview => "subAgentReview",
            Self::SubAgentCompact => "subAgentCompact",
            Self::SubAgentThreadSpawn => "subAgentThreadSpawn",
            Self::SubAgentOther => "subAgentOther",
            Self::Unknown => "unknown",
        }
    }
}
