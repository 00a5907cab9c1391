//! Attachments of threads.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Params of `thread/attachment/add`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadAttachmentAddParams {
    pub thread_id: String,
    pub attachment_type: String,
    pub identity_key: String,
    pub payload: Value,
}

/// Result of `thread/attachment/add`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadAttachmentAddResponse {
    pub outcome: ThreadAttachmentAddOutcome,
    pub attachment: ThreadAttachment,
}

/// Something that belongs to a thread.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadAttachment {
    pub id: String,
    pub attachment_type: String,
    pub identity_key: String,
    pub payload: Value,
    pub created_at: i64,
}

/// Whether an attachment was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ThreadAttachmentAddOutcome {
    Created,
    Existing,
}

/// Params of `thread/attachment/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadAttachmentListParams {
    pub thread_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Result of `thread/attachment/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadAttachmentListResponse {
    pub data: Vec<ThreadAttachment>,
    pub next_cursor: Option<String>,
}

/// Params of `thread/attachmentOwner/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadAttachmentOwnerListParams {
    pub attachment_type: String,
    pub identity_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archived: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Result of `thread/attachmentOwner/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadAttachmentOwnerListResponse {
    pub data: Vec<ThreadAttachmentOwner>,
    pub next_cursor: Option<String>,
}

/// A thread that owns an attachment.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadAttachmentOwner {
    pub thread_id: String,
    pub archived: bool,
}

/// Params of `thread/attachment/remove`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadAttachmentRemoveParams {
    pub thread_id: String,
    pub attachment_type: String,
    pub identity_key: String,
}

/// Result of `thread/attachment/remove`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadAttachmentRemoveResponse {}

/// Params of `thread/attachment/updated`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadAttachmentUpdatedNotification {
    pub thread_id: String,
    pub attachment_type: String,
    pub identity_key: String,
    pub attachment_id: String,
    pub operation: ThreadAttachmentOperation,
}

/// What happened to an attachment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ThreadAttachmentOperation {
    Created,
    Deleted,
}
