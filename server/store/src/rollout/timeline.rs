//! Turns and items of a thread in the order in which they stand in its file.

use spindle_schema::event::{ItemsView, TimedItem, TurnSnapshot};
use spindle_schema::ids::TurnId;

use super::legacy;
use super::lineage::Lineage;
use super::outline::{Mark, Outline, TurnMark};
use super::pages::{snapshot, timed};
use crate::error::Error;
use crate::index::Page;

/// Something that happened in a thread, and its number in the history.
#[derive(Debug, Clone)]
pub struct TimelineEntry {
    /// Grows from entry to entry.
    pub position: u64,
    /// What happened.
    pub event: TimelineEvent,
}

/// What happened.
#[derive(Debug, Clone)]
pub enum TimelineEvent {
    /// A turn began. Without its items.
    TurnStarted(Box<TurnSnapshot>),
    /// An item became whole.
    Item(TurnId, Box<TimedItem>),
    /// A turn ended. Without its items.
    TurnCompleted(Box<TurnSnapshot>),
}

enum Place<'a> {
    Start(&'a TurnMark),
    Item(&'a TurnId, Mark),
    End(&'a TurnMark),
}

/// A page of the timeline, the first entry first. The cursor is the position of the last entry.
pub(crate) fn timeline(
    lineage: &Lineage,
    outline: &mut Outline,
    cursor: Option<&str>,
    limit: usize,
) -> Result<Page<TimelineEntry>, Error> {
    let from = position(cursor)?;
    outline.reach(lineage, &mut |_| false)?;
    let mut places = Vec::new();
    for turn in outline.turns() {
        places.extend(turn.start.map(|mark| (mark.ordinal, Place::Start(turn))));
        places.extend(turn.end.map(|mark| (mark.ordinal, Place::End(turn))));
    }
    let items = outline.items().iter();
    places.extend(items.map(|item| (item.mark.ordinal, Place::Item(&item.turn, item.mark))));
    places.retain(|(position, _)| from.is_none_or(|from| *position > from));
    places.sort_by_key(|(position, _)| *position);
    let read = |(position, place): (u64, Place<'_>)| {
        let turn = |mark| Box::new(snapshot(lineage, mark, Vec::new(), ItemsView::NotLoaded));
        let event = match place {
            Place::Start(mark) => TimelineEvent::TurnStarted(turn(mark)),
            Place::End(mark) => TimelineEvent::TurnCompleted(turn(mark)),
            Place::Item(turn, mark) => {
                TimelineEvent::Item(turn.clone(), Box::new(timed(lineage, &mark)?))
            }
        };
        Some(TimelineEntry { position, event })
    };
    let more = places.len() > limit.max(1);
    places.truncate(limit.max(1));
    Ok(page(places.into_iter().filter_map(read).collect(), more))
}

/// The same for old rollouts, whose entries are counted.
pub(crate) fn legacy_timeline(
    lineage: &Lineage,
    cursor: Option<&str>,
    limit: usize,
) -> Result<Page<TimelineEntry>, Error> {
    let from = position(cursor)?;
    let mut events = Vec::new();
    for legacy::LegacyTurn { mut turn, .. } in legacy::read(lineage)? {
        let items = std::mem::take(&mut turn.items);
        turn.view = ItemsView::NotLoaded;
        let id = turn.id.clone();
        let turn = Box::new(turn);
        events.push(TimelineEvent::TurnStarted(turn.clone()));
        let item = |item| TimelineEvent::Item(id.clone(), Box::new(item));
        events.extend(items.into_iter().map(item));
        events.push(TimelineEvent::TurnCompleted(turn));
    }
    let numbered = (0..).zip(events).map(|(position, event)| TimelineEntry { position, event });
    let mut entries: Vec<_> =
        numbered.filter(|entry| from.is_none_or(|from| entry.position > from)).collect();
    let more = entries.len() > limit.max(1);
    entries.truncate(limit.max(1));
    Ok(page(entries, more))
}

fn position(cursor: Option<&str>) -> Result<Option<u64>, Error> {
    let read = |text: &str| text.parse().map_err(|_| Error::BadCursor(text.into()));
    cursor.map(read).transpose()
}

fn page(items: Vec<TimelineEntry>, more: bool) -> Page<TimelineEntry> {
    let next = items.last().filter(|_| more).map(|last| last.position.to_string().into());
    Page { items, next, back: None }
}
