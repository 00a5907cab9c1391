//! What is experimental beside methods and members of params, which have their marks elsewhere,
//! and what must be there though it may be null.

/// Experimental members of stable types: the type, its members as on the wire.
pub(super) const MEMBERS: &[(&str, &[&str])] = &[
    ("CommandExecutionRequestApprovalParams", &["additionalPermissions", "availableDecisions"]),
    ("Config", &["apps"]),
    ("ConfigRequirements", &["allowedApprovalsReviewers", "application", "hooks", "network"]),
    ("GetAccountResponse", &["workspaceRouting"]),
    (
        "Thread",
        &["attachedToThreadId", "canAcceptDirectInput", "daybreakEnabled", "environments", "extra"],
    ),
    ("ThreadForkResponse", &["activePermissionProfile", "multiAgentMode", "runtimeWorkspaceRoots"]),
    ("ThreadItemEntry", &["outputDeferred"]),
    ("ThreadItemOutputDeferral", &["commandExecution", "mcpToolCall"]),
    ("ThreadListResponse", &["readStates"]),
    ("ThreadReadResponse", &["readState"]),
    (
        "ThreadResumeResponse",
        &["activePermissionProfile", "initialTurnsPage", "multiAgentMode", "runtimeWorkspaceRoots"],
    ),
    ("ThreadSettings", &["environments", "multiAgentMode"]),
    (
        "ThreadStartResponse",
        &["activePermissionProfile", "multiAgentMode", "runtimeWorkspaceRoots"],
    ),
];

/// Experimental forms of stable types: the type, the place in its list of forms.
pub(super) const VARIANTS: &[(&str, usize)] = &[("McpServerElicitationRequestParams", 0)];

/// Experimental types that no method leads to.
pub(super) const TYPES: &[&str] = &[
    "UserVerificationCancellationReason",
    "UserVerificationErrorDetails",
    "UserVerificationFailureReason",
    "UserVerificationInvalidRequestReason",
    "UserVerificationRpcError",
];

/// Members that must be there, null or not.
pub(super) const REQUIRED: &[(&str, &str)] = &[
    ("McpResourceReadTarget", "linkId"),
    ("Thread", "projectId"),
    ("ThreadProjectUpdatedNotification", "projectId"),
    ("ThreadSectionChangedNotification", "sectionId"),
    ("ThreadSectionMoveParams", "sectionId"),
];
