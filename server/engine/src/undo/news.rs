//! What the model is told: files are not what it left.

use std::fmt::Write as _;

use spindle_schema::ids::TurnId;

use super::history::History;
use super::journal::Record;

/// Files that are named; the model can look for itself.
const NAMED: usize = 40;

/// What the model has not heard of undoing; none when it knows all. Pure.
pub(super) fn untold(records: &[Record]) -> Option<String> {
    let told = records.iter().rposition(|record| *record == Record::Told);
    let fresh = &records[told.map_or(0, |place| place + 1)..];
    let mut turns: Vec<&TurnId> = Vec::new();
    for record in fresh {
        if let Record::Undone { turns: named, .. } | Record::Redone { turns: named, .. } = record {
            turns.extend(named.iter().filter(|turn| !turns.contains(turn)).collect::<Vec<_>>());
        }
    }
    let history = History::of(records.to_vec());
    let (mut undone, mut redone) = (Vec::new(), Vec::new());
    for turn in history.turns.iter().filter(|turn| turns.contains(&&turn.turn)) {
        let list = if turn.undone { &mut undone } else { &mut redone };
        list.extend(turn.changes.iter().map(|change| change.path.display().to_string()));
    }
    let mut text = String::new();
    if !undone.is_empty() {
        text.push_str(
            "The person has undone changes that you made to files. These are again as they were \
             before:",
        );
        name(&mut text, &mut undone);
    }
    if !redone.is_empty() {
        text.push_str("The person has undone changes and then made them again, in these files:");
        name(&mut text, &mut redone);
    }
    (!text.is_empty()).then(|| {
        text.push_str("Read a file again before you rely on what it holds.");
        text
    })
}

fn name(text: &mut String, paths: &mut Vec<String>) {
    paths.sort_unstable();
    paths.dedup();
    for path in paths.iter().take(NAMED) {
        // Writing to a text cannot fail.
        let _ = write!(text, "\n- {path}");
    }
    if paths.len() > NAMED {
        let _ = write!(text, "\n- and {} more", paths.len() - NAMED);
    }
    text.push('\n');
}
