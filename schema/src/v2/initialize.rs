//! Greeting, diagnostics of the server, and notices that belong to no family.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ids::RequestId;
use crate::v2::AbsolutePathBuf;

/// Params of `initialize`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InitializeParams {
    pub client_info: ClientInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<InitializeCapabilities>,
}

/// What the client can do and wants.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InitializeCapabilities {
    #[serde(default)]
    pub experimental_api: bool,
    #[serde(default)]
    pub explicit_gateway_oauth: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Map<String, Value>>,
    #[serde(default)]
    pub mcp_server_openai_form_elicitation: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opt_out_notification_methods: Option<Vec<String>>,
    #[serde(default)]
    pub request_attestation: bool,
    #[serde(default)]
    pub required_human_approval: bool,
}

/// Who the client is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ClientInfo {
    pub name: String,
    pub version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// Result of `initialize`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InitializeResponse {
    pub user_agent: String,
    pub codex_home: AbsolutePathBuf,
    pub platform_family: String,
    pub platform_os: String,
}

/// Params of `server/diagnostics`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ServerDiagnosticsParams {}

/// Result of `server/diagnostics`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ServerDiagnosticsResponse {
    pub process: ServerDiagnosticsProcess,
    pub gauges: Vec<ServerDiagnosticsGauge>,
}

/// One number about the server.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ServerDiagnosticsGauge {
    pub name: String,
    pub value: u64,
}

/// The server's process.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ServerDiagnosticsProcess {
    pub id: u32,
    pub resident_memory_bytes: Option<u64>,
    pub physical_footprint_bytes: Option<u64>,
}

/// Result of `rollout/compress`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct RolloutCompressResponse {}

/// Params of `mock/experimentalMethod`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct MockExperimentalMethodParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// Result of `mock/experimentalMethod`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct MockExperimentalMethodResponse {
    pub echoed: Option<String>,
}

/// Params of `attestation/generate`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AttestationGenerateParams {}

/// Answer to `attestation/generate`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AttestationGenerateResponse {
    pub token: String,
}

/// Params of `serverRequest/resolved`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ServerRequestResolvedNotification {
    pub thread_id: String,
    pub request_id: RequestId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<AnsweringClient>,
}

/// The client that answered a request of the server.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AnsweringClient {
    pub id: u64,
    pub name: String,
}

/// Params of `warning`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WarningNotification {
    pub thread_id: Option<String>,
    pub message: String,
}

/// Params of `deprecationNotice`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct DeprecationNoticeNotification {
    pub summary: String,
    pub details: Option<String>,
}
