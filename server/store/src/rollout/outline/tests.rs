use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use proptest::prelude::*;
use serde_json::{Value, json};
use spindle_schema::ids::ThreadId;

use super::*;
use crate::testing::meta;

fn lineage(file: File) -> Lineage {
    let end = file.metadata().unwrap().len();
    let segment = Segment { path: PathBuf::from("x"), file, end, end_ordinal: None };
    Lineage { meta: meta(ThreadId::new()), segments: vec![segment], damage: Vec::new() }
}

fn record(kind: u8, turn: u8, item: u8) -> Value {
    let turn = format!("t{turn}");
    match kind {
        0 => json!({"type": "task_started", "turn_id": turn}),
        1 => json!({"type": "task_complete", "turn_id": turn}),
        2 => {
            json!({"type": "item_completed", "turn_id": turn, "item": {"type": "UserMessage", "id": format!("i{item}")}})
        }
        _ => json!({"type": "token_count"}),
    }
}

type Shape = (Vec<(TurnId, u64, bool)>, Vec<(u64, u64, TurnId)>);

fn shape(outline: &Outline) -> Shape {
    let turns =
        outline.turns.iter().map(|turn| (turn.id.clone(), turn.ordinal(), turn.end.is_some()));
    let items =
        outline.items.iter().map(|item| (item.mark.ordinal, item.mark.offset, item.turn.clone()));
    (turns.collect(), items.collect())
}

/// Records of turns that follow one another, some without start or end, with items that are
/// recorded again.
fn records() -> impl Strategy<Value = Vec<Value>> {
    let turn = (any::<bool>(), any::<bool>(), proptest::collection::vec(0u8..4, 0..5));
    proptest::collection::vec(turn, 0..8).prop_map(|turns| {
        let mut records = Vec::new();
        for (at, (start, end, items)) in (0u8..).zip(turns) {
            records.extend(start.then(|| record(0, at, 0)));
            records.push(record(3, at, 0));
            records.extend(items.into_iter().map(|item| record(2, at, item)));
            records.extend(end.then(|| record(1, at, 0)));
        }
        records
    })
}

fn write(file: &mut File, from: usize, records: &[Value]) {
    for (at, payload) in records.iter().enumerate() {
        let line =
            json!({"timestamp": "", "ordinal": from + at, "type": "event_msg", "payload": payload});
        writeln!(file, "{line}").unwrap();
    }
}

proptest! {
    #[test]
    fn from_the_end_and_from_the_beginning_the_same_is_found(records in records(), cut in 0usize..40) {
        let mut file = tempfile::tempfile().unwrap();
        let nothing = lineage(file.try_clone().unwrap());
        let mut grown = Outline::new(&nothing).unwrap();
        let cut = cut.min(records.len());
        write(&mut file, 0, &records[..cut]);
        let mut mixed = Outline::new(&lineage(file.try_clone().unwrap())).unwrap();
        mixed.reach(&lineage(file.try_clone().unwrap()), &mut |_| false).unwrap();
        write(&mut file, cut, &records[cut..]);
        let whole = lineage(file);
        let mut walked = Outline::new(&whole).unwrap();
        walked.reach(&whole, &mut |_| false).unwrap();
        prop_assert!(grown.catch_up(&whole).unwrap());
        prop_assert!(mixed.catch_up(&whole).unwrap());
        prop_assert_eq!(shape(&walked), shape(&grown));
        prop_assert_eq!(shape(&mixed), shape(&grown));
    }

    #[test]
    fn a_walk_that_stops_finds_the_latest_turns(records in records(), wanted in 1usize..5) {
        let mut file = tempfile::tempfile().unwrap();
        write(&mut file, 0, &records);
        let whole = lineage(file);
        let mut all = Outline::new(&whole).unwrap();
        all.reach(&whole, &mut |_| false).unwrap();
        let mut some = Outline::new(&whole).unwrap();
        some.reach(&whole, &mut |outline| outline.turns().len() >= wanted).unwrap();
        let (all, _) = shape(&all);
        let (some, _) = shape(&some);
        prop_assert!(some.len() >= wanted.min(all.len()));
        let started: Vec<_> = some.iter().take(wanted.min(some.len())).collect();
        prop_assert!(started.iter().all(|turn| all.contains(turn)));
    }
}
