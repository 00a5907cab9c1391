use serde_json::json;
use spindle_schema::ids::ThreadId;

use super::*;
use crate::disk::RealDisk;
use crate::testing::{begin, event, meta};

struct Room {
    home: tempfile::TempDir,
    appender: Appender,
}

fn room() -> Room {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("sessions/rollout.jsonl");
    let appender = Appender::fresh(home.path().to_owned(), path, Arc::new(meta(ThreadId::new())));
    Room { home, appender }
}

impl Room {
    fn append(&mut self, word: &str) -> Option<Damage> {
        let items = vec![event(&json!({"type": "said", "word": word}))];
        self.appender.append(&RealDisk, Timestamp::UNIX_EPOCH, items, &mut |_| {}).unwrap().notice
    }

    fn path(&self) -> PathBuf {
        self.home.path().join("sessions/rollout.jsonl")
    }

    /// Kind and ordinal of each line, or the line itself where it is no record.
    fn lines(&self) -> Vec<(String, Option<u64>)> {
        let text = std::fs::read_to_string(self.path()).unwrap();
        let read = |line: &str| match RolloutLine::parse(line.as_bytes()) {
            Ok(line) => (line.item.kind().to_owned(), line.ordinal),
            Err(_) => (line.to_owned(), None),
        };
        text.lines().map(read).collect()
    }
}

fn lines_from(ordinals: std::ops::Range<u64>) -> Vec<(String, Option<u64>)> {
    let kind = |ordinal| if ordinal == 0 { "session_meta" } else { "event_msg" };
    ordinals.map(|ordinal| (kind(ordinal).to_owned(), Some(ordinal))).collect()
}

#[test]
fn each_written_line_is_shown_once() {
    let mut room = room();
    let mut seen = Vec::new();
    for turn in ["a", "b"] {
        room.appender
            .append(&RealDisk, Timestamp::UNIX_EPOCH, begin(turn), &mut |line| {
                seen.push(line.to_vec());
            })
            .unwrap();
    }
    let file = std::fs::read(room.path()).unwrap();
    assert_eq!(seen.join(&b'\n'), file[..file.len() - 1]);
}

#[test]
fn a_file_removed_while_open_is_put_back_whole() {
    let mut room = room();
    room.append("one");
    std::fs::remove_file(room.path()).unwrap();
    assert_eq!(room.append("two").unwrap().kind, DamageKind::Removed { restored: true });
    assert_eq!(room.lines(), lines_from(0..3));
    assert_eq!(room.append("three"), None);
}

#[test]
fn a_file_removed_while_at_rest_begins_again_with_its_header() {
    let mut room = room();
    room.append("one");
    room.append("two");
    room.appender.rest();
    std::fs::remove_file(room.path()).unwrap();
    assert_eq!(room.append("three").unwrap().kind, DamageKind::Removed { restored: false });
    assert_eq!(room.lines(), lines_from(0..2));
    assert_eq!(room.appender.next_ordinal(), 2);
}

#[test]
fn a_file_that_lost_its_tail_goes_on_with_a_new_line() {
    let mut room = room();
    room.append("one");
    room.append("two");
    let len = room.appender.len();
    let file = File::options().write(true).open(room.path()).unwrap();
    file.set_len(len - 10).unwrap();
    let notice = room.append("three").unwrap();
    assert_eq!(notice.kind, DamageKind::Shortened { from: len, to: len - 10 });
    let lines = room.lines();
    assert_eq!(lines.len(), 4);
    assert_eq!((&lines[2].1, &lines[3]), (&None, &("event_msg".to_owned(), Some(3))));
}

#[test]
fn a_file_that_lost_everything_gets_its_header_again() {
    let mut room = room();
    room.append("one");
    File::options().write(true).open(room.path()).unwrap().set_len(0).unwrap();
    assert!(room.append("two").is_some());
    assert_eq!(room.lines(), lines_from(0..2));
}

#[test]
fn lines_of_others_stay_and_are_numbered_past() {
    let mut room = room();
    room.append("one");
    let theirs =
        json!({"timestamp": "", "ordinal": 9, "type": "event_msg", "payload": {"type": "said"}});
    let mut text = std::fs::read_to_string(room.path()).unwrap();
    text = format!("{text}{theirs}\n{{\"cut");
    std::fs::write(room.path(), text).unwrap();
    assert!(matches!(room.append("two").unwrap().kind, DamageKind::Foreign { .. }));
    let ordinals: Vec<_> = room.lines().into_iter().map(|line| line.1).collect();
    assert_eq!(ordinals, [Some(0), Some(1), Some(9), None, Some(10)]);
}

#[test]
fn old_rollouts_go_on_without_numbers() {
    let mut room = room();
    let mut old = meta(ThreadId::new());
    old.history_mode = None;
    room.appender = Appender::fresh(room.home.path().to_owned(), room.path(), Arc::new(old));
    room.append("one");
    assert!(room.lines().iter().all(|line| line.1.is_none()));
}
