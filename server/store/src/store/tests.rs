use std::os::unix::fs::PermissionsExt as _;

use spindle_schema::event::TurnStatus;

use super::*;
use crate::testing::{begin, meta, place_at, turn, user};

/// All records of a file, as JSON.
fn lines(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

async fn written(store: &Store, turns: usize) -> (ThreadId, PathBuf) {
    let id = ThreadId::new();
    let log = store.create(meta(id));
    for at in 0..turns {
        log.append(turn(&format!("t{at}"), &format!("question {at}"), "answer")).await.unwrap();
    }
    (id, log.path().to_owned())
}

#[tokio::test]
async fn a_new_store_touches_nothing() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(&home.path().join("home"));
    let log = store.create(meta(ThreadId::new()));
    assert!(!log.path().exists());
    assert!(!home.path().join("home").exists());
}

#[tokio::test]
async fn records_are_numbered_from_the_header_on() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let id = ThreadId::new();
    let log = store.create(meta(id));
    let appended = log.append(begin("t1")).await.unwrap();
    assert_eq!(
        appended.lines.iter().map(|line| line.ordinal).collect::<Vec<_>>(),
        [Some(1), Some(2)]
    );
    log.append(user("t1", "hello")).await.unwrap();
    assert_eq!(log.next_ordinal(), 5);
    let lines = lines(log.path());
    assert_eq!(lines[0]["type"], "session_meta");
    assert_eq!(lines[0]["payload"]["id"], id.to_string());
    for (at, line) in lines.iter().enumerate() {
        assert_eq!(line["ordinal"], at);
        assert_eq!(line["timestamp"].as_str().unwrap().len(), "2026-11-30T13:45:18.123Z".len());
    }
}

#[tokio::test]
async fn files_are_for_their_owner_alone() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let (_, path) = written(&store, 1).await;
    store.list(ListQuery::default()).await.unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    assert_eq!(mode(&home.path().join("spindle.sqlite")), 0o600);
}

#[tokio::test]
async fn an_empty_append_makes_a_thread_that_can_be_opened_and_stands_in_no_list() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let id = ThreadId::new();
    store.create(meta(id)).append(Vec::new()).await.unwrap();
    let store = Store::new(home.path());
    let loaded = store.open(id).await.unwrap();
    assert_eq!(loaded.history.meta.id, id);
    assert_eq!(loaded.history.next_ordinal, 1);
    assert!(loaded.history.lines.is_empty());
    assert!(
        store.list(ListQuery { limit: 10, ..ListQuery::default() }).await.unwrap().items.is_empty()
    );
    assert_eq!(store.row(id).await.unwrap().unwrap().preview, None);
}

#[tokio::test]
async fn what_was_appended_is_read_back_and_continued() {
    let home = tempfile::tempdir().unwrap();
    let (id, path) = written(&Store::new(home.path()), 2).await;
    let store = Store::new(home.path());
    let Loaded { log, history } = store.open(id).await.unwrap();
    assert_eq!(history.lines.len(), 4);
    assert_eq!(&*history.turn_context.unwrap().model, "model-t1");
    assert_eq!(history.last_turn.unwrap().status, TurnStatus::Completed);
    assert_eq!(history.warnings, []);
    let before = lines(&path).len() as u64;
    assert_eq!(log.next_ordinal(), before);
    log.append(turn("t2", "more", "yes")).await.unwrap();
    let after = lines(&path);
    assert_eq!(after.last().unwrap()["ordinal"], after.len() - 1);
}

#[tokio::test]
async fn a_turn_without_an_end_is_told_as_open() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let id = ThreadId::new();
    let log = store.create(meta(id));
    log.append([begin("t1"), user("t1", "hello")].concat()).await.unwrap();
    let history = store.read(id).await.unwrap();
    let last = history.last_turn.unwrap();
    assert_eq!((last.id.unwrap().as_str(), last.status), ("t1", TurnStatus::InProgress));
}

#[tokio::test]
async fn a_list_shows_what_was_just_written() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let (id, path) = written(&store, 2).await;
    let page = store.list(ListQuery { limit: 10, ..ListQuery::default() }).await.unwrap();
    let [row] = &page.items[..] else { panic!("one row") };
    assert_eq!((row.id, &row.path), (id, &path));
    assert_eq!(row.preview.as_deref(), Some("question 0"));
    assert_eq!(row.model.as_deref(), Some("model-t1"));
    assert_eq!(row.last_turn, Some(TurnStatus::Completed));
    assert_eq!(row.size_bytes, path.metadata().unwrap().len());
    assert_eq!(store.row(id).await.unwrap().as_ref(), Some(row));
}

#[tokio::test]
async fn a_list_finds_what_others_wrote_before_and_after_the_first_look() {
    let home = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let (_, theirs) = written(&Store::new(other.path()), 1).await;
    let text = std::fs::read_to_string(theirs).unwrap();
    let store = Store::new(home.path());
    let all = || async {
        store.list(ListQuery { limit: 10, ..ListQuery::default() }).await.unwrap().items.len()
    };
    assert_eq!(all().await, 0);
    for made in ["2026-01-02T03-04-05", "2026-01-02T03-04-06", "2027-02-02T03-04-05"] {
        let before = all().await;
        let id = ThreadId::new();
        let old = serde_json::from_str::<serde_json::Value>(text.lines().next().unwrap()).unwrap();
        let text = text.replace(old["payload"]["id"].as_str().unwrap(), &id.to_string());
        place_at(home.path(), made, &id.to_string(), &text);
        assert_eq!(all().await, before + 1, "{made}");
    }
}

#[tokio::test]
async fn one_writer_at_a_time() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let (id, _) = written(&store, 1).await;
    let first = store.open(id).await.unwrap();
    let second = Store::new(home.path()).open(id).await.unwrap_err();
    assert!(matches!(second, Error::Busy { pid: Some(_), .. }));
    first.log.append(turn("t9", "still mine", "yes")).await.unwrap();
    drop(first);
    Store::new(home.path()).open(id).await.unwrap();
}

#[tokio::test]
async fn an_id_in_use_is_refused_and_its_file_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let (id, path) = written(&store, 1).await;
    let before = std::fs::read(&path).unwrap();
    let refused = store.create(meta(id)).append(turn("t", "mine", "yes")).await.unwrap_err();
    assert!(matches!(refused, Error::Exists { .. }));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn an_unknown_thread_is_named() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let id = ThreadId::new();
    let error = store.open(id).await.unwrap_err();
    assert_eq!(error.to_string(), format!("no rollout found for thread id {id}"));
    assert!(store.row(id).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_threads_write_at_once_and_each_keeps_its_order() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let tasks: Vec<_> = (0..64)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { written(&store, 8).await })
        })
        .collect();
    for task in tasks {
        let (_, path) = task.await.unwrap();
        let lines = lines(&path);
        assert_eq!(lines.len(), 1 + 8 * 7);
        assert!(lines.iter().enumerate().all(|(at, line)| line["ordinal"] == at));
    }
    let page = store.list(ListQuery { limit: 100, ..ListQuery::default() }).await.unwrap();
    assert_eq!(page.items.len(), 64);
}

#[tokio::test]
async fn a_closed_store_refuses_records_and_has_written_all() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let log = store.create(meta(ThreadId::new()));
    log.append(turn("t1", "hello", "yes")).await.unwrap();
    store.close().await;
    assert!(matches!(log.append(begin("t2")).await, Err(Error::Closed)));
    let index = rusqlite::Connection::open(home.path().join("spindle.sqlite")).unwrap();
    let rows: i64 = index.query_row("SELECT count(*) FROM thread", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 1);
}
