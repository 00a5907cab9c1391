use super::*;

#[tokio::test]
async fn what_works_here_is_found_and_told() {
    let support = Support::detect().await;
    println!("{support:?}, gaps {:?}", support.gaps());
    let mut refused = support.refused().iter();
    assert!(refused.all(|(strategy, why)| strategy != support.strategy() && !why.is_empty()));
    assert!(std::ptr::eq(support, Support::detect().await), "it is found out once");
}

#[test]
fn the_weaker_the_means_the_more_gaps_are_told() {
    let gaps = |strategy, landlock| {
        Support { landlock, ..Support::using(strategy) }.gaps().into_iter().collect::<Vec<_>>()
    };
    let whole = Strategy::Namespaces { processes: true };
    assert_eq!(gaps(whole.clone(), 9), []);
    assert_eq!(gaps(whole.clone(), 7), [Gap::PathSockets]);
    assert_eq!(gaps(whole, 0), [Gap::AbstractSockets, Gap::PathSockets]);
    let rules = gaps(Strategy::Rules, 7);
    assert!(rules.starts_with(&[Gap::ProtectedPaths, Gap::Metadata]));
    assert!(!rules.contains(&Gap::Signals) && !rules.contains(&Gap::Truncation));
    let old = gaps(Strategy::Rules, 1);
    assert!(old.contains(&Gap::Signals) && old.contains(&Gap::Truncation));
    assert_eq!(gaps(Strategy::None, 0), [Gap::Everything]);
}

#[test]
fn without_means_only_modes_without_a_sandbox_can_be_kept() {
    let nothing = Support::using(Strategy::None);
    assert!(nothing.can_enforce(&Mode::FullAccess) && nothing.can_enforce(&Mode::External));
    assert!(!nothing.can_enforce(&Mode::ReadOnly { network: true }));
    assert!(Support::using(Strategy::Rules).can_enforce(&Mode::ReadOnly { network: true }));
}

#[tokio::test]
async fn a_means_that_does_not_work_is_found_out() {
    let program = PathBuf::from("/bin/false");
    let error = Support::using(Strategy::Bubblewrap { program }).probe(None).await;
    let error = error.expect_err("it does not work");
    assert!(matches!(error, SpawnError::Sandbox(SandboxError::Probe { code: 1 })));
    assert_eq!(chain(&error), "a trial command ended with code 1");
}

#[test]
fn errors_are_told_with_their_causes() {
    let source = io::Error::from_raw_os_error(libc::EPERM);
    let error = SandboxError::Enter { step: "mounts", source };
    let text = chain(&error);
    assert!(text.starts_with("cannot enter the sandbox (mounts): "), "{text}");
}

#[test]
fn users_are_told_what_weaker_means_leave_open() {
    let whole = Support::using(Strategy::Namespaces { processes: true });
    assert_eq!(whole.warning(), None);
    let rules = Support {
        refused: vec![(Strategy::Namespaces { processes: true }, "not permitted".into())],
        ..Support::using(Strategy::Rules)
    };
    let warning = rules.warning().expect("a warning");
    assert!(warning.contains("held by file rules") && warning.contains(".git"), "{warning}");
    assert!(warning.ends_with("namespaces cannot be used: not permitted"), "{warning}");
}
