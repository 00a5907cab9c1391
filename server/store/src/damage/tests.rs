//! A thread with two turns whose file is damaged in the ways that were seen in the wild. After
//! each: it is listed, read and continued, what the model gets is in order and complete but for
//! what the damage took, and a fresh process finds the same.

use std::path::Path;

use spindle_schema::event::TurnStatus;
use spindle_schema::ids::ThreadId;
use spindle_schema::rollout::{RolloutItem, RolloutLine};

use super::*;
use crate::index::ListQuery;
use crate::rollout::pages::TurnsQuery;
use crate::store::{Loaded, Store};
use crate::testing::{meta, place_at, turn};
use crate::{Error, History};

struct Hurt {
    home: tempfile::TempDir,
    id: ThreadId,
    path: PathBuf,
}

/// Makes the thread and changes its lines.
async fn hurt(change: impl FnOnce(&mut Vec<Vec<u8>>)) -> Hurt {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let id = ThreadId::new();
    let log = store.create(meta(id));
    for (name, words) in [("t0", "ALPHA"), ("t1", "BRAVO")] {
        log.append(turn(name, words, &format!("answer to {words}"))).await.unwrap();
    }
    let path = log.path().to_owned();
    drop(log);
    store.close().await;
    let bytes = std::fs::read(&path).unwrap();
    let mut lines: Vec<_> = bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    assert_eq!(lines.len(), 15);
    change(&mut lines);
    std::fs::write(&path, lines.concat()).unwrap();
    Hurt { home, id, path }
}

/// What the model would get.
fn said(history: &History) -> Vec<String> {
    let words = |line: &RolloutLine| {
        let RolloutItem::Response(item) = &line.item else { return None };
        let item = serde_json::to_value(&item.item).ok()?;
        Some(item["content"][0]["text"].as_str()?.to_owned())
    };
    history.lines.iter().filter_map(words).collect()
}

const ALL: [&str; 4] = ["ALPHA", "answer to ALPHA", "BRAVO", "answer to BRAVO"];

impl Hurt {
    async fn turns(&self, store: &Store) -> Vec<(String, TurnStatus, usize)> {
        let page = store.turns_page(self.id, TurnsQuery::default()).await.unwrap();
        page.items.iter().map(|turn| (turn.id.to_string(), turn.status, turn.items.len())).collect()
    }

    /// Lists, reads, continues and reads again; gives the damage that was told.
    async fn recovers(
        &self,
        words: &[&str],
        turns: &[(&str, TurnStatus, usize)],
    ) -> Vec<DamageKind> {
        for file in ["spindle.sqlite", "spindle.sqlite-wal", "spindle.sqlite-shm"] {
            drop(std::fs::remove_file(self.home.path().join(file)));
        }
        let store = Store::new(self.home.path());
        let rows = store.list(ListQuery { limit: 9, ..ListQuery::default() }).await.unwrap().items;
        assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [self.id]);
        let turns: Vec<_> = turns.iter().map(|turn| (turn.0.to_owned(), turn.1, turn.2)).collect();
        assert_eq!(self.turns(&store).await, turns);
        let Loaded { log, history } = store.open(self.id).await.unwrap();
        assert_eq!(said(&history), words);
        log.append(turn("new", "CHARLIE", "answer to CHARLIE")).await.unwrap();
        drop(log);
        let fresh = Store::new(self.home.path());
        let mut turns = turns;
        turns.push(("new".into(), TurnStatus::Completed, 2));
        assert_eq!(self.turns(&fresh).await, turns);
        let again = fresh.open(self.id).await.unwrap().history;
        let new = ["CHARLIE", "answer to CHARLIE"];
        assert_eq!(said(&again), [words, &new].concat());
        assert_eq!(again.next_ordinal, history.next_ordinal + 7);
        history.warnings.into_iter().map(|damage| damage.kind).collect()
    }
}

const DONE: TurnStatus = TurnStatus::Completed;
const BOTH: [(&str, TurnStatus, usize); 2] = [("t0", DONE, 2), ("t1", DONE, 2)];

#[tokio::test]
async fn no_final_newline() {
    let hurt = hurt(|lines| assert_eq!(lines.last_mut().unwrap().pop(), Some(b'\n'))).await;
    assert_eq!(hurt.recovers(&ALL, &BOTH).await, []);
    assert!(std::fs::read_to_string(&hurt.path).unwrap().lines().count() == 22);
}

#[tokio::test]
async fn a_last_line_cut_in_half() {
    let hurt = hurt(|lines| {
        let last = lines.last_mut().unwrap();
        last.truncate(last.len() / 2);
    })
    .await;
    let open = [BOTH[0], ("t1", TurnStatus::Interrupted, 2)];
    assert_eq!(hurt.recovers(&ALL, &open).await, [DamageKind::Torn]);
}

#[tokio::test]
async fn a_corrupt_line_in_the_middle() {
    let hurt =
        hurt(|lines| lines[9] = b"{\"timestamp\":\"x\",\"ordinal\":9,garbage\n".to_vec()).await;
    let kinds = hurt.recovers(&ALL, &BOTH).await;
    assert!(matches!(kinds[..], [DamageKind::Unreadable { .. }]), "{kinds:?}");
}

#[tokio::test]
async fn a_corrupt_first_line() {
    let hurt = hurt(|lines| lines[0] = b"{\"timestamp\":\"2026\n".to_vec()).await;
    let kinds = hurt.recovers(&ALL, &BOTH).await;
    assert_eq!(kinds[0], DamageKind::NoHeader);
}

#[tokio::test]
async fn a_first_line_that_is_gone() {
    let hurt = hurt(|lines| drop(lines.remove(0))).await;
    assert_eq!(hurt.recovers(&ALL, &BOTH).await, [DamageKind::NoHeader]);
}

#[tokio::test]
async fn an_empty_file_is_told() {
    let hurt = hurt(Vec::clear).await;
    let store = Store::new(hurt.home.path());
    let error = store.open(hurt.id).await.unwrap_err();
    assert_eq!(error.to_string(), format!("rollout at {} is empty", hurt.path.display()));
    assert!(matches!(store.read(hurt.id).await, Err(Error::Empty { .. })));
    assert_eq!(store.check().await.unwrap()[0].damage[0].kind, DamageKind::Empty);
}

#[tokio::test]
async fn only_the_header_is_left() {
    let hurt = hurt(|lines| lines.truncate(1)).await;
    let store = Store::new(hurt.home.path());
    let Loaded { log, history } = store.open(hurt.id).await.unwrap();
    assert_eq!((said(&history), history.next_ordinal), (vec![], 1));
    log.append(turn("new", "CHARLIE", "yes")).await.unwrap();
    assert_eq!(hurt.turns(&store).await, [("new".into(), DONE, 2)]);
    assert_eq!(store.list(ListQuery::default()).await.unwrap().items.len(), 1);
}

#[tokio::test]
async fn kinds_that_nobody_knows() {
    let hurt = hurt(|lines| {
        for (kind, payload) in [
            ("from_the_future", "{\"x\":1.5}"),
            ("event_msg", "{\"type\":\"unheard_of\",\"x\":1.5}"),
        ] {
            let at = lines.len();
            let head = format!("{{\"timestamp\":\"x\",\"ordinal\":{at},\"type\":\"{kind}\"");
            lines.push(format!("{head},\"payload\":{payload}}}\n").into_bytes());
        }
    })
    .await;
    assert_eq!(hurt.recovers(&ALL, &BOTH).await, []);
    assert!(std::fs::read_to_string(&hurt.path).unwrap().contains("from_the_future"));
}

#[tokio::test]
async fn lines_that_stand_there_twice() {
    let hurt = hurt(|lines| {
        let again = lines[8..].to_vec();
        lines.extend(again);
        let again = lines[3..6].to_vec();
        lines.splice(6..6, again);
    })
    .await;
    let kinds = hurt.recovers(&ALL, &BOTH).await;
    assert_eq!(kinds.len(), 10);
    assert!(kinds.iter().all(|kind| matches!(kind, DamageKind::Duplicate { .. })));
}

#[tokio::test]
async fn four_kilobytes_of_nothing_at_the_end() {
    let hurt = hurt(|lines| lines.push(vec![0; 4096])).await;
    assert_eq!(hurt.recovers(&ALL, &BOTH).await, [DamageKind::Torn]);
}

#[tokio::test]
async fn one_line_that_is_not_utf8() {
    let hurt = hurt(|lines| {
        let at = lines[10].iter().position(|b| *b == b'B').unwrap();
        assert!(lines[10][at..].starts_with(b"BRAVO"));
        lines[10][at] = 0xff;
    })
    .await;
    let kinds = hurt.recovers(&["ALPHA", "answer to ALPHA", "answer to BRAVO"], &BOTH).await;
    assert!(matches!(kinds[..], [DamageKind::Unreadable { .. }]), "{kinds:?}");
}

#[tokio::test]
async fn blank_lines() {
    let hurt = hurt(|lines| {
        for at in [9, 4, 1] {
            lines.insert(at, b" \n\n".to_vec());
        }
    })
    .await;
    assert_eq!(hurt.recovers(&ALL, &BOTH).await, []);
}

#[tokio::test]
async fn numbers_that_are_gone() {
    let hurt = hurt(|lines| {
        for (at, line) in lines.iter_mut().enumerate() {
            let text = String::from_utf8(std::mem::take(line)).unwrap();
            *line = text.replacen(&format!("\"ordinal\":{at},"), "", 1).into_bytes();
        }
    })
    .await;
    assert_eq!(hurt.recovers(&ALL, &BOTH).await, []);
}

#[tokio::test]
async fn the_last_lines_are_missing() {
    let hurt = hurt(|lines| lines.truncate(12)).await;
    let open = [BOTH[0], ("t1", TurnStatus::Interrupted, 1)];
    assert_eq!(hurt.recovers(&ALL[..3], &open).await, []);
}

#[tokio::test]
async fn of_two_files_of_a_thread_the_newer_name_counts() {
    let hurt = hurt(|_| ()).await;
    let text = std::fs::read_to_string(&hurt.path).unwrap();
    let part: String = text.lines().take(5).map(|line| line.to_owned() + "\n").collect();
    let old = place_at(hurt.home.path(), "2020-01-01T00-00-00", &hurt.id.to_string(), &part);
    hurt.recovers(&ALL, &BOTH).await;
    assert_eq!(std::fs::read_to_string(&old).unwrap(), part);
}

#[tokio::test]
async fn a_name_that_does_not_tell_the_thread() {
    let mut hurt = hurt(|_| ()).await;
    let renamed = hurt.path.with_file_name("rollout-renamed.jsonl");
    std::fs::rename(&hurt.path, &renamed).unwrap();
    hurt.path = renamed;
    hurt.recovers(&ALL, &BOTH).await;
    assert!(Path::exists(&hurt.path));
}

/// A process that dies while it writes leaves a file that ends anywhere.
#[tokio::test]
async fn a_file_that_ends_at_any_byte_keeps_every_whole_line() {
    let hurt = hurt(|_| ()).await;
    let bytes = std::fs::read(&hurt.path).unwrap();
    let store = Store::new(hurt.home.path());
    for end in (1..bytes.len()).step_by(37).chain([bytes.len() - 1]) {
        std::fs::write(&hurt.path, &bytes[..end]).unwrap();
        let whole = bytes[..end].split(|b| *b == b'\n').count() - 1;
        if whole == 0 {
            assert!(matches!(store.open(hurt.id).await, Err(Error::Empty { .. })), "cut at {end}");
            continue;
        }
        let Loaded { log, history } = store.open(hurt.id).await.unwrap();
        let next = log.next_ordinal();
        // The last byte of all is the line end of a record that is whole without it.
        assert_eq!(next, if end == bytes.len() - 1 { 15 } else { whole as u64 }, "cut at {end}");
        log.append(turn("new", "CHARLIE", "yes")).await.unwrap();
        drop(log);
        let again = store.read(hurt.id).await.unwrap();
        assert_eq!(again.next_ordinal, next + 7, "cut at {end}");
        assert_eq!(said(&again).len(), said(&history).len() + 2, "cut at {end}");
    }
}
