//! Where the turns and items of a thread stand in its files.
//!
//! Made on demand, from the end towards the beginning and only as far as somebody asks; kept in
//! memory for a while, never stored.

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, Hash};
use std::io;
use std::os::unix::fs::MetadataExt as _;

use spindle_schema::ids::TurnId;

use super::envelope::Envelope;
use super::lineage::{Lineage, Segment};
pub(crate) use super::marks::Role;
use super::marks::{ItemMeaning, Meaning};
use super::scan::{Backward, Forward, Line, read_exact};
use crate::error::{Context as _, Error};

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    segment: u32,
    offset: u64,
    len: u32,
    /// Its number in the logical history.
    pub(crate) ordinal: u64,
}

/// Where a turn stands.
#[derive(Debug, Clone)]
pub(crate) struct TurnMark {
    /// The turn.
    pub(crate) id: TurnId,
    /// Its first line; `None` while it has not been reached, and for a turn that lost it.
    pub(crate) start: Option<Mark>,
    /// Its last line; `None` for a turn without an end.
    pub(crate) end: Option<Mark>,
    /// A line of it, the earliest that is known.
    first: Mark,
}

impl TurnMark {
    /// The number that stands for the turn in cursors.
    pub(crate) fn ordinal(&self) -> u64 {
        self.start.unwrap_or(self.first).ordinal
    }
}

/// Where an item stands.
#[derive(Debug, Clone)]
pub(crate) struct ItemMark {
    /// Its line. An item that was recorded again is read from its last line and stands at its
    /// first.
    pub(crate) mark: Mark,
    /// Its turn.
    pub(crate) turn: TurnId,
    /// Who speaks in it.
    pub(crate) role: Role,
    /// Of its turn and id; 0 where it has no id.
    hash: u64,
}

/// Where turns and items stand.
#[derive(Debug)]
pub(crate) struct Outline {
    /// The file that was read, to notice another one in its place.
    inode: u64,
    /// The end of what was read of the newest file.
    end: u64,
    /// Lines before this byte of this file have not been read; `None` when all have.
    rest: Option<(usize, u64)>,
    /// Turns whose start is known, oldest first.
    turns: VecDeque<TurnMark>,
    /// Turns whose start is still to come, the latest first.
    open: Vec<TurnMark>,
    /// Items in order.
    items: VecDeque<ItemMark>,
    /// Hashes of the turns and items that are known, to tell soon that one is not.
    seen: HashSet<u64>,
}

impl Outline {
    /// Nothing read yet.
    pub(crate) fn new(lineage: &Lineage) -> Result<Self, Error> {
        let (at, own) = last(lineage);
        let meta = own.file.metadata().context("examine", &own.path)?;
        Ok(Self {
            inode: meta.ino(),
            end: own.end,
            rest: Some((at, own.end)),
            turns: VecDeque::new(),
            open: Vec::new(),
            items: VecDeque::new(),
            seen: HashSet::new(),
        })
    }

    /// Takes in what was appended since; tells whether the file is still the same one.
    pub(crate) fn catch_up(&mut self, lineage: &Lineage) -> Result<bool, Error> {
        let (at, own) = last(lineage);
        let meta = own.file.metadata().context("examine", &own.path)?;
        if meta.ino() != self.inode || own.end < self.end {
            return Ok(false);
        }
        let mut lines = Forward::new(&own.file, self.end, own.end);
        while let Some(line) = lines.next().context("read", &own.path)? {
            if !line.ended {
                break;
            }
            self.end = line.end();
            if let Some((mark, meaning)) = look(at, own, line) {
                self.add_behind(mark, meaning);
            }
        }
        Ok(true)
    }

    /// Reads towards the beginning until `enough`.
    pub(crate) fn reach(
        &mut self,
        lineage: &Lineage,
        enough: &mut dyn FnMut(&Self) -> bool,
    ) -> Result<(), Error> {
        while let Some((at, end)) = self.rest {
            if enough(self) {
                return Ok(());
            }
            let segment = &lineage.segments[at];
            let mut lines = Backward::new(&segment.file, end);
            loop {
                let Some(line) = lines.prev().context("read", &segment.path)? else {
                    self.rest = at.checked_sub(1).map(|at| (at, lineage.segments[at].end));
                    break;
                };
                self.rest = Some((at, line.offset));
                if let Some((mark, meaning)) = look(at, segment, line) {
                    self.add_before(mark, meaning);
                    if enough(self) {
                        return Ok(());
                    }
                }
            }
        }
        self.give_up_open();
        Ok(())
    }

    /// Turns whose start is known, oldest first.
    pub(crate) fn turns(&self) -> &VecDeque<TurnMark> {
        &self.turns
    }

    /// Items that are known, in order.
    pub(crate) fn items(&self) -> &VecDeque<ItemMark> {
        &self.items
    }

    fn add_behind(&mut self, mark: Mark, meaning: Meaning) {
        match meaning {
            Meaning::Start(id) => {
                if self.turn(&id).is_none() {
                    let start = Some(mark);
                    self.turns.push_back(TurnMark { id, start, end: None, first: mark });
                }
            }
            Meaning::End(id) => {
                let turn = match &id {
                    Some(id) => self.turn(id),
                    None => self.turns.back_mut(),
                };
                match (turn, id) {
                    (Some(turn), _) => turn.end = Some(mark),
                    (None, Some(id)) => self.push_lost(id, mark, Some(mark)),
                    (None, None) => {}
                }
            }
            Meaning::Item(item) => {
                if self.turn(&item.turn).is_none() {
                    self.push_lost(item.turn.clone(), mark, None);
                }
                let new = to_item(mark, item);
                let again = !self.seen.insert(new.hash);
                let mut known = self.items.iter_mut().rev().filter(|_| again);
                match known.find(|known| known.is_again(&new)) {
                    Some(known) => known.mark = Mark { ordinal: known.mark.ordinal, ..new.mark },
                    None => self.items.push_back(new),
                }
            }
        }
    }

    /// A turn whose first line is not in the file.
    fn push_lost(&mut self, id: TurnId, first: Mark, end: Option<Mark>) {
        self.turns.push_back(TurnMark { id, start: None, end, first });
    }

    fn add_before(&mut self, mark: Mark, meaning: Meaning) {
        match meaning {
            Meaning::Start(id) => self.close_front(id, mark),
            Meaning::End(id) => {
                // A line that does not name its turn ends the one that stands before it, which
                // is the next to be found.
                let id = id.unwrap_or_else(|| TurnId::new(""));
                if let Some(turn) = self.turn(&id) {
                    turn.end.get_or_insert(mark);
                } else {
                    self.open.push(TurnMark { id, start: None, end: Some(mark), first: mark });
                }
            }
            Meaning::Item(item) => {
                if let Some(turn) = self.turn(&item.turn) {
                    turn.first = mark;
                } else {
                    let id = item.turn.clone();
                    self.open.push(TurnMark { id, start: None, end: None, first: mark });
                }
                let mut new = to_item(mark, item);
                if !self.seen.insert(new.hash)
                    && let Some(at) = self.items.iter().position(|known| known.is_again(&new))
                    && let Some(known) = self.items.remove(at)
                {
                    new.mark = Mark { ordinal: new.mark.ordinal, ..known.mark };
                }
                self.items.push_front(new);
            }
        }
    }

    fn close_front(&mut self, id: TurnId, mark: Mark) {
        self.seen.insert(hash_of(id.as_str()));
        let mut turn = match self.take(&id) {
            Some(turn) => turn,
            None => TurnMark { id, start: None, end: None, first: mark },
        };
        if turn.end.is_none()
            && let Some(at) = self.open.iter().position(|open| open.id.as_str().is_empty())
        {
            turn.end = self.open.remove(at).end;
        }
        // Turns follow one another: the others that are open have lost their start.
        self.give_up_open();
        (turn.start, turn.first) = (Some(mark), mark);
        self.turns.push_front(turn);
    }

    /// Takes a turn out whose first line turns up. One that had been given up, or that begins
    /// twice, stands near the front.
    fn take(&mut self, id: &TurnId) -> Option<TurnMark> {
        if let Some(at) = self.open.iter().position(|turn| turn.id == *id) {
            return Some(self.open.remove(at));
        }
        let at = self.turns.iter().take(8).position(|turn| turn.id == *id)?;
        self.turns.remove(at)
    }

    /// Puts turns that have lost their start where their first known line stands.
    fn give_up_open(&mut self) {
        for turn in self.open.drain(..).filter(|turn| !turn.id.as_str().is_empty()) {
            let at = self.turns.partition_point(|known| known.ordinal() < turn.ordinal());
            self.turns.insert(at, turn);
        }
    }

    /// The turn, noted as known from here on.
    fn turn(&mut self, id: &TurnId) -> Option<&mut TurnMark> {
        if self.seen.insert(hash_of(id.as_str())) {
            return None;
        }
        let open = self.open.iter_mut().find(|turn| turn.id == *id);
        open.or_else(|| self.turns.iter_mut().rev().find(|turn| turn.id == *id))
    }
}

impl ItemMark {
    /// Whether this is another record of the same item.
    fn is_again(&self, other: &Self) -> bool {
        self.hash == other.hash && self.hash != 0
    }
}

fn to_item(mark: Mark, item: ItemMeaning) -> ItemMark {
    let hash = match &*item.id {
        "" => 0,
        id => hash_of((item.turn.as_str(), id)),
    };
    ItemMark { mark, turn: item.turn, role: item.role, hash }
}

fn hash_of(value: impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

fn last(lineage: &Lineage) -> (usize, &Segment) {
    let at = lineage.segments.len() - 1;
    (at, &lineage.segments[at])
}

fn look(at: usize, segment: &Segment, line: Line<'_>) -> Option<(Mark, Meaning)> {
    let envelope = Envelope::read(line.bytes)?;
    if segment.end_ordinal.is_some_and(|end| envelope.ordinal >= Some(end)) {
        return None;
    }
    let meaning = Meaning::of(&envelope)?;
    let mark = Mark {
        segment: u32::try_from(at).ok()?,
        offset: line.offset,
        len: u32::try_from(line.bytes.len()).ok()?,
        // Lines that lost their number are told apart by their place.
        ordinal: envelope.ordinal.unwrap_or(line.offset),
    };
    Some((mark, meaning))
}

impl Mark {
    /// Reads the line.
    pub(crate) fn read(&self, lineage: &Lineage) -> io::Result<Vec<u8>> {
        let segment = &lineage.segments[self.segment as usize];
        let mut line = vec![0; self.len as usize];
        read_exact(&segment.file, &mut line, self.offset)?;
        Ok(line)
    }
}

#[cfg(test)]
mod tests;
