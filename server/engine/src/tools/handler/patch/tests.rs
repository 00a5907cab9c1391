use spindle_schema::settings::{ApprovalPolicy, Granular};

use super::{Verdict, judge};

fn granular(sandbox_approval: bool) -> ApprovalPolicy {
    ApprovalPolicy::Granular(Granular {
        sandbox_approval,
        rules: true,
        skill_approval: true,
        request_permissions: true,
        mcp_elicitations: true,
    })
}

/// SPEC X4; `approval_file_workspace`, `approval_file_outside`, `granular_no_sandbox_approval`.
#[test]
fn a_patch_that_stays_inside_is_not_asked_about_and_one_outside_is_by_the_policy() {
    for (policy, outside) in [
        (ApprovalPolicy::OnRequest, Verdict::Ask),
        (ApprovalPolicy::Never, Verdict::Refuse),
        (granular(true), Verdict::Ask),
        (granular(false), Verdict::Refuse),
    ] {
        assert_eq!(judge(policy, true), Verdict::Run);
        assert_eq!(judge(policy, false), outside);
    }
}

/// `approval_file_untrusted`.
#[test]
fn untrusted_asks_about_every_patch() {
    assert_eq!(judge(ApprovalPolicy::Untrusted, true), Verdict::Ask);
    assert_eq!(judge(ApprovalPolicy::Untrusted, false), Verdict::Ask);
}
