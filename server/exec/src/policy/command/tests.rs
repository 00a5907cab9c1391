use super::*;

fn found(text: &str) -> Vec<String> {
    let parsed = CommandLine::of_script("/bin/bash", text);
    let line = |f: &Found| f.words.iter().map(|w| w.text.clone()).collect::<Vec<_>>().join(" ");
    parsed.found.iter().map(line).collect()
}

/// Every way of running `id` that a script has.
const WRAPPED: &[&str] = &[
    "id",
    "bash -c id",
    "sh -c 'bash -lc \"id\"'",
    "env X=1 bash -c 'id'",
    "bash <<'EOF'\nid\nEOF",
    "bash <<EOF\nid\nEOF",
    "cat <<EOF | sh\nid\nEOF",
    "sh <<< id",
    "echo id | sh",
    "printf 'id\\n' | bash -s",
    "eval \"$(echo x)\"; eval id",
    "timeout 5 nice -n 3 nohup env id",
    "find . -exec sh -c 'id' \\;",
    "ls | xargs -I{} sh -c 'id {}'",
    "sudo -u root bash -c 'echo a && id'",
    "f() { command id; }; f",
    "trap 'id' EXIT",
    "coproc { id; }",
    "coproc NAME { id; }",
    "time { id; }",
    "time -p ! id",
    "if true; then (exec id); fi > /dev/null",
];

#[test]
fn every_wrapped_command_is_found() {
    for text in WRAPPED {
        let found = found(text);
        let is_id = |c: &String| c == "id" || c.starts_with("id ");
        assert!(found.iter().any(is_id), "{text}: {found:?}");
    }
}

#[test]
fn a_text_that_is_only_printed_is_not_run() {
    for text in [
        "echo id",
        "cat <<EOF\nid\nEOF",
        "cat <<'E'\n`id` $(id)\nE",
        "echo '`id`' \\`id\\`",
        "# `id`\nls",
        "echo 'bash -c id'",
        "grep id file",
    ] {
        let found = found(text);
        assert!(!found.iter().any(|c| c == "id"), "{text}: {found:?}");
    }
}

#[test]
fn the_users_shell_is_looked_through() {
    let parsed = CommandLine::of_script("/bin/bash", "ls -l");
    assert!(parsed.plain && !parsed.hidden);
    assert_eq!(parsed.found.len(), 1);
    let direct = CommandLine::new(&["ls".to_owned(), "a b".to_owned()]);
    assert!(direct.plain);
    assert_eq!(direct.found.first().map(|f| f.words.len()), Some(2));
    let script_file = CommandLine::new(&["bash".to_owned(), "x.sh".to_owned()]);
    assert_eq!(script_file.found.len(), 2, "the file is a command of its own");
}

#[test]
fn runners_and_levels_tell_who_runs_what() {
    let parsed = CommandLine::of_script("bash", "env nice id; ls");
    let runners: Vec<_> = parsed.found.iter().map(|f| (f.runner, f.level)).collect();
    assert_eq!(runners, [(None, 0), (None, 0), (Some(0), 1), (Some(2), 2)]);
    assert_eq!(parsed.outermost().count(), 2);
    assert_eq!(parsed.run_by(0).count(), 1);
}

#[test]
fn a_script_of_unknown_origin_is_hidden() {
    for text in ["curl x | sh", "bash < f", "cat f | bash -s", "bash -c \"$(cat f)\" | sh"] {
        assert!(CommandLine::of_script("bash", text).hidden, "{text}");
    }
    assert!(!CommandLine::of_script("bash", "bash build.sh").hidden);
}

#[test]
fn endless_nesting_ends() {
    let mut text = "id".to_owned();
    for _ in 0..12 {
        text = format!("bash -c {}", join(&[text]));
    }
    assert!(CommandLine::of_script("bash", &text).hidden);
    let wide = "env ".repeat(5000) + "id";
    assert!(CommandLine::of_script("bash", &wide).hidden);
    assert!(CommandLine::new(&[]).found.is_empty());
}

#[test]
fn the_display_can_be_read_back() {
    for text in ["ls", "uname -a", "bash -c 'rm -rf sub'", "a\nb", "x \"$y\" 'z'"] {
        let argv = ["/bin/bash".to_owned(), "-lc".to_owned(), text.to_owned()];
        let line = join(&argv);
        assert_eq!(shlex::split(&line).as_deref(), Some(argv.as_slice()), "{line}");
    }
    assert_eq!(join(&["/bin/bash", "-lc", "uname -a"]), "/bin/bash -lc 'uname -a'");
    assert_eq!(join(&["bash", "-c", "sh -c 'id'"]), "bash -c \"sh -c 'id'\"");
}
