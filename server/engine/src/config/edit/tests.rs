use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Edit, MergeStrategy, OnBroken, WriteRequest, Written};
use crate::config::{Error, LayerSource, Loader};

struct Home {
    folder: TempDir,
    loader: Loader,
}

impl Home {
    fn new(text: &str, cli: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("config.toml"), text).unwrap();
        let cli = cli.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let env = Arc::new(HashMap::new());
        let loader = Loader::new(folder.path().into(), cli, Vec::new(), env)
            .with_machine_folder(folder.path().join("machine"));
        Self { folder, loader }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("config.toml")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    fn version(&self) -> Arc<str> {
        let config = self.loader.load(None, None).unwrap();
        let user = config
            .layers()
            .find(|layer| matches!(layer.metadata().name, LayerSource::User { profile: None, .. }));
        user.unwrap().metadata().version.clone()
    }

    fn write(&self, edits: &[(&str, Value)]) -> Result<Written, Error> {
        self.write_with(edits, |_| ())
    }

    fn write_with(
        &self,
        edits: &[(&str, Value)],
        change: impl FnOnce(&mut WriteRequest<'_>),
    ) -> Result<Written, Error> {
        let edits: Vec<_> = edits
            .iter()
            .map(|(name, value)| Edit {
                key_path: (*name).to_owned(),
                value: value.clone(),
                strategy: MergeStrategy::Replace,
            })
            .collect();
        let mut request = WriteRequest {
            edits: &edits,
            file: None,
            expected_version: None,
            on_broken: OnBroken::Refuse,
        };
        change(&mut request);
        self.loader.write(&request)
    }
}

fn refusal(result: Result<Written, Error>) -> (Option<&'static str>, String) {
    let error = result.unwrap_err();
    (error.write_code(), error.to_string())
}

#[test]
fn a_change_is_seen_by_the_next_read_and_has_the_version_that_it_tells() {
    let home = Home::new("model = \"a\" # mine\n", &[]);
    let before = home.version();
    let written = home.write(&[("model", json!("b"))]).unwrap();
    assert_eq!(written.file, home.file());
    assert_eq!(written.version, home.version());
    assert_ne!(written.version, before);
    assert_eq!(home.text(), "model = \"b\" # mine\n");
    let config = home.loader.load(None, None).unwrap();
    assert_eq!(config.model.model.as_deref(), Some("b"));
}

#[test]
fn the_same_value_again_leaves_version_and_file_alone() {
    let home = Home::new("model = 'a'\n", &[]);
    let first = home.write(&[("model", json!("b"))]).unwrap();
    let stamp = fs::metadata(home.file()).unwrap().modified().unwrap();
    let second = home.write(&[("model", json!("b"))]).unwrap();
    assert_eq!(first, second);
    assert_eq!(fs::metadata(home.file()).unwrap().modified().unwrap(), stamp);
    assert_eq!(home.write(&[]).unwrap().version, second.version);
}

#[test]
fn a_value_that_does_not_fit_is_refused_with_everything_beside_it() {
    let home = Home::new("model = \"m\"\n", &[]);
    let both = [("model", json!("m6")), ("sandbox_mode", json!("bad"))];
    assert_eq!(
        refusal(home.write(&both)),
        (
            Some("configValidationError"),
            "Invalid configuration: unknown variant `bad`, expected one of `read-only`, \
             `workspace-write`, `danger-full-access`\nin `sandbox_mode`\n"
                .to_owned()
        )
    );
    assert_eq!(
        refusal(home.write(&[("model", json!(5))])).1,
        "Invalid configuration: invalid type: integer `5`, expected a string\nin `model`\n"
    );
    assert_eq!(home.text(), "model = \"m\"\n");
}

#[test]
fn a_fault_that_is_already_there_does_not_stop_other_changes_and_can_be_repaired() {
    let home = Home::new("sandbox_mode = \"nope\"\nmodel = \"m\"\n", &[]);
    home.write(&[("model", json!("n"))]).unwrap();
    home.write(&[("sandbox_mode", json!("read-only"))]).unwrap();
    assert_eq!(home.text(), "sandbox_mode = \"read-only\"\nmodel = \"n\"\n");
    assert!(home.loader.warnings().is_empty());
}

#[test]
fn names_without_parts_are_refused() {
    let home = Home::new("", &[]);
    let code = Some("configValidationError");
    assert_eq!(refusal(home.write(&[("", json!(1))])), (code, "keyPath must not be empty".into()));
    assert_eq!(
        refusal(home.write(&[("a..b", json!(1))])),
        (code, "keyPath segments must not be empty".into())
    );
}

#[test]
fn a_change_to_another_state_than_the_one_read_is_refused() {
    let home = Home::new("model = \"m\"\n", &[]);
    let stale = home.version();
    fs::write(home.file(), "model = \"edited by hand\"\n").unwrap();
    let with = |version: &str| {
        home.write_with(&[("model", json!("x"))], |request| {
            // The text outlives the request: both end with this call.
            request.expected_version = Some(Box::leak(version.to_owned().into_boxed_str()));
        })
    };
    assert_eq!(
        refusal(with(&stale)),
        (
            Some("configVersionConflict"),
            "Configuration was modified since last read. Fetch latest version and retry.".into()
        )
    );
    with(&home.version()).unwrap();
    assert_eq!(home.text(), "model = \"x\"\n");
}

#[test]
fn no_file_but_the_users_is_written() {
    let home = Home::new("", &[]);
    for file in ["rel.toml", "config.toml", "/etc/codex/config.toml"] {
        let result = home.write_with(&[("model", json!("x"))], |request| request.file = Some(file));
        assert_eq!(refusal(result).0, Some("configLayerReadonly"), "{file}");
    }
    let file = home.file().display().to_string();
    let named = WriteRequest {
        edits: &[],
        file: Some(&file),
        expected_version: None,
        on_broken: OnBroken::Refuse,
    };
    assert!(home.loader.write(&named).is_ok());
}

#[test]
fn a_change_that_something_hides_is_told() {
    let home = Home::new("model = \"m\"\n", &[("model", "flag")]);
    let written = home.write(&[("review_model", json!("r")), ("model", json!("x"))]).unwrap();
    let overridden = written.overridden.unwrap();
    assert_eq!(overridden.message, "Overridden by session flags");
    assert_eq!(overridden.effective_value, json!("flag"));
    assert_eq!(overridden.layer.name, LayerSource::SessionFlags);
    assert_eq!(home.write(&[("model", json!("flag"))]).unwrap().overridden, None);
}

#[test]
fn a_broken_file_is_left_alone_until_somebody_asks_to_replace_it() {
    let broken = "model = [broken\n";
    let home = Home::new(broken, &[]);
    let change = [("model", json!("m"))];
    let (code, text) = refusal(home.write(&change));
    assert_eq!(
        (code, text),
        (None, format!("{}:1:16: unclosed array, expected `]`", home.file().display()))
    );
    assert_eq!(home.text(), broken);
    for backup in ["config.toml.broken", "config.toml.broken-2"] {
        fs::write(home.file(), broken).unwrap();
        let written =
            home.write_with(&change, |request| request.on_broken = OnBroken::Replace).unwrap();
        assert_eq!(home.text(), "model = \"m\"\n");
        let backup = home.folder.path().join(backup);
        assert_eq!(fs::read_to_string(&backup).unwrap(), broken);
        assert_eq!(written.backup, Some(backup));
    }
    assert!(home.loader.warnings().is_empty());
}

#[test]
fn a_home_without_a_file_gets_one() {
    let home = Home::new("", &[]);
    fs::remove_file(home.file()).unwrap();
    home.write(&[("mcp_servers.foo", json!({"command": "x"}))]).unwrap();
    assert_eq!(home.text(), "[mcp_servers.foo]\ncommand = \"x\"\n");
}

#[test]
fn a_sequence_of_changes_leaves_the_file_that_was_recorded() {
    let home = Home::new(include_str!("before.toml"), &[]);
    let steps = [
        ("model", json!("m1")),
        ("tools.web_search", json!(true)),
        ("mcp_servers.foo", json!({"command": "x"})),
        ("mcp_servers.foo", json!({"command": "z"})),
        ("mcp_servers.foo", Value::Null),
        ("model", Value::Null),
        ("no_such_key", json!(1)),
        ("model", json!("m4")),
        ("model", json!("m5")),
        ("model_reasoning_effort", json!("high")),
    ];
    for step in steps {
        home.write(&[step]).unwrap();
    }
    assert_eq!(home.text(), include_str!("after.toml"));
}
