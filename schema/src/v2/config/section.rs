//! Sections of the configuration: apps, browser, computer, telemetry.

use std::collections::BTreeMap;

use crate::v2::fallback::yes;
use crate::v2::{
    AllowDenyRequirement, ApprovalsReviewer, BrowserUseOriginPolicyConfig, ToolExposureSurface,
};
use serde::{Deserialize, Serialize};

/// App config.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppConfig {
    pub approvals_reviewer: Option<ApprovalsReviewer>,
    pub default_tools_approval_mode: Option<AppToolApproval>,
    pub default_tools_enabled: Option<bool>,
    pub destructive_enabled: Option<bool>,
    #[serde(default = "yes")]
    pub enabled: bool,
    pub links: Option<AppLinksConfig>,
    pub omit_tools_from: Option<Vec<ToolExposureSurface>>,
    pub open_world_enabled: Option<bool>,
    pub tools: Option<AppToolsConfig>,
}

/// App link config.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppLinkConfig {
    pub approvals_reviewer: Option<ApprovalsReviewer>,
    pub default_tools_approval_mode: Option<AppToolApproval>,
}

/// `links` of [`AppConfig`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppLinksConfig {}

/// `default_tools_approval_mode` of [`AppConfig`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum AppToolApproval {
    Auto,
    Prompt,
    Writes,
    Approve,
}

/// App tool config.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppToolConfig {
    pub approval_mode: Option<AppToolApproval>,
    pub enabled: Option<bool>,
}

/// `tools` of [`AppConfig`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppToolsConfig {}

/// `apps` of [`Config`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppsConfig {
    #[serde(rename = "_default")]
    pub default: Option<AppsDefaultConfig>,
}

/// `_default` of [`AppsConfig`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppsDefaultConfig {
    pub approvals_reviewer: Option<ApprovalsReviewer>,
    pub default_tools_approval_mode: Option<AppToolApproval>,
    #[serde(default = "yes")]
    pub destructive_enabled: bool,
    #[serde(default = "yes")]
    pub enabled: bool,
    #[serde(default = "yes")]
    pub open_world_enabled: bool,
}

/// `browser_use` of [`Config`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct BrowserUseConfig {
    pub allow_history_access: Option<bool>,
    pub default_origin_policy: Option<BrowserUseOriginPolicyConfig>,
    pub origins: Option<BTreeMap<String, BrowserUseOriginPolicyConfig>>,
}

/// `cliAuthCredentialsStore` of [`ConfigRequirements`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum CliAuthCredentialsStoreMode {
    File,
    Keyring,
    Auto,
    Ephemeral,
}

/// `computer_use` of [`Config`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ComputerUseConfig {
    pub default_app_access: Option<AllowDenyRequirement>,
    pub macos: Option<ComputerUseMacosConfig>,
    pub windows: Option<ComputerUseWindowsConfig>,
}

/// `macos` of [`ComputerUseConfig`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ComputerUseMacosConfig {
    pub bundle_ids: Option<BTreeMap<String, AllowDenyRequirement>>,
}

/// `windows` of [`ComputerUseConfig`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ComputerUseWindowsConfig {
    pub aumids: Option<BTreeMap<String, AllowDenyRequirement>>,
    pub exes: Option<Vec<ComputerUseWindowsExeConfig>>,
}

/// `exes` of [`ComputerUseWindowsConfig`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ComputerUseWindowsExeConfig {
    pub access: AllowDenyRequirement,
    pub product_name: String,
    pub publisher_name: String,
    pub binary_name: Option<String>,
}

/// `exporter` of [`OtelRequirements`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OtelExporter {
    None,
    Statsig,
    OtlpHttp {
        endpoint: String,
        headers: BTreeMap<String, String>,
        protocol: OtelHttpProtocol,
        tls: Option<OtelTlsConfig>,
    },
    OtlpGrpc {
        endpoint: String,
        headers: BTreeMap<String, String>,
        tls: Option<OtelTlsConfig>,
    },
}

/// `otlp-http` of [`OtelExporter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum OtelHttpProtocol {
    Binary,
    Json,
}

/// `otlp-http` of [`OtelExporter`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub struct OtelTlsConfig {
    pub ca_certificate: Option<String>,
    pub client_certificate: Option<String>,
    pub client_private_key: Option<String>,
}

/// `tool_result` of [`OtelRequirements`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct OtelToolResultLogConfig {
    pub max_bytes: u64,
}
