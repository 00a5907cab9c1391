use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use spindle_exec::network::{Limits, Pattern, Reach};
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

const NETWORK: &str = "default_permissions = \"net\"\n[features]\nnetwork_proxy = true\n\
    [permissions.base]\nextends = \":workspace\"\n[permissions.base.network]\nenabled = true\n\
    allow_local_binding = true\ndomains = { \"a.example\" = \"allow\", \"b.example\" = \"allow\" }\n\
    [permissions.net]\nextends = \"base\"\n[permissions.net.network]\nmode = \"limited\"\n\
    domains = { \"b.example\" = \"deny\" }\n[permissions.net.filesystem]\n\":tmpdir\" = \"read\"\n";

fn patterns(names: &[&str]) -> Vec<Pattern> {
    names.iter().map(|name| Pattern::parse(name).expect("a pattern")).collect()
}

#[test]
fn a_profile_has_the_managed_network_with_what_it_extends() {
    let (_home, _, config) = load("", NETWORK);
    let network = config.managed_network().expect("it is switched on");
    assert_eq!(network.profile.as_deref(), Some("net"));
    let limits = Limits {
        allow: patterns(&["a.example"]),
        deny: patterns(&["b.example"]),
        reach: Reach::Limited,
        local: true,
        closed: false,
    };
    assert_eq!(network.limits, limits);
    let expected = SandboxPolicy::WorkspaceWrite {
        writable_roots: Vec::new(),
        network_access: true,
        exclude_tmpdir_env_var: true,
        exclude_slash_tmp: false,
    };
    assert_eq!(settled(&config).1, expected);
}

#[test]
fn the_managed_network_takes_feature_profile_and_switch() {
    for (part, instead) in [
        ("network_proxy = true", "network_proxy = false"),
        ("default_permissions = \"net\"", "default_permissions = \":workspace\""),
        ("enabled = true", "enabled = false"),
    ] {
        let (_home, _, config) = load("", &NETWORK.replace(part, instead));
        assert_eq!(config.managed_network(), None, "{part}");
        let SandboxPolicy::WorkspaceWrite { network_access, .. } = settled(&config).1 else {
            panic!("the workspace can be written");
        };
        assert!(!network_access, "{part}");
    }
}

#[test]
fn the_owner_decides_over_the_managed_network() {
    let demanded = |text: &str, user: &str| {
        let (_home, _, config) = load(&format!("[experimental_network]\n{text}"), user);
        config.managed_network()
    };
    assert_eq!(demanded("enabled = false", NETWORK), None);
    let alone = demanded("enabled = true", "").expect("it is demanded");
    assert_eq!((alone.profile, alone.limits), (None, Limits::default()));
    let closed = demanded(
        "managed_allowed_domains_only = true\nallow_local_binding = false\n\
         allowed_domains = [\"c.example\"]\ndomains = { \"d.example\" = \"deny\" }",
        NETWORK,
    );
    let limits = closed.expect("the profile has it").limits;
    assert!(limits.closed && !limits.local);
    assert_eq!(limits.allow, patterns(&["c.example"]));
    assert_eq!(limits.deny, patterns(&["b.example", "d.example"]));
}

#[test]
fn a_demand_about_the_network_that_cannot_be_read_makes_everything_careful() {
    let (_home, _, config) = load("[experimental_network]\nallowed_domains = [\"a b\"]", BOLD);
    assert_eq!(config.warnings().len(), 1, "{:?}", config.warnings());
    assert_ne!(settled(&config).1, SandboxPolicy::DangerFullAccess);
}

#[test]
fn demands_about_the_network_are_told_in_the_protocols_words() {
    let (_home, loader, _) = load("[experimental_network]\nallow_local_binding = true", "");
    let told = loader.requirements().to_protocol();
    assert_eq!(told, Some(json!({ "network": { "allowLocalBinding": true } })));
}

#[test]
fn a_host_in_a_profile_that_is_none_is_warned_of() {
    let (_home, _, config) = load("", &NETWORK.replace("\"a.example\"", "\"a b\""));
    assert!(
        config.warnings().iter().any(|warning| format!("{warning:?}").contains("neither a host"))
    );
    assert!(config.managed_network().is_some());
}
