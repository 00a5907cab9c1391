//! Reviews of approvals by the automatic reviewer.

use serde::{Deserialize, Serialize};

use crate::v2::{
    AbsolutePathBuf, LegacyAppPathString, NetworkApprovalProtocol, RequestPermissionProfile,
};

/// Params of `item/autoApprovalReview/started`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ItemGuardianApprovalReviewStartedNotification {
    pub thread_id: String,
    pub turn_id: String,
    pub action: GuardianApprovalReviewAction,
    pub review: GuardianApprovalReview,
    pub review_id: String,
    pub started_at_ms: i64,
    pub target_item_id: Option<String>,
}

/// What the automatic reviewer looks at.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum GuardianApprovalReviewAction {
    Command {
        command: String,
        cwd: LegacyAppPathString,
        source: GuardianCommandSource,
    },
    Execve {
        argv: Vec<String>,
        cwd: AbsolutePathBuf,
        program: String,
        source: GuardianCommandSource,
    },
    WriteStdin {
        process_id: String,
        approval_id: String,
        cwd: LegacyAppPathString,
        stdin: String,
    },
    ApplyPatch {
        cwd: LegacyAppPathString,
        files: Vec<LegacyAppPathString>,
    },
    NetworkAccess {
        host: String,
        port: u16,
        protocol: NetworkApprovalProtocol,
        target: String,
    },
    McpToolCall {
        server: String,
        tool_name: String,
        connector_id: Option<String>,
        connector_name: Option<String>,
        tool_title: Option<String>,
    },
    RequestPermissions {
        permissions: RequestPermissionProfile,
        reason: Option<String>,
    },
}

/// Which tool wants to run a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum GuardianCommandSource {
    Shell,
    UnifiedExec,
}

/// What the automatic reviewer says.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GuardianApprovalReview {
    pub status: GuardianApprovalReviewStatus,
    pub rationale: Option<String>,
    pub risk_level: Option<GuardianRiskLevel>,
    pub user_authorization: Option<GuardianUserAuthorization>,
}

/// How dangerous an action is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum GuardianRiskLevel {
    Low,
    Medium,
    High,
    Critical,
}

/// The states of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum GuardianApprovalReviewStatus {
    InProgress,
    Approved,
    Denied,
    TimedOut,
    Aborted,
}

/// How clearly the person has asked for an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum GuardianUserAuthorization {
    Unknown,
    Low,
    Medium,
    High,
}

/// Params of `item/autoApprovalReview/completed`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ItemGuardianApprovalReviewCompletedNotification {
    pub thread_id: String,
    pub turn_id: String,
    pub action: GuardianApprovalReviewAction,
    pub completed_at_ms: i64,
    pub decision_source: AutoReviewDecisionSource,
    pub review: GuardianApprovalReview,
    pub review_id: String,
    pub started_at_ms: i64,
    pub target_item_id: Option<String>,
}

/// Who decided a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum AutoReviewDecisionSource {
    Agent,
}

/// Params of `autoApprovalReview/strictReviewRequired`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StrictReviewRequiredNotification {
    pub thread_id: String,
    pub turn_id: String,
    pub started_at_ms: i64,
}

/// Params of `guardianWarning`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GuardianWarningNotification {
    pub thread_id: String,
    pub message: String,
}

/// The reviewer's verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum GuardianAssessmentOutcome {
    Allow,
    Deny,
}
