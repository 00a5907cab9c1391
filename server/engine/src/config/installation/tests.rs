use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::installation_id;

#[test]
fn the_name_is_made_once_and_kept() {
    let home = tempfile::tempdir().unwrap();
    let first = installation_id(home.path());
    assert!(uuid::Uuid::parse_str(&first).is_ok());
    assert_eq!(installation_id(home.path()), first);
    let mode = fs::metadata(home.path().join("installation_id")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_name_that_another_program_made_is_used_and_a_damaged_one_is_replaced() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("installation_id");
    fs::write(&path, "0195f0c2-4b8e-7d3a-9a53-111111111111\n").unwrap();
    assert_eq!(installation_id(home.path()), "0195f0c2-4b8e-7d3a-9a53-111111111111");
    fs::write(&path, "junk").unwrap();
    let fresh = installation_id(home.path());
    assert_eq!(fs::read_to_string(&path).unwrap(), fresh);
}

#[test]
fn a_home_that_cannot_be_made_gives_a_name_all_the_same() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(uuid::Uuid::parse_str(&installation_id(&file.join("home"))).is_ok());
}
