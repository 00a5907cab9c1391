use super::*;
use crate::disk::RealDisk;

fn journal() -> (tempfile::TempDir, Journal) {
    let home = tempfile::tempdir().unwrap();
    let journal = Journal::new(home.path().join("changes.jsonl"));
    (home, journal)
}

fn append(journal: &Journal, text: &str) {
    let guard = journal.guard(&RealDisk).unwrap();
    journal.append(&RealDisk, &guard, text.into()).unwrap();
}

fn read(journal: &Journal, known: Option<Position>) -> (&'static str, String, Option<Position>) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    match journal.news(known).unwrap() {
        News::None => ("none", String::new(), known),
        News::More(bytes, position) => ("more", text(bytes), Some(position)),
        News::Anew(bytes, position) => ("anew", text(bytes), position),
    }
}

#[test]
fn a_reader_gets_each_line_once() {
    let (_home, journal) = journal();
    assert_eq!(read(&journal, None), ("none", String::new(), None));
    append(&journal, "1\n2\n");
    let (kind, text, at) = read(&journal, None);
    assert_eq!((kind, &*text), ("anew", "1\n2\n"));
    assert_eq!(read(&journal, at).0, "none");
    append(&journal, "3\n");
    let (kind, text, at) = read(&journal, at);
    assert_eq!((kind, &*text), ("more", "3\n"));
    assert_eq!(read(&journal, at).0, "none");
}

#[test]
fn a_line_that_was_cut_is_passed_over_and_costs_no_other() {
    let (_home, journal) = journal();
    append(&journal, "1\n");
    std::fs::write(journal.path(), "1\n{cut").unwrap();
    let (_, text, at) = read(&journal, None);
    assert_eq!(text, "1\n");
    append(&journal, "2\n");
    assert_eq!(read(&journal, at).1, "{cut\n2\n");
}

#[test]
fn a_file_that_was_replaced_or_removed_is_read_anew() {
    let (_home, journal) = journal();
    append(&journal, "1\n2\n3\n");
    let at = read(&journal, None).2;
    let guard = journal.guard(&RealDisk).unwrap();
    journal.retain(&RealDisk, &guard, |line| line != b"2\n").unwrap();
    drop(guard);
    let (kind, text, at) = read(&journal, at);
    assert_eq!((kind, &*text), ("anew", "1\n3\n"));
    std::fs::remove_file(journal.path()).unwrap();
    assert_eq!(read(&journal, at), ("anew", String::new(), None));
}
