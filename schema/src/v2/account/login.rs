//! Logging in and out.

use serde::{Deserialize, Serialize};

use crate::v2::WorkspaceRouting;
use crate::v2::fallback::nullable;

/// Params of `account/login/start`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LoginAccountParams {
    ApiKey {
        api_key: String,
    },
    Chatgpt {
        #[serde(skip_serializing_if = "Option::is_none")]
        app_brand: Option<LoginAppBrand>,
        #[serde(default)]
        codex_streamlined_login: bool,
        #[serde(default)]
        use_hosted_login_success_page: bool,
    },
    ChatgptDeviceCode,
    ChatgptAuthTokens {
        access_token: String,
        chatgpt_account_id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        chatgpt_plan_type: Option<String>,
    },
    AmazonBedrock {
        api_key: String,
        region: String,
    },
    AmazonBedrockAccessKeys {
        access_key_id: String,
        region: String,
        secret_access_key: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        session_token: Option<String>,
    },
}

/// Whose name the login page carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum LoginAppBrand {
    Codex,
    Chatgpt,
}

/// Result of `account/login/start`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LoginAccountResponse {
    ApiKey,
    Chatgpt { auth_url: String, login_id: String },
    ChatgptDeviceCode { login_id: String, user_code: String, verification_url: String },
    ChatgptAuthTokens,
    AmazonBedrock,
}

/// Params of `account/login/cancel`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CancelLoginAccountParams {
    pub login_id: String,
}

/// Result of `account/login/cancel`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct CancelLoginAccountResponse {
    pub status: CancelLoginAccountStatus,
}

/// What became of a login that was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum CancelLoginAccountStatus {
    Canceled,
    NotFound,
}

/// Result of `account/logout`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct LogoutAccountResponse {}

/// Params of `account/read`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GetAccountParams {
    #[serde(default)]
    pub refresh_token: bool,
}

/// Result of `account/read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GetAccountResponse {
    pub account: Option<Account>,
    pub user_id: Option<String>,
    pub requires_openai_auth: bool,
    pub workspace_routing: Option<WorkspaceRouting>,
}

/// The account in use, by kind.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Account {
    ApiKey,
    Chatgpt {
        #[serde(deserialize_with = "nullable")]
        email: Option<String>,
        plan_type: PlanType,
        workspace_name: Option<String>,
    },
    AmazonBedrock {
        #[serde(default)]
        uses_codex_managed_credentials: bool,
    },
    Gcp,
}

/// The plans of accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlanType {
    Free,
    Go,
    Plus,
    Pro,
    Prolite,
    Promax,
    Team,
    SelfServeBusinessProlite,
    SelfServeBusinessUsageBased,
    Business,
    Ent26,
    EnterpriseCbpAutomation,
    EnterpriseCbpUsageBased,
    Enterprise,
    Edu,
    EduPlus,
    EduPro,
    Sci,
    SciPlus,
    Unknown,
}

/// Params of `account/updated`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountUpdatedNotification {
    pub auth_mode: Option<AuthMode>,
    pub plan_type: Option<PlanType>,
    pub reason: Option<AccountUpdateReason>,
}

/// How the server authenticates with the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum AuthMode {
    /// A key of the API.
    Apikey,
    /// A ChatGPT account whose tokens the server keeps.
    Chatgpt,
    /// A ChatGPT account whose tokens the client keeps.
    ChatgptAuthTokens,
    /// Headers that the configuration sets.
    Headers,
    /// The identity of an agent.
    AgentIdentity,
    /// A token that a person made.
    PersonalAccessToken,
    /// A key for Amazon Bedrock.
    BedrockApiKey,
    /// Access keys of AWS.
    BedrockAccessKeys,
}

/// Why an account changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum AccountUpdateReason {
    WorkspaceRoutingReady,
    Unknown,
}

/// Params of `account/login/completed`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AccountLoginCompletedNotification {
    pub login_id: Option<String>,
    pub success: bool,
    pub error: Option<String>,
    pub onboarding_entrypoint: Option<DesktopOnboardingEntrypoint>,
}

/// Where a person came from when they signed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DesktopOnboardingEntrypoint {
    LifeSciences,
}
