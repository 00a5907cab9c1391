use proptest::prelude::*;

use super::*;

const BASE: [&str; 12] = [
    "HOME",
    "PATH",
    "SHELL",
    "TMPDIR",
    "TZ",
    "RUST_LOG",
    "CODEX_HOME",
    "MY_PLAIN",
    "MY_API_KEY",
    "MY_TOKEN",
    "AWS_X",
    "MY_SECRET_1",
];

fn names(policy: &EnvPolicy) -> Vec<String> {
    let base = BASE.map(|name| (name.into(), "x".into()));
    let kept = policy.apply(base).into_iter();
    kept.map(|(name, _)| name.into_string().expect("plain names")).collect()
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn by_default_everything_is_inherited() {
    let mut all = words(&BASE);
    all.sort();
    assert_eq!(names(&EnvPolicy::default()), all);
}

#[test]
fn core_keeps_what_programs_need() {
    let policy = EnvPolicy { inherit: Inherit::Core, ..EnvPolicy::default() };
    assert_eq!(names(&policy), ["HOME", "PATH", "SHELL", "TMPDIR"]);
}

#[test]
fn none_leaves_only_what_is_set() {
    let set = BTreeMap::from([("SETVAR".to_owned(), "value".to_owned())]);
    let policy = EnvPolicy { inherit: Inherit::None, set, ..EnvPolicy::default() };
    assert_eq!(policy.apply([]), [("SETVAR".into(), "value".into())]);
}

#[test]
fn secrets_and_excluded_names_are_left_out() {
    let policy = EnvPolicy {
        ignore_default_excludes: false,
        exclude: words(&["AWS_*"]),
        ..EnvPolicy::default()
    };
    let expected = ["CODEX_HOME", "HOME", "MY_PLAIN", "PATH", "RUST_LOG", "SHELL", "TMPDIR", "TZ"];
    assert_eq!(names(&policy), expected);
}

#[test]
fn a_set_variable_replaces_and_is_not_excluded() {
    let set = BTreeMap::from([("MY_TOKEN".to_owned(), "given".to_owned())]);
    let policy = EnvPolicy { ignore_default_excludes: false, set, ..EnvPolicy::default() };
    let env = policy.apply([("MY_TOKEN".into(), "inherited".into())]);
    assert_eq!(env, [("MY_TOKEN".into(), "given".into())]);
}

#[test]
fn include_only_keeps_matches_whatever_their_case() {
    let set = BTreeMap::from([("OTHER".to_owned(), String::new())]);
    let policy =
        EnvPolicy { include_only: words(&["PATH", "HOME", "my_*"]), set, ..EnvPolicy::default() };
    let expected = ["HOME", "MY_API_KEY", "MY_PLAIN", "MY_SECRET_1", "MY_TOKEN", "PATH"];
    assert_eq!(names(&policy), expected);
}

#[test]
fn the_servers_own_variables_name_the_origin() {
    let origin = Origin { thread: "t", session: "s", call: Some("c"), version: "1.2.3" };
    let env = origin.variables();
    let value = |name: &str| env.iter().find(|(own, _)| own == name).map(|(_, value)| value);
    assert_eq!(value("CODEX_THREAD_ID"), Some(&"t".into()));
    assert_eq!(value("CODEX_SESSION_ID"), Some(&"s".into()));
    assert_eq!(value("CODEX_TOOL_CALL_ID"), Some(&"c".into()));
    assert_eq!(value("CODEX_VERSION"), Some(&"1.2.3".into()));
    assert_eq!((value("TERM"), value("PAGER")), (Some(&"dumb".into()), Some(&"cat".into())));
    let bare = Origin { call: None, ..origin }.variables();
    assert!(bare.iter().all(|(name, _)| name != "CODEX_TOOL_CALL_ID"));
}

#[test]
fn an_overlay_replaces_and_adds_without_doubles() {
    let mut env: Environment = vec![("A".into(), "1".into()), ("B".into(), "2".into())];
    overlay(&mut env, [("B", "3"), ("C", "4"), ("C", "5")]);
    let expected = [("A", "1"), ("B", "3"), ("C", "5")];
    assert_eq!(env, expected.map(|(name, value)| (name.into(), value.into())));
}

#[test]
fn patterns_match_whole_names() {
    for (pattern, name, expected) in [
        ("*", "", true),
        ("", "", true),
        ("", "A", false),
        ("A", "AB", false),
        ("*KEY*", "KEY", true),
        ("*KEY*", "my_api_key_2", true),
        ("?", "A", true),
        ("?", "AB", false),
        ("A*B*C", "AxBxBxC", true),
        ("A*B*C", "AxBxBxD", false),
        ("**A**", "A", true),
    ] {
        assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
    }
}

/// Says the same as `matches`, in the plainest way.
fn plainly(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => {
            plainly(rest, name) || (!name.is_empty() && plainly(pattern, &name[1..]))
        }
        ([b'?', rest @ ..], [_, tail @ ..]) => plainly(rest, tail),
        ([byte, rest @ ..], [first, tail @ ..]) => byte == first && plainly(rest, tail),
        _ => false,
    }
}

proptest! {
    #[test]
    fn matching_agrees_with_the_plain_definition(pattern in "[ab*?]{0,8}", name in "[ab]{0,10}") {
        let expected = plainly(pattern.as_bytes(), name.as_bytes());
        prop_assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), expected);
    }
}
