//! Remote control of this server: `remoteControl/…`.

use serde::{Deserialize, Serialize};

/// Params of `remoteControl/enable`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct RemoteControlEnableParams {
    #[serde(default)]
    pub ephemeral: bool,
}

/// Result of `remoteControl/enable`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemoteControlEnableResponse {
    pub installation_id: String,
    pub server_name: String,
    pub status: RemoteControlConnectionStatus,
    pub environment_id: Option<String>,
}

/// The states of remote control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RemoteControlConnectionStatus {
    Disabled,
    Connecting,
    Connected,
    Errored,
}

/// Params of `remoteControl/disable`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct RemoteControlDisableParams {
    #[serde(default)]
    pub ephemeral: bool,
}

/// Result of `remoteControl/disable`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemoteControlDisableResponse {
    pub installation_id: String,
    pub server_name: String,
    pub status: RemoteControlConnectionStatus,
    pub environment_id: Option<String>,
}

/// Result of `remoteControl/status/read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemoteControlStatusReadResponse {
    pub status: RemoteControlConnectionStatus,
    pub server_name: String,
    pub installation_id: String,
    pub environment_id: Option<String>,
}

/// Params of `remoteControl/pairing/start`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemoteControlPairingStartParams {
    #[serde(default)]
    pub manual_code: bool,
}

/// Result of `remoteControl/pairing/start`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemoteControlPairingStartResponse {
    pub environment_id: String,
    pub expires_at: i64,
    pub pairing_code: String,
    pub manual_pairing_code: Option<String>,
}

/// Params of `remoteControl/pairing/status`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemoteControlPairingStatusParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manual_pairing_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairing_code: Option<String>,
}

/// Result of `remoteControl/pairing/status`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct RemoteControlPairingStatusResponse {
    pub claimed: bool,
}

/// Params of `remoteControl/client/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemoteControlClientsListParams {
    pub environment_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<RemoteControlClientsListOrder>,
}

/// The order of devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RemoteControlClientsListOrder {
    Asc,
    Desc,
}

/// Result of `remoteControl/client/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemoteControlClientsListResponse {
    pub data: Vec<RemoteControlClient>,
    pub next_cursor: Option<String>,
}

/// A device that may control this server.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemoteControlClient {
    pub client_id: String,
    pub app_version: Option<String>,
    pub device_model: Option<String>,
    pub device_type: Option<String>,
    pub display_name: Option<String>,
    pub last_seen_at: Option<i64>,
    pub os_version: Option<String>,
    pub platform: Option<String>,
}

/// Params of `remoteControl/client/revoke`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemoteControlClientsRevokeParams {
    pub client_id: String,
    pub environment_id: String,
}

/// Result of `remoteControl/client/revoke`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct RemoteControlClientsRevokeResponse {}

/// Params of `remoteControl/status/changed`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RemoteControlStatusChangedNotification {
    pub status: RemoteControlConnectionStatus,
    pub server_name: String,
    pub installation_id: String,
    pub environment_id: Option<String>,
}
