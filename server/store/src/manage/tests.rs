use spindle_schema::ids::ThreadId;

use super::*;
use crate::index::ListQuery;
use crate::testing::{meta, place_at, text, turn};

async fn written(store: &Store) -> (ThreadId, PathBuf) {
    let id = ThreadId::new();
    let log = store.create(meta(id));
    log.append(turn("t1", "SECRETWORD question", "SECRETWORD answer")).await.unwrap();
    (id, log.path().to_owned())
}

async fn listed(store: &Store, archived: bool) -> Vec<ThreadId> {
    let query = ListQuery { limit: 100, archived, ..ListQuery::default() };
    store.list(query).await.unwrap().items.iter().map(|row| row.id).collect()
}

/// All files below a folder that hold a text.
fn holding(folder: &Path, word: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(holding(&entry.path(), word));
        } else if memchr::memmem::find(&std::fs::read(entry.path()).unwrap(), word.as_bytes())
            .is_some()
        {
            found.push(entry.path());
        }
    }
    found
}

#[tokio::test]
async fn a_name_survives_the_loss_of_the_index() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let (id, _) = written(&store).await;
    store.set_name(id, "first").await.unwrap();
    store.set_name(id, "My name").await.unwrap();
    let name = |store: Store| async move {
        store.list(ListQuery::default()).await.unwrap().items[0].name.clone()
    };
    assert_eq!(name(store.clone()).await.as_deref(), Some("My name"));
    store.close().await;
    for file in holding(home.path(), "SQLite format") {
        std::fs::remove_file(file).unwrap();
    }
    let store = Store::new(home.path());
    assert_eq!(name(store.clone()).await.as_deref(), Some("My name"));
    assert_eq!(store.row(id).await.unwrap().unwrap().name.as_deref(), Some("My name"));
}

#[tokio::test]
async fn names_that_others_gave_are_seen() {
    let home = tempfile::tempdir().unwrap();
    let (ours, theirs) = (Store::new(home.path()), Store::new(home.path()));
    let (id, _) = written(&ours).await;
    assert_eq!(ours.list(ListQuery::default()).await.unwrap().items[0].name, None);
    theirs.set_name(id, "theirs").await.unwrap();
    let rows = ours
        .list(ListQuery { search: Some("their".into()), ..ListQuery::default() })
        .await
        .unwrap();
    assert_eq!(rows.items[0].name.as_deref(), Some("theirs"));
    assert!(matches!(theirs.set_name(ThreadId::new(), "x").await, Err(Error::NoThread(_))));
}

#[tokio::test]
async fn archiving_moves_a_thread_between_the_lists() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let (id, path) = written(&store).await;
    assert_eq!(listed(&store, false).await, [id]);
    let away = store.archive(id).await.unwrap();
    assert!(away.exists() && !path.exists());
    assert_eq!((listed(&store, false).await, listed(&store, true).await), (vec![], vec![id]));
    assert!(matches!(store.open(id).await, Err(Error::Archived(_))));
    assert!(matches!(store.archive(id).await, Err(Error::NoThread(_))));
    assert!(store.read(id).await.unwrap().archived);
    assert_eq!(store.unarchive(id).await.unwrap(), path);
    assert_eq!((listed(&store, false).await, listed(&store, true).await), (vec![id], vec![]));
    store.open(id).await.unwrap();
}

#[tokio::test]
async fn a_thread_in_use_can_neither_go_away_nor_be_deleted() {
    let home = tempfile::tempdir().unwrap();
    let (ours, theirs) = (Store::new(home.path()), Store::new(home.path()));
    let (id, path) = written(&ours).await;
    let held = ours.open(id).await.unwrap();
    assert!(matches!(theirs.archive(id).await, Err(Error::Busy { .. })));
    assert!(matches!(theirs.delete(id).await, Err(Error::Busy { .. })));
    assert!(path.exists());
    drop(held);
    theirs.delete(id).await.unwrap();
}

#[tokio::test]
async fn deleting_leaves_no_word_of_a_thread() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let (id, _) = written(&store).await;
    store.set_name(id, "SECRETWORD name").await.unwrap();
    let (other, _) = written(&store).await;
    store.set_name(other, "kept").await.unwrap();
    assert_eq!(listed(&store, false).await.len(), 2);
    store.delete(id).await.unwrap();
    assert_eq!(listed(&store, false).await, [other]);
    store.delete(other).await.unwrap();
    assert_eq!(holding(home.path(), "SECRETWORD"), Vec::<PathBuf>::new());
    assert_eq!(holding(home.path(), &id.to_string()), Vec::<PathBuf>::new());
    store.close().await;
    assert_eq!(holding(home.path(), "SECRETWORD"), Vec::<PathBuf>::new());
    assert!(matches!(store.delete(id).await, Err(Error::NoThread(_))));
}

#[tokio::test]
async fn a_thread_that_another_one_continues_stays() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let (id, path) = written(&store).await;
    let fork = ThreadId::new();
    let mut header = serde_json::to_value(meta(fork)).unwrap();
    header["history_base"] =
        serde_json::json!({"thread_id": id, "end_ordinal_exclusive": 3, "end_byte_offset": 1});
    let line = serde_json::json!({"timestamp": "2026-11-30T13:45:18.123Z", "ordinal": 3, "type": "session_meta", "payload": header});
    place_at(home.path(), "2026-12-01T00-00-00", &fork.to_string(), &text(&[line]));
    let refused = store.delete(id).await.unwrap_err();
    assert!(matches!(refused, Error::Referenced { by, .. } if by == fork));
    assert!(path.exists());
    store.delete(fork).await.unwrap();
    store.delete(id).await.unwrap();
}
