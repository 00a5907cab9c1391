use std::fs;
use std::path::Path;

use serde_json::json;

use super::{folders, root_of, settings_folders, trust_of};
use crate::config::TrustLevel;

fn git() -> Vec<String> {
    vec![".git".to_owned()]
}

#[test]
fn a_project_starts_at_its_marker_and_reaches_down_to_the_working_folder() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().join("repo");
    let cwd = root.join("a/b");
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::create_dir_all(&cwd).unwrap();
    assert_eq!(root_of(&cwd, &git()), Some(&*root));
    assert_eq!(folders(&cwd, &git()), [&*root, &root.join("a"), &cwd]);
    assert_eq!(root_of(&cwd, &["no-such-marker".to_owned()]), None);
    assert_eq!(folders(&cwd, &["no-such-marker".to_owned()]), [&*cwd]);
}

#[test]
fn only_folders_with_a_file_count_and_our_home_never_does() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path();
    let cwd = root.join("a/b");
    fs::create_dir(root.join(".git")).unwrap();
    for folder in [root.to_owned(), root.join("a"), cwd.clone()] {
        fs::create_dir_all(folder.join(".codex")).unwrap();
    }
    fs::write(root.join(".codex/config.toml"), "").unwrap();
    fs::write(cwd.join(".codex/config.toml"), "").unwrap();
    assert_eq!(
        settings_folders(&cwd, &git(), Path::new("/elsewhere")),
        [root.join(".codex"), cwd.join(".codex")]
    );
    assert_eq!(settings_folders(&cwd, &git(), &root.join(".codex")), [cwd.join(".codex")]);
}

#[test]
fn trust_is_that_of_the_folder_before_that_of_the_root() {
    let settings = json!({"projects": {
        "/r": {"trust_level": "trusted"},
        "/r/a": {"trust_level": "untrusted"},
        "/r/b": {},
    }});
    let settings = settings.as_object().unwrap();
    let root = Some(Path::new("/r"));
    let trust = |cwd: &str| trust_of(settings, Path::new(cwd), root);
    assert_eq!(trust("/r/a"), Some(TrustLevel::Untrusted));
    assert_eq!(trust("/r/b"), Some(TrustLevel::Trusted));
    assert_eq!(trust_of(settings, Path::new("/q"), None), None);
}
