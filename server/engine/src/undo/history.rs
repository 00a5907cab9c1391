//! What a journal comes to: which turns changed what, and what was taken back. Pure.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use spindle_exec::snapshot::restore::{Conflict, Why};
use spindle_exec::snapshot::{Change, Manifest};
use spindle_schema::ids::TurnId;

use super::journal::{Look, Record};
use super::{Error, Wanted};

/// A turn that touched files.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Touched {
    pub(super) turn: TurnId,
    /// When it was last heard of. Unix milliseconds.
    pub(super) at: i64,
    /// Sorted by path, each path once.
    pub(super) changes: Vec<Change>,
    pub(super) notes: Vec<String>,
    /// Whether it was taken back.
    pub(super) undone: bool,
    /// Its patches, until the whole is known.
    pub(super) patches: Vec<(bool, Vec<Change>)>,
    /// The looks at folders that nothing was compared with: the program was killed.
    pub(super) open: Option<Vec<Look>>,
}

/// All of a journal.
#[derive(Debug, Default)]
pub(super) struct History {
    /// In the order in which they began.
    pub(super) turns: Vec<Touched>,
    /// What can be made again, the last one first to go.
    taken: Vec<Vec<TurnId>>,
}

impl History {
    /// Reads records in order.
    pub(super) fn of(records: Vec<Record>) -> Self {
        let mut history = Self::default();
        for record in records {
            history.take(record);
        }
        for turn in &mut history.turns {
            let patches = std::mem::take(&mut turn.patches);
            if turn.changes.is_empty() && turn.open.is_none() {
                turn.changes = merge(&patches, Vec::new(), &[]);
            }
            turn.patches = patches;
        }
        history
    }

    fn take(&mut self, record: Record) {
        match record {
            Record::Patch { turn, at, late, changes } => {
                self.taken.clear();
                self.turn(turn, at).patches.push((late, changes));
            }
            Record::Watch { turn, at, looks } => self.turn(turn, at).open = Some(looks),
            Record::Turn { turn, at, changes, notes } => {
                if !changes.is_empty() {
                    self.taken.clear();
                }
                let touched = self.turn(turn, at);
                touched.open = None;
                touched.patches.clear();
                (touched.changes, touched.notes) = (changes, notes);
            }
            Record::Undone { turns, .. } => {
                self.mark(&turns, true);
                self.taken.push(turns);
            }
            Record::Redone { turns, .. } => {
                self.mark(&turns, false);
                self.taken.pop();
            }
            Record::Told => {}
        }
    }

    fn turn(&mut self, turn: TurnId, at: i64) -> &mut Touched {
        let place = self.turns.iter().position(|known| known.turn == turn);
        let place = place.unwrap_or_else(|| {
            self.turns.push(Touched {
                turn,
                at,
                changes: Vec::new(),
                notes: Vec::new(),
                undone: false,
                patches: Vec::new(),
                open: None,
            });
            self.turns.len() - 1
        });
        self.turns[place].at = at;
        &mut self.turns[place]
    }

    fn mark(&mut self, turns: &[TurnId], undone: bool) {
        let named = self.turns.iter_mut().filter(|known| turns.contains(&known.turn));
        named.for_each(|known| known.undone = undone);
    }

    /// Chooses what is to be taken back or made again.
    pub(super) fn choose(&self, wanted: &Wanted) -> Result<Chosen<'_>, Error> {
        let standing = || self.turns.iter().filter(|turn| !turn.undone && !turn.changes.is_empty());
        let turns: Vec<&Touched> = match wanted {
            Wanted::Last => vec![standing().next_back().ok_or(Error::Nothing)?],
            Wanted::Back(to) => {
                let from_there = standing().skip_while(|turn| turn.turn != *to);
                let turns: Vec<_> = from_there.collect();
                if turns.is_empty() {
                    return Err(Error::NoSuchTurn(to.clone()));
                }
                turns
            }
            Wanted::Again => {
                let taken = self.taken.last().ok_or(Error::NothingTaken)?;
                let named = self.turns.iter().filter(|turn| taken.contains(&turn.turn));
                named.collect()
            }
        };
        let first = turns.first().map(|turn| &turn.turn);
        let earlier = standing().take_while(|turn| Some(&turn.turn) != first);
        let again = *wanted == Wanted::Again;
        let earlier = if again { Vec::new() } else { earlier.collect() };
        Ok(Chosen { turns, earlier, again })
    }
}

/// Turns to be taken back, or made again.
#[derive(Debug)]
pub(super) struct Chosen<'a> {
    /// In the order in which they ran.
    pub(super) turns: Vec<&'a Touched>,
    /// Those before them that can be taken back.
    pub(super) earlier: Vec<&'a Touched>,
    pub(super) again: bool,
}

impl Chosen<'_> {
    /// The sum of the changes, in the direction in which they are to be taken back; and the
    /// files that somebody changed between two of the turns, which would be lost.
    pub(super) fn changes(&self) -> (Vec<Change>, Vec<Conflict>) {
        let mut sum: BTreeMap<PathBuf, Change> = BTreeMap::new();
        let mut conflicts = Vec::new();
        for change in self.turns.iter().flat_map(|turn| &turn.changes) {
            match sum.get_mut(&change.path) {
                Some(known) => {
                    if !known.after.fits(&change.before) && !change.before.fits(&known.after) {
                        let path = change.path.clone();
                        conflicts.push(Conflict { path, why: Why::Changed });
                    }
                    known.after = change.after.clone();
                }
                None => {
                    sum.insert(change.path.clone(), change.clone());
                }
            }
        }
        let changes = sum.into_values().filter(|change| change.before != change.after);
        let direct = |change: Change| if self.again { change.reversed() } else { change };
        (changes.map(direct).collect(), conflicts)
    }
}

/// Joins what patches say of themselves with what two looks at folders say. `late` patches came
/// after the first look, which then knows better what was there before.
pub(super) fn merge(
    patches: &[(bool, Vec<Change>)],
    seen: Vec<Change>,
    looks: &[(&Manifest, &Manifest)],
) -> Vec<Change> {
    let mut sum: BTreeMap<PathBuf, Change> = BTreeMap::new();
    let mut add = |change: &Change| match sum.get_mut(&change.path) {
        Some(known) => known.after = change.after.clone(),
        None => {
            sum.insert(change.path.clone(), change.clone());
        }
    };
    let is_known =
        |path: &Path| looks.iter().any(|(before, after)| before.knows(path) || after.knows(path));
    let of_kind = |wanted: bool| patches.iter().filter(move |(late, _)| *late == wanted);
    of_kind(false).flat_map(|(_, changes)| changes).for_each(&mut add);
    seen.iter().for_each(&mut add);
    let late = of_kind(true).flat_map(|(_, changes)| changes);
    late.filter(|change| !is_known(&change.path)).for_each(&mut add);
    sum.into_values().filter(|change| change.before != change.after).collect()
}

#[cfg(test)]
mod tests;
