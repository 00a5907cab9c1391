use std::path::Path;

use spindle_schema::settings::{
    ApprovalPolicy, ApprovalsReviewer, ModeKind, SandboxPolicy, ThreadSettings,
};

use super::{Verdict, judge};

fn settings(approval_policy: ApprovalPolicy, sandbox_policy: SandboxPolicy) -> ThreadSettings {
    ThreadSettings {
        model: "m".into(),
        model_provider: "p".into(),
        effort: None,
        summary: None,
        service_tier: None,
        personality: None,
        cwd: "/no/such/ws".into(),
        workspace_roots: vec!["/no/such/ws".into()],
        approval_policy,
        approvals_reviewer: ApprovalsReviewer::User,
        sandbox_policy,
        mode: ModeKind::Default,
        mode_instructions: None,
    }
}

fn workspace() -> SandboxPolicy {
    SandboxPolicy::WorkspaceWrite {
        writable_roots: vec!["/no/such/extra".into()],
        network_access: false,
        exclude_tmpdir_env_var: true,
        exclude_slash_tmp: true,
    }
}

fn verdict(approval: ApprovalPolicy, sandbox: SandboxPolicy, targets: &[&str]) -> Verdict {
    judge(&settings(approval, sandbox), targets.iter().map(Path::new))
}

/// SPEC X4; `approval_file_workspace`, `approval_file_outside`.
#[test]
fn a_patch_inside_the_writable_folders_is_not_asked_about() {
    let on_request = |targets: &[&str]| verdict(ApprovalPolicy::OnRequest, workspace(), targets);
    assert_eq!(on_request(&["/no/such/ws/a/b.txt", "/no/such/extra/c"]), Verdict::Run);
    assert_eq!(on_request(&["/no/such/ws/a", "/etc/passwd"]), Verdict::Ask);
    assert_eq!(on_request(&["/no/such/workspace"]), Verdict::Ask);
}

#[test]
fn what_decides_over_a_project_is_asked_about_even_inside_it() {
    for target in ["/no/such/ws/.git/hooks/pre-commit", "/no/such/extra/.codex/config.toml"] {
        assert_eq!(verdict(ApprovalPolicy::OnRequest, workspace(), &[target]), Verdict::Ask);
        assert_eq!(verdict(ApprovalPolicy::Never, workspace(), &[target]), Verdict::Refuse);
    }
}

#[test]
fn a_read_only_thread_writes_nothing_without_a_yes() {
    let read_only = || SandboxPolicy::ReadOnly { network_access: false };
    let inside = ["/no/such/ws/a"];
    assert_eq!(verdict(ApprovalPolicy::OnRequest, read_only(), &inside), Verdict::Ask);
    assert_eq!(verdict(ApprovalPolicy::Never, read_only(), &inside), Verdict::Refuse);
}

/// `approval_file_untrusted`.
#[test]
fn untrusted_asks_about_every_patch() {
    let full = SandboxPolicy::DangerFullAccess;
    assert_eq!(verdict(ApprovalPolicy::Untrusted, full.clone(), &["/a"]), Verdict::Ask);
    assert_eq!(verdict(ApprovalPolicy::Never, full, &["/a"]), Verdict::Run);
}
