use proptest::prelude::*;

use super::*;

#[test]
fn scripts_in_substitutions_are_cut_out() {
    for (text, wanted) in [
        ("a `id -u` b `uname` c", vec!["id -u", "uname"]),
        ("$(id) and $(echo $(uname))", vec!["id", "echo $(uname)", "uname"]),
        ("`echo \\`id\\``", vec!["echo `id`"]),
        ("\\`id\\` \\$(id)", vec![]),
        ("an open ` and an open $(id", vec!["id"]),
        ("$((1 + 2))", vec!["(1 + 2)"]),
        ("é\\é`ü`", vec!["ü"]),
    ] {
        let mut found = substitutions(text);
        found.sort();
        let mut wanted = wanted;
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{text}");
    }
}

#[test]
fn only_a_continuation_inside_a_word_joins_it() {
    assert!(splits_a_word("r\\\nm x"));
    for text in ["rm \\\n x", "rm \\\nx", "rm\\\n x", "rm\nx", "\\\nrm", "rm\\\n"] {
        assert!(!splits_a_word(text), "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_searched_without_a_panic(text in "[a`$()\\\\ é\n]{0,30}") {
        for script in substitutions(&text) {
            prop_assert!(script.len() < text.len());
        }
        splits_a_word(&text);
    }
}
