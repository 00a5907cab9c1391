//! Messages of the wire as the schema shows them; the server itself reads them with [`crate::envelope`].

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::RequestId;

/// The refusal of a request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "export", schemars(rename = "JSONRPCError"))]
pub struct JsonRpcError {
    pub id: RequestId,
    pub error: JsonRpcErrorError,
}

/// What an error answer says.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "export", schemars(rename = "JSONRPCErrorError"))]
pub struct JsonRpcErrorError {
    pub code: i64,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// Any message.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "export", schemars(rename = "JSONRPCMessage"))]
#[serde(untagged)]
pub enum JsonRpcMessage {
    Request(Box<JsonRpcRequest>),
    Notification(JsonRpcNotification),
    Response(JsonRpcResponse),
    Error(JsonRpcError),
}

/// A call that wants no answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "export", schemars(rename = "JSONRPCNotification"))]
pub struct JsonRpcNotification {
    pub method: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<Value>,
}

/// A call that wants an answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "export", schemars(rename = "JSONRPCRequest"))]
pub struct JsonRpcRequest {
    pub id: RequestId,
    pub method: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<W3cTraceContext>,
}

/// The answer to a request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "export", schemars(rename = "JSONRPCResponse"))]
pub struct JsonRpcResponse {
    pub id: RequestId,
    pub result: Value,
}

/// The trace that a request belongs to.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct W3cTraceContext {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracestate: Option<String>,
}
