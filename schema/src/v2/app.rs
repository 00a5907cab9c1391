//! Apps: `app/…`.

use std::collections::BTreeMap;

use crate::v2::fallback::yes;
use serde::{Deserialize, Serialize};

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

/// `apps` of [`AppsReadResponse`].
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

/// `toolSummaries` of [`ConnectorMetadata`].
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

/// `data` of [`AppListUpdatedNotification`].
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

/// `appMetadata` of [`AppInfo`].
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

/// `review` of [`AppMetadata`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppReview {
    pub status: String,
}

/// `screenshots` of [`AppMetadata`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AppScreenshot {
    pub user_prompt: String,
    pub file_id: Option<String>,
    pub url: Option<String>,
}

/// `branding` of [`AppInfo`].
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

/// `apps` of [`AppsInstalledResponse`].
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

/// `apps` of [`PluginDetail`].
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

/// `appTemplates` of [`PluginDetail`].
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

/// `reason` of [`AppTemplateSummary`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AppTemplateUnavailableReason {
    NotConfiguredForWorkspace,
    NoActiveWorkspace,
}
