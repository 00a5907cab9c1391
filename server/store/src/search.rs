//! Searching in what was said.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use spindle_schema::ids::{ThreadId, TurnId};

use crate::error::Error;
use crate::index::{ListQuery, Page, ThreadRow};
use crate::rollout::pages::ItemsQuery;
use crate::rollout::said::of_item;
use crate::shared::Shared;
use crate::store::Store;

/// Characters that a snippet has before and behind what was found.
const AROUND: usize = 80;
/// Items that are read at once when one thread is searched.
const ITEMS: usize = 256;
/// How often a search that takes long tells what it has found.
const TELL: Duration = Duration::from_millis(500);

/// A thread in which something was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The thread.
    pub row: ThreadRow,
    /// The first passage that fits, cut to some characters around the place.
    pub snippet: Snippet,
}

/// A piece of a text with something in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The piece.
    pub text: Box<str>,
    /// Where in it, in units of UTF-16.
    pub range: Range<u32>,
}

/// A place in a thread at which something was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The turn.
    pub turn_id: TurnId,
    /// The item.
    pub item_id: Box<str>,
    /// The place and what is around it.
    pub snippet: Snippet,
    /// The cursor of a page of turns that begins with the turn.
    pub turn_cursor: Box<str>,
}

/// What a search that takes long does meanwhile.
#[derive(Default)]
pub struct Watch {
    /// Set from outside to give the search up.
    pub stop: Arc<AtomicBool>,
    /// Gets threads as they are found, each once, while the search goes on.
    pub partial: Option<Box<dyn FnMut(Vec<Found>) + Send>>,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("stop", &self.stop).finish_non_exhaustive()
    }
}

impl Store {
    /// Threads in which a text was said by a person or the model, or was a command, or whose name
    /// holds it. Case does not count. Filters and order are those of lists.
    ///
    /// Order: what was appended before the call is found. The first search of a home reads all
    /// its files once.
    ///
    /// # Errors
    /// [`Error::BadCursor`], [`Error::Stopped`].
    pub async fn search(
        &self,
        term: Box<str>,
        list: ListQuery,
        watch: Watch,
    ) -> Result<Page<Found>, Error> {
        self.shared.writer.barrier(&self.shared).await;
        self.blocking(move |shared| shared.search(&term, &list, watch)).await
    }

    /// The places in a thread at which a text was said, the first one first. Case does not count.
    ///
    /// # Errors
    /// [`Error::NoThread`], [`Error::BadCursor`], [`Error::Empty`].
    pub async fn occurrences(
        &self,
        thread: ThreadId,
        term: Box<str>,
        cursor: Option<Box<str>>,
        limit: usize,
    ) -> Result<Page<Occurrence>, Error> {
        self.shared.writer.barrier(&self.shared).await;
        self.blocking(move |shared| shared.occurrences(thread, &term, cursor.as_deref(), limit))
            .await
    }
}

impl Shared {
    fn search(
        self: &Arc<Self>,
        term: &str,
        list: &ListQuery,
        watch: Watch,
    ) -> Result<Page<Found>, Error> {
        let Watch { stop, mut partial } = watch;
        // Brings the rows in step, and tells soon that a cursor is none.
        self.list(&ListQuery { limit: 1, ..list.clone() })?;
        let mut told = HashSet::new();
        let mut last = Instant::now();
        self.index.catch_up_words(&mut || {
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            if let Some(partial) = &mut partial
                && last.elapsed() > TELL
            {
                let mut new = self.find(term, list)?.items;
                new.retain(|found| told.insert(found.row.id));
                if !new.is_empty() {
                    partial(new);
                }
                last = Instant::now();
            }
            Ok(true)
        })?;
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        self.find(term, list)
    }

    fn find(&self, term: &str, list: &ListQuery) -> Result<Page<Found>, Error> {
        let Page { items, next, back } = self.index.find(term, list)?;
        let (mut rows, passages): (Vec<_>, Vec<_>) = items.into_iter().unzip();
        self.annotate(&mut rows);
        let found = |(row, passage): (ThreadRow, Box<str>)| {
            let at = find_folded(&passage, term, 0).unwrap_or(0..0);
            Found { row, snippet: snippet(&passage, at) }
        };
        Ok(Page { items: rows.into_iter().zip(passages).map(found).collect(), next, back })
    }

    fn occurrences(
        self: &Arc<Self>,
        thread: ThreadId,
        term: &str,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<Page<Occurrence>, Error> {
        let from = match cursor {
            None => None,
            Some(text) => Some(parse(text).ok_or_else(|| Error::BadCursor(text.into()))?),
        };
        let limit = limit.max(1);
        let mut found = Vec::new();
        let mut next_items = None;
        'pages: loop {
            let cursor = next_items.take();
            let page =
                self.items(thread, &ItemsQuery { cursor, limit: ITEMS, ..Default::default() })?;
            for placed in page.items {
                let Some(said) = of_item(&placed.item.item) else { continue };
                for (number, range) in matches(&said, term).enumerate() {
                    let place = (placed.ordinal, number);
                    if from.is_some_and(|from| place <= from) {
                        continue;
                    }
                    found.push((
                        place,
                        placed.turn_id.clone(),
                        placed.item.item.id().into(),
                        snippet(&said, range),
                    ));
                    if found.len() > limit {
                        break 'pages;
                    }
                }
            }
            next_items = page.next;
            if next_items.is_none() {
                break;
            }
        }
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found
            .last()
            .filter(|_| more)
            .map(|((ordinal, number), ..)| format!("{ordinal}|{number}").into());
        let mut items = Vec::with_capacity(found.len());
        for (_, turn_id, item_id, snippet) in found {
            let turn_cursor = self.turn_cursor(thread, &turn_id)?;
            items.push(Occurrence { turn_id, item_id, snippet, turn_cursor });
        }
        Ok(Page { items, next, back: None })
    }
}

fn parse(cursor: &str) -> Option<(u64, usize)> {
    let (ordinal, number) = cursor.split_once('|')?;
    Some((ordinal.parse().ok()?, number.parse().ok()?))
}

fn matches<'a>(text: &'a str, term: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut from = 0;
    std::iter::from_fn(move || {
        let range = find_folded(text, term, from)?;
        from = range.end.max(range.start + 1);
        Some(range)
    })
}

/// Where a text stands in another one behind a place, whatever the case of letters. Bytes.
fn find_folded(text: &str, term: &str, from: usize) -> Option<Range<usize>> {
    let fold = |char: char| char.to_lowercase().next().unwrap_or(char);
    let first = fold(term.chars().next()?);
    let starts = text.get(from..)?.char_indices().filter(|(_, char)| fold(*char) == first);
    for (at, _) in starts {
        let start = from + at;
        let mut rest = text[start..].char_indices();
        let fits = term
            .chars()
            .all(|wanted| rest.next().is_some_and(|(_, found)| fold(found) == fold(wanted)));
        if fits {
            return Some(start..rest.next().map_or(text.len(), |(end, _)| start + end));
        }
    }
    None
}

/// A piece of a text around a place.
fn snippet(text: &str, at: Range<usize>) -> Snippet {
    let before =
        text[..at.start].char_indices().rev().nth(AROUND - 1).map_or(0, |(start, _)| start);
    let behind =
        text[at.end..].char_indices().nth(AROUND).map_or(text.len(), |(end, _)| at.end + end);
    let units = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
    let start = units(&text[before..at.start]);
    Snippet { text: text[before..behind].into(), range: start..start + units(&text[at]) }
}

#[cfg(test)]
mod tests;
