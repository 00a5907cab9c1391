use std::time::Duration;

use spindle_exec::ExitStatus;

use super::super::truncate::Kept;
use super::{End, note};

/// SPEC X5; the text of `shell_command_idle`.
#[test]
fn the_model_reads_command_code_time_and_output() {
    let kept = Kept { text: "HI\n", total_bytes: 3, omitted_bytes: 0 };
    let end = End::Own(ExitStatus { code: 4, signal: None });
    assert_eq!(
        note("echo hi", &end.words(), Duration::from_millis(1500), &kept),
        "<user_shell_command>\n<command>\necho hi\n</command>\n<result>\nExit code: 4\n\
         Duration: 1.5000 seconds\nOutput:\nHI\n\n</result>\n</user_shell_command>"
    );
}

#[test]
fn the_model_reads_why_a_command_did_not_end_by_itself() {
    let status = ExitStatus { code: 143, signal: Some(15) };
    assert_eq!(End::Stopped(status).words(), "143 (ended by the person)");
    assert_eq!(End::TimedOut(status).words(), "143 (ended because it took too long)");
}

#[test]
fn what_the_model_reads_is_bounded() {
    let text = "x".repeat(1 << 20);
    let kept = Kept { text: &text, total_bytes: 1 << 30, omitted_bytes: (1 << 30) - (1 << 20) };
    let note = note("yes", "0", Duration::ZERO, &kept);
    assert!(note.len() < 42_000, "{} bytes", note.len());
    assert!(note.contains("tokens truncated"));
}
