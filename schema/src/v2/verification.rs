//! Verification of the person by the device (`userVerification/…`).

use serde::{Deserialize, Serialize};

use crate::ids::RequestId;

/// Params of `userVerification/status`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UserVerificationStatusParams {}

/// Result of `userVerification/status`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UserVerificationStatusResponse {
    pub credential_id: Option<String>,
    pub unavailable_message: Option<String>,
    pub unavailable_reason: Option<UserVerificationUnavailableReason>,
}

/// Why the device cannot verify.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum UserVerificationUnavailableReason {
    CredentialMissing,
    BiometricsUnavailable,
    ProviderUnavailable,
}

/// Params of `userVerification/enroll`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UserVerificationEnrollParams {}

/// Result of `userVerification/enroll`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UserVerificationEnrollResponse {
    pub credential_id: String,
    pub algorithm: Option<String>,
    pub public_key: Option<String>,
}

/// Params of `userVerification/delete`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UserVerificationDeleteParams {}

/// Result of `userVerification/delete`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct UserVerificationDeleteResponse {}

/// Params of `userVerification/verify`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UserVerificationVerifyParams {
    pub challenge: String,
    pub description: String,
    pub title: String,
}

/// Result of `userVerification/verify`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UserVerificationVerifyResponse {
    pub proof: UserVerificationProof,
    pub biometric_type: Option<UserVerificationBiometricType>,
}

/// How the device knows the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum UserVerificationBiometricType {
    Fingerprint,
}

/// The proof that the person was there.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserVerificationProof {
    pub credential_id: String,
    pub signature: String,
}

/// Params of `userVerification/cancel`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserVerificationCancelParams {
    pub request_id: RequestId,
}

/// Result of `userVerification/cancel`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct UserVerificationCancelResponse {}

/// Why a verification was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum UserVerificationCancellationReason {
    UserCancelled,
    Interrupted,
}

/// Why a verification failed, by kind.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
pub enum UserVerificationErrorDetails {
    InvalidRequest { reason: UserVerificationInvalidRequestReason },
    Unavailable { reason: UserVerificationUnavailableReason },
    Cancelled { reason: UserVerificationCancellationReason },
    Failed { reason: UserVerificationFailureReason },
}

/// Why a verification failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum UserVerificationFailureReason {
    AuthenticationFailed,
    Timeout,
    ProviderError,
    ServiceError,
}

/// What is wrong with a request for verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum UserVerificationInvalidRequestReason {
    InvalidParams,
}

/// The error answer of a verification.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct UserVerificationRpcError {
    pub code: i64,
    pub data: UserVerificationErrorDetails,
    pub message: String,
}
