use std::path::{Path, PathBuf};

use super::absolute;

#[test]
fn relative_paths_start_at_the_folder_and_lose_their_dots() {
    let base = Path::new("/a/b");
    let cases = [
        ("", "/a/b"),
        (".", "/a/b"),
        ("c/./d", "/a/b/c/d"),
        ("../c", "/a/c"),
        ("../../../..", "/"),
        ("/x/../y", "/y"),
        ("~", "/home/me"),
        ("~/z", "/home/me/z"),
        ("~other/z", "/a/b/~other/z"),
    ];
    for (path, expected) in cases {
        let home = Some(Path::new("/home/me"));
        assert_eq!(absolute(base, path, home), PathBuf::from(expected), "{path}");
    }
}

#[test]
fn a_tilde_is_a_name_where_nobody_has_a_home() {
    assert_eq!(absolute(Path::new("/a"), "~/z", None), PathBuf::from("/a/~/z"));
}
