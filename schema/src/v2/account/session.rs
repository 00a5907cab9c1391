//! Sessions, gateways and cloud accounts.

use serde::{Deserialize, Serialize};

/// Params of `account/gatewayOAuth/read`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GatewayOAuthReadParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_provider: Option<String>,
}

/// Result of `account/gatewayOAuth/read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GatewayOAuthReadResponse {
    pub provider_id: String,
    pub provider_name: String,
    pub required: bool,
    pub error: Option<String>,
    pub status: Option<GatewayOAuthStatus>,
    #[serde(default)]
    pub supports_device_auth: bool,
}

/// The states of a login to a gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum GatewayOAuthStatus {
    NotReady,
    Started,
    Succeeded,
    Failed,
}

/// Params of `account/gatewayOAuth/login`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GatewayOAuthLoginParams {
    #[serde(default)]
    pub device_auth: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_provider: Option<String>,
}

/// Result of `account/gatewayOAuth/login`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct GatewayOAuthLoginResponse {
    pub prompt: Option<GatewayOAuthPrompt>,
}

/// What a person must do to log in to a gateway.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GatewayOAuthPrompt {
    pub login_id: String,
    pub user_code: String,
    pub verification_url: String,
}

/// Result of `account/gatewayOAuth/cancel`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct GatewayOAuthCancelResponse {}

/// Params of `account/bedrock/discover`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct BedrockDiscoverParams {}

/// Result of `account/bedrock/discover`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BedrockDiscoverResponse {
    pub environment_credentials: Vec<BedrockEnvironmentCredential>,
    pub profiles: Vec<BedrockAwsProfile>,
}

/// A credential for Amazon Bedrock found in the environment.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct BedrockEnvironmentCredential {
    #[serde(rename = "type")]
    pub kind: AwsCredentialType,
    pub region: Option<String>,
}

/// The kind of credential for Amazon Bedrock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum AwsCredentialType {
    AccessKeys,
    BedrockApiKey,
}

/// A profile found in the AWS configuration.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct BedrockAwsProfile {
    pub name: String,
    pub region: Option<String>,
}

/// Params of `account/bedrock/setup`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum BedrockSetupParams {
    Profile { profile: String, region: String },
    Environment { region: String },
}

/// Result of `account/bedrock/setup`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct BedrockSetupResponse {}

/// Params of `account/gcp/setup`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GcpSetupParams {
    pub project_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credential_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
}

/// Result of `account/gcp/setup`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct GcpSetupResponse {}

/// Params of `account/bedrock/checkGovCloudRequirements`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct BedrockCheckGovCloudRequirementsParams {}

/// Result of `account/bedrock/checkGovCloudRequirements`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BedrockCheckGovCloudRequirementsResponse {
    pub is_gov_cloud: bool,
    pub should_warn: bool,
}

/// Params of `accountSession/list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountSessionsListParams {
    #[serde(default)]
    pub refresh_workspace_metadata: bool,
}

/// Result of `accountSession/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountSessionsResponse {
    pub active_session_id: Option<String>,
    pub sessions: Vec<AccountSession>,
}

/// One signed-in account that can be switched to.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountSession {
    pub is_active: bool,
    pub last_used_at: i64,
    pub session_id: String,
    pub workspaces: Vec<AccountSessionWorkspace>,
    pub display_name: Option<String>,
    pub email: Option<String>,
    pub image_url: Option<String>,
    pub selected_workspace_account_id: Option<String>,
    pub user_id: Option<String>,
}

/// A workspace that an [`AccountSession`] can use.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountSessionWorkspace {
    pub name: Option<String>,
    pub account_id: String,
    pub image_url: Option<String>,
    pub kind: Option<AccountSessionWorkspaceKind>,
}

/// Whether a workspace belongs to a person or to a company.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum AccountSessionWorkspaceKind {
    Personal,
    Workspace,
}

/// Params of `accountSession/switch`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountSessionsSwitchParams {
    pub account_id: String,
    pub session_id: String,
    #[serde(default)]
    pub allow_browser_login: bool,
}

/// Result of `accountSession/switch`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum AccountSessionsSwitchResponse {
    Switched { sessions: Vec<AccountSession>, active_session_id: Option<String> },
    LoginRequired { auth_url: String, login_id: String },
}

/// Result of `account/securitySetup/read`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct GetAccountSecuritySetupResponse {
    pub notice: Option<AccountSecuritySetupNotice>,
}

/// A notice that asks a person to secure their account.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountSecuritySetupNotice {
    pub account_id: String,
    pub action: AccountSecuritySetupAction,
    pub description: String,
    pub title: String,
    pub user_id: String,
}

/// A step offered in an [`AccountSecuritySetupNotice`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct AccountSecuritySetupAction {
    pub label: String,
    pub url: String,
}

/// Params of `account/gatewayOAuth/changed`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GatewayOAuthChangedNotification {
    pub provider_id: String,
    pub status: GatewayOAuthStatus,
    pub auth_url: Option<String>,
    pub error: Option<String>,
    pub login_id: Option<String>,
}

/// Where an account's requests must be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AccountRoutingOverride {
    #[serde(rename = "NO_CONSTRAINT")]
    NoConstraint,
    Us,
    UsCr,
}

/// Where requests of a workspace are served.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceRouting {
    pub account_routing_override: AccountRoutingOverride,
    pub backend_origin: String,
    pub chatgpt_account_id: String,
}
