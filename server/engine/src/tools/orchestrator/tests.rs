use spindle_exec::Approval;
use spindle_schema::settings::{ApprovalPolicy, Granular, SandboxPolicy};

use super::{Case, Verdict, Yes, judge, rejected};

const READ_ONLY: SandboxPolicy = SandboxPolicy::ReadOnly { network_access: false };
const FULL: SandboxPolicy = SandboxPolicy::DangerFullAccess;

fn case(approval: ApprovalPolicy, sandbox: &SandboxPolicy) -> Case<'_> {
    Case { approval, sandbox, escalated: false, enforceable: true }
}

/// SPEC X2, X3: nothing runs outside a sandbox without a yes.
#[test]
fn without_a_sandbox_every_command_needs_a_yes() {
    for approval in [ApprovalPolicy::OnRequest, ApprovalPolicy::Untrusted] {
        let verdict = judge(Case { enforceable: false, ..case(approval, &READ_ONLY) });
        assert_eq!(verdict, Verdict::Ask(Yes::Approved(Approval::Once)), "{approval:?}");
    }
    let never = judge(Case { enforceable: false, ..case(ApprovalPolicy::Never, &READ_ONLY) });
    assert!(matches!(never, Verdict::Refuse(why) if why.contains("no sandbox")));
}

#[test]
fn a_sandboxed_command_runs_without_asking() {
    for approval in [ApprovalPolicy::OnRequest, ApprovalPolicy::Never] {
        assert_eq!(judge(case(approval, &READ_ONLY)), Verdict::Run(Yes::Sandbox));
    }
}

#[test]
fn untrusted_asks_about_every_command_and_keeps_the_sandbox() {
    assert_eq!(judge(case(ApprovalPolicy::Untrusted, &READ_ONLY)), Verdict::Ask(Yes::Sandbox));
    let full = judge(case(ApprovalPolicy::Untrusted, &FULL));
    assert_eq!(full, Verdict::Ask(Yes::Approved(Approval::Once)));
}

#[test]
fn leaving_the_sandbox_is_asked_for_and_never_granted_under_never() {
    let escalated = |approval| judge(Case { escalated: true, ..case(approval, &READ_ONLY) });
    let asked = Verdict::Ask(Yes::Approved(Approval::Once));
    assert_eq!(escalated(ApprovalPolicy::OnRequest), asked);
    assert!(matches!(escalated(ApprovalPolicy::Never), Verdict::Refuse(_)));
    let off = Granular {
        sandbox_approval: false,
        rules: true,
        skill_approval: true,
        request_permissions: true,
        mcp_elicitations: true,
    };
    assert!(matches!(escalated(ApprovalPolicy::Granular(off)), Verdict::Refuse(_)));
}

#[test]
fn full_access_runs_what_is_asked() {
    assert_eq!(judge(case(ApprovalPolicy::Never, &FULL)), Verdict::Run(Yes::FullAccess));
}

/// The text that models know for a command that was not started.
#[test]
fn a_refusal_has_the_recorded_form() {
    assert_eq!(
        rejected("rejected by user"),
        r#"exec_command failed: CreateProcess { message: "Rejected(\"rejected by user\")" }"#
    );
}
