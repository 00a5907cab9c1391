use std::fs;

use super::*;
use crate::disk::RealDisk;

fn names() -> (tempfile::TempDir, Names) {
    let home = tempfile::tempdir().unwrap();
    let names = Names::new(home.path());
    (home, names)
}

#[test]
fn the_last_line_of_a_thread_counts() {
    let (_home, names) = names();
    let id = ThreadId::new();
    names.set(&RealDisk, id, "first", "2026-11-30T00:00:00.000Z").unwrap();
    assert_eq!(names.all()[&id].as_ref(), "first");
    names.set(&RealDisk, id, "秘密 \"second\"", "2026-11-30T00:00:01.000Z").unwrap();
    assert_eq!(names.all()[&id].as_ref(), "秘密 \"second\"");
    assert_eq!(fs::read_to_string(names.journal.path()).unwrap().lines().count(), 2);
}

#[test]
fn a_cut_line_costs_no_other() {
    let (_home, names) = names();
    let (a, b) = (ThreadId::new(), ThreadId::new());
    names.set(&RealDisk, a, "kept", "").unwrap();
    let mut text = fs::read(names.journal.path()).unwrap();
    text.extend(b"{\"id\":\"");
    fs::write(names.journal.path(), text).unwrap();
    names.set(&RealDisk, b, "behind the stump", "").unwrap();
    assert_eq!(names.all().len(), 2);
}

#[test]
fn removing_takes_every_line_of_a_thread_and_no_other() {
    let (_home, names) = names();
    let (a, b) = (ThreadId::new(), ThreadId::new());
    for (id, name) in [(a, "one"), (b, "kept"), (a, "two")] {
        names.set(&RealDisk, id, name, "").unwrap();
    }
    names.remove(&RealDisk, a).unwrap();
    assert_eq!(names.all().keys().collect::<Vec<_>>(), [&b]);
    assert!(!fs::read_to_string(names.journal.path()).unwrap().contains("two"));
    names.remove(&RealDisk, a).unwrap();
}
