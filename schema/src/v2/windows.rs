//! The sandbox of Windows.

use serde::{Deserialize, Serialize};

use crate::v2::AbsolutePathBuf;

/// Params of `windowsSandbox/setupStart`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct WindowsSandboxSetupStartParams {
    pub mode: WindowsSandboxSetupMode,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<AbsolutePathBuf>,
}

/// How the sandbox of Windows is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum WindowsSandboxSetupMode {
    Elevated,
    Unelevated,
}

/// Result of `windowsSandbox/setupStart`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct WindowsSandboxSetupStartResponse {
    pub started: bool,
}

/// Result of `windowsSandbox/readiness`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct WindowsSandboxReadinessResponse {
    pub status: WindowsSandboxReadiness,
}

/// Whether the sandbox of Windows can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum WindowsSandboxReadiness {
    Ready,
    NotConfigured,
    UpdateRequired,
}

/// Params of `windows/worldWritableWarning`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WindowsWorldWritableWarningNotification {
    pub extra_count: u64,
    pub failed_scan: bool,
    pub sample_paths: Vec<String>,
}

/// Params of `windowsSandbox/setupCompleted`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct WindowsSandboxSetupCompletedNotification {
    pub mode: WindowsSandboxSetupMode,
    pub success: bool,
    pub error: Option<String>,
}

/// How the sandbox of Windows works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum WindowsSandboxImplementation {
    Elevated,
    Unelevated,
    Mxc,
}
