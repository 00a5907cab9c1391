//! Sections of the configuration: apps, browser, computer, telemetry.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::v2::fallback::yes;
use crate::v2::{
    AllowDenyRequirement, ApprovalsReviewer, BrowserUseOriginPolicyConfig, ToolExposureSurface,
};

/// Settings of one app.
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

/// Settings of one link of an app.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppLinkConfig {
    pub approvals_reviewer: Option<ApprovalsReviewer>,
    pub default_tools_approval_mode: Option<AppToolApproval>,
}

/// Settings by link; the members are open.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppLinksConfig {}

/// When a tool of an app needs approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum AppToolApproval {
    Auto,
    Prompt,
    Writes,
    Approve,
}

/// Settings of one tool of an app.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppToolConfig {
    pub approval_mode: Option<AppToolApproval>,
    pub enabled: Option<bool>,
}

/// Settings by tool; the members are open.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppToolsConfig {}

/// Settings of apps.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AppsConfig {
    #[serde(rename = "_default")]
    pub default: Option<AppsDefaultConfig>,
}

/// Settings of apps that have none of their own.
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

/// Settings of browsing.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct BrowserUseConfig {
    pub allow_history_access: Option<bool>,
    pub default_origin_policy: Option<BrowserUseOriginPolicyConfig>,
    pub origins: Option<BTreeMap<String, BrowserUseOriginPolicyConfig>>,
}

/// Where credentials are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum CliAuthCredentialsStoreMode {
    File,
    Keyring,
    Auto,
    Ephemeral,
}

/// Settings of computer use.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ComputerUseConfig {
    pub default_app_access: Option<AllowDenyRequirement>,
    pub macos: Option<ComputerUseMacosConfig>,
    pub windows: Option<ComputerUseWindowsConfig>,
}

/// Programs of macOS that may be used.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ComputerUseMacosConfig {
    pub bundle_ids: Option<BTreeMap<String, AllowDenyRequirement>>,
}

/// Programs of Windows that may be used.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ComputerUseWindowsConfig {
    pub aumids: Option<BTreeMap<String, AllowDenyRequirement>>,
    pub exes: Option<Vec<ComputerUseWindowsExeConfig>>,
}

/// A program of Windows that may be used.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ComputerUseWindowsExeConfig {
    pub access: AllowDenyRequirement,
    pub product_name: String,
    pub publisher_name: String,
    pub binary_name: Option<String>,
}

/// Where telemetry goes.
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

/// How telemetry is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum OtelHttpProtocol {
    Binary,
    Json,
}

/// Certificates for telemetry.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub struct OtelTlsConfig {
    pub ca_certificate: Option<String>,
    pub client_certificate: Option<String>,
    pub client_private_key: Option<String>,
}

/// How much of tool results is logged.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct OtelToolResultLogConfig {
    pub max_bytes: u64,
}
