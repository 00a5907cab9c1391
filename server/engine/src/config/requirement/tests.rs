use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use spindle_schema::op::SettingsUpdate;
use spindle_schema::settings::{ApprovalPolicy, SandboxPolicy};
use tempfile::TempDir;

use super::Requirements;
use crate::config::{Config, Loader};

fn load(requirements: &str, user: &str) -> (TempDir, Loader, Arc<Config>) {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("config.toml"), user).unwrap();
    fs::write(home.path().join("requirements.toml"), requirements).unwrap();
    let env = Arc::new(HashMap::new());
    let loader = Loader::new(home.path().into(), Vec::new(), Vec::new(), env)
        .with_machine_folder(home.path().into());
    let config = loader.load(None, None).unwrap();
    (home, loader, config)
}

fn settled(config: &Config) -> (ApprovalPolicy, SandboxPolicy) {
    let settings = config.settings(Path::new("/srv"), &SettingsUpdate::default());
    (settings.approval_policy, settings.sandbox_policy)
}

const BOLD: &str = "approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n";

#[test]
fn without_a_file_nothing_is_demanded() {
    let none = Requirements::read(Path::new("/no/such/requirements.toml"));
    assert_eq!((none.to_protocol(), none), (None, Requirements::default()));
}

#[test]
fn what_is_not_allowed_becomes_the_first_choice_that_is() {
    let (_home, loader, config) = load(
        "allowed_approval_policies = [\"on-request\", \"untrusted\"]\n\
         allowed_sandbox_modes = [\"workspace-write\", \"read-only\"]\n",
        BOLD,
    );
    let (approval, sandbox) = settled(&config);
    assert_eq!((approval, sandbox.mode()), (ApprovalPolicy::OnRequest, "workspace-write"));
    assert_eq!(
        loader.requirements().to_protocol(),
        Some(json!({"allowedApprovalPolicies": ["on-request", "untrusted"],
            "allowedSandboxModes": ["workspace-write", "read-only"]}))
    );
}

#[test]
fn what_is_allowed_stays_as_it_is() {
    let (_home, _loader, config) = load(
        "allowed_approval_policies = [\"never\"]\nallowed_sandbox_modes = [\"danger-full-access\"]\n",
        BOLD,
    );
    assert_eq!(settled(&config), (ApprovalPolicy::Never, SandboxPolicy::DangerFullAccess));
}

#[test]
fn features_and_the_login_shell_are_pinned() {
    let (_home, _loader, config) = load(
        "allow_login_shell = false\n[features]\ngoals = false\n",
        "[features]\ngoals = true\n",
    );
    assert!(!config.features.enabled("goals") && !config.permission.allow_login_shell);
}

#[test]
fn a_demand_that_cannot_be_read_is_taken_for_the_most_careful_one() {
    let wrong = [
        "allowed_sandbox_modes = [",
        "allowed_sandbox_modes = \"read-only\"\n",
        "allowed_approval_policies = []\n",
    ];
    for text in wrong {
        let (home, _loader, config) = load(text, BOLD);
        let (approval, sandbox) = settled(&config);
        assert_eq!((approval, sandbox.mode()), (ApprovalPolicy::OnRequest, "read-only"), "{text}");
        let warning = config.warnings().last().unwrap();
        assert_eq!(warning.path, Some(home.path().join("requirements.toml")));
        assert!(warning.range.is_some(), "{text}");
    }
}

#[test]
fn what_is_not_allowed_is_told_with_what_is() {
    let (_home, _loader, config) = load("allowed_sandbox_modes = [\"read-only\"]\n", "");
    let mut settings = config.settings(Path::new("/srv"), &SettingsUpdate::default());
    assert_eq!(config.requirements().forbidden(&settings), []);
    settings.sandbox_policy = SandboxPolicy::DangerFullAccess;
    let forbidden = config.requirements().constrain(&mut settings);
    assert_eq!(
        forbidden.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["sandboxPolicy `danger-full-access` is not allowed by the owner of this machine; \
          allowed: read-only"]
    );
    assert_eq!(settings.sandbox_policy.mode(), "read-only");
}
