//! Collaboration modes, personalities and sub-agent modes.

use serde::{Deserialize, Serialize};

use crate::maybe::Maybe;
use crate::v2::ReasoningEffort;

/// Params of `collaborationMode/list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct CollaborationModeListParams {}

/// Result of `collaborationMode/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct CollaborationModeListResponse {
    pub data: Vec<CollaborationModeMask>,
}

/// A mode on offer, and what it sets.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct CollaborationModeMask {
    pub name: String,
    pub mode: Option<ModeKind>,
    pub model: Option<String>,
    #[serde(default, skip_serializing_if = "Maybe::is_absent")]
    pub reasoning_effort: Maybe<ReasoningEffort>,
}

/// The collaboration modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ModeKind {
    Plan,
    Default,
}

/// A mode of working with the agent, with its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct CollaborationMode {
    pub mode: ModeKind,
    pub settings: Settings,
}

/// When the agent starts other agents.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum MultiAgentMode {
    // Some clients say `none`.
    #[default]
    #[serde(alias = "none")]
    ExplicitRequestOnly,
    Proactive,
    Custom(String),
}

/// Which generation of sub-agents a model uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum MultiAgentVersion {
    Disabled,
    V1,
    V2,
}

/// The tone of the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Personality {
    None,
    Friendly,
    Pragmatic,
}

/// The settings of a collaboration mode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct Settings {
    pub model: String,
    pub reasoning_effort: Option<ReasoningEffort>,
    pub developer_instructions: Option<String>,
}
