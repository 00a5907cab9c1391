//! Collaboration modes, personalities and sub-agent modes.

use crate::maybe::Maybe;
use crate::v2::ReasoningEffort;
use serde::{Deserialize, Serialize};

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

/// `data` of [`CollaborationModeListResponse`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct CollaborationModeMask {
    pub name: String,
    pub mode: Option<ModeKind>,
    pub model: Option<String>,
    #[serde(default, skip_serializing_if = "Maybe::is_absent")]
    pub reasoning_effort: Maybe<ReasoningEffort>,
}

/// `mode` of [`CollaborationMode`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ModeKind {
    Plan,
    Default,
}

/// `collaborationMode` of [`ThreadResumeResponse`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct CollaborationMode {
    pub mode: ModeKind,
    pub settings: Settings,
}

/// `multiAgentMode` of [`ThreadForkResponse`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum MultiAgentMode {
    #[default]
    ExplicitRequestOnly,
    Proactive,
    Custom(String),
}

/// `multiAgentVersion` of [`Model`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum MultiAgentVersion {
    Disabled,
    V1,
    V2,
}

/// `personality` of [`ThreadResumeParams`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Personality {
    None,
    Friendly,
    Pragmatic,
}

/// `settings` of [`CollaborationMode`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct Settings {
    pub model: String,
    pub reasoning_effort: Option<ReasoningEffort>,
    pub developer_instructions: Option<String>,
}
