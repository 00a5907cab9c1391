//! What all handles of one store share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use parking_lot::Mutex;
use spindle_schema::ids::ThreadId;
use spindle_schema::rollout::SessionMeta;

use crate::disk::Disk;
use crate::error::{Context as _, Error};
use crate::find::{Finder, files_of};
use crate::index::row::{Stamp, facts_of};
use crate::index::sync::{Depth, row_of};
use crate::index::{Index, ThreadRow};
use crate::notes::Notes;
use crate::pending::Pending;
use crate::reading::Outlines;
use crate::rollout::envelope::to_ms;
use crate::rollout::path;
use crate::writer::Writer;

/// What all handles of one store share.
pub(crate) struct Shared {
    /// The home folder.
    pub(crate) home: PathBuf,
    /// The way files are changed.
    pub(crate) disk: Box<dyn Disk>,
    /// What time it is.
    pub(crate) now: fn() -> Timestamp,
    /// The way to the thread that writes rollouts.
    pub(crate) writer: Writer,
    /// Rows that the index does not have yet.
    pub(crate) pending: Pending,
    /// The index.
    pub(crate) index: Index,
    /// What people noted about threads.
    pub(crate) notes: Notes,
    /// Where turns stand in the files that were read last.
    pub(crate) outlines: Outlines,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("home", &self.home).finish_non_exhaustive()
    }
}

impl Shared {
    /// Gives the index the rows that changed.
    pub(crate) fn flush_rows(&self) -> Result<(), Error> {
        let waiting = self.pending.take();
        if waiting.is_empty() {
            return Ok(());
        }
        self.index.put(&waiting.rows()).inspect_err(|_| self.pending.put_back(waiting))
    }

    /// The same in the background: while somebody else has the database, the rows wait.
    pub(crate) fn flush_rows_quietly(&self) {
        let waiting = self.pending.take();
        if waiting.is_empty() {
            return;
        }
        if let Err(error) = self.index.try_put(&waiting.rows()) {
            tracing::debug!(%error, "rows wait for the index");
            self.pending.put_back(waiting);
        }
    }

    /// Looks for files that others let grow, in the background and not too often.
    pub(crate) fn look_at_all_files(self: &Arc<Self>) {
        if !self.index.full_is_due() {
            return;
        }
        let shared = Arc::clone(self);
        let looking = std::thread::Builder::new().name("spindle-index".into()).spawn(move || {
            if let Err(error) = shared.index.sync_by_and_by() {
                tracing::warn!(%error, "the index could not be compared with the files");
            }
        });
        if let Err(error) = looking {
            tracing::warn!(%error, "the index is compared with the files later");
        }
    }

    /// The file of a thread.
    ///
    /// # Errors
    /// [`Error::NoThread`] when there is none.
    pub(crate) fn locate(&self, id: ThreadId) -> Result<PathBuf, Error> {
        if self.index.is_synced() {
            self.flush_rows()?;
            if let Some(row) = self.index.row(id)?
                && row.path.exists()
            {
                return Ok(row.path);
            }
        }
        // Names tell without the index, which may be missing or behind.
        if let Some(path) = files_of(&self.home, id).into_iter().next() {
            return Ok(path);
        }
        self.index.sync(Depth::Folders)?;
        let row = self.index.row(id)?.filter(|row| row.path.exists());
        row.map(|row| row.path).ok_or(Error::NoThread(id))
    }

    /// Where the file of a new thread goes.
    pub(crate) fn new_path(&self, meta: &SessionMeta) -> PathBuf {
        let created = to_ms(&meta.timestamp).and_then(|ms| Timestamp::from_millisecond(ms).ok());
        path::live(&self.home, meta.id, created.unwrap_or_else(self.now))
    }

    /// Notes that a file is there whose row the index does not have.
    pub(crate) fn note(&self, path: &Path) -> Result<(), Error> {
        let size = Stamp::of(path).context("examine", path)?.size;
        let facts = facts_of(&Finder::new(&self.home), path, size).context("read", path)?;
        self.pending.note(path, &Arc::new(Mutex::new(facts)), size);
        Ok(())
    }

    /// The row of a file as it is at this moment.
    pub(crate) fn row_at(&self, path: &Path) -> Result<Option<ThreadRow>, Error> {
        let stamp = Stamp::of(path).context("examine", path)?;
        let row = row_of(&Finder::new(&self.home), path, stamp.size).context("read", path)?;
        Ok(row.map(|mut row| {
            row.name = self.index.names.all().get(&row.id).cloned();
            self.annotate(std::slice::from_mut(&mut row));
            row
        }))
    }
}
