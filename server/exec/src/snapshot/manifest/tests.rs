use std::collections::BTreeMap;

use super::*;

fn entry(path: &str, size: u64, state: State) -> Entry {
    let stamp = Stamp { size, modified: -5, changed: 7, inode: 9, mode: 0o644 };
    Entry { path: Path::new(path).into(), stamp, settled: size > 2, state }
}

fn file(text: &str) -> State {
    State::File { content: Digest::of(text.as_bytes()), mode: Some(0o644) }
}

fn unkept(size: u64) -> State {
    State::Unkept { why: Unkept::TooMuch, size, modified: -5 }
}

fn manifest(entries: Vec<Entry>) -> Manifest {
    Manifest {
        root: PathBuf::from("/r"),
        entries,
        texts: BTreeMap::from([(PathBuf::new(), b"*.o\n".to_vec())]),
        outside: vec![(vec![b"r".to_vec()], b"/x".to_vec())],
    }
}

#[test]
fn a_manifest_is_read_back_as_it_was_written_and_a_torn_one_not_at_all() {
    let link = State::Link { target: PathBuf::from("../t") };
    let odd = PathBuf::from(OsString::from_vec(vec![b'z', 0xff]));
    let mut all = vec![
        entry("a", 1, file("a")),
        entry("d", 0, State::Folder { mode: 0o644 }),
        entry("l", 2, link),
        entry("u", 3, unkept(3)),
    ];
    all.push(Entry { path: odd.into_boxed_path(), ..entry("", 4, file("z")) });
    let manifest = manifest(all);
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = dir.path().join("new/m.look");
    manifest.save(&path).expect("saved");
    assert_eq!(Manifest::load(&path), Some(manifest));
    let bytes = fs::read(&path).expect("there");
    for cut in 0..bytes.len() {
        assert_eq!(Reader(&bytes[..cut]).manifest(), None, "cut at {cut}");
    }
    assert_eq!(fs::read_dir(dir.path().join("new")).expect("there").count(), 1);
}

#[test]
fn changes_are_told_by_content_and_mode_not_by_time() {
    let touched = Entry {
        stamp: Stamp { modified: 99, ..Stamp::default() },
        ..entry("same", 4, file("same"))
    };
    let before = manifest(vec![
        entry("changed", 1, file("old")),
        entry("gone", 1, file("gone")),
        entry("same", 4, file("same")),
        entry("unkept", 3, unkept(3)),
        entry("unkept-changed", 3, unkept(3)),
        entry("unkept-known", 3, unkept(3)),
    ]);
    let after = manifest(vec![
        entry("changed", 1, file("new")),
        entry("fresh", 1, file("fresh")),
        touched,
        entry("unkept", 3, unkept(3)),
        entry("unkept-changed", 5, unkept(5)),
        entry("unkept-known", 3, file("3")),
    ]);
    let change =
        |path: &str, before, after| Change { path: Path::new("/r").join(path), before, after };
    let expected = vec![
        change("changed", file("old"), file("new")),
        change("fresh", State::Missing, file("fresh")),
        change("gone", file("gone"), State::Missing),
        change("unkept-changed", unkept(3), unkept(5)),
    ];
    assert_eq!(before.changes(&after), expected);
    assert_eq!(before.changes(&before), vec![]);
    assert!(before.knows(Path::new("/r/gone")) && !before.knows(Path::new("/r/fresh")));
}
