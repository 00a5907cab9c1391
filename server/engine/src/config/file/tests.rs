use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{FileState, Files};

fn parse(text: &str) -> FileState {
    FileState::parse(Path::new("/home/me/config.toml"), text.as_bytes(), None)
}

fn details(state: &FileState) -> Vec<&str> {
    state.warnings.iter().filter_map(|warning| warning.details.as_deref()).collect()
}

#[test]
fn a_syntax_error_costs_the_file_and_names_line_and_column() {
    let state = parse("model = [broken\n");
    assert!(state.is_broken && state.tree.is_empty());
    assert_eq!(details(&state), ["/home/me/config.toml:1:16: unclosed array, expected `]`"]);
}

#[test]
fn a_wrong_value_costs_that_setting_alone() {
    let state = parse(
        "model = \"m\"\nsandbox_mode = \"nope\"\napproval_policy = \"never\"\n\
         [model_providers.mock]\nname = \"Mock\"\nrequest_max_retries = \"many\"\n",
    );
    assert!(!state.is_broken);
    assert_eq!(
        Value::Object((*state.tree).clone()),
        json!({"model": "m", "approval_policy": "never",
            "model_providers": {"mock": {"name": "Mock"}}})
    );
    assert_eq!(
        details(&state),
        [
            "/home/me/config.toml:2:16: unknown variant `nope`, expected one of `read-only`, \
             `workspace-write`, `danger-full-access`",
            "/home/me/config.toml:6:23: invalid type: string \"many\", expected u64",
        ]
    );
    let range = state.warnings[0].range.unwrap();
    assert_eq!((range.start.column, range.end.column), (16, 21));
}

#[test]
fn bytes_that_are_no_text_are_told_with_their_place() {
    let state = FileState::parse(Path::new("/c.toml"), b"model = \"m\"\nx = \"\xff\"\n", None);
    assert!(state.is_broken);
    assert_eq!(details(&state), ["/c.toml:2:6: invalid UTF-8"]);
}

#[test]
fn a_byte_order_mark_is_no_fault() {
    let state = parse("\u{feff}model = \"m\"\n");
    assert_eq!((state.tree.get("model"), state.warnings.len()), (Some(&json!("m")), 0));
}

#[test]
fn a_file_is_read_again_only_when_it_changed() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("config.toml");
    let files = Files::default();
    let absent = files.read(&path, None);
    assert!(!absent.exists && absent.warnings.is_empty());
    std::fs::write(&path, "model = \"one\"\n").unwrap();
    let first = files.read(&path, None);
    assert_eq!(first.tree.get("model"), Some(&json!("one")));
    assert!(Arc::ptr_eq(&first, &files.read(&path, None)));
    std::fs::write(&path, "model = \"another\"\n").unwrap();
    assert_eq!(files.read(&path, None).tree.get("model"), Some(&json!("another")));
    std::fs::remove_file(&path).unwrap();
    assert!(!files.read(&path, None).exists);
}

#[test]
fn a_folder_in_the_place_of_a_file_is_told() {
    let home = tempfile::tempdir().unwrap();
    let state = Files::default().read(home.path(), None);
    assert!(state.is_broken);
    assert!(details(&state)[0].contains("directory"), "{:?}", details(&state));
}

#[test]
fn paths_start_at_the_folder_of_their_file() {
    let text = "model_instructions_file = \"prompt.md\"\n[sandbox_workspace_write]\n\
                writable_roots = [\"../x\", \"/abs\", \"~/y\"]\n";
    let state = FileState::parse(
        Path::new("/h/.codex/config.toml"),
        text.as_bytes(),
        Some(Path::new("/u")),
    );
    assert_eq!(state.tree["model_instructions_file"], "/h/.codex/prompt.md");
    assert_eq!(
        state.tree["sandbox_workspace_write"]["writable_roots"],
        json!(["/h/x", "/abs", "/u/y"])
    );
}
