//! Model providers: `modelProvider/…`.

use serde::{Deserialize, Serialize};

use crate::maybe::Maybe;

/// Params of `modelProvider/list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ModelProviderListParams {}

/// Result of `modelProvider/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelProviderListResponse {
    pub data: Vec<ModelProviderSummary>,
    pub default_provider_id: String,
    pub can_change_default: bool,
}

/// A model provider in short.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelProviderSummary {
    pub id: String,
    pub name: String,
    pub can_edit: bool,
    pub base_url: Option<String>,
    pub settings: ProviderSettings,
}

/// The settings of a provider, by kind.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProviderSettings {
    Openai,
    CustomGateway { auth: GatewayAuth },
    Bedrock { profile: Option<String>, region: Option<String> },
    Gcp { credential_file: Option<String>, location: Option<String>, project_id: Option<String> },
}

/// How a gateway is told who is calling.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "mode", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum GatewayAuth {
    None,
    EnvironmentVariable { env_key: String },
    ExternallyConfigured { env_key: Option<String> },
}

/// Params of `modelProvider/config/write`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ModelProviderConfigWriteParams {
    pub settings: ProviderSettingsPatch,
}

/// A change of a provider's settings. Absent members stay, null clears.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum ProviderSettingsPatch {
    CustomGateway {
        #[serde(default)]
        name: String,
        #[serde(default, skip_serializing_if = "Maybe::is_absent")]
        base_url: Maybe<String>,
        #[serde(default, skip_serializing_if = "Maybe::is_absent")]
        env_key: Maybe<String>,
        #[serde(default, skip_serializing_if = "Maybe::is_absent")]
        provider_id: Maybe<String>,
    },
    Bedrock {
        provider_id: BedrockProviderId,
        #[serde(default, skip_serializing_if = "Maybe::is_absent")]
        profile: Maybe<String>,
        #[serde(default, skip_serializing_if = "Maybe::is_absent")]
        region: Maybe<String>,
    },
    Gcp {
        provider_id: GcpProviderId,
        #[serde(default, skip_serializing_if = "Maybe::is_absent")]
        credential_file: Maybe<String>,
        #[serde(default, skip_serializing_if = "Maybe::is_absent")]
        location: Maybe<String>,
        #[serde(default, skip_serializing_if = "Maybe::is_absent")]
        project_id: Maybe<String>,
    },
}

/// The providers that stand for Amazon Bedrock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BedrockProviderId {
    AmazonBedrock,
    AmazonBedrockRuntime,
}

/// The provider that stands for Google Cloud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum GcpProviderId {
    Gcp,
}

/// Result of `modelProvider/config/write` and `modelProvider/default/set`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ModelProviderConfigWriteResponse {
    pub provider: ModelProviderSummary,
}

/// Params of `modelProvider/default/set`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelProviderDefaultSetParams {
    pub provider_id: String,
}

/// Params of `modelProvider/capabilities/read`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ModelProviderCapabilitiesReadParams {}

/// Result of `modelProvider/capabilities/read`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelProviderCapabilitiesReadResponse {
    pub image_generation: bool,
    pub web_search: bool,
}

/// Params of `modelProvider/authRecoveryStarted` and `modelProvider/authRecoveryCompleted`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuthRecoveryNotification {
    pub thread_id: String,
    pub turn_id: String,
    pub message: String,
    pub provider: String,
}

/// What is wrong with a provider, as `data` of an error answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ModelProviderError {
    ModelProviderMismatch { current_model_provider: String, model_provider: String },
    ModelProviderNotConfigured { model_provider: String },
    ModelProviderPolicyConflict { model_provider: String, required_model_provider: String },
}
