use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{home, program_in, settings_file};
use crate::doctor::finding::Status;

#[test]
fn a_home_that_is_missing_is_fine_and_one_that_is_a_file_is_not() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(home(&dir.path().join("none")).status, Status::Ok);
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    assert_eq!(home(&file).status, Status::Fail);
}

#[test]
fn a_home_that_others_can_enter_is_told_with_the_remedy() {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let open = home(dir.path());
    assert_eq!(open.status, Status::Warn);
    assert!(open.detail.contains("chmod 700"), "{}", open.detail);
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(home(dir.path()).status, Status::Ok);
}

#[test]
fn a_settings_file_that_is_no_toml_is_named_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(settings_file(dir.path()).status, Status::Ok);
    let file = dir.path().join("config.toml");
    fs::write(&file, "model = \"m\"\n\n[broken\n").unwrap();
    let found = settings_file(dir.path());
    assert_eq!(found.status, Status::Fail);
    assert!(found.detail.starts_with(&format!("{}:3: ", file.display())), "{}", found.detail);
    fs::write(&file, "model = \"m\"\n").unwrap();
    assert_eq!(settings_file(dir.path()).status, Status::Ok);
}

#[test]
fn a_program_is_found_where_it_can_be_run() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tool");
    fs::write(&file, "").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let paths = std::env::join_paths(["/nowhere".as_ref(), dir.path()]).unwrap();
    assert_eq!(program_in(&paths, "tool"), Some(file));
    assert_eq!(program_in(&paths, "none"), None);
}
