use serde_json::json;
use spindle_schema::ids::TurnId;
use spindle_schema::note::{ReadMark, Unread};

use super::*;
use crate::disk::RealDisk;
use crate::store::Store;
use crate::testing::{meta, turn};

async fn thread(store: &Store) -> ThreadId {
    let log = store.create(meta(ThreadId::new()));
    log.append(turn("t1", "question", "answer")).await.unwrap();
    log.id()
}

fn text(home: &Path) -> String {
    std::fs::read_to_string(home.join("spindle_notes.jsonl")).unwrap_or_default()
}

#[tokio::test]
async fn the_first_turn_nobody_has_read_stays_until_somebody_reads() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let log = store.create(meta(ThreadId::new()));
    log.append(turn("t1", "question", "answer")).await.unwrap();
    let id = log.id();
    let first = log.note_unread(TurnId::new("t1")).await.unwrap();
    let second = log.note_unread(TurnId::new("t2")).await.unwrap();
    assert_eq!(second.first_unread, Some(Unread::Turn { turn_id: TurnId::new("t1") }));
    assert_ne!(first.revision, second.revision);
    let refused = store.mark(id, first.revision, ReadMark::Read).await.unwrap_err();
    assert!(
        matches!(refused, Error::Note(NoteError::ReadStateChanged(known)) if known == second),
        "what was not seen is not marked as read"
    );
    let read = store.mark(id, second.revision, ReadMark::Read).await.unwrap();
    assert_eq!(read.first_unread, None);
    let unread = store.mark(id, read.revision, ReadMark::Unread).await.unwrap();
    assert_eq!(unread.first_unread, Some(Unread::ThreadStart));
    let again = Store::new(home.path()).notes(id).await.unwrap();
    assert_eq!(again.read_state, Some(unread));
}

#[tokio::test]
async fn two_daemons_see_what_each_other_notes() {
    let home = tempfile::tempdir().unwrap();
    let (a, b) = (Store::new(home.path()), Store::new(home.path()));
    let id = thread(&a).await;
    let section = b.create_section("Work".into(), None).await.unwrap();
    a.place(id, Some(section.id.clone()), None).await.unwrap();
    assert_eq!(b.notes(id).await.unwrap().placed.unwrap().section, section);
    assert_eq!(b.delete_section(section.id.clone()).await.unwrap(), [id]);
    assert_eq!(a.notes(id).await.unwrap().placed, None);
    let refused = a.place(id, Some(section.id), None).await.unwrap_err();
    assert!(refused.to_string().ends_with("does not exist"));
}

#[tokio::test]
async fn a_thread_that_goes_takes_its_notes_along() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let (gone, kept) = (thread(&store).await, thread(&store).await);
    for id in [gone, kept] {
        let payload = json!({"url": id});
        let new = NewAttachment { kind: "pr".into(), key: "k".into(), payload };
        store.attach(id, new).await.unwrap();
        store.set_memory(id, false).await.unwrap();
    }
    store.detach(gone, "pr".into(), "k".into()).await.unwrap();
    assert!(text(home.path()).contains(&gone.to_string()));
    store.delete(gone).await.unwrap();
    assert!(!text(home.path()).contains(&gone.to_string()));
    assert_eq!(store.memory(kept).await.unwrap(), Some(false));
    assert_eq!(store.attached_to("pr".into(), "k".into()).await.unwrap(), [(kept, false)]);
}

#[tokio::test]
async fn many_moves_between_two_neighbours_find_room() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let section = store.create_section("Work".into(), None).await.unwrap().id;
    let [first, last, a, b] = [(); 4].map(|()| thread(&store));
    let (first, last, a, b) = (first.await, last.await, a.await, b.await);
    for id in [first, a, b, last] {
        store.place(id, Some(section.clone()), None).await.unwrap();
    }
    let (mut next, mut other) = (b, a);
    for _ in 0..80 {
        store.place(next, Some(section.clone()), Some(other)).await.unwrap();
        (next, other) = (other, next);
    }
    let order: Vec<_> =
        store.shared.notes.look(|book| book.members(&section)).into_iter().map(|m| m.1).collect();
    assert_eq!(order, [first, other, next, last]);
}

#[test]
fn a_long_file_of_past_notes_is_made_short_and_says_the_same() {
    let home = tempfile::tempdir().unwrap();
    let notes = Notes::new(home.path());
    let now = Timestamp::UNIX_EPOCH;
    let put = |of: &str, value: Option<&serde_json::Value>| {
        notes.change(&RealDisk, now, |_, lines| lines.put(of, value)).unwrap();
    };
    let id = ThreadId::new();
    let pinned = notes.look(|book| book.sections.keys().next().unwrap().clone());
    put(&format!("section/{pinned}"), None);
    put("tomorrow/x", Some(&json!({"kept": true})));
    put("section/s", Some(&json!({"name": "S"})));
    for at in 0..1500 {
        put(&book::thread_key(id, "daybreak"), Some(&json!(at % 2 == 0)));
        if at % 3 == 0 {
            put(&book::thread_key(id, "memory"), None);
        }
    }
    let lines = text(home.path()).lines().count();
    assert!(lines < FEW_LINES, "{lines}");
    assert!(text(home.path()).contains("tomorrow/x"));
    let again = Notes::new(home.path());
    assert_eq!(again.of(id).daybreak, Some(false));
    let names = |book: &Book| book.sections.values().map(|s| s.name.clone()).collect::<Vec<_>>();
    assert_eq!(again.look(names), ["S".into()], "a section that was removed does not come back");
}

#[test]
fn a_line_that_cannot_be_read_costs_itself_alone() {
    let home = tempfile::tempdir().unwrap();
    let id = ThreadId::new();
    let good = format!("{{\"of\":\"thread/{id}/daybreak\",\"value\":true}}\n");
    let bad =
        format!("{{\"of\":\"thread/{id}/place\",\"value\":5}}\n{{\"of\":\nnonsense\n\u{fffd}\n");
    std::fs::write(home.path().join("spindle_notes.jsonl"), bad + &good + "{\"of\":\"cut").unwrap();
    let notes = Notes::new(home.path());
    assert_eq!(notes.of(id).daybreak, Some(true));
    let section = json!({"name": "S"});
    notes
        .change(&RealDisk, Timestamp::UNIX_EPOCH, |_, lines| lines.put("section/s", Some(&section)))
        .unwrap();
    assert_eq!(Notes::new(home.path()).look(|book| book.sections.len()), 2);
}
