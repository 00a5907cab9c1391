use spindle_exec::snapshot::{Digest, State};

use super::super::news::untold;
use super::*;

fn file(text: &str) -> State {
    if text.is_empty() {
        return State::Missing;
    }
    State::File { content: Digest::of(text.as_bytes()), mode: None }
}

fn change(path: &str, before: &str, after: &str) -> Change {
    Change { path: Path::new("/w").join(path), before: file(before), after: file(after) }
}

fn patch(turn: &str, changes: Vec<Change>) -> Record {
    Record::Patch { turn: TurnId::new(turn), at: 0, late: false, changes }
}

fn whole(turn: &str, changes: Vec<Change>) -> Record {
    Record::Turn { turn: TurnId::new(turn), at: 0, changes, notes: Vec::new() }
}

fn ids(turns: &[&str]) -> Vec<TurnId> {
    turns.iter().map(|turn| TurnId::new(*turn)).collect()
}

fn chosen(records: &[Record], wanted: &Wanted) -> Result<Vec<String>, String> {
    let history = History::of(records.to_vec());
    let chosen = history.choose(wanted).map_err(|error| error.to_string())?;
    Ok(chosen.turns.iter().map(|turn| turn.turn.to_string()).collect())
}

#[test]
fn each_undo_goes_one_turn_further_back_and_a_redo_forward_again() {
    let mut records = vec![
        patch("1", vec![change("a", "x", "y")]),
        whole("2", Vec::new()),
        whole("3", vec![change("a", "y", "z")]),
    ];
    assert_eq!(chosen(&records, &Wanted::Last).unwrap(), ["3"]);
    assert!(chosen(&records, &Wanted::Again).is_err());
    records.push(Record::Undone { turns: ids(&["3"]), at: 0 });
    assert_eq!(chosen(&records, &Wanted::Last).unwrap(), ["1"]);
    records.push(Record::Undone { turns: ids(&["1"]), at: 0 });
    assert!(chosen(&records, &Wanted::Last).is_err());
    assert_eq!(chosen(&records, &Wanted::Again).unwrap(), ["1"]);
    records.push(Record::Redone { turns: ids(&["1"]), at: 0 });
    assert_eq!(chosen(&records, &Wanted::Again).unwrap(), ["3"]);
    assert_eq!(chosen(&records, &Wanted::Last).unwrap(), ["1"]);
    records.push(patch("4", vec![change("b", "", "new")]));
    assert!(chosen(&records, &Wanted::Again).is_err(), "new work ends what could be redone");
    assert_eq!(chosen(&records, &Wanted::Last).unwrap(), ["4"]);
}

#[test]
fn several_turns_come_to_one_sum_and_a_gap_between_them_is_a_conflict() {
    let mut records = vec![
        patch("1", vec![change("a", "x", "y"), change("b", "", "made")]),
        whole("2", vec![change("a", "y", "z"), change("b", "made", "")]),
    ];
    let back = Wanted::Back(TurnId::new("1"));
    let history = History::of(records.clone());
    let sum = history.choose(&back).unwrap().changes();
    assert_eq!(sum, (vec![change("a", "x", "z")], Vec::new()));
    records.push(patch("3", vec![change("a", "mine", "w")]));
    let history = History::of(records);
    let (_, conflicts) = history.choose(&back).unwrap().changes();
    assert_eq!(conflicts.len(), 1);
    assert!(history.choose(&Wanted::Last).unwrap().changes().1.is_empty());
    assert_eq!(history.choose(&Wanted::Last).unwrap().earlier.len(), 2);
}

#[test]
fn what_a_look_saw_goes_before_what_later_patches_say() {
    let early = (false, vec![change("a", "1", "2"), change("out", "1", "2")]);
    let late = (true, vec![change("b", "2", "3"), change("ignored", "1", "2")]);
    let seen = vec![change("a", "2", "3"), change("b", "1", "3")];
    let merged = merge(&[early, late], &seen, &[]);
    // No look knows of these paths here, so that the late patch has the last word on them.
    let expected = vec![
        change("a", "1", "3"),
        change("b", "1", "3"),
        change("ignored", "1", "2"),
        change("out", "1", "2"),
    ];
    assert_eq!(merged, expected);
    let nothing = merge(&[(false, vec![change("a", "1", "2")])], &[change("a", "2", "1")], &[]);
    assert!(nothing.is_empty());
}

#[test]
fn a_turn_that_was_cut_short_is_not_chosen_before_it_is_closed() {
    let watch = Record::Watch { turn: TurnId::new("1"), at: 0, looks: Vec::new() };
    let mut records = vec![patch("1", vec![change("a", "x", "y")]), watch];
    assert!(History::of(records.clone()).turns[0].open.is_some());
    assert!(chosen(&records, &Wanted::Last).is_err());
    records.push(whole("1", vec![change("a", "x", "z")]));
    assert_eq!(chosen(&records, &Wanted::Last).unwrap(), ["1"]);
}

#[test]
fn the_model_hears_of_each_undo_once_and_of_its_outcome_only() {
    let mut records = vec![patch("1", vec![change("a", "x", "y")])];
    assert_eq!(untold(&records), None);
    records.push(Record::Undone { turns: ids(&["1"]), at: 0 });
    let text = untold(&records).unwrap();
    assert!(text.contains("undone changes that you made") && text.contains("\n- /w/a\n"), "{text}");
    records.push(Record::Redone { turns: ids(&["1"]), at: 0 });
    assert!(untold(&records).unwrap().contains("made them again"));
    records.push(Record::Told);
    assert_eq!(untold(&records), None);
}
