use super::*;

fn bench(home: &Path, overrides: &[(&str, &str)]) -> Workbench {
    let own = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    Workbench::new(EngineOptions {
        home: home.to_owned(),
        cwd: home.join("here"),
        config_overrides: overrides.iter().map(own).collect(),
        features: Vec::new(),
        version: "1",
        env: [("SOME_TOKEN".to_owned(), "t".to_owned()), ("PATH".to_owned(), "/bin".to_owned())]
            .into(),
    })
}

fn roots(terms: &Terms) -> Vec<PathBuf> {
    match &terms.mode {
        Mode::WorkspaceWrite { roots, .. } => roots.clone(),
        other => panic!("a workspace that may be written in, not {other:?}"),
    }
}

#[test]
fn the_settings_decide_unless_the_person_does() {
    let home = tempfile::tempdir().expect("a folder");
    let plain = bench(home.path(), &[]);
    let terms = plain.terms(&Wanted::default()).expect("plain settings can be used");
    assert_eq!(terms.mode, Mode::ReadOnly { network: false });
    assert_eq!(terms.cwd, home.path().join("here"));
    let full = bench(home.path(), &[("sandbox_mode", "danger-full-access")]);
    let terms = full.terms(&Wanted::default()).expect("they can be used");
    assert_eq!(terms.mode, Mode::FullAccess);
    let wanted = Wanted { mode: Some(SandboxMode::ReadOnly), ..Wanted::default() };
    assert_eq!(full.terms(&wanted).expect("fine").mode, Mode::ReadOnly { network: false });
}

#[test]
fn a_workspace_has_the_folders_of_the_settings_and_of_the_person_and_keeps_our_home() {
    let home = tempfile::tempdir().expect("a folder");
    let key = "sandbox_workspace_write.writable_roots";
    let bench = bench(home.path(), &[(key, "[\"/one\"]")]);
    let wanted = Wanted {
        cwd: Some("sub".into()),
        mode: Some(SandboxMode::WorkspaceWrite),
        writable: vec!["/two".into()],
        network: true,
    };
    let terms = bench.terms(&wanted).expect("they can be used");
    let cwd = home.path().join("here/sub");
    assert_eq!(roots(&terms), [cwd.as_path(), Path::new("/one"), Path::new("/two")]);
    let Mode::WorkspaceWrite { network, protected, .. } = &terms.mode else { unreachable!() };
    assert!(*network && protected.iter().any(|path| path == home.path()));
}

#[test]
fn the_environment_is_the_one_that_commands_of_a_thread_get() {
    let home = tempfile::tempdir().expect("a folder");
    let key = "shell_environment_policy.ignore_default_excludes";
    let terms = bench(home.path(), &[(key, "false")]).terms(&Wanted::default()).expect("fine");
    let names: Vec<_> = terms.env.iter().map(|(name, _)| name.to_string_lossy()).collect();
    assert_eq!(names, ["PATH", "CODEX_SANDBOX_NETWORK_DISABLED"], "no secret, and no network");
}

#[test]
fn folders_to_write_in_do_not_go_with_a_mode_that_writes_nothing() {
    let home = tempfile::tempdir().expect("a folder");
    let wanted = Wanted { writable: vec!["/two".into()], ..Wanted::default() };
    let refused = bench(home.path(), &[]).terms(&wanted);
    assert!(matches!(refused, Err(WorkbenchError::ReadOnly)), "{refused:?}");
}

#[test]
fn what_the_owner_of_the_machine_forbids_is_not_done() {
    let home = tempfile::tempdir().expect("a folder");
    let text = "allowed_sandbox_modes = [\"read-only\"]";
    std::fs::write(home.path().join("requirements.toml"), text).expect("a file");
    let mut bench = bench(home.path(), &[]);
    bench.config = bench.config.with_machine_folder(home.path().to_owned());
    let wanted = Wanted { mode: Some(SandboxMode::DangerFullAccess), ..Wanted::default() };
    let refused = bench.terms(&wanted);
    assert!(matches!(refused, Err(WorkbenchError::NotAllowed)), "{refused:?}");
    assert!(bench.terms(&Wanted::default()).is_ok());
}
