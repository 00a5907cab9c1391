use tree_sitter::Parser;

use super::*;

/// The first word behind `x`.
fn word(spelled: &str) -> Word {
    let text = format!("x {spelled}");
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).expect("the grammar fits the parser");
    let tree = parser.parse(&text, None).expect("nothing stops it");
    let command = tree.root_node().named_child(0).expect("a command");
    decode(command.named_child(1).expect("a word"), &text)
}

#[test]
fn quoted_texts_are_unquoted_as_the_shell_does() {
    for (spelled, wanted) in [
        ("'a\\b $c'", "a\\b $c"),
        ("\"a\\b \\$c \\\\ \\\"\"", "a\\b $c \\ \""),
        ("a\\ b", "a b"),
        ("a'b'\"c\"d", "abcd"),
        ("$'\\x41\\102\\u0043\\n\\''", "ABC\n'"),
        ("\"\"", ""),
        ("--a='b c'", "--a=b c"),
    ] {
        assert_eq!(word(spelled), Word::exact(wanted), "{spelled}");
    }
}

#[test]
fn unknown_texts_keep_their_spelling() {
    for (spelled, text, known) in [
        ("\"a $b c\"", "a $b c", Known::OneWord),
        ("\"$(d 'e')\"", "$(d 'e')", Known::OneWord),
        ("a$b", "a$b", Known::AnyWords),
        ("a*", "a*", Known::AnyWords),
        ("a{b,c}", "a{b,c}", Known::AnyWords),
        ("{1..3}", "{1..3}", Known::AnyWords),
        ("$'\\c'", "", Known::OneWord),
        ("\"$*@\"", "$*@", Known::OneWord),
    ] {
        let found = word(spelled);
        assert_eq!(found.known, known, "{spelled}: {found:?}");
        assert_eq!(found.text, text, "{spelled}");
        assert_eq!(found.as_exact(), None);
    }
}

#[test]
fn the_last_part_of_a_path_may_be_known_alone() {
    let name = |spelled: &str| word(spelled).base_name().map(str::to_owned);
    assert_eq!(name("/usr/bin/rm").as_deref(), Some("rm"));
    assert_eq!(name("\"$X\"/bin/rm").as_deref(), Some("rm"));
    assert_eq!(name("$X/rm").as_deref(), Some("rm"));
    assert_eq!(name("rm").as_deref(), Some("rm"));
    for spelled in ["$X", "a/$X", "a/r*", "\"$X\"rm", "a/"] {
        assert_eq!(name(spelled), None, "{spelled}");
    }
}
