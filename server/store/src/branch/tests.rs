use serde_json::{Value, json};
use spindle_schema::event::TurnStatus;

use super::*;
use crate::index::{ListQuery, ThreadRow};
use crate::rollout::pages::TurnsQuery;
use crate::testing::{begin, item, meta, place_at, text, turn, user};

async fn source(store: &Store) -> Log {
    let log = store.create(meta(ThreadId::new()));
    for (id, words) in [("t0", "ALPHA"), ("t1", "BRAVO"), ("t2", "CHARLIE")] {
        log.append(turn(id, words, &format!("answer to {words}"))).await.unwrap();
    }
    log
}

async fn turns(store: &Store, id: ThreadId) -> Vec<String> {
    let page = store.turns_page(id, TurnsQuery::default()).await.unwrap();
    page.items.iter().map(|turn| turn.id.to_string()).collect()
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn fork_meta() -> SessionMeta {
    let mut meta = meta(ThreadId::new());
    meta.timestamp = "2026-12-01T00:00:00.000Z".into();
    meta
}

#[tokio::test]
async fn a_fork_holds_what_came_before_and_nothing_of_later_turns() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let log = source(&store).await;
    let t = |id: &str| TurnId::new(id);
    for (point, kept) in [
        (ForkPoint::End, vec!["t0", "t1", "t2"]),
        (ForkPoint::AfterTurn(t("t2")), vec!["t0", "t1", "t2"]),
        (ForkPoint::AfterTurn(t("t0")), vec!["t0"]),
        (ForkPoint::BeforeTurn(t("t1")), vec!["t0"]),
        (ForkPoint::BeforeTurn(t("t0")), vec![]),
    ] {
        let Loaded { log: fork, history } =
            store.fork(log.id(), point.clone(), fork_meta()).await.unwrap();
        assert_eq!(turns(&store, fork.id()).await, kept, "{point:?}");
        assert_eq!(history.lines.len(), 2 * kept.len());
        let text = std::fs::read_to_string(fork.path()).unwrap();
        assert_eq!(text.contains("CHARLIE"), kept.len() == 3, "{point:?}");
        fork.append(turn("new", "DELTA", "yes")).await.unwrap();
        let lines = lines(fork.path());
        assert!(lines.iter().enumerate().all(|(at, line)| line["ordinal"] == at));
        assert_eq!(lines.iter().filter(|line| line["type"] == "session_meta").count(), 1);
    }
    let unknown =
        store.fork(log.id(), ForkPoint::AfterTurn(t("junk")), fork_meta()).await.unwrap_err();
    assert_eq!(unknown.to_string(), "turn not found: junk");
}

#[tokio::test]
async fn a_fork_outlives_its_source_and_is_listed_at_once() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let log = source(&store).await;
    let id = log.id();
    let first = store.fork(id, ForkPoint::End, fork_meta()).await.unwrap().log.id();
    let second = store.fork(first, ForkPoint::End, fork_meta()).await.unwrap().log.id();
    drop(log);
    let listed = |store: Store| async move {
        let rows = store.list(ListQuery { limit: 9, ..ListQuery::default() }).await.unwrap().items;
        rows.iter().map(|row: &ThreadRow| (row.id, row.preview.clone())).collect::<Vec<_>>()
    };
    let mut wanted = vec![first, second, id];
    wanted.sort();
    let mut rows = listed(store.clone()).await;
    rows.sort();
    assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), wanted);
    assert!(rows.iter().all(|row| row.1.as_deref() == Some("ALPHA")));
    store.delete(id).await.unwrap();
    store.delete(first).await.unwrap();
    assert_eq!(turns(&Store::new(home.path()), second).await, ["t0", "t1", "t2"]);
}

#[tokio::test]
async fn a_fork_of_a_running_turn_reads_it_as_interrupted() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let log = source(&store).await;
    log.append([begin("t3"), user("t3", "running")].concat()).await.unwrap();
    let fork = store.fork(log.id(), ForkPoint::End, fork_meta()).await.unwrap();
    let page = store.turns_page(fork.log.id(), TurnsQuery::default()).await.unwrap();
    let last = page.items.last().unwrap();
    assert_eq!((last.status, last.items.len()), (TurnStatus::Interrupted, 1));
}

#[tokio::test]
async fn damaged_lines_are_not_copied() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let log = source(&store).await;
    let mut bytes = std::fs::read(log.path()).unwrap();
    let id = log.id();
    let path = log.path().to_owned();
    drop(log);
    bytes.splice(0..0, b"".iter().copied());
    bytes.extend(
        b"{\"timestamp\":\"x\",\"ordinal\":90,\"type\":\"response_item\",\"payload\":{\"cut",
    );
    bytes.extend([b'\n', 0xff, b'\n']);
    std::fs::write(&path, &bytes).unwrap();
    let fork = store.fork(id, ForkPoint::End, fork_meta()).await.unwrap();
    assert_eq!(fork.history.warnings, []);
    assert_eq!(lines(fork.log.path()).len(), 22);
}

#[tokio::test]
async fn an_old_rollout_forks_into_an_old_rollout() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let id = ThreadId::new();
    let said = |kind: &str, words: &str| json!({"timestamp": "", "type": "event_msg", "payload": {"type": kind, "message": words}});
    let header = json!({"timestamp": "", "type": "session_meta",
        "payload": {"id": id, "timestamp": "2025-10-02T10:00:00Z", "cwd": "/w"}});
    let lines = [
        header,
        said("user_message", "one"),
        said("agent_message", "a"),
        said("user_message", "two"),
        said("agent_message", "b"),
    ];
    place_at(home.path(), "2025-10-02T10-00-00", &id.to_string(), &text(&lines));
    let point = ForkPoint::AfterTurn(TurnId::new("rollout-1"));
    let fork = store.fork(id, point, fork_meta()).await.unwrap().log;
    assert_eq!(turns(&store, fork.id()).await, ["rollout-1"]);
    assert!(!std::fs::read_to_string(fork.path()).unwrap().contains("\"two\""));
}

#[tokio::test]
async fn a_revert_takes_turns_away_and_the_thread_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let log = source(&store).await;
    assert_eq!(turns(&store, log.id()).await.len(), 3);
    assert!(matches!(log.revert(TurnId::new("junk")).await, Err(Error::NoTurn(_))));
    assert_eq!(turns(&store, log.id()).await.len(), 3);
    let history = log.revert(TurnId::new("t1")).await.unwrap();
    assert_eq!((history.lines.len(), history.next_ordinal), (2, log.next_ordinal()));
    log.append(turn("t9", "DELTA", "yes")).await.unwrap();
    assert_eq!(turns(&store, log.id()).await, ["t0", "t9"]);
    let text = std::fs::read_to_string(log.path()).unwrap();
    assert!(!text.contains("BRAVO"));
    assert!(lines(log.path()).iter().enumerate().all(|(at, line)| line["ordinal"] == at));
    let row = store.list(ListQuery::default()).await.unwrap().items.remove(0);
    assert_eq!(row.model.as_deref(), Some("model-t9"));
}

/// A home as the peer leaves it: a thread, a fork of it by reference, and a revert of it.
struct Peer {
    home: tempfile::TempDir,
    source: ThreadId,
    fork: ThreadId,
}

fn line(ordinal: u64, record: &RolloutItem) -> Value {
    let line = RolloutLine {
        timestamp: "2026-11-30T13:45:18.123Z".into(),
        ordinal: Some(ordinal),
        item: record.clone(),
    };
    serde_json::to_value(&line).unwrap()
}

fn header(id: ThreadId, base: Option<(ThreadId, u64, usize)>) -> RolloutItem {
    let mut header = serde_json::to_value(meta(id)).unwrap();
    if let Some((thread, ordinal, byte)) = base {
        header["history_base"] =
            json!({"thread_id": thread, "end_ordinal_exclusive": ordinal, "end_byte_offset": byte});
    }
    item("session_meta", &header)
}

fn peer() -> Peer {
    let home = tempfile::tempdir().unwrap();
    let (source, fork) = (ThreadId::new(), ThreadId::new());
    let two = [turn("t0", "ALPHA", "a"), turn("t1", "BRAVO", "b")].concat();
    let mut first = vec![line(0, &header(source, None))];
    first.extend((1..).zip(&two).map(|(at, record)| line(at, record)));
    let (one, all) = (text(&first[..8]), text(&first));
    place_at(home.path(), "2026-11-30T13-45-18", &source.to_string(), &all);
    let forked = line(15, &header(fork, Some((source, 15, all.len()))));
    place_at(home.path(), "2026-11-30T14-00-00", &fork.to_string(), &text(&[forked]));
    let mut reverted = vec![line(8, &header(source, Some((source, 8, one.len()))))];
    reverted.extend((9..).zip(&turn("t5", "ECHO", "e")).map(|(at, record)| line(at, record)));
    let name = format!("{source}_{}", ThreadId::new());
    place_at(home.path(), "2026-12-02T15-00-00", &name, &text(&reverted));
    Peer { home, source, fork }
}

#[tokio::test]
async fn references_of_the_peer_are_followed() {
    let peer = peer();
    let store = Store::new(peer.home.path());
    assert_eq!(turns(&store, peer.fork).await, ["t0", "t1"]);
    assert_eq!(turns(&store, peer.source).await, ["t0", "t5"]);
    let Loaded { log, history } = store.open(peer.fork).await.unwrap();
    assert_eq!((history.lines.len(), history.next_ordinal), (4, 16));
    assert_eq!(history.turn_context.unwrap().model.as_ref(), "model-t1");
    log.append(turn("t2", "more", "yes")).await.unwrap();
    assert_eq!(turns(&store, peer.fork).await, ["t0", "t1", "t2"]);
    let copy = store.fork(peer.fork, ForkPoint::End, fork_meta()).await.unwrap().log;
    assert_eq!(turns(&store, copy.id()).await, ["t0", "t1", "t2"]);
    assert_eq!(lines(copy.path()).len(), 22);
}

#[tokio::test]
async fn a_thread_of_several_files_is_listed_once_with_the_preview_of_the_first() {
    let peer = peer();
    let store = Store::new(peer.home.path());
    let rows = store.list(ListQuery { limit: 9, ..ListQuery::default() }).await.unwrap().items;
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row.preview.as_deref() == Some("ALPHA")), "{rows:?}");
    let of = |id| rows.iter().find(|row| row.id == id).unwrap().model.as_deref();
    assert_eq!((of(peer.source), of(peer.fork)), (Some("model-t5"), Some("model-t1")));
    assert!(matches!(store.delete(peer.source).await, Err(Error::Referenced { .. })));
    store.archive(peer.source).await.unwrap();
    assert_eq!(turns(&store, peer.source).await, ["t0", "t5"]);
    assert_eq!(turns(&store, peer.fork).await, ["t0", "t1"]);
    store.delete(peer.fork).await.unwrap();
    store.delete(peer.source).await.unwrap();
    assert!(store.check().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_fork_of_the_peer_without_its_source_keeps_what_it_holds_and_says_so() {
    let peer = peer();
    let store = Store::new(peer.home.path());
    let log = store.open(peer.fork).await.unwrap().log;
    log.append(turn("t2", "own", "yes")).await.unwrap();
    drop(log);
    for report in store.check().await.unwrap() {
        if report.id == Some(peer.source) {
            std::fs::remove_file(report.path).unwrap();
        }
    }
    let history = store.read(peer.fork).await.unwrap();
    assert_eq!(history.warnings[0].kind, crate::DamageKind::MissingBase);
    assert_eq!(turns(&store, peer.fork).await, ["t2"]);
}
