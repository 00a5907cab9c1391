//! What a thread is set to, in both directions.

use spindle_schema::settings::{
    self as core, ApprovalPolicy, ApprovalsReviewer as CoreReviewer, Granular,
    ModeKind as CoreMode, ReasoningSummary as CoreSummary, SandboxPolicy as CorePolicy,
};
use spindle_schema::v2::{
    ApprovalsReviewer, AskForApproval, CollaborationMode, ModeKind, MultiAgentMode, NetworkAccess,
    Personality, ReasoningSummary, SandboxMode, SandboxPolicy, Settings, ThreadSettings,
};

use super::thread::environments;

/// Everything a thread is set to.
pub(in crate::api) fn of(settings: &core::ThreadSettings) -> ThreadSettings {
    ThreadSettings {
        disabled_plugin_ids: Vec::new(),
        cwd: (&*settings.cwd).into(),
        environments: Some(environments(&settings.cwd, &settings.workspace_roots)),
        approval_policy: approval(settings.approval_policy),
        approvals_reviewer: reviewer(settings.approvals_reviewer),
        sandbox_policy: sandbox(&settings.sandbox_policy),
        active_permission_profile: None,
        model: settings.model.to_string(),
        model_provider: settings.model_provider.to_string(),
        service_tier: settings.service_tier.as_deref().map(str::to_owned),
        effort: settings.effort.as_deref().map(Into::into),
        summary: settings.summary.map(summary),
        collaboration_mode: collaboration(settings),
        multi_agent_mode: MultiAgentMode::default(),
        personality: settings.personality.as_deref().and_then(personality),
    }
}

/// The mode of working together.
pub(in crate::api) fn collaboration(settings: &core::ThreadSettings) -> CollaborationMode {
    CollaborationMode {
        mode: match settings.mode {
            CoreMode::Plan => ModeKind::Plan,
            CoreMode::Default => ModeKind::Default,
        },
        settings: Settings {
            model: settings.model.to_string(),
            reasoning_effort: settings.effort.as_deref().map(Into::into),
            developer_instructions: settings.mode_instructions.as_deref().map(str::to_owned),
        },
    }
}

/// When a person is asked.
pub(in crate::api) fn approval(policy: ApprovalPolicy) -> AskForApproval {
    match policy {
        ApprovalPolicy::Untrusted => AskForApproval::Untrusted,
        ApprovalPolicy::OnRequest => AskForApproval::OnRequest,
        ApprovalPolicy::Never => AskForApproval::Never,
        ApprovalPolicy::Granular(kinds) => AskForApproval::Granular {
            mcp_elicitations: kinds.mcp_elicitations,
            rules: kinds.rules,
            sandbox_approval: kinds.sandbox_approval,
            request_permissions: kinds.request_permissions,
            skill_approval: kinds.skill_approval,
        },
    }
}

/// When a person is asked, as the engine takes it.
pub(in crate::api) fn approval_from(policy: &AskForApproval) -> ApprovalPolicy {
    match *policy {
        AskForApproval::Untrusted => ApprovalPolicy::Untrusted,
        AskForApproval::OnRequest => ApprovalPolicy::OnRequest,
        AskForApproval::Never => ApprovalPolicy::Never,
        AskForApproval::Granular {
            mcp_elicitations,
            rules,
            sandbox_approval,
            request_permissions,
            skill_approval,
        } => ApprovalPolicy::Granular(Granular {
            sandbox_approval,
            rules,
            skill_approval,
            request_permissions,
            mcp_elicitations,
        }),
    }
}

/// Who answers an approval request.
pub(in crate::api) fn reviewer(reviewer: CoreReviewer) -> ApprovalsReviewer {
    match reviewer {
        CoreReviewer::User => ApprovalsReviewer::User,
        CoreReviewer::AutoReview => ApprovalsReviewer::AutoReview,
    }
}

/// Who answers an approval request, as the engine takes it.
pub(in crate::api) fn reviewer_from(reviewer: ApprovalsReviewer) -> CoreReviewer {
    match reviewer {
        ApprovalsReviewer::User => CoreReviewer::User,
        ApprovalsReviewer::AutoReview | ApprovalsReviewer::GuardianSubagent => {
            CoreReviewer::AutoReview
        }
    }
}

/// What commands may touch.
pub(in crate::api) fn sandbox(policy: &CorePolicy) -> SandboxPolicy {
    match policy {
        CorePolicy::DangerFullAccess => SandboxPolicy::DangerFullAccess,
        &CorePolicy::ReadOnly { network_access } => SandboxPolicy::ReadOnly { network_access },
        CorePolicy::ExternalSandbox { network_access } => SandboxPolicy::ExternalSandbox {
            network_access: match network_access {
                core::NetworkAccess::Restricted => NetworkAccess::Restricted,
                core::NetworkAccess::Enabled => NetworkAccess::Enabled,
            },
        },
        CorePolicy::WorkspaceWrite {
            writable_roots,
            network_access,
            exclude_tmpdir_env_var,
            exclude_slash_tmp,
        } => SandboxPolicy::WorkspaceWrite {
            writable_roots: writable_roots.iter().map(|root| root.as_str().into()).collect(),
            network_access: *network_access,
            exclude_tmpdir_env_var: *exclude_tmpdir_env_var,
            exclude_slash_tmp: *exclude_slash_tmp,
        },
    }
}

/// What commands may touch, as the engine takes it.
pub(in crate::api) fn sandbox_from(policy: SandboxPolicy) -> CorePolicy {
    match policy {
        SandboxPolicy::DangerFullAccess => CorePolicy::DangerFullAccess,
        SandboxPolicy::ReadOnly { network_access } => CorePolicy::ReadOnly { network_access },
        SandboxPolicy::ExternalSandbox { network_access } => CorePolicy::ExternalSandbox {
            network_access: match network_access {
                NetworkAccess::Restricted => core::NetworkAccess::Restricted,
                NetworkAccess::Enabled => core::NetworkAccess::Enabled,
            },
        },
        SandboxPolicy::WorkspaceWrite {
            writable_roots,
            network_access,
            exclude_tmpdir_env_var,
            exclude_slash_tmp,
        } => CorePolicy::WorkspaceWrite {
            writable_roots: writable_roots.into_iter().map(|root| root.0).collect(),
            network_access,
            exclude_tmpdir_env_var,
            exclude_slash_tmp,
        },
    }
}

/// A sandbox by its name alone.
pub(in crate::api) fn sandbox_of_mode(mode: SandboxMode) -> CorePolicy {
    match mode {
        SandboxMode::ReadOnly => CorePolicy::ReadOnly { network_access: false },
        SandboxMode::DangerFullAccess => CorePolicy::DangerFullAccess,
        SandboxMode::WorkspaceWrite => CorePolicy::WorkspaceWrite {
            writable_roots: Vec::new(),
            network_access: false,
            exclude_tmpdir_env_var: false,
            exclude_slash_tmp: false,
        },
    }
}

/// The name of a sandbox in the configuration.
pub(in crate::api) fn mode_name(mode: SandboxMode) -> &'static str {
    match mode {
        SandboxMode::ReadOnly => "read-only",
        SandboxMode::WorkspaceWrite => "workspace-write",
        SandboxMode::DangerFullAccess => "danger-full-access",
    }
}

fn summary(summary: CoreSummary) -> ReasoningSummary {
    match summary {
        CoreSummary::Auto => ReasoningSummary::Auto,
        CoreSummary::Concise => ReasoningSummary::Concise,
        CoreSummary::Detailed => ReasoningSummary::Detailed,
        CoreSummary::None => ReasoningSummary::None,
    }
}

/// How much of its reasoning the model tells, as the engine takes it.
pub(in crate::api) fn summary_from(summary: ReasoningSummary) -> CoreSummary {
    match summary {
        ReasoningSummary::Auto => CoreSummary::Auto,
        ReasoningSummary::Concise => CoreSummary::Concise,
        ReasoningSummary::Detailed => CoreSummary::Detailed,
        ReasoningSummary::None => CoreSummary::None,
    }
}

fn personality(name: &str) -> Option<Personality> {
    Some(match name {
        "none" => Personality::None,
        "friendly" => Personality::Friendly,
        "pragmatic" => Personality::Pragmatic,
        _ => return None,
    })
}

/// The tone, as the engine takes it.
pub(in crate::api) fn personality_from(personality: Personality) -> Box<str> {
    match personality {
        Personality::None => "none",
        Personality::Friendly => "friendly",
        Personality::Pragmatic => "pragmatic",
    }
    .into()
}

/// Plan first, or just work, as the engine takes it.
pub(in crate::api) fn mode_from(mode: ModeKind) -> CoreMode {
    match mode {
        ModeKind::Plan => CoreMode::Plan,
        ModeKind::Default => CoreMode::Default,
    }
}
