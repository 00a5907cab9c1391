//! What an administrator demands of the configuration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::v2::{
    ApprovalsReviewer, AskForApproval, CliAuthCredentialsStoreMode, FeedbackRequirements,
    ForcedLoginMethod, LegacyAppPathString, NewThreadModelDefaults, OtelExporter,
    OtelToolResultLogConfig, RequestHeader, SandboxMode, WebSearchMode,
    WindowsSandboxImplementation,
};

/// Result of `configRequirements/read`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConfigRequirementsReadResponse {
    pub supports_independent_speed_modes: Option<bool>,
    pub requirements: Option<ConfigRequirements>,
}

/// What an administrator demands.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConfigRequirements {
    pub additional_developer_instructions: Option<String>,
    pub allow_appshots: Option<bool>,
    pub allow_browser_and_computer_use: Option<bool>,
    pub allow_login_shell: Option<bool>,
    pub allow_managed_hooks_only: Option<bool>,
    pub allow_remote_control: Option<bool>,
    pub allowed_approval_policies: Option<Vec<AskForApproval>>,
    pub allowed_approvals_reviewers: Option<Vec<ApprovalsReviewer>>,
    pub allowed_login_methods: Option<Vec<ForcedLoginMethod>>,
    pub allowed_permission_profiles: Option<BTreeMap<String, bool>>,
    pub allowed_sandbox_modes: Option<Vec<SandboxMode>>,
    pub allowed_web_search_modes: Option<Vec<WebSearchMode>>,
    pub allowed_windows_sandbox_implementations: Option<Vec<WindowsSandboxImplementation>>,
    pub application: Option<ApplicationRequirements>,
    pub auto_review: Option<AutoReviewRequirements>,
    pub browser_use: Option<BrowserUseRequirements>,
    pub chatgpt_base_url: Option<String>,
    pub check_for_update_on_startup: Option<bool>,
    pub cli_auth_credentials_store: Option<CliAuthCredentialsStoreMode>,
    pub computer_use: Option<ComputerUseRequirements>,
    pub default_permissions: Option<String>,
    pub enforce_residency: Option<ResidencyRequirement>,
    pub feature_requirements: Option<BTreeMap<String, bool>>,
    pub feedback: Option<FeedbackRequirements>,
    pub hooks: Option<ManagedHooksRequirements>,
    pub in_app_browser: Option<InAppBrowserRequirements>,
    pub log_dir: Option<String>,
    pub model_catalog_json: Option<String>,
    pub model_provider: Option<String>,
    pub model_providers: Option<Map<String, Value>>,
    pub models: Option<ModelsRequirements>,
    pub network: Option<NetworkRequirements>,
    pub otel: Option<OtelRequirements>,
    pub sqlite_home: Option<String>,
}

/// Limits of an administrator on the application around the agent.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ApplicationRequirements {
    pub network: Option<ApplicationNetworkRequirements>,
    pub storage: Option<ApplicationStorageRequirements>,
}

/// Hosts that an administrator grants the application.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ApplicationNetworkRequirements {
    pub domains: BTreeMap<String, NetworkDomainPermission>,
    pub enabled: bool,
}

/// Whether a domain may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum NetworkDomainPermission {
    Allow,
    Deny,
}

/// Limits of an administrator on what the application stores.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ApplicationStorageRequirements {
    pub default_project_parent: Option<LegacyAppPathString>,
    pub projectless_workspace_root: Option<LegacyAppPathString>,
}

/// Limits of an administrator on automatic review.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AutoReviewRequirements {
    pub ignore_rules: Option<Vec<String>>,
    pub required_on_models: Option<Vec<String>>,
}

/// Limits of an administrator on browsing.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BrowserUseRequirements {
    pub allow_global_persistent_approval: Option<bool>,
    pub allow_history_access: Option<bool>,
    pub allow_webmcp: Option<bool>,
    pub default_origin_policy: Option<BrowserUseOriginPolicy>,
    pub disable_auto_review: Option<bool>,
    pub extension: Option<BrowserUseExtensionRequirements>,
    pub origins: Option<BTreeMap<String, BrowserUseOriginPolicy>>,
}

/// What the agent may do on a web site, as an administrator sets it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BrowserUseOriginPolicy {
    pub access: Option<AllowDenyRequirement>,
    pub access_approval_lifetime: Option<BrowserUseAccessApprovalLifetime>,
    pub auto_review: Option<AllowDenyRequirement>,
    pub downloads: Option<AllowDenyRequirement>,
    pub full_cdp_access: Option<AllowDenyRequirement>,
    pub persistent_approval: Option<bool>,
    pub uploads: Option<AllowDenyRequirement>,
}

/// Whether an administrator allows something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum AllowDenyRequirement {
    Allow,
    Deny,
}

/// How long an approval for a web site holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum BrowserUseAccessApprovalLifetime {
    Turn,
    Thread,
}

/// Limits of an administrator on the browser extension.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BrowserUseExtensionRequirements {
    pub request_headers: Option<Vec<RequestHeader>>,
}

/// Limits of an administrator on computer use.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ComputerUseRequirements {
    pub allow_locked_computer_use: Option<bool>,
    pub allow_persistent_approval: Option<bool>,
    pub default_app_access: Option<AllowDenyRequirement>,
    pub macos: Option<ComputerUseMacosRequirements>,
    pub windows: Option<ComputerUseWindowsRequirements>,
}

/// Limits of an administrator on programs of macOS.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ComputerUseMacosRequirements {
    pub bundle_ids: Option<BTreeMap<String, AllowDenyRequirement>>,
}

/// Limits of an administrator on programs of Windows.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ComputerUseWindowsRequirements {
    pub aumids: Option<BTreeMap<String, AllowDenyRequirement>>,
    pub exes: Option<Vec<ComputerUseWindowsExeRequirement>>,
}

/// A program of Windows in an administrator's list.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ComputerUseWindowsExeRequirement {
    pub access: AllowDenyRequirement,
    pub product_name: String,
    pub publisher_name: String,
    pub binary_name: Option<String>,
}

/// Where data must stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ResidencyRequirement {
    Us,
}

/// Hooks that an administrator sets, by moment.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ManagedHooksRequirements {
    pub permission_request: Vec<ConfiguredHookMatcherGroup>,
    pub post_compact: Vec<ConfiguredHookMatcherGroup>,
    pub post_tool_use: Vec<ConfiguredHookMatcherGroup>,
    pub pre_compact: Vec<ConfiguredHookMatcherGroup>,
    pub pre_tool_use: Vec<ConfiguredHookMatcherGroup>,
    pub session_start: Vec<ConfiguredHookMatcherGroup>,
    pub stop: Vec<ConfiguredHookMatcherGroup>,
    pub subagent_start: Vec<ConfiguredHookMatcherGroup>,
    pub subagent_stop: Vec<ConfiguredHookMatcherGroup>,
    pub user_prompt_submit: Vec<ConfiguredHookMatcherGroup>,
    #[serde(default)]
    pub interrupt: Vec<ConfiguredHookMatcherGroup>,
    #[serde(default)]
    pub post_model_request: Vec<ConfiguredHookMatcherGroup>,
    #[serde(default)]
    pub pre_model_request: Vec<ConfiguredHookMatcherGroup>,
    #[serde(default)]
    pub session_end: Vec<ConfiguredHookMatcherGroup>,
    #[serde(rename = "managedDir")]
    pub managed_dir: Option<String>,
    #[serde(rename = "windowsManagedDir")]
    pub windows_managed_dir: Option<String>,
}

/// Hooks that share a matcher.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ConfiguredHookMatcherGroup {
    pub hooks: Vec<ConfiguredHookHandler>,
    pub matcher: Option<String>,
}

/// What a configured hook runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ConfiguredHookHandler {
    Command {
        #[serde(rename = "async")]
        is_async: bool,
        command: String,
        additional_context_limit: Option<u64>,
        command_windows: Option<String>,
        status_message: Option<String>,
        timeout_sec: Option<u64>,
    },
    McpTool(Box<ConfiguredHookHandlerMcpTool>),
    Prompt,
    Agent,
}

/// The form `mcp_tool` of [`ConfiguredHookHandler`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct ConfiguredHookHandlerMcpTool {
    pub input: Map<String, Value>,
    pub server: String,
    pub tool: String,
    pub status_message: Option<String>,
    pub timeout_sec: Option<u64>,
}

/// Limits of an administrator on the built-in browser.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InAppBrowserRequirements {
    pub allow_external_browser_settings_import: Option<bool>,
}

/// Defaults of an administrator for models.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelsRequirements {
    pub new_thread: Option<NewThreadModelDefaults>,
}

/// Limits of an administrator on the network.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NetworkRequirements {
    pub allow_local_binding: Option<bool>,
    pub allow_unix_sockets: Option<Vec<String>>,
    pub allow_upstream_proxy: Option<bool>,
    pub allowed_domains: Option<Vec<String>>,
    pub dangerously_allow_all_unix_sockets: Option<bool>,
    pub dangerously_allow_non_loopback_proxy: Option<bool>,
    pub denied_domains: Option<Vec<String>>,
    pub domains: Option<BTreeMap<String, NetworkDomainPermission>>,
    pub enabled: Option<bool>,
    pub http_port: Option<u16>,
    pub managed_allowed_domains_only: Option<bool>,
    pub review_domains: Option<Vec<String>>,
    pub socks_port: Option<u16>,
    pub unix_sockets: Option<BTreeMap<String, NetworkUnixSocketPermission>>,
}

/// Whether a Unix socket may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum NetworkUnixSocketPermission {
    Allow,
    Deny,
}

/// Settings of an administrator for telemetry.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct OtelRequirements {
    pub environment: Option<String>,
    pub exporter: Option<OtelExporter>,
    pub headers_helper: Option<String>,
    pub headers_helper_refresh_interval_ms: Option<u64>,
    pub log_agent_responses: Option<bool>,
    pub log_guardian_assessments: Option<bool>,
    pub log_sse_deltas: Option<bool>,
    pub log_user_prompt: Option<bool>,
    pub metrics_exporter: Option<OtelExporter>,
    pub span_attributes: Option<BTreeMap<String, String>>,
    pub tool_result: Option<OtelToolResultLogConfig>,
    pub trace_exporter: Option<OtelExporter>,
    pub tracestate: Option<BTreeMap<String, BTreeMap<String, String>>>,
}

/// What the agent may do on a web site.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct BrowserUseOriginPolicyConfig {
    pub access: Option<AllowDenyRequirement>,
    pub downloads: Option<AllowDenyRequirement>,
    pub full_cdp_access: Option<AllowDenyRequirement>,
    pub uploads: Option<AllowDenyRequirement>,
}
