use super::*;

fn of(text: &str) -> Vec<ParsedCommand> {
    classify(&["/bin/bash".to_owned(), "-lc".to_owned(), text.to_owned()])
}

fn brief(text: &str) -> Vec<String> {
    let or_none = |part: &Option<String>| part.clone().unwrap_or_else(|| "-".to_owned());
    of(text)
        .iter()
        .map(|action| match action {
            ParsedCommand::Read { name, path, .. } => format!("read {name} {path}"),
            ParsedCommand::ListFiles { path, .. } => format!("list {}", or_none(path)),
            ParsedCommand::Search { query, path, .. } => {
                format!("search {} {}", or_none(query), or_none(path))
            }
            ParsedCommand::Unknown { cmd } => format!("unknown {cmd}"),
        })
        .collect()
}

#[test]
fn recorded_commands_are_classified_as_recorded() {
    for (text, wanted) in [
        ("ls", "list -"),
        ("ls -A", "list -"),
        ("ls ../outside", "list outside"),
        ("tail x", "read x x"),
        ("find . -name x", "search x ."),
        ("wc x", "unknown wc x"),
        ("pwd", "unknown pwd"),
        ("echo a && uname", "unknown echo a && uname"),
        ("uname | cat", "unknown uname | cat"),
        ("echo a | cat", "unknown echo a | cat"),
        ("cat; echo rc=$?", "unknown cat; echo rc=$?"),
        ("bash -c 'uname'", "unknown bash -c 'uname'"),
        ("git status", "unknown git status"),
        ("echo a > f.txt", "unknown echo a > f.txt"),
        ("cat <<EOF\nid\nEOF", "unknown cat <<EOF\nid\nEOF"),
    ] {
        assert_eq!(brief(text), [wanted], "{text}");
    }
}

#[test]
fn reads_are_recognised_in_many_spellings() {
    for text in [
        "cat src/a.rs",
        "cat -n src/a.rs",
        "head -n 20 src/a.rs",
        "head -20 src/a.rs",
        "tail -n +5 src/a.rs",
        "sed -n '1,200p' src/a.rs",
        "nl -ba src/a.rs",
        "nl -ba src/a.rs | sed -n '10,20p'",
        "cat src/a.rs | head -50",
        "cat src/a.rs 2>/dev/null",
        "cd src && cat a.rs",
    ] {
        assert_eq!(brief(text), ["read a.rs src/a.rs"], "{text}");
    }
}

#[test]
fn several_parts_give_several_entries() {
    assert_eq!(
        brief("cat a.rs; echo ---; cat b.rs && ls src/lib"),
        ["read a.rs a.rs", "read b.rs b.rs", "list lib"]
    );
    assert_eq!(brief("cat a b"), ["read a a", "read b b"]);
}

#[test]
fn searches_tell_query_and_place() {
    for (text, wanted) in [
        ("rg foo", "search foo -"),
        ("rg -n 'foo bar' src/lib | head -50", "search foo bar lib"),
        ("rg -e foo src", "search foo src"),
        ("grep -rn foo .", "search foo ."),
        ("git grep foo", "search foo -"),
        ("rg --files", "list -"),
        ("rg --files src | head", "list src"),
        ("git ls-files", "list -"),
        ("fd foo lib", "search foo lib"),
        ("find src -type f", "list src"),
        ("ls web/dist", "list web"),
        ("ls -la web/", "list web"),
        ("tree -L 2 a/b", "list b"),
    ] {
        assert_eq!(brief(text), [wanted], "{text}");
    }
}

#[test]
fn a_command_that_changes_files_is_never_called_a_read() {
    for text in [
        "find . -name x -delete",
        "find . -name x -exec rm {} ;",
        "sed -i s/a/b/ f",
        "sed -n 'w x' f",
        "cat a > b",
        "cat $(rm x)",
        "fd x -x rm",
        "ls && rm x",
    ] {
        assert_eq!(brief(text), [format!("unknown {text}")], "{text}");
    }
}

#[test]
fn a_program_without_a_shell_is_classified_too() {
    let argv = ["cat".to_owned(), "a b.txt".to_owned()];
    let wanted = ParsedCommand::Read {
        cmd: "cat 'a b.txt'".to_owned(),
        name: "a b.txt".to_owned(),
        path: "a b.txt".to_owned(),
    };
    assert_eq!(classify(&argv), [wanted]);
    assert_eq!(classify(&[]), [ParsedCommand::Unknown { cmd: String::new() }]);
}

#[test]
fn the_rollout_form_is_the_recorded_one() {
    let json = serde_json::to_value(of("tail x")).expect("actions are plain data");
    let read = serde_json::json!([{"cmd":"tail x","name":"x","path":"x","type":"read"}]);
    assert_eq!(json, read);
    let json = serde_json::to_value(of("ls")).expect("actions are plain data");
    assert_eq!(json, serde_json::json!([{"cmd":"ls","path":null,"type":"list_files"}]));
    let back: Vec<ParsedCommand> = serde_json::from_value(read).expect("it is read back");
    assert_eq!(back, of("tail x"));
}
