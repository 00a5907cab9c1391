use super::*;

fn journal() -> (tempfile::TempDir, Journal) {
    let dir = tempfile::tempdir().unwrap();
    let journal = Journal::of(&dir.path().join("new"), ThreadId::new());
    (dir, journal)
}

fn undone(turn: &str) -> Record {
    Record::Undone { turns: vec![TurnId::new(turn)], at: 1 }
}

#[test]
fn what_was_appended_is_read_and_no_file_is_no_records() {
    let (_dir, journal) = journal();
    assert!(!journal.exists() && journal.read().unwrap().is_empty());
    journal.append(&undone("a")).unwrap();
    journal.append(&Record::Told).unwrap();
    assert_eq!(journal.read().unwrap(), [undone("a"), Record::Told]);
    let mode = fs::metadata(&journal.path).unwrap().mode() & 0o777;
    assert_eq!(mode, 0o600);
    journal.remove().unwrap();
    journal.remove().unwrap();
}

#[test]
fn a_torn_or_foreign_line_costs_only_itself() {
    let (_dir, journal) = journal();
    journal.append(&undone("a")).unwrap();
    let mut file = OpenOptions::new().append(true).open(&journal.path).unwrap();
    file.write_all(b"{\"type\":\"later\"}\n{\"type\":\"undone\",\"tur").unwrap();
    journal.append(&undone("b")).unwrap();
    assert_eq!(journal.read().unwrap(), [undone("a"), undone("b")]);
}

#[test]
fn a_journal_is_rewritten_as_a_whole_and_removed_when_nothing_is_left() {
    let (_dir, journal) = journal();
    journal.append(&undone("a")).unwrap();
    journal.append(&undone("b")).unwrap();
    journal.rewrite(|records| records.into_iter().skip(1).collect()).unwrap();
    journal.append(&undone("c")).unwrap();
    assert_eq!(journal.read().unwrap(), [undone("b"), undone("c")]);
    journal.rewrite(|_| Vec::new()).unwrap();
    assert!(!journal.exists());
}
