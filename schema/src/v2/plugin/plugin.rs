//! Plugins: finding, reading, installing.

use serde::{Deserialize, Serialize};

use crate::v2::{
    AbsolutePathBuf, AppSummary, AppTemplateSummary, HookEventName, MarketplaceInterface,
    MarketplaceLoadErrorInfo, PluginShareContext, SkillSummary,
};

/// Params of `plugin/list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginListParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwds: Option<Vec<AbsolutePathBuf>>,
    #[serde(default)]
    pub force_refetch: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marketplace_kinds: Option<Vec<PluginListMarketplaceKind>>,
}

/// The kinds of marketplace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PluginListMarketplaceKind {
    Local,
    Vertical,
    WorkspaceDirectory,
    SharedWithMe,
    CreatedByMeRemote,
}

/// Result of `plugin/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginListResponse {
    pub marketplaces: Vec<PluginMarketplaceEntry>,
    #[serde(default)]
    pub featured_plugin_ids: Vec<String>,
    #[serde(default)]
    pub marketplace_load_errors: Vec<MarketplaceLoadErrorInfo>,
}

/// A marketplace with its plugins.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct PluginMarketplaceEntry {
    pub name: String,
    pub plugins: Vec<PluginSummary>,
    pub interface: Option<MarketplaceInterface>,
    pub path: Option<AbsolutePathBuf>,
}

/// A plugin in short.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginSummary {
    pub id: String,
    pub name: String,
    pub auth_policy: PluginAuthPolicy,
    pub enabled: bool,
    pub install_policy: PluginInstallPolicy,
    pub installed: bool,
    pub source: PluginSource,
    #[serde(default)]
    pub availability: PluginAvailability,
    pub disabled_reason: Option<PluginDisabledReason>,
    pub eligible_plan_types: Option<Vec<String>>,
    pub install_policy_source: Option<PluginInstallPolicySource>,
    pub installed_at: Option<i64>,
    pub interface: Option<PluginInterface>,
    #[serde(default)]
    pub keywords: Vec<String>,
    pub local_version: Option<String>,
    pub must_show_installation_interstitial: Option<bool>,
    pub remote_plugin_id: Option<String>,
    pub share_context: Option<PluginShareContext>,
    pub version: Option<String>,
}

/// When a plugin asks for a login.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PluginAuthPolicy {
    OnInstall,
    OnUse,
}

/// Whether a plugin can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PluginAvailability {
    /// An administrator has switched it off.
    DisabledByAdmin,
    /// It can be used.
    #[default]
    Available,
}

/// Why a plugin cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PluginDisabledReason {
    DisabledByAdmin,
    PlanNotEligible,
    RequiredAppUnavailable,
    Unknown,
}

/// Who may install a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PluginInstallPolicy {
    NotAvailable,
    Available,
    InstalledByDefault,
}

/// Where an install policy comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PluginInstallPolicySource {
    WorkspaceSetting,
    ImplicitCanonicalApp,
}

/// How a plugin presents itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginInterface {
    pub capabilities: Vec<String>,
    pub screenshot_urls: Vec<String>,
    pub screenshots: Vec<AbsolutePathBuf>,
    pub brand_color: Option<String>,
    pub category: Option<String>,
    pub composer_icon: Option<AbsolutePathBuf>,
    pub composer_icon_url: Option<String>,
    pub default_prompt: Option<Vec<String>>,
    pub developer_name: Option<String>,
    pub display_name: Option<String>,
    pub logo: Option<AbsolutePathBuf>,
    pub logo_dark: Option<AbsolutePathBuf>,
    pub logo_url: Option<String>,
    pub logo_url_dark: Option<String>,
    pub long_description: Option<String>,
    pub privacy_policy_url: Option<String>,
    pub short_description: Option<String>,
    pub terms_of_service_url: Option<String>,
    pub website_url: Option<String>,
}

/// Where a plugin comes from.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PluginSource {
    Local { path: AbsolutePathBuf },
    Git { url: String, path: Option<String>, ref_name: Option<String>, sha: Option<String> },
    Npm { package: String, registry: Option<String>, version: Option<String> },
    Remote,
}

/// Params of `plugin/search`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginSearchParams {
    pub search_term: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwds: Option<Vec<AbsolutePathBuf>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<PluginSearchScope>,
}

/// Where plugins are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum PluginSearchScope {
    Global,
    Workspace,
    Personal,
}

/// Result of `plugin/search`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginSearchResponse {
    pub data: Vec<PluginSearchResult>,
    pub next_cursor: Option<String>,
}

/// A plugin that fits a search.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginSearchResult {
    pub marketplace_name: String,
    pub plugin: PluginSummary,
    pub marketplace_path: Option<AbsolutePathBuf>,
}

/// Params of `plugin/installed`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginInstalledParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwds: Option<Vec<AbsolutePathBuf>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install_suggestion_plugin_names: Option<Vec<String>>,
}

/// Result of `plugin/installed`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginInstalledResponse {
    pub marketplaces: Vec<PluginMarketplaceEntry>,
    #[serde(default)]
    pub marketplace_load_errors: Vec<MarketplaceLoadErrorInfo>,
}

/// Params of `plugin/reconcile`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct PluginReconcileParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Result of `plugin/reconcile`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginReconcileResponse {
    pub changed_plugins: Vec<PluginReconcileChangedPlugin>,
    pub failed_materialization_remote_plugin_ids: Vec<String>,
    pub failed_remote_plugin_ids: Vec<String>,
}

/// A plugin that reconciling changed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginReconcileChangedPlugin {
    pub id: String,
    pub has_apps: bool,
    pub has_hooks: bool,
    pub has_mcps: bool,
    pub has_skills: bool,
}

/// Params of `plugin/read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginReadParams {
    pub plugin_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marketplace_path: Option<AbsolutePathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote_marketplace_name: Option<String>,
}

/// Result of `plugin/read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct PluginReadResponse {
    pub plugin: PluginDetail,
}

/// All about one plugin.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginDetail {
    pub app_templates: Vec<AppTemplateSummary>,
    pub apps: Vec<AppSummary>,
    pub hooks: Vec<PluginHookSummary>,
    pub marketplace_name: String,
    pub mcp_servers: Vec<String>,
    pub skills: Vec<SkillSummary>,
    pub summary: PluginSummary,
    pub description: Option<String>,
    pub marketplace_path: Option<AbsolutePathBuf>,
    pub onboarding_skill: Option<SkillSummary>,
    pub scheduled_tasks: Option<Vec<ScheduledTaskSummary>>,
    pub share_url: Option<String>,
}

/// A hook of a plugin.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginHookSummary {
    pub key: String,
    pub event_name: HookEventName,
}

/// A scheduled task of a plugin.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ScheduledTaskSummary {
    pub name: String,
    pub key: String,
    pub prompt: String,
    pub schedule: ScheduledTaskSchedule,
}

/// When a scheduled task runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ScheduledTaskSchedule {
    Hourly { interval_hours: u32, days: Option<Vec<ScheduledTaskWeekday>> },
    Daily { time: String },
    Weekdays { time: String },
    Weekly { days: Vec<ScheduledTaskWeekday>, time: String },
}

/// The days of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ScheduledTaskWeekday {
    Mo,
    Tu,
    We,
    Th,
    Fr,
    Sa,
    Su,
}

/// Params of `plugin/skill/read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginSkillReadParams {
    pub remote_marketplace_name: String,
    pub remote_plugin_id: String,
    pub skill_name: String,
}

/// Result of `plugin/skill/read`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct PluginSkillReadResponse {
    pub contents: Option<String>,
}

/// Params of `plugin/install`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginInstallParams {
    pub plugin_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install_attempt_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marketplace_path: Option<AbsolutePathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote_marketplace_name: Option<String>,
}

/// Result of `plugin/install`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginInstallResponse {
    pub apps_needing_auth: Vec<AppSummary>,
    pub auth_policy: PluginAuthPolicy,
}

/// Params of `plugin/uninstall`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PluginUninstallParams {
    pub plugin_id: String,
}

/// Result of `plugin/uninstall`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct PluginUninstallResponse {}
