//! Turns and items of a thread, page by page.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use spindle_schema::event::{ItemsView, TimedItem, TurnSnapshot, TurnStatus};
use spindle_schema::ids::{ThreadId, TurnId};
use spindle_schema::rollout::{ItemCompleted, RecordedEvent, RolloutItem};

use super::lineage::Lineage;
use super::outline::{ItemMark, Mark, Outline, Role, TurnMark};
use super::parse;
use crate::error::Error;
use crate::index::{Direction, Page};

/// Which turns to give.
#[derive(Debug, Clone)]
pub struct TurnsQuery {
    /// Where the page before ended.
    pub cursor: Option<Box<str>>,
    /// At most so many; 0 counts as 1.
    pub limit: usize,
    /// Which end comes first.
    pub direction: Direction,
    /// How many of their items come along.
    pub view: ItemsView,
}

impl Default for TurnsQuery {
    /// All turns with all items, the first one first.
    fn default() -> Self {
        let direction = Direction::Ascending;
        Self { cursor: None, limit: usize::MAX, direction, view: ItemsView::Full }
    }
}

/// Which items to give.
#[derive(Debug, Clone)]
pub struct ItemsQuery {
    /// Only those of this turn.
    pub turn: Option<TurnId>,
    /// Where the page before ended.
    pub cursor: Option<Box<str>>,
    /// At most so many; 0 counts as 1.
    pub limit: usize,
    /// Which end comes first.
    pub direction: Direction,
}

impl Default for ItemsQuery {
    /// All items, the first one first.
    fn default() -> Self {
        Self { turn: None, cursor: None, limit: usize::MAX, direction: Direction::Ascending }
    }
}

/// An item, its turn and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedItem {
    /// The turn.
    pub turn_id: TurnId,
    /// The item.
    pub item: TimedItem,
    /// The number of its record.
    pub ordinal: u64,
}

/// Where a page ended, as text: opaque to clients, of the same shape as the peer's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cursor {
    requested_thread_id: ThreadId,
    rollout_ordinal: u64,
    include_anchor: bool,
    scope: Scope,
}

/// What a cursor walks over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub(crate) enum Scope {
    Turns,
    ItemsByCreatedAtOrdinal,
}

/// A place between entries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Anchor {
    pub(crate) ordinal: u64,
    pub(crate) included: bool,
}

impl Cursor {
    fn text(thread: ThreadId, ordinal: u64, include_anchor: bool, scope: Scope) -> Box<str> {
        let cursor =
            Self { requested_thread_id: thread, rollout_ordinal: ordinal, include_anchor, scope };
        serde_json::to_string(&cursor).expect("a cursor has no key that is not a text").into()
    }

    pub(super) fn read(text: &str, thread: ThreadId, scope: Scope) -> Result<Anchor, Error> {
        let cursor: Self = serde_json::from_str(text).map_err(|_| Error::BadCursor(text.into()))?;
        if cursor.requested_thread_id != thread || cursor.scope != scope {
            return Err(Error::BadCursor(text.into()));
        }
        Ok(Anchor { ordinal: cursor.rollout_ordinal, included: cursor.include_anchor })
    }
}

/// The part of a list between an anchor and a limit.
pub(super) struct Window {
    pub(super) anchor: Option<Anchor>,
    pub(super) direction: Direction,
    pub(super) limit: usize,
}

impl Window {
    fn holds(&self, ordinal: u64) -> bool {
        self.anchor.is_none_or(|anchor| match self.direction {
            _ if ordinal == anchor.ordinal => anchor.included,
            Direction::Descending => ordinal < anchor.ordinal,
            Direction::Ascending => ordinal > anchor.ordinal,
        })
    }

    /// Whether a walk from the end that has passed these numbers, in order, has gone far enough.
    fn is_full(&self, known: usize, mut ordinals: impl Iterator<Item = u64>) -> bool {
        match (self.direction, self.anchor) {
            // One more than wanted tells whether there is another page.
            (Direction::Descending, _) => {
                known > self.limit
                    && ordinals.filter(|ordinal| self.holds(*ordinal)).nth(self.limit).is_some()
            }
            (Direction::Ascending, Some(anchor)) => {
                ordinals.next().is_some_and(|ordinal| ordinal <= anchor.ordinal)
            }
            (Direction::Ascending, None) => false,
        }
    }

    /// Chooses from entries in order; tells whether there are more.
    pub(super) fn choose<'a, T>(
        &self,
        entries: impl DoubleEndedIterator<Item = &'a T>,
        ordinal: impl Fn(&T) -> u64,
    ) -> (Vec<&'a T>, bool) {
        let wanted = |entry: &&T| self.holds(ordinal(entry));
        let take = self.limit.saturating_add(1);
        let mut chosen: Vec<&T> = match self.direction {
            Direction::Ascending => entries.filter(wanted).take(take).collect(),
            Direction::Descending => entries.rev().filter(wanted).take(take).collect(),
        };
        let more = chosen.len() > self.limit;
        chosen.truncate(self.limit);
        (chosen, more)
    }
}

/// Makes a page of entries and what they are in cursors.
pub(super) fn page<T>(
    thread: ThreadId,
    scope: Scope,
    entries: Vec<(u64, T)>,
    more: bool,
) -> Page<T> {
    let cursor = |at: Option<&(u64, T)>, included| {
        at.map(|(ordinal, _)| Cursor::text(thread, *ordinal, included, scope))
    };
    let next = cursor(entries.last().filter(|_| more), false);
    let back = cursor(entries.first(), true);
    Page { items: entries.into_iter().map(|(_, entry)| entry).collect(), next, back }
}

/// A page of turns.
pub(crate) fn turns(
    lineage: &Lineage,
    outline: &mut Outline,
    query: &TurnsQuery,
) -> Result<Page<TurnSnapshot>, Error> {
    let thread = lineage.meta.id;
    let cursor = query.cursor.as_deref();
    let anchor = cursor.map(|text| Cursor::read(text, thread, Scope::Turns)).transpose()?;
    let window = Window { anchor, direction: query.direction, limit: query.limit.max(1) };
    outline.reach(lineage, &mut |outline| {
        let turns = outline.turns();
        window.is_full(turns.len(), turns.iter().map(TurnMark::ordinal))
    })?;
    let (marks, more) = window.choose(outline.turns().iter(), TurnMark::ordinal);
    let mut items: HashMap<&TurnId, Vec<&ItemMark>> = HashMap::new();
    for item in outline.items() {
        items.entry(&item.turn).or_default().push(item);
    }
    let mut entries = Vec::with_capacity(marks.len());
    for mark in marks {
        let items = items.remove(&mark.id).unwrap_or_default();
        entries.push((mark.ordinal(), snapshot(lineage, mark, items, query.view)));
    }
    Ok(page(thread, Scope::Turns, entries, more))
}

/// The cursor of a page of turns that begins with this one.
pub(crate) fn turn_cursor(
    lineage: &Lineage,
    outline: &mut Outline,
    turn: &TurnId,
) -> Result<Box<str>, Error> {
    let find = |outline: &Outline| {
        outline.turns().iter().find(|known| known.id == *turn).map(TurnMark::ordinal)
    };
    outline.reach(lineage, &mut |outline| find(outline).is_some())?;
    let ordinal = find(outline).ok_or_else(|| Error::NoTurn(turn.clone()))?;
    Ok(Cursor::text(lineage.meta.id, ordinal, true, Scope::Turns))
}

/// A page of items.
pub(crate) fn items(
    lineage: &Lineage,
    outline: &mut Outline,
    query: &ItemsQuery,
) -> Result<Page<PlacedItem>, Error> {
    let thread = lineage.meta.id;
    let scope = Scope::ItemsByCreatedAtOrdinal;
    let cursor = query.cursor.as_deref();
    let anchor = cursor.map(|text| Cursor::read(text, thread, scope)).transpose()?;
    let window = Window { anchor, direction: query.direction, limit: query.limit.max(1) };
    let wanted = |item: &&ItemMark| query.turn.as_ref().is_none_or(|turn| item.turn == *turn);
    let known = |turn: &TurnId| outline.turns().iter().any(|known| known.id == *turn);
    if !query.turn.as_ref().is_some_and(known) {
        outline.reach(lineage, &mut |outline| match &query.turn {
            // Once the start of a turn is found, so are its items.
            Some(turn) => outline.turns().front().is_some_and(|front| front.id == *turn),
            None => {
                let items = outline.items();
                window.is_full(items.len(), items.iter().map(|item| item.mark.ordinal))
            }
        })?;
    }
    let all = outline.items().iter().filter(wanted);
    let (marks, more) = window.choose(all, |item| item.mark.ordinal);
    let placed = |mark: &ItemMark| {
        let item = timed(lineage, &mark.mark)?;
        let ordinal = mark.mark.ordinal;
        Some((ordinal, PlacedItem { turn_id: mark.turn.clone(), item, ordinal }))
    };
    let entries = marks.into_iter().filter_map(placed).collect();
    Ok(page(thread, scope, entries, more))
}

/// Reads a turn as far as the view asks for it.
pub(super) fn snapshot(
    lineage: &Lineage,
    mark: &TurnMark,
    items: Vec<&ItemMark>,
    view: ItemsView,
) -> TurnSnapshot {
    let mut turn = TurnSnapshot {
        id: mark.id.clone(),
        root_turn_id: None,
        // A turn without an end: its process is gone, or its session knows better.
        status: TurnStatus::Interrupted,
        error: None,
        started_at: None,
        completed_at: None,
        duration_ms: None,
        items: Vec::new(),
        view,
    };
    for mark in mark.start.iter().chain(&mark.end) {
        if let Some(event) = event(lineage, mark) {
            apply(&mut turn, event);
        }
    }
    let shown = match view {
        ItemsView::NotLoaded => Vec::new(),
        ItemsView::Summary => summary(&items),
        ItemsView::Full => items,
    };
    turn.items = shown.into_iter().filter_map(|item| timed(lineage, &item.mark)).collect();
    turn
}

/// The first message of the person and the last of the model.
fn summary<'a>(items: &[&'a ItemMark]) -> Vec<&'a ItemMark> {
    let first = items.iter().find(|item| item.role == Role::User);
    let last = items.iter().rfind(|item| item.role == Role::Agent);
    first.into_iter().chain(last).copied().collect()
}

/// Takes the first or the last record of a turn in.
pub(crate) fn apply(turn: &mut TurnSnapshot, event: RecordedEvent) {
    match event {
        RecordedEvent::TaskStarted(started) => {
            turn.root_turn_id = started.root_turn_id;
            turn.started_at = started.started_at;
        }
        RecordedEvent::TaskComplete(ended) => {
            turn.status =
                if ended.error.is_some() { TurnStatus::Failed } else { TurnStatus::Completed };
            turn.error = ended.error;
            turn.root_turn_id = turn.root_turn_id.take().or(ended.root_turn_id);
            turn.started_at = turn.started_at.or(ended.started_at);
            turn.completed_at = ended.completed_at;
            turn.duration_ms = ended.duration_ms;
        }
        RecordedEvent::TurnAborted(ended) => {
            turn.status = TurnStatus::Interrupted;
            turn.root_turn_id = turn.root_turn_id.take().or(ended.root_turn_id);
            turn.started_at = turn.started_at.or(ended.started_at);
            turn.completed_at = ended.completed_at;
            turn.duration_ms = ended.duration_ms;
        }
        RecordedEvent::ItemCompleted(_)
        | RecordedEvent::TokenCount(_)
        | RecordedEvent::ThreadSettingsApplied(_)
        | RecordedEvent::Other(_) => {}
    }
}

/// Reads a line that was an event when it was marked. A line that has changed or cannot be read
/// costs that line.
fn event(lineage: &Lineage, mark: &Mark) -> Option<RecordedEvent> {
    let line = mark.read(lineage).ok()?;
    match parse::line(&line).ok()?.item {
        RolloutItem::Event(event) => Some(*event),
        _ => None,
    }
}

pub(super) fn timed(lineage: &Lineage, mark: &Mark) -> Option<TimedItem> {
    match event(lineage, mark)? {
        RecordedEvent::ItemCompleted(completed) => Some(to_timed(completed)),
        _ => None,
    }
}

/// An item with its times.
pub(crate) fn to_timed(completed: ItemCompleted) -> TimedItem {
    TimedItem {
        item: completed.item,
        started_at_ms: completed.started_at_ms,
        completed_at_ms: completed.completed_at_ms,
    }
}

#[cfg(test)]
mod tests;
