//! Who is connected: an extension of the protocol.

use serde::{Deserialize, Serialize};

/// Params of `spindle/clients`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct SpindleClientsParams {}

/// Result of `spindle/clients`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct SpindleClientsResponse {
    pub clients: Vec<AttachedClient>,
}

/// A client that is connected and has introduced itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AttachedClient {
    pub id: u64,
    pub name: String,
    pub user_agent: String,
    pub transport: ClientTransport,
    pub connected_at_ms: i64,
    pub unread_bytes: u64,
    pub is_self: bool,
    pub threads: Vec<AttachedThread>,
}

/// How a client is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ClientTransport {
    Stdio,
    Memory,
    Unix,
    WebSocket,
}

/// A thread that a client follows.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AttachedThread {
    pub thread_id: String,
    pub since_ms: i64,
    pub is_owner: bool,
}
