use std::path::Path;

use serde_json::{Value, json};

use super::{Setup, is_in_git, name_of, read_schema};
use crate::args::Shared;
use crate::client::Address;
use crate::exec::args::{ExecOptions, Sandbox};
use crate::reach::Remote;

fn setup(options: ExecOptions) -> Setup {
    Setup::new(Shared::default(), options).unwrap()
}

fn start(setup: &Setup) -> Value {
    serde_json::to_value(setup.thread_start()).unwrap()
}

fn remote() -> Remote {
    let remote = Some(Address::parse("ws://127.0.0.1:1").unwrap());
    Remote { remote, remote_auth_token_env: None }
}

#[test]
fn exec_never_asks_unless_the_user_set_a_policy() {
    assert_eq!(start(&setup(ExecOptions::default()))["approvalPolicy"], "never");
    let config = vec![("approval_policy".to_owned(), "untrusted".to_owned())];
    let shared = Shared { config, ..Shared::default() };
    let set = Setup::new(shared, ExecOptions::default()).unwrap();
    assert_eq!(start(&set).get("approvalPolicy"), None);
}

#[test]
fn the_bypass_switches_everything_off() {
    let params = start(&setup(ExecOptions { bypass: true, ..ExecOptions::default() }));
    assert_eq!(params["approvalPolicy"], "never");
    assert_eq!(params["sandbox"], "danger-full-access");
}

#[test]
fn options_become_members_of_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let options = ExecOptions {
        cd: Some(dir.path().to_owned()),
        add_dir: vec![dir.path().join("missing")],
        model: Some("m".into()),
        sandbox: Some(Sandbox::ReadOnly),
        ephemeral: true,
        thread_source: Some("sdk".into()),
        ..ExecOptions::default()
    };
    let params = start(&setup(options));
    let cwd = std::fs::canonicalize(dir.path()).unwrap();
    assert_eq!(params["cwd"], json!(cwd));
    assert_eq!(params["runtimeWorkspaceRoots"], json!([cwd, dir.path().join("missing")]));
    assert_eq!(params["model"], "m");
    assert_eq!(params["sandbox"], "read-only");
    assert_eq!(params["ephemeral"], true);
    assert_eq!(params["threadSource"], "sdk");
    assert_eq!(params.get("config"), None);
}

#[test]
fn a_daemon_elsewhere_gets_the_settings_and_keeps_its_folder() {
    let shared = Shared {
        config: vec![("model_reasoning_effort".into(), "high".into())],
        enable: vec!["x".into()],
        ..Shared::default()
    };
    let options = ExecOptions { remote: remote(), ..ExecOptions::default() };
    let params = start(&Setup::new(shared, options).unwrap());
    assert_eq!(params["config"], json!({"model_reasoning_effort": "high", "features.x": true}));
    assert_eq!(params.get("cwd"), None);
}

#[test]
fn a_resumed_thread_keeps_its_folder_unless_one_is_named() {
    let kept = setup(ExecOptions::default()).thread_resume("t");
    assert_eq!(kept.cwd, None);
    assert!(kept.exclude_turns);
    let dir = tempfile::tempdir().unwrap();
    let options = ExecOptions { cd: Some(dir.path().to_owned()), ..ExecOptions::default() };
    assert!(setup(options).thread_resume("t").cwd.is_some());
}

#[test]
fn pictures_stand_before_the_words_with_whole_paths() {
    let options = ExecOptions { image: vec!["/a.png".into()], ..ExecOptions::default() };
    let params = serde_json::to_value(setup(options).turn_start("t", "hi".into())).unwrap();
    assert_eq!(params["input"][0], json!({"type": "localImage", "path": "/a.png", "detail": null}));
    assert_eq!(params["input"][1]["text"], "hi");
    assert_eq!(params["turnTrigger"], "exec");
}

#[test]
fn a_schema_file_that_is_missing_or_broken_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("s.json");
    let missing = format!("{:#}", read_schema(&file).unwrap_err());
    assert!(missing.starts_with(&format!("failed to read the output schema {}", file.display())));
    std::fs::write(&file, "{").unwrap();
    assert!(format!("{:#}", read_schema(&file).unwrap_err()).contains("is not valid JSON: EOF"));
    std::fs::write(&file, r#"{"type":"object"}"#).unwrap();
    assert_eq!(read_schema(&file).unwrap(), json!({"type": "object"}));
}

#[test]
fn a_folder_below_a_work_tree_is_in_git() {
    let dir = tempfile::tempdir().unwrap();
    let inner = dir.path().join("a/b");
    std::fs::create_dir_all(&inner).unwrap();
    assert!(!is_in_git(&inner) || is_in_git(Path::new("/tmp")));
    std::fs::create_dir(dir.path().join(".git")).unwrap();
    assert!(is_in_git(&inner));
}

#[test]
fn a_policy_is_named_by_its_word() {
    assert_eq!(name_of(&spindle_schema::v2::AskForApproval::OnRequest), "on-request");
    assert_eq!(name_of(&json!({"granular": {}})), "granular");
}
