use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::config::{Config, LayerSource, Loader};

fn load(user: &str, cli: &[(&str, &str)]) -> (TempDir, Arc<Config>) {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("config.toml"), user).unwrap();
    let cli = cli.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let loader = Loader::new(home.path().into(), cli, Vec::new(), Arc::new(HashMap::new()))
        .with_machine_folder(home.path().join("machine"));
    let config = loader.load(None, None).unwrap();
    (home, config)
}

const PLAIN: &str = "model = \"gpt-5.2-codex\"\nmodel_provider = \"mock\"\n\
    approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n[model_providers.mock]\n\
    name = \"Mock\"\nbase_url = \"http://127.0.0.1:1/v1\"\nwire_api = \"responses\"\n\
    request_max_retries = 0\nstream_max_retries = 0\n";

#[test]
fn a_plain_file_reads_as_recorded() {
    let (_home, config) = load(PLAIN, &[]);
    let recorded: Value = serde_json::from_str(include_str!("plain.json")).unwrap();
    let ours = config.effective();
    for (name, value) in recorded.as_object().unwrap() {
        assert_eq!(ours.get(name), Some(value), "{name}");
    }
    assert_eq!(ours.as_object().unwrap().len(), recorded.as_object().unwrap().len());
}

#[test]
fn partial_tables_are_filled_and_unknown_names_left_out() {
    let (_home, config) = load(
        "no_such_key = 1\n[tools]\nweb_search = true\n[sandbox_workspace_write]\n\
         network_access = true\n[history]\npersistence = \"none\"\n[features]\ngoals = false\n\
         memories = true\n[shell_environment_policy]\ninherit = \"core\"\n",
        &[],
    );
    let all = config.effective();
    assert_eq!(all["tools"], json!({"web_search": null}));
    assert_eq!(
        all["sandbox_workspace_write"],
        json!({"writable_roots": [], "network_access": true, "exclude_tmpdir_env_var": false,
            "exclude_slash_tmp": false})
    );
    assert_eq!(all["history"], json!({"persistence": "none", "max_bytes": null}));
    assert_eq!(
        (&all["features"]["goals"], &all["features"]["memories"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(all["shell_environment_policy"]["inherit"], "core");
    assert_eq!(all["shell_environment_policy"]["set"], Value::Null);
    assert!(all.get("no_such_key").is_none());
}

#[test]
fn every_value_knows_the_source_that_won() {
    let (home, config) = load(
        "model = \"m\"\nno_such_key = 1\n[tools]\nview_image = { enabled = true }\n",
        &[("model", "flag"), ("tools.view_image", "false"), ("tools.update_plan.enabled", "true")],
    );
    let origins = config.origins();
    let source = |name: &str| origins.get(name).map(|layer| &layer.name);
    let user = LayerSource::User { file: home.path().join("config.toml"), profile: None };
    assert_eq!(source("model"), Some(&LayerSource::SessionFlags));
    assert_eq!(source("no_such_key"), Some(&user));
    assert_eq!(source("tools.view_image"), Some(&LayerSource::SessionFlags));
    assert_eq!(source("tools.view_image.enabled"), None);
    assert_eq!(source("tools.update_plan.enabled"), Some(&LayerSource::SessionFlags));
}

#[test]
fn layers_come_from_the_top_with_the_machines_even_when_it_has_no_file() {
    let (home, config) = load("model = \"m\"\n", &[("model", "flag")]);
    let layers: Vec<_> =
        config.layers().map(|layer| (layer.metadata().name.label(), layer.settings())).collect();
    let user = home.path().join("config.toml").display().to_string();
    let machine = home.path().join("machine/config.toml").display().to_string();
    assert_eq!(
        layers,
        [
            ("session-flags".to_owned(), json!({"model": "flag"})),
            (user, json!({"model": "m"})),
            (machine, json!({})),
        ]
    );
}

#[test]
fn secrets_are_not_told() {
    let (_home, config) = load(
        "[model_providers.x]\nexperimental_bearer_token = \"sk-secret\"\n[profiles.p.\
         model_providers.x]\nexperimental_bearer_token = \"sk-secret\"\n",
        &[],
    );
    let mut told = config.effective().to_string();
    for layer in config.layers() {
        told.push_str(&layer.settings().to_string());
    }
    assert!(!told.contains("sk-secret") && told.contains("[redacted]"));
}
