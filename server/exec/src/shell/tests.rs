use std::os::unix::fs::PermissionsExt;

use super::*;

fn folder_with(programs: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for program in programs {
        let path = folder.path().join(program);
        std::fs::write(&path, "").expect("it is written");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("its mode is set");
    }
    folder
}

#[test]
fn the_users_shell_is_taken_when_it_is_one_we_know() {
    let folder = folder_with(&["zsh", "fish"]);
    let zsh = folder.path().join("zsh");
    let shell = Shell::detect(Some(zsh.as_os_str()));
    assert_eq!((shell.kind(), shell.path()), (ShellKind::Zsh, zsh.as_path()));
    let other = Shell::detect(Some(folder.path().join("fish").as_os_str()));
    assert!(other.path().starts_with("/") && !other.path().starts_with(folder.path()));
}

#[test]
fn a_shell_that_is_not_there_is_not_taken() {
    let shell = Shell::detect(Some(OsStr::new("/no/such/bash")));
    assert!(shell.path().is_file());
}

#[test]
fn a_shell_asked_for_is_found_by_its_name() {
    let folder = folder_with(&["sh", "bash"]);
    let shell = Shell::named("/bin/sh", folder.path().as_os_str());
    assert_eq!(shell.path(), folder.path().join("sh"));
    let shell = Shell::named("bash", folder.path().as_os_str());
    assert_eq!((shell.kind(), shell.path()), (ShellKind::Bash, &*folder.path().join("bash")));
}

#[test]
fn an_unknown_shell_becomes_sh() {
    let folder = folder_with(&["fish"]);
    for asked in ["/no/such/shell", "fish", "zsh", ""] {
        let shell = Shell::named(asked, folder.path().as_os_str());
        assert_eq!((shell.kind(), shell.path()), (ShellKind::Sh, Path::new("/bin/sh")));
    }
}

#[test]
fn a_script_becomes_a_command_with_or_without_login() {
    let shell = Shell { kind: ShellKind::Bash, path: "/bin/bash".into() };
    assert_eq!(shell.argv("ls", true), ["/bin/bash", "-lc", "ls"]);
    assert_eq!(shell.argv("ls", false), ["/bin/bash", "-c", "ls"]);
}

#[test]
fn a_command_is_shown_with_quotes_where_they_are_needed() {
    let shell = Shell { kind: ShellKind::Bash, path: "/bin/bash".into() };
    assert_eq!(display(&shell.argv("touch made", true)), "/bin/bash -lc 'touch made'");
    assert_eq!(display(&shell.argv("ls", true)), "/bin/bash -lc ls");
    let tr = display(&shell.argv(r#"tr "\n" " ""#, true));
    assert_eq!(tr, r#"/bin/bash -lc "tr \"\\n\" \" \"""#);
}

#[test]
fn the_accounts_file_names_the_shell_of_our_own_account() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("passwd");
    let ours = rustix::process::getuid().as_raw();
    let other = ours + 1;
    let lines =
        format!("broken\nother:x:{other}:1::/:/bin/no\nme:x:{ours}:1:Me:/home/me:/bin/zsh\n");
    std::fs::write(&file, lines).expect("it is written");
    assert_eq!(account_shell(&file), Some(PathBuf::from("/bin/zsh")));
    std::fs::write(&file, format!("me:x:{ours}:1:Me:/home/me:\n")).expect("it is written");
    assert_eq!(account_shell(&file), None);
    assert_eq!(account_shell(Path::new("/no/such/file")), None);
}
