use super::*;
use crate::doctor::finding::Status;

fn terms(mode: Mode, approval: ApprovalPolicy) -> Terms {
    Terms { cwd: "/w".into(), mode, approval, env: Vec::new(), warnings: Vec::new() }
}

const READ_ONLY: Mode = Mode::ReadOnly { network: false };

fn found(strategy: Strategy) -> Finding {
    let terms = terms(READ_ONLY, ApprovalPolicy::OnRequest);
    held(&Support::using(strategy), &terms, Some("remedy: x"))
}

#[test]
fn the_strongest_means_are_in_order_and_their_gaps_are_told() {
    let finding = found(Strategy::Namespaces { processes: true });
    assert_eq!(finding.status, Status::Ok);
    assert!(finding.detail.starts_with("read-only, held by namespaces, "), "{}", finding.detail);
    assert!(!finding.detail.contains("remedy"), "{}", finding.detail);
    let gaps = Support::using(Strategy::Namespaces { processes: true }).gaps();
    assert_eq!(finding.detail.matches("does not protect").count(), gaps.len());
}

#[test]
fn weaker_means_are_told_with_what_they_leave_open_and_the_remedy() {
    let finding = found(Strategy::Rules);
    assert_eq!(finding.status, Status::Warn);
    let text = finding.detail;
    assert!(text.contains("does not protect .git and other protected paths"), "{text}");
    assert!(text.ends_with("remedy: x"), "{text}");
}

#[test]
fn that_nothing_can_be_enforced_is_a_failure_with_what_follows_from_it() {
    let finding = found(Strategy::None);
    assert_eq!(finding.status, Status::Fail);
    assert!(finding.detail.contains("each command needs an approval"), "{}", finding.detail);
    let never = terms(READ_ONLY, ApprovalPolicy::Never);
    let finding = held(&Support::using(Strategy::None), &never, None);
    assert!(finding.detail.contains("nobody is asked"), "{}", finding.detail);
}

#[test]
fn a_sandbox_that_is_switched_off_is_told() {
    let full = terms(Mode::FullAccess, ApprovalPolicy::OnRequest);
    let finding = held(&Support::using(Strategy::None), &full, None);
    assert_eq!(finding.status, Status::Warn);
    assert!(finding.detail.contains("danger-full-access"), "{}", finding.detail);
}

#[test]
fn a_switch_that_forbids_namespaces_is_named() {
    let hint = |switches: Switches| switches.hint().unwrap_or_default();
    assert_eq!(hint(Switches { most: Some(100), clone: Some(1), apparmor: Some(0) }), "");
    assert!(hint(Switches { most: Some(0), ..Switches::default() }).contains("max_user"));
    assert!(hint(Switches { clone: Some(0), ..Switches::default() }).contains("userns_clone=1"));
    assert!(hint(Switches { apparmor: Some(1), ..Switches::default() }).contains("apparmor"));
}

#[test]
fn a_faulty_rule_file_is_told_with_its_line_and_the_others_count() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("good.rules"), "prefix_rule([\"a\"])").unwrap();
    std::fs::write(dir.path().join("bad.rules"), "\nprefix_rule(").unwrap();
    let mut book = RuleBook::new(vec![dir.path().to_owned()]);
    let findings = told(&mut book, dir.path());
    let statuses: Vec<Status> = findings.iter().map(|finding| finding.status).collect();
    assert_eq!(statuses, [Status::Warn, Status::Ok]);
    assert!(findings[0].detail.contains("bad.rules:2:"), "{}", findings[0].detail);
    assert!(findings[1].detail.starts_with("1 about commands, 0 about hosts, 1 files"));
    let mut none = RuleBook::new(vec![dir.path().join("nowhere")]);
    assert!(told(&mut none, dir.path())[0].detail.starts_with("none in "));
}
