//! Environments: `environment/…`.

use serde::{Deserialize, Serialize};

use crate::v2::PathUri;

/// Params of `environment/add`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentAddParams {
    pub environment_id: String,
    pub exec_server_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_bearer_token: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connect_timeout_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skills: Option<EnvironmentSkillsParams>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub websocket_request_id: Option<String>,
}

/// Where an environment keeps its skills.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct EnvironmentSkillsParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<Vec<String>>,
}

/// Result of `environment/add`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct EnvironmentAddResponse {}

/// Params of `environment/info`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentInfoParams {
    pub environment_id: String,
}

/// Result of `environment/info`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct EnvironmentInfoResponse {
    pub shell: EnvironmentShellInfo,
    pub cwd: Option<PathUri>,
}

/// The shell of an environment.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct EnvironmentShellInfo {
    pub name: String,
    pub path: String,
}

/// Params of `environment/status`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentStatusParams {
    pub environment_id: String,
}

/// Result of `environment/status`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct EnvironmentStatusResponse {
    pub status: EnvironmentStatusKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The states of an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum EnvironmentStatusKind {
    /// It can be used.
    Ready,
    /// It is being made ready.
    Pending,
    /// Its connection is lost.
    Disconnected,
    /// Nothing is known about it.
    Unknown,
}

/// Params of `thread/environment/connected` and `thread/environment/disconnected`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentConnectionNotification {
    pub thread_id: String,
    pub environment_id: String,
}
