//! Apps: `app/…`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::v2::fallback::yes;

/// Params of `app/read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppsReadParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    pub app_ids: Vec<String>,
    #[serde(default)]
    pub include_tools: bool,
}

/// Result of `app/read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppsReadResponse {
    pub apps: Vec<ConnectorMetadata>,
    pub missing_app_ids: Vec<String>,
}

/// What is known about a connector.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConnectorMetadata {
    pub id: String,
    pub name: String,
    pub description: Option<String>,
    pub distribution_channel: Option<String>,
    pub icon_url: Option<String>,
    pub icon_url_dark: Option<String>,
    pub install_url: Option<String>,
    #[serde(default)]
    pub plugin_display_names: Vec<String>,
    pub tool_summaries: Option<Vec<AppToolSummary>>,
}

/// A tool of an app in short.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppToolSummary {
    pub name: String,
    pub description: String,
    pub disabled_reason: Option<String>,
    #[serde(default = "yes")]
    pub is_enabled: bool,
    #[serde(default)]
    pub is_read_only: bool,
    pub title: Option<String>,
}

/// Params of `app/list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppsListParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    #[serde(default)]
    pub force_refetch: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Result of `app/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppsListResponse {
    pub data: Vec<AppInfo>,
    pub next_cursor: Option<String>,
}

/// An app as it is listed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppInfo {
    pub id: String,
    pub name: String,
    pub app_metadata: Option<AppMetadata>,
    pub branding: Option<AppBranding>,
    pub description: Option<String>,
    pub distribution_channel: Option<String>,
    pub icon_assets: Option<BTreeMap<String, String>>,
    pub icon_dark_assets: Option<BTreeMap<String, String>>,
    pub install_url: Option<String>,
    #[serde(default)]
    pub is_accessible: bool,
    #[serde(default = "yes")]
    pub is_enabled: bool,
    pub labels: Option<BTreeMap<String, String>>,
    pub logo_url: Option<String>,
    pub logo_url_dark: Option<String>,
    #[serde(default)]
    pub plugin_display_names: Vec<String>,
}

/// What a directory says about an app.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppMetadata {
    pub categories: Option<Vec<String>>,
    pub developer: Option<String>,
    pub first_party_requires_install: Option<bool>,
    pub review: Option<AppReview>,
    pub screenshots: Option<Vec<AppScreenshot>>,
    pub seo_description: Option<String>,
    pub show_in_composer_when_unlinked: Option<bool>,
    pub sub_categories: Option<Vec<String>>,
    pub version: Option<String>,
    pub version_id: Option<String>,
    pub version_notes: Option<String>,
}

/// The state of an app's review.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppReview {
    pub status: String,
}

/// A picture of an app.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppScreenshot {
    pub user_prompt: String,
    pub file_id: Option<String>,
    pub url: Option<String>,
}

/// Who is behind an app.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppBranding {
    pub is_discoverable_app: bool,
    pub category: Option<String>,
    pub developer: Option<String>,
    pub privacy_policy: Option<String>,
    pub terms_of_service: Option<String>,
    pub website: Option<String>,
}

/// Params of `app/installed`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppsInstalledParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    #[serde(default)]
    pub force_refresh: bool,
}

/// Result of `app/installed`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppsInstalledResponse {
    pub apps: Vec<InstalledApp>,
}

/// An app that can be used.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InstalledApp {
    pub id: String,
    pub callable: bool,
    pub enabled: bool,
    pub runtime_name: Option<String>,
}

/// Params of `app/list/updated`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppListUpdatedNotification {
    pub data: Vec<AppInfo>,
}

/// An app in short, as plugins show it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppSummary {
    pub id: String,
    pub name: String,
    pub category: Option<String>,
    pub description: Option<String>,
    pub install_url: Option<String>,
}

/// An app that must be set up before it exists.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppTemplateSummary {
    pub name: String,
    pub materialized_app_ids: Vec<String>,
    pub template_id: String,
    pub canonical_connector_id: Option<String>,
    pub category: Option<String>,
    pub description: Option<String>,
    pub logo_url: Option<String>,
    pub logo_url_dark: Option<String>,
    pub reason: Option<AppTemplateUnavailableReason>,
}

/// Why a template cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AppTemplateUnavailableReason {
    NotConfiguredForWorkspace,
    NoActiveWorkspace,
}
