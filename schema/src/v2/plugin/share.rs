//! Sharing plugins.

use serde::{Deserialize, Serialize};

use crate::v2::{AbsolutePathBuf, PluginSummary};

/// Params of `plugin/share/save`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginShareSaveParams {
    pub plugin_path: AbsolutePathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discoverability: Option<PluginShareDiscoverability>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote_plugin_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share_targets: Option<Vec<PluginShareTarget>>,
}

/// Who can find a shared plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PluginShareDiscoverability {
    Listed,
    Unlisted,
    Private,
}

/// Who a plugin is to be shared with.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginShareTarget {
    pub principal_id: String,
    pub principal_type: PluginSharePrincipalType,
    pub role: PluginShareTargetRole,
}

/// The kinds of [`PluginSharePrincipal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum PluginSharePrincipalType {
    User,
    Group,
    Workspace,
}

/// The roles that can be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum PluginShareTargetRole {
    Reader,
    Editor,
}

/// Result of `plugin/share/save`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginShareSaveResponse {
    pub remote_plugin_id: String,
    pub share_url: String,
    pub can_publish_to_workspace: Option<bool>,
}

/// Params of `plugin/share/updateTargets`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginShareUpdateTargetsParams {
    pub discoverability: PluginShareUpdateDiscoverability,
    pub remote_plugin_id: String,
    pub share_targets: Vec<PluginShareTarget>,
}

/// Who shall find a shared plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PluginShareUpdateDiscoverability {
    Unlisted,
    Private,
    Listed,
}

/// Result of `plugin/share/updateTargets`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct PluginShareUpdateTargetsResponse {
    pub discoverability: PluginShareDiscoverability,
    pub principals: Vec<PluginSharePrincipal>,
}

/// Who a plugin is shared with.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginSharePrincipal {
    pub name: String,
    pub principal_id: String,
    pub principal_type: PluginSharePrincipalType,
    pub role: PluginSharePrincipalRole,
}

/// What a person or group may do with a shared plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum PluginSharePrincipalRole {
    Reader,
    Editor,
    Owner,
}

/// Params of `plugin/share/list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct PluginShareListParams {}

/// Result of `plugin/share/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct PluginShareListResponse {
    pub data: Vec<PluginShareListItem>,
}

/// A shared plugin.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginShareListItem {
    pub plugin: PluginSummary,
    pub local_plugin_path: Option<AbsolutePathBuf>,
}

/// Params of `plugin/share/checkout`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginShareCheckoutParams {
    pub remote_plugin_id: String,
}

/// Result of `plugin/share/checkout`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginShareCheckoutResponse {
    pub marketplace_name: String,
    pub marketplace_path: AbsolutePathBuf,
    pub plugin_id: String,
    pub plugin_name: String,
    pub plugin_path: AbsolutePathBuf,
    pub remote_plugin_id: String,
    pub remote_version: Option<String>,
}

/// Params of `plugin/share/delete`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginShareDeleteParams {
    pub remote_plugin_id: String,
}

/// Result of `plugin/share/delete`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct PluginShareDeleteResponse {}

/// How a plugin is shared.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginShareContext {
    pub remote_plugin_id: String,
    pub can_publish_to_workspace: Option<bool>,
    pub creator_account_user_id: Option<String>,
    pub creator_name: Option<String>,
    pub discoverability: Option<PluginShareDiscoverability>,
    pub remote_version: Option<String>,
    pub share_principals: Option<Vec<PluginSharePrincipal>>,
    pub share_url: Option<String>,
}
