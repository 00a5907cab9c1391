use super::{forbidden, rejected};

/// The texts that models know for a command that was not started.
#[test]
fn a_refusal_has_the_recorded_form() {
    assert_eq!(
        rejected("rejected by user"),
        r#"exec_command failed: CreateProcess { message: "Rejected(\"rejected by user\")" }"#
    );
}

/// The text of `approval_never_escalated`.
#[test]
fn a_wish_to_leave_the_sandbox_is_refused_in_plain_words() {
    let plain = "approval policy is Never; reject command";
    assert_eq!(forbidden(plain), plain);
    assert!(forbidden("`id` rejected: no").starts_with("exec_command failed"));
}
