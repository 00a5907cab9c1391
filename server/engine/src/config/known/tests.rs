use super::{PRESET, UNSET, UNTOLD, is_known};

#[test]
fn the_lists_are_sorted_and_without_doubles() {
    assert!(UNSET.is_sorted() && PRESET.is_sorted() && UNTOLD.is_sorted());
    assert!(UNSET.iter().all(|name| !PRESET.contains(name) && !UNTOLD.contains(name)));
    assert!(is_known("tools") && is_known("history") && is_known("shell_environment_policy"));
    assert!(!is_known("no_such_key"));
}
