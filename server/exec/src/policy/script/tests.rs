use proptest::prelude::*;

use super::super::word::Known;
use super::*;

fn texts(script: &str) -> Vec<String> {
    let script = Script::parse(script);
    let line =
        |words: &Vec<Word>| words.iter().map(|w| w.text.clone()).collect::<Vec<_>>().join(" ");
    script.commands.iter().map(line).collect()
}

#[test]
fn plain_commands_are_split_at_every_joint() {
    let script = Script::parse("a 1 && b | c || d; e\nf");
    assert!(script.plain && script.tidy && !script.hidden);
    assert_eq!(texts("a 1 && b | c || d; e\nf"), ["a 1", "b", "c", "d", "e", "f"]);
}

#[test]
fn quotes_and_escapes_are_taken_off() {
    for spelled in ["id", "\"id\"", "'id'", "i''d", "\\id", "i\\d", "$'id'", "$'\\x69d'", "$\"id\""]
    {
        assert_eq!(texts(spelled), ["id"], "{spelled}");
    }
    assert_eq!(texts(r#"echo "a \"b\" \$c" 'd "e"' f\ g"#), [r#"echo a "b" $c d "e" f g"#]);
}

#[test]
fn words_behind_a_redirection_belong_to_the_command() {
    let scripts = [
        "git > out push",
        "git 2>&1 push",
        "git >&2 push",
        "git > \"a b\" push",
        "git > out push > more",
        "> out git push",
        "git <<E push\nE\n",
        "git <<< x push",
        "! git > out push",
        "{ git > out push; }",
        "if true; then git > out push; fi",
    ];
    for text in scripts {
        assert!(texts(text).contains(&"git push".to_owned()), "{text}: {:?}", texts(text));
    }
    assert_eq!(texts("a | git > out push > b x"), ["a", "git push x"]);
    assert_eq!(texts("git push > out && a"), ["git push", "a"]);
    assert!(Script::parse("{ git; } > out push").hidden, "the shell takes this for a fault");
}

#[test]
fn a_block_that_is_taken_for_a_program_is_hidden() {
    for text in [
        "! case a in b) echo a;; *) id;; esac",
        "echo \"$( ! case a in b) echo a;; *) id;; esac )\"",
        "! select x in a; do id; done",
        "! { { bash <<'E'\nid\nE\necho a > f; }; }",
        "! if id; then echo; fi",
    ] {
        assert!(Script::parse(text).hidden, "{text}");
    }
    let seen = "case a in b) id;; esac; for x in a; do id; done; { { id; }; }; ! ( id )";
    assert!(!Script::parse(seen).hidden);
}

#[test]
fn comments_leave_a_script_plain() {
    let script = Script::parse("# why\necho a # id\n");
    assert!(script.plain);
    assert_eq!(script.commands.len(), 1);
}

#[test]
fn everything_beyond_plain_commands_is_marked() {
    let scripts = [
        "X=1 id",
        "id > f",
        "echo $(id)",
        "echo `id`",
        "(id)",
        "{ id; }",
        "! id",
        "id &",
        "echo $X",
        "if id; then :; fi",
        "for i in 1; do id; done",
        "f() { id; }",
        "cat <<E\nE",
        "id <<< x",
        "case x in x) id;; esac",
        "while id; do id; done",
        "cat <(id)",
        "r\\\nm x",
    ];
    for text in scripts {
        assert!(!Script::parse(text).plain, "{text}");
    }
}

#[test]
fn commands_are_found_wherever_they_stand() {
    let scripts = [
        "X=1 id",
        "id > f",
        "echo $(id)",
        "echo `id`",
        "echo \"a $(id)\"",
        "(id)",
        "{ id; }",
        "! id",
        "if true; then id; fi",
        "if id; then :; fi",
        "for i in 1; do id; done",
        "f() { id; }; f",
        "case x in x) id;; esac",
        "while true; do id; done",
        "until id; do :; done",
        "cat <(id)",
        "cat <<E\n$(id)\nE",
        "cat <<< $(id)",
        "X=$(id)",
        "export X=$(id)",
        "a=(1 $(id))",
        "echo ${X:-$(id)}",
        "echo $((1+$(id)))",
        "[ -n \"$(id)\" ]",
        "[[ -n $(id) ]]",
        "id 2>&1 | cat",
        "echo a > $(id)",
        "time id",
        "select x in a; do id; done",
        "true &\nid",
        "for ((i=0;i<1;i++)); do id; done",
        "function g { id; }",
    ];
    for text in scripts {
        let found = texts(text);
        assert!(found.iter().any(|c| c == "id" || c == "time id"), "{text}: {found:?}");
    }
}

#[test]
fn a_word_cut_by_a_line_continuation_is_found_whole() {
    assert!(texts("r\\\nm -f x").contains(&"rm -f x".to_owned()));
    let ordinary = Script::parse("cargo test \\\n  --lib");
    assert!(ordinary.plain, "a continuation between words is a space");
    assert_eq!(ordinary.commands.len(), 1);
}

#[test]
fn a_line_that_starts_with_a_backslash_is_a_command_of_its_own() {
    for text in ["echo a\n\\id", "echo a > f\n\\id\n", "cat <<E | sh\nx\nE\n\\id", "a &&\n\\id"] {
        let found = texts(text);
        assert!(found.contains(&"id".to_owned()), "{text}: {found:?}");
    }
    assert!(!Script::parse("echo a\n\\id").plain);
    assert!(Script::parse("printf 'a\n\\b'").plain, "inside quotes it is text");
}

#[test]
fn characters_beyond_ascii_are_parts_of_words() {
    assert_eq!(
        texts("echo grün «x» \u{a0}y\u{2003}z 日本"),
        ["echo grün «x» \u{a0}y\u{2003}z 日本"]
    );
    assert_eq!(texts("rm\u{a0}-rf x"), ["rm\u{a0}-rf x"], "no space to a shell");
    assert_eq!(texts("X=a\rid y"), ["y"], "neither is this");
    // These once ended the process: the scanner looked them up outside of its table.
    for c in ['\u{e015c}', '\u{10ffff}', '\u{4e00}', '\u{100}'] {
        Script::parse(&format!("{{{c}..{c}}}"));
        Script::parse(&format!("echo {{1..{c}"));
    }
    assert!(Script::parse("echo \0 x").hidden);
}

#[test]
fn unknown_words_say_how_many_they_may_be() {
    let known = |text: &str| {
        let script = Script::parse(&format!("x {text}"));
        script.commands.first().and_then(|words| words.get(1)).map(|word| word.known)
    };
    for (text, wanted) in [
        ("a", Known::Exact),
        ("'$a'", Known::Exact),
        ("\"$a\"", Known::OneWord),
        ("\"${a}b\"", Known::OneWord),
        ("\"$@\"", Known::AnyWords),
        ("\"${a[@]}\"", Known::AnyWords),
        ("$a", Known::AnyWords),
        ("*.rs", Known::AnyWords),
        ("{a,b}", Known::AnyWords),
        ("{}", Known::Exact),
        ("a$(b)c", Known::AnyWords),
    ] {
        assert_eq!(known(text), Some(wanted), "{text}");
    }
}

#[test]
fn redirections_to_nowhere_keep_a_script_tidy() {
    for text in
        ["ls 2>/dev/null", "ls 2>&1 | wc", "ls >/dev/null 2>&1", "cat </dev/null", "ls &>/dev/null"]
    {
        let script = Script::parse(text);
        assert!(script.tidy && !script.plain, "{text}");
    }
    for text in ["ls > f", "ls 2>$X", "ls >> /dev/sda", "cat < f", "ls >/dev/null &"] {
        assert!(!Script::parse(text).tidy, "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_hidden() {
    assert!(Script::parse("if x; then").hidden);
    assert!(Script::parse("echo 'open").hidden);
    assert!(Script::parse(&"x".repeat(MAX_TEXT + 1)).hidden);
    assert!(Script::parse(&"a|".repeat(MAX_PIPES + 1)).hidden);
    assert!(Script::parse(&"))".repeat(MAX_TEXT / 4)).hidden);
}

#[test]
fn a_large_script_without_faults_is_read_whole() {
    let text = "if test -f a; then\n  cp \"$a\" b # copy\nfi\n".repeat(2000) + "rm -f x\n";
    let script = Script::parse(&text);
    assert_eq!(script.commands.len(), MAX_COMMANDS, "and no more is kept than that");
    let document = format!("cat > f <<'E'\n{}E\nrm -f x\n", "f(x) | g \"y\"\n".repeat(900));
    assert_eq!(texts(&document).last().map(String::as_str), Some("rm -f x"));
}

#[test]
fn here_documents_are_kept_as_inputs() {
    let inputs = |text: &str| Script::parse(text).inputs;
    assert_eq!(inputs("bash <<'E'\nid\nE\ncat <<< \"x y\""), ["id\n", "x y"]);
    let first = inputs("bash <<E | cat\n\\id\n$x\nE\n").first().cloned();
    assert_eq!(first.as_deref(), Some("\\id\n$x\n"), "also behind a backslash");
    assert_eq!(
        inputs("cat <<E | sh\nA=$A:. id\n"),
        ["A=$A:. id\n"],
        "the closing word may be missing"
    );
    assert_eq!(inputs("cat <<-'E F'\n\ta\n\tE F\n"), ["\ta\n"]);
}

#[test]
fn deep_nesting_ends_and_is_marked() {
    for unit in ["$(", "(", "{ ", "if a; then ", "\"$(", "${a:-"] {
        assert!(Script::parse(&unit.repeat(1000)).hidden, "{unit}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>()) {
        Script::parse(&text);
    }

    #[test]
    fn any_mix_of_shell_syntax_is_read_without_a_panic(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "a", " ", "$", "(", ")", "{", "}", "'", "\"", "`", "\\", "\n", "|", "&", ";", "<", ">",
                "<<E\n", "E\n", "$'", "${", "#", "=", "é", "*", "if ", "fi", "[[", "]]", "-f", "\u{0}",
            ]),
            0..40,
        ),
    ) {
        let script = Script::parse(&parts.concat());
        prop_assert!(!(script.plain && script.hidden));
        prop_assert!(script.tidy || !script.plain);
    }
}
