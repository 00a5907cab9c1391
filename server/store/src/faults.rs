//! Each call that changes a file fails once, in turn. What was acknowledged stays, and the store
//! goes on.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use spindle_schema::ids::{ThreadId, TurnId};
use spindle_schema::rollout::{RolloutItem, RolloutLine};

use crate::error::Error;
use crate::index::ListQuery;
use crate::store::{Loaded, Store};
use crate::testing::{Fault, Faults, FaultyDisk, meta, turn};

const EIO: i32 = 5;
const EINTR: i32 = 4;
const ENOSPC: i32 = 28;

/// A life of a thread during which one call fails.
struct Life {
    faults: Arc<Faults>,
    store: Store,
    id: ThreadId,
    /// Turns whose records were acknowledged.
    kept: Vec<String>,
    /// Turns that wait in memory.
    waiting: Vec<String>,
    turns: usize,
    name: Option<&'static str>,
    unread: bool,
}

impl Life {
    fn new(home: &Path) -> Self {
        let faults = Arc::new(Faults::default());
        let disk = Box::new(FaultyDisk(Arc::clone(&faults)));
        let store = Store::with(home, disk, Timestamp::now);
        let (kept, waiting) = (Vec::new(), Vec::new());
        Self {
            faults,
            store,
            id: ThreadId::new(),
            kept,
            waiting,
            turns: 0,
            name: None,
            unread: false,
        }
    }

    async fn take_turn(&mut self, log: &crate::Log) {
        let name = format!("t{}", self.turns);
        self.turns += 1;
        match log.append(turn(&name, &format!("question {name}"), "answer")).await {
            Ok(_) => {
                self.kept.append(&mut self.waiting);
                self.kept.push(name);
            }
            Err(Error::Unwritten { kept: true, lines, .. }) => {
                assert_eq!(lines.len(), 7);
                self.waiting.push(name);
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Everything the store can do to a thread, faults or not.
    async fn live(&mut self) {
        let log = self.store.create(meta(self.id));
        self.take_turn(&log).await;
        self.take_turn(&log).await;
        if self.store.set_name(self.id, "named").await.is_ok() {
            self.name = Some("named");
        }
        self.unread |= log.note_unread(TurnId::new("t0")).await.is_ok();
        self.take_turn(&log).await;
        drop(log);
        // What waited went down with the handle unless a later append took it along.
        self.waiting.clear();
        let _ = self.store.archive(self.id).await;
        let _ = self.store.unarchive(self.id).await;
        if let Ok(Loaded { log, .. }) = self.store.open(self.id).await {
            self.take_turn(&log).await;
            self.take_turn(&log).await;
        }
    }

    /// What a fresh process finds, and that it can go on.
    async fn check(&mut self, home: &Path, what: &str) {
        self.faults.heal();
        self.store.close().await;
        let store = Store::new(home);
        if store.read(self.id).await.is_ok_and(|history| history.archived) {
            store.unarchive(self.id).await.unwrap();
        }
        if self.kept.is_empty() && store.row(self.id).await.unwrap().is_none() {
            return;
        }
        let Loaded { log, history } = store.open(self.id).await.unwrap();
        assert_eq!(history.warnings, [], "{what}");
        let said: Vec<String> = history.lines.iter().filter_map(question).collect();
        for turn in &self.kept {
            let times = said.iter().filter(|said| **said == format!("question {turn}")).count();
            assert_eq!(times, 1, "{what}: {turn} of {said:?}");
        }
        log.append(turn("last", "question last", "answer")).await.unwrap();
        let text = std::fs::read_to_string(log.path()).unwrap();
        for (at, line) in text.lines().enumerate() {
            let line =
                RolloutLine::parse(line.as_bytes()).unwrap_or_else(|_| panic!("{what}: {line}"));
            assert_eq!(line.ordinal, Some(at as u64), "{what}");
        }
        let rows = store.list(ListQuery { limit: 5, ..ListQuery::default() }).await.unwrap().items;
        assert_eq!(rows.len(), 1, "{what}");
        assert_eq!(rows[0].name.as_deref(), self.name, "{what}");
        assert_eq!(rows[0].notes.read_state.is_some(), self.unread, "{what}");
    }
}

fn question(line: &RolloutLine) -> Option<String> {
    let RolloutItem::Response(item) = &line.item else { return None };
    let text = serde_json::to_value(&item.item).ok()?["content"][0]["text"].as_str()?.to_owned();
    text.starts_with("question").then_some(text)
}

#[tokio::test]
async fn no_failing_call_loses_what_was_acknowledged() {
    let home = tempfile::tempdir().unwrap();
    let mut life = Life::new(home.path());
    life.live().await;
    let calls = life.faults.log();
    assert!(calls.len() > 20, "{calls:?}");
    life.check(home.path(), "no fault").await;
    for (at, call) in calls.iter().enumerate() {
        let faults: &[Fault] = match *call {
            "write" => &[Fault::Error(EIO), Fault::Error(EINTR), Fault::Short, Fault::Full],
            _ => &[Fault::Error(ENOSPC)],
        };
        for fault in faults {
            let home = tempfile::tempdir().unwrap();
            let mut life = Life::new(home.path());
            life.faults.plan(at, *fault);
            life.live().await;
            life.check(home.path(), &format!("{fault:?} at {call}, call {at}")).await;
        }
    }
}

#[tokio::test]
async fn records_that_wait_are_written_with_the_next_ones_in_order() {
    let home = tempfile::tempdir().unwrap();
    let mut life = Life::new(home.path());
    let log = life.store.create(meta(life.id));
    life.take_turn(&log).await;
    for _ in 0..2 {
        life.faults.plan(0, Fault::Full);
        life.take_turn(&log).await;
    }
    assert_eq!(life.waiting, ["t1", "t2"]);
    life.faults.heal();
    life.take_turn(&log).await;
    assert_eq!(life.kept, ["t0", "t1", "t2", "t3"]);
    drop(log);
    life.check(home.path(), "full disk").await;
}

#[tokio::test]
async fn records_that_wait_are_written_when_the_store_closes() {
    let home = tempfile::tempdir().unwrap();
    let mut life = Life::new(home.path());
    let log = life.store.create(meta(life.id));
    life.take_turn(&log).await;
    life.faults.plan(0, Fault::Error(ENOSPC));
    life.take_turn(&log).await;
    life.faults.heal();
    life.store.close().await;
    life.kept.append(&mut life.waiting);
    drop(log);
    life.check(home.path(), "close").await;
}
