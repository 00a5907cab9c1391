//! Sections that sort threads (`threadSection/…`).

use serde::{Deserialize, Serialize};

use crate::maybe::Maybe;
use crate::v2::fallback::nullable;

/// Params of `thread/section/move`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadSectionMoveParams {
    pub thread_id: String,
    #[serde(deserialize_with = "nullable")]
    pub section_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_thread_id: Option<String>,
}

/// Result of `thread/section/move`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadSectionMoveResponse {}

/// Params of `threadSection/list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadSectionListParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Result of `threadSection/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadSectionListResponse {
    pub data: Vec<ThreadSection>,
    pub next_cursor: Option<String>,
}

/// A section that sorts threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadSection {
    pub id: String,
    pub name: String,
    pub appearance: Option<ThreadSectionAppearance>,
}

/// The look of a section.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadSectionAppearance {
    pub color: Option<String>,
    pub icon: Option<String>,
}

/// Params of `threadSection/create`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadSectionCreateParams {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub appearance: Option<ThreadSectionAppearance>,
}

/// Result of `threadSection/create`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadSectionCreateResponse {
    pub section: ThreadSection,
}

/// Params of `threadSection/update`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadSectionUpdateParams {
    pub name: String,
    pub section_id: String,
    #[serde(default, skip_serializing_if = "Maybe::is_absent")]
    pub appearance: Maybe<ThreadSectionAppearance>,
}

/// Result of `threadSection/update`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadSectionUpdateResponse {
    pub section: ThreadSection,
}

/// Params of `threadSection/delete`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadSectionDeleteParams {
    pub section_id: String,
}

/// Result of `threadSection/delete`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadSectionDeleteResponse {}

/// Params of `thread/section/changed`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadSectionChangedNotification {
    pub thread_id: String,
    #[serde(deserialize_with = "nullable")]
    pub section_id: Option<String>,
}
