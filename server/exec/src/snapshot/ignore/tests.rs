use super::*;

fn ignores(text: &str, path: &str) -> bool {
    let mut rules = Rules::default();
    rules.push(0, text.as_bytes());
    let names = |path: &str| -> Vec<Vec<u8>> {
        path.trim_end_matches('/').split('/').map(|name| name.as_bytes().to_vec()).collect()
    };
    rules.ignores(&names(path), path.ends_with('/'))
}

#[test]
fn patterns_mean_what_git_says_they_do() {
    for (text, path, expected) in [
        ("*.log", "a.log", true),
        ("*.log", "deep/a.log", true),
        ("*.log", "a.log.txt", false),
        ("build", "x/build", true),
        ("build/", "build", false),
        ("build/", "x/build/", true),
        ("/build", "x/build", false),
        ("/build", "build/", true),
        ("doc/*.txt", "doc/a.txt", true),
        ("doc/*.txt", "x/doc/a.txt", false),
        ("doc/*.txt", "doc/x/a.txt", false),
        ("**/foo", "a/b/foo", true),
        ("a/**/b", "a/b", true),
        ("a/**/b", "a/x/y/b", true),
        ("a/**", "a/x/y", true),
        ("a/**", "a/", false),
        ("# no", "# no", false),
        ("\\#yes", "#yes", true),
        ("!a\na", "a", true),
        ("*.o\n!keep.o", "keep.o", false),
        ("*.o\n!keep.o", "x/keep.o", false),
        ("a?c", "abc", true),
        ("a?c", "ac", false),
        ("[a-c]x", "bx", true),
        ("[!a-c]x", "bx", false),
        ("[]x]", "]", true),
        ("[x", "[x", true),
        ("trailing  ", "trailing", true),
        ("a\r", "a", true),
        ("*a*b*c", "xxaxxbxxc", true),
        ("*a*b*c", "xxaxxbxx", false),
        ("", "", false),
    ] {
        assert_eq!(ignores(text, path), expected, "{text:?} and {path:?}");
    }
}

#[test]
fn inner_files_overrule_outer_ones_and_end_with_their_folder() {
    let mut rules = Rules::default();
    rules.push_outside(vec![b"repo".to_vec(), b"ws".to_vec()], b"/repo/ws/x\n*.tmp\n");
    rules.push(0, b"*.log\n");
    rules.push(1, b"!keep.log\n/only-here\n");
    let path = |names: &[&str]| -> Vec<Vec<u8>> {
        names.iter().map(|name| name.as_bytes().to_vec()).collect()
    };
    assert!(!rules.ignores(&path(&["sub", "keep.log"]), false));
    assert!(rules.ignores(&path(&["sub", "other.log"]), false));
    assert!(rules.ignores(&path(&["sub", "only-here"]), false));
    assert!(rules.ignores(&path(&["x"]), true) && !rules.ignores(&path(&["y", "x"]), true));
    assert!(rules.ignores(&path(&["sub", "a.tmp"]), false));
    rules.pop();
    assert!(rules.ignores(&path(&["sub", "keep.log"]), false));
}

#[test]
fn a_pattern_of_many_stars_does_not_take_for_ever() {
    let pattern = "*a".repeat(200);
    assert!(!ignores(&format!("{pattern}b"), &"a".repeat(4000)));
}
