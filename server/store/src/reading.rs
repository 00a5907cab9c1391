//! Turns and items of a thread, whoever may write to it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use spindle_schema::event::TurnSnapshot;
use spindle_schema::ids::{ThreadId, TurnId};

use crate::error::Error;
use crate::index::Page;
use crate::rollout::legacy;
use crate::rollout::lineage::Lineage;
use crate::rollout::outline::Outline;
use crate::rollout::pages::{self, ItemsQuery, PlacedItem, TurnsQuery};
use crate::rollout::timeline::{TimelineEntry, legacy_timeline, timeline};
use crate::shared::Shared;
use crate::store::Store;

/// So many threads stay outlined: those that clients page through at the moment.
const KEPT: usize = 4;

/// Outlines of the threads that were read last.
#[derive(Debug, Default)]
pub(crate) struct Outlines {
    /// The latest one last.
    kept: Mutex<Vec<(PathBuf, Outline)>>,
}

impl Outlines {
    /// Takes an outline out, brought up to date, or begins one.
    fn take(&self, path: &Path, lineage: &Lineage) -> Result<Outline, Error> {
        let mut kept = self.kept.lock();
        let known = kept.iter().position(|(known, _)| known == path).map(|at| kept.remove(at).1);
        drop(kept);
        if let Some(mut outline) = known
            && outline.catch_up(lineage)?
        {
            return Ok(outline);
        }
        Outline::new(lineage)
    }

    fn put(&self, path: &Path, outline: Outline) {
        let mut kept = self.kept.lock();
        kept.retain(|(known, _)| known != path);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((path.to_owned(), outline));
    }
}

impl Store {
    /// A page of a thread's turns.
    ///
    /// A turn without an end reads as interrupted; for a running one its session knows better.
    /// The cost is that of what is shown, counted from the end: the first page in ascending order
    /// walks through the whole file once.
    ///
    /// # Errors
    /// [`Error::NoThread`], [`Error::BadCursor`], [`Error::Empty`].
    pub async fn turns_page(
        &self,
        id: ThreadId,
        query: TurnsQuery,
    ) -> Result<Page<TurnSnapshot>, Error> {
        self.blocking(move |shared| {
            shared.outlined(id, |lineage, outline| match outline {
                Some(outline) => pages::turns(lineage, outline, &query),
                None => legacy::turns(lineage, &query),
            })
        })
        .await
    }

    /// A page of a thread's items, over all turns or of one. A turn that the thread has not is an
    /// empty page.
    ///
    /// # Errors
    /// [`Error::NoThread`], [`Error::BadCursor`], [`Error::Empty`].
    pub async fn items_page(
        &self,
        id: ThreadId,
        query: ItemsQuery,
    ) -> Result<Page<PlacedItem>, Error> {
        self.blocking(move |shared| shared.items(id, &query)).await
    }

    /// A page of what happened in a thread, the first entry first.
    ///
    /// # Errors
    /// [`Error::NoThread`], [`Error::BadCursor`], [`Error::Empty`].
    pub async fn timeline(
        &self,
        id: ThreadId,
        cursor: Option<Box<str>>,
        limit: usize,
    ) -> Result<Page<TimelineEntry>, Error> {
        self.blocking(move |shared| {
            let cursor = cursor.as_deref();
            shared.outlined(id, |lineage, outline| match outline {
                Some(outline) => timeline(lineage, outline, cursor, limit),
                None => legacy_timeline(lineage, cursor, limit),
            })
        })
        .await
    }
}

impl Shared {
    /// A page of a thread's items.
    pub(crate) fn items(
        self: &Arc<Self>,
        id: ThreadId,
        query: &ItemsQuery,
    ) -> Result<Page<PlacedItem>, Error> {
        self.outlined(id, |lineage, outline| match outline {
            Some(outline) => pages::items(lineage, outline, query),
            None => legacy::items(lineage, query),
        })
    }

    /// The cursor of a page of turns that begins with this one.
    pub(crate) fn turn_cursor(
        self: &Arc<Self>,
        id: ThreadId,
        turn: &TurnId,
    ) -> Result<Box<str>, Error> {
        self.outlined(id, |lineage, outline| match outline {
            Some(outline) => pages::turn_cursor(lineage, outline, turn),
            None => Ok(legacy::turn_cursor(turn)),
        })
    }

    /// Opens a thread's files and gives them with their outline; old rollouts have none.
    fn outlined<T>(
        self: &Arc<Self>,
        id: ThreadId,
        run: impl FnOnce(&Lineage, Option<&mut Outline>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let path = self.locate(id)?;
        let lineage = Lineage::open(&self.home, &path)?;
        if lineage.meta.history_mode.as_deref() != Some("paginated") {
            return run(&lineage, None);
        }
        let mut outline = self.outlines.take(&path, &lineage)?;
        let outcome = run(&lineage, Some(&mut outline));
        self.outlines.put(&path, outline);
        outcome
    }
}

#[cfg(test)]
mod tests;
