use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use spindle_model::provider::Auth;
use spindle_schema::op::SettingsUpdate;
use spindle_schema::settings::{ApprovalPolicy, ApprovalsReviewer, SandboxPolicy};
use tempfile::TempDir;

use crate::config::{Config, Error, Loader};

fn load(user: &str, env: &[(&str, &str)], cwd: Option<&Path>) -> (TempDir, Arc<Config>) {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("config.toml"), user).unwrap();
    let env: HashMap<_, _> = env.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    let loader = Loader::new(home.path().into(), Vec::new(), Vec::new(), Arc::new(env))
        .with_machine_folder(home.path().join("machine"));
    let config = loader.load(cwd, None).unwrap();
    (home, config)
}

const MOCK: &str = "model_provider = \"mock\"\n[model_providers.mock]\nname = \"Mock\"\n\
                    base_url = \"http://127.0.0.1:9/v1\"\n";

#[test]
fn a_thread_takes_the_settings_of_the_configuration() {
    let text = format!(
        "model = \"m\"\nmodel_reasoning_effort = \"high\"\napproval_policy = \"never\"\n\
         sandbox_mode = \"workspace-write\"\n{MOCK}[sandbox_workspace_write]\n\
         network_access = true\n"
    );
    let (_home, config) = load(&text, &[], None);
    let settings = config.settings(Path::new("/srv"), &SettingsUpdate::default());
    assert_eq!((&*settings.model, &*settings.model_provider), ("m", "mock"));
    assert_eq!(settings.effort.as_deref(), Some("high"));
    assert_eq!(settings.approval_policy, ApprovalPolicy::Never);
    assert_eq!(settings.approvals_reviewer, ApprovalsReviewer::User);
    assert!(matches!(
        settings.sandbox_policy,
        SandboxPolicy::WorkspaceWrite { network_access: true, exclude_slash_tmp: false, .. }
    ));
    assert_eq!((&*settings.cwd, &*settings.workspace_roots[0]), ("/srv", "/srv"));
}

#[test]
fn the_request_is_over_the_configuration() {
    let (_home, config) = load("model = \"m\"\napproval_policy = \"never\"\n", &[], None);
    let update = SettingsUpdate {
        model: Some("other".into()),
        service_tier: Some("fast".into()),
        approval_policy: Some(ApprovalPolicy::OnRequest),
        sandbox_policy: Some(SandboxPolicy::DangerFullAccess),
        cwd: Some("relative/./dir".into()),
        workspace_roots: Some(vec!["/tmp".into(), "sub".into()]),
        ..SettingsUpdate::default()
    };
    let settings = config.settings(Path::new("/srv"), &update);
    assert_eq!((&*settings.model, settings.service_tier.as_deref()), ("other", Some("priority")));
    assert_eq!(settings.approval_policy, ApprovalPolicy::OnRequest);
    assert_eq!(settings.sandbox_policy, SandboxPolicy::DangerFullAccess);
    assert_eq!(&*settings.cwd, "/srv/relative/dir");
    assert_eq!(settings.workspace_roots, ["/tmp".into(), "/srv/relative/dir/sub".into()]);
}

#[test]
fn an_empty_folder_is_the_servers_own() {
    let (_home, config) = load("", &[], None);
    let update = SettingsUpdate { cwd: Some("".into()), ..SettingsUpdate::default() };
    assert_eq!(&*config.settings(Path::new("/srv"), &update).cwd, "/srv");
}

#[test]
fn nothing_is_written_in_a_folder_of_which_nothing_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        (None, ApprovalPolicy::OnRequest, "read-only"),
        (Some("trusted"), ApprovalPolicy::OnRequest, "workspace-write"),
        (Some("untrusted"), ApprovalPolicy::Untrusted, "workspace-write"),
    ];
    for (level, approval, mode) in cases {
        let text = level.map_or_else(String::new, |level| {
            format!("[projects.{:?}]\ntrust_level = {level:?}\n", folder.path())
        });
        let (_home, config) = load(&text, &[], Some(folder.path()));
        assert_eq!(config.approval_policy(), approval, "{level:?}");
        assert_eq!(config.sandbox_policy().mode(), mode, "{level:?}");
    }
}

#[test]
fn a_permission_profile_stands_in_for_a_missing_sandbox_mode() {
    let profiles = "[permissions.mine]\nextends = \":workspace\"\n[permissions.bare]\n\
                    [permissions.a]\nextends = \"b\"\n[permissions.b]\nextends = \"a\"\n";
    let cases = [
        (":danger-full-access", "danger-full-access"),
        ("mine", "workspace-write"),
        ("bare", "read-only"),
        ("a", "read-only"),
        ("gone", "read-only"),
    ];
    for (profile, mode) in cases {
        let text = format!("default_permissions = {profile:?}\n{profiles}");
        let (_home, config) = load(&text, &[], None);
        assert_eq!(config.sandbox_policy().mode(), mode, "{profile}");
    }
    let (_home, config) = load("", &[], None);
    assert!(matches!(config.permission.profile_mode("nope"), Err(Error::NoPermissions)));
}

#[test]
fn a_provider_is_built_from_its_settings_and_the_environment() {
    let text = format!(
        "{MOCK}env_key = \"MY_KEY\"\nstream_max_retries = 2\n[features]\n\
                        unbounded_connection_retries = false\n"
    );
    let (_home, config) = load(&text, &[("MY_KEY", "k")], None);
    let provider = config.provider("mock").unwrap();
    assert_eq!(provider.base_url, "http://127.0.0.1:9/v1");
    assert!(matches!(&provider.auth, Auth::Bearer(key) if key.reveal() == "k"));
    assert_eq!(provider.retry.stream_max_retries, 2);
    assert!(!provider.retry.unbounded_connection_retries);
}

#[test]
fn a_provider_that_is_not_there_is_named() {
    let (_home, config) = load(MOCK, &[], None);
    assert_eq!(
        config.provider("absent").unwrap_err().to_string(),
        "Model provider `absent` not found"
    );
    assert!(config.provider("offline").is_ok());
}

#[test]
fn the_built_in_provider_can_have_another_address() {
    let (_home, config) = load("openai_base_url = \"http://127.0.0.1:7/v1\"\n", &[], None);
    assert_eq!(config.provider("openai").unwrap().base_url, "http://127.0.0.1:7/v1");
}

#[test]
fn the_offline_provider_has_a_model_of_its_own() {
    let (_home, config) = load("model_provider = \"offline\"\n", &[], None);
    assert_eq!(config.model_name(), spindle_model::provider::OFFLINE_MODEL);
}

#[test]
fn prompts_come_from_files_before_texts() {
    let (home, config) = load(
        "instructions = \"text\"\nmodel_instructions_file = \"base.md\"\ncompact_prompt = \"c\"\n",
        &[],
        None,
    );
    assert!(matches!(config.base_instructions(), Err(Error::Io { action: "read", .. })));
    std::fs::write(home.path().join("base.md"), "file").unwrap();
    assert_eq!(config.base_instructions().unwrap().as_deref(), Some("file"));
    assert_eq!(config.compact_prompt().unwrap().as_deref(), Some("c"));
}
