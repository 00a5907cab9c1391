use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::Loader;
use crate::config::{Answers, Config, FrontendSettings, LayerSource, SandboxMode, TrustLevel};

/// A home, a project and a machine folder of one test's own.
struct Place {
    temp: TempDir,
}

impl Place {
    fn new(user: &str) -> Self {
        let temp = tempfile::tempdir().unwrap();
        for folder in ["home", "machine", "repo/.git", "repo/sub/.codex", "repo/.codex"] {
            fs::create_dir_all(temp.path().join(folder)).unwrap();
        }
        fs::write(temp.path().join("home/config.toml"), user).unwrap();
        Self { temp }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn loader(&self, cli: &[(&str, &str)]) -> Loader {
        let cli = cli.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        Loader::new(self.path("home"), cli, Vec::new(), Arc::new(HashMap::new()))
            .with_machine_folder(self.path("machine"))
    }

    fn trusted(&self) -> String {
        format!("[projects.{:?}]\ntrust_level = \"trusted\"\n", self.path("repo"))
    }
}

fn model(config: &Config) -> Option<&str> {
    config.model.model.as_deref()
}

#[test]
fn an_empty_home_gives_the_defaults_and_no_warning() {
    let place = Place::new("");
    let config = place.loader(&[]).load(None, None).unwrap();
    assert_eq!((model(&config), &*config.model.provider), (None, "openai"));
    assert!(config.warnings().is_empty());
    assert_eq!(config.prompt.project_doc_max_bytes, 32768);
}

#[test]
fn each_source_is_over_the_one_before() {
    let place = Place::new("");
    let sub = place.path("repo/sub");
    let user = format!("model = \"user\"\nprofile = \"p\"\n{}", place.trusted());
    let expected = ["machine", "user", "root", "sub", "profile", "flag", "request", "owner"];
    for count in 1..=expected.len() {
        let has = |name: &str| expected[..count].contains(&name);
        place.write("machine/config.toml", "model = \"machine\"\n");
        let mut text = if has("user") { user.clone() } else { place.trusted() };
        if has("profile") {
            text.push_str("[profiles.p]\nmodel = \"profile\"\n");
        }
        place.write("home/config.toml", &text);
        if has("root") {
            place.write("repo/.codex/config.toml", "model = \"root\"\n");
        }
        if has("sub") {
            place.write("repo/sub/.codex/config.toml", "model = \"sub\"\n");
        }
        if has("owner") {
            place.write("machine/managed_config.toml", "model = \"owner\"\n");
        }
        let cli: &[_] = if has("flag") { &[("model", "flag")] } else { &[] };
        let request = json!({"model": "request"});
        let overrides = has("request").then(|| request.as_object().unwrap());
        let config = place.loader(cli).load(Some(&sub), overrides).unwrap();
        assert_eq!(model(&config), Some(expected[count - 1]));
    }
}

#[test]
fn a_project_counts_only_when_its_folder_is_trusted() {
    let place = Place::new("model = \"user\"\n");
    place.write("repo/.codex/config.toml", "model = \"project\"\nsandbox_mode = 1\n");
    let loader = place.loader(&[]);
    let sub = place.path("repo/sub");
    let config = loader.load(Some(&sub), None).unwrap();
    assert_eq!((model(&config), config.trust()), (Some("user"), None));
    assert!(config.warnings().is_empty(), "what does not count is not judged");
    assert!(config.layers.iter().any(|layer| layer.disabled_reason().is_some()));

    let request = json!({"projects": {place.path("repo").to_str().unwrap():
        {"trust_level": "trusted"}}});
    let config = loader.load(Some(&sub), request.as_object()).unwrap();
    assert_eq!(model(&config), Some("project"));
    assert_eq!(config.trust(), Some(TrustLevel::Trusted));
    assert_eq!(config.warnings().len(), 1, "the wrong value in the project's file");
}

#[test]
fn a_project_cannot_send_keys_elsewhere_nor_trust_itself() {
    let place = Place::new("");
    place.write("home/config.toml", &place.trusted());
    place.write(
        "repo/.codex/config.toml",
        "openai_base_url = \"http://evil\"\nmodel = \"m\"\n[model_providers.x]\nname = \"x\"\n",
    );
    let config = place.loader(&[]).load(Some(&place.path("repo")), None).unwrap();
    assert_eq!(model(&config), Some("m"));
    assert_eq!(config.openai_base_url, None);
    assert!(config.providers.is_empty());
    assert_eq!(config.warnings().len(), 2);
    assert!(config.warnings()[0].summary.contains("a project may not set `model_providers`"));
}

#[test]
fn command_line_values_are_toml_or_else_plain_texts() {
    let place = Place::new("");
    let config = place
        .loader(&[
            ("model_reasoning_effort", "high"),
            ("model_context_window", "4000"),
            ("model", "\"quoted\""),
            ("sandbox_workspace_write.writable_roots", "[\"/a\"]"),
            ("sandbox_workspace_write.network_access", "true"),
            ("model_providers.mock", "{ name = \"Mock\", base_url = \"http://127.0.0.1:1/v1\" }"),
            ("openai_base_url", "http://127.0.0.1:2/v1"),
        ])
        .load(None, None)
        .unwrap();
    assert_eq!(config.model.effort.as_deref(), Some("high"));
    assert_eq!(config.model.context_window, Some(4000));
    assert_eq!(model(&config), Some("quoted"));
    assert_eq!(config.permission.workspace_write.writable_roots, ["/a"]);
    assert!(config.permission.workspace_write.network_access);
    assert_eq!(config.providers["mock"].name.as_deref(), Some("Mock"));
    assert_eq!(config.openai_base_url.as_deref(), Some("http://127.0.0.1:2/v1"));
}

#[test]
fn features_of_the_command_line_are_over_those_of_files() {
    let place = Place::new("[features]\ngoals = true\nmulti_agent_v2 = true\n");
    let loader = Loader::new(
        place.path("home"),
        Vec::new(),
        vec![("goals".into(), false), ("mystery".into(), true)],
        Arc::new(HashMap::new()),
    );
    let config = loader.load(None, None).unwrap();
    assert!(!config.features.enabled("goals"));
    assert!(config.features.enabled("multi_agent_v2"));
    assert!(config.warnings()[0].summary.contains("session-flags: `features.mystery` is ignored."));
}

#[test]
fn overrides_are_nested_or_dotted_and_nulls_say_nothing() {
    let place = Place::new("model = \"m\"\n[tools]\nupdate_plan = true\n");
    let request = json!({
        "model": null,
        "features.goals": false,
        "features": {"hooks": false},
        "sandbox_workspace_write": {"network_access": true, "writable_roots": null},
    });
    let config = place.loader(&[]).load(None, request.as_object()).unwrap();
    assert_eq!(model(&config), Some("m"));
    assert!(!config.features.enabled("goals") && !config.features.enabled("hooks"));
    assert!(config.permission.workspace_write.network_access);
    assert_eq!(config.tool.update_plan, Some(true));
}

#[test]
fn a_wrong_override_or_flag_refuses_the_request() {
    let place = Place::new("sandbox_mode = \"read-only\"\n");
    let request = json!({"sandbox_mode": "nope"});
    let error = place.loader(&[]).load(None, request.as_object()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown variant `nope`, expected one of `read-only`, `workspace-write`, \
         `danger-full-access`\nin `sandbox_mode`\n"
    );
    assert!(error.is_callers_fault());
    let loader = place.loader(&[("model", "5")]);
    assert!(loader.load(None, None).unwrap_err().to_string().contains("in `model`"));
    assert_eq!(loader.warnings().len(), 1);
    assert!(place.loader(&[("a..b", "5")]).load(None, None).is_err());
}

#[test]
fn settings_that_nobody_knows_are_kept_and_told_with_their_source() {
    let place = Place::new("no_such_key = 1\nmodel = \"m\"\n");
    let request = json!({"other": {"x": 1}});
    let config = place.loader(&[]).load(None, request.as_object()).unwrap();
    assert_eq!(config.raw("no_such_key"), Some(&json!(1)));
    assert_eq!(
        config.warnings()[0].summary,
        format!(
            "Spindle is ignoring 2 unrecognized configuration settings. Check for typos or \
             deprecated settings.\n  {}: `no_such_key` is ignored.\n  session-flags: `other` is \
             ignored.",
            place.path("home/config.toml").display()
        )
    );
}

#[test]
fn a_broken_file_leaves_the_other_sources_in_place() {
    let place = Place::new("model = \"x\nbroken = = 1\n");
    let config = place.loader(&[("model", "flag")]).load(None, None).unwrap();
    assert_eq!(model(&config), Some("flag"));
    let warning = &config.warnings()[0];
    assert_eq!(warning.path, Some(place.path("home/config.toml")));
    assert_eq!(warning.range.map(|range| range.start.line), Some(2));
    let user = config.layers().nth(1).unwrap();
    assert_eq!(user.disabled_reason(), warning.details.as_deref());
}

#[test]
fn a_wrong_value_above_leaves_the_right_one_below() {
    let place = Place::new("sandbox_mode = \"nope\"\n");
    place.write("machine/config.toml", "sandbox_mode = \"workspace-write\"\n");
    let config = place.loader(&[]).load(None, None).unwrap();
    assert_eq!(config.permission.sandbox_mode, Some(SandboxMode::WorkspaceWrite));
    assert_eq!(config.warnings().len(), 1);
}

#[test]
fn a_profile_that_is_not_there_is_told() {
    let place = Place::new("profile = \"gone\"\n");
    let config = place.loader(&[]).load(None, None).unwrap();
    assert!(config.warnings()[0].summary.contains("`gone`"));
}

#[test]
fn a_profile_of_the_command_line_replaces_that_of_the_file_and_loses_wrong_values() {
    let place = Place::new(
        "profile = \"a\"\n[profiles.a]\nmodel = \"a\"\n[profiles.b]\nmodel = \"b\"\n\
         sandbox_mode = 4\n",
    );
    let config = place.loader(&[("profile", "b")]).load(None, None).unwrap();
    assert_eq!((model(&config), config.permission.sandbox_mode), (Some("b"), None));
    assert!(config.warnings()[0].reason().contains("in `profiles.b.sandbox_mode`"));
    let source = &config.layers[2].metadata.name;
    assert!(matches!(source, LayerSource::User { profile: Some(name), .. } if name == "b"));
}

#[test]
fn nothing_is_made_again_while_nothing_changes() {
    let place = Place::new("model = \"one\"\n");
    let loader = place.loader(&[]);
    let repo = place.path("repo");
    let first = loader.load(Some(&repo), None).unwrap();
    let empty = serde_json::Map::new();
    assert!(Arc::ptr_eq(&first, &loader.load(Some(&repo), Some(&empty)).unwrap()));
    place.write("home/config.toml", "model = \"another\"\n");
    let second = loader.load(Some(&repo), None).unwrap();
    assert_eq!(model(&second), Some("another"));
    assert_eq!(model(&first), Some("one"), "a running thread keeps what it started with");
}

#[test]
fn every_key_that_traces_and_clients_set_is_read_without_a_word() {
    let place = Place::new(include_str!("every_key.toml"));
    let config = place.loader(&[]).load(None, None).unwrap();
    assert_eq!(config.warnings(), []);
    assert_eq!(config.tool.update_plan, Some(true));
    assert!(!config.tool.view_image);
    assert!(!config.permission.allow_login_shell);
    assert_eq!(config.environment.exclude, ["AWS_*"]);
    let unload_after = Some(std::time::Duration::from_mins(1));
    let frontend = FrontendSettings { answers: Answers::Owner, unload_after };
    assert_eq!(config.frontend, frontend);
    assert_eq!(config.permission.profile_mode("net").unwrap(), SandboxMode::WorkspaceWrite);
    assert!(config.permission.profile_mode("nope").is_err());
    assert_eq!(config.raw("mcp_servers").and_then(|s| s["tiny"]["args"][0].as_str()), Some("x"));
    assert_eq!(
        config.raw("hooks").map(|hooks| &hooks["state"]["k"]["trusted_hash"]),
        Some(&Value::from("h"))
    );
}
