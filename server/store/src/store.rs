//! The handle of the store.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use spindle_schema::ids::ThreadId;
use spindle_schema::rollout::SessionMeta;

use crate::disk::{Disk, RealDisk};
use crate::error::{Context as _, Error};
use crate::find::Finder;
use crate::index::facts::{Facts, Head, stamp};
use crate::index::row::{facts_of, is_archived};
use crate::index::{Index, ListQuery, Page, Progress, ThreadRow};
use crate::lock::WriterLock;
use crate::log::Log;
use crate::notes::Notes;
use crate::pending::Pending;
use crate::reading::Outlines;
use crate::rollout::append::Appender;
use crate::rollout::envelope::to_ms;
use crate::rollout::history::History;
use crate::rollout::lineage::Lineage;
use crate::rollout::path::{self, FileName};
use crate::shared::Shared;
use crate::writer::Writer;

/// All threads of one home folder. Cheap to clone; all clones are the same store.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) shared: Arc<Shared>,
}

/// A thread that may be continued.
#[derive(Debug)]
pub struct Loaded {
    /// The right to append to it.
    pub log: Log,
    /// What it holds.
    pub history: History,
}

impl Store {
    /// The store of a home folder. Touches no file and starts no thread.
    pub fn new(home: &Path) -> Self {
        Self::with(home, Box::new(RealDisk), Timestamp::now)
    }

    pub(crate) fn with(home: &Path, disk: Box<dyn Disk>, now: fn() -> Timestamp) -> Self {
        let shared = Shared {
            home: home.to_owned(),
            disk,
            now,
            writer: Writer::default(),
            pending: Pending::default(),
            index: Index::new(home),
            notes: Notes::new(home),
            outlines: Outlines::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Where the rollout of a new thread goes.
    ///
    /// Shape: `HOME/sessions/YYYY/MM/DD/rollout-YYYY-MM-DDTHH-MM-SS-<id>.jsonl`, local time.
    pub fn new_thread_path(&self, id: ThreadId, created: Timestamp) -> PathBuf {
        path::live(&self.shared.home, id, created)
    }

    /// A new thread. Its file appears with the first append, headed by `meta`; the place follows
    /// from its id and time.
    pub fn create(&self, meta: SessionMeta) -> Log {
        let path = self.shared.new_path(&meta);
        let meta = Arc::new(meta);
        let appender = Appender::fresh(self.shared.home.clone(), path, Arc::clone(&meta));
        Log::new(Arc::clone(&self.shared), appender, meta, Facts::default())
    }

    /// Reads a thread and takes the right to continue it.
    ///
    /// # Errors
    /// [`Error::NoThread`], [`Error::Archived`], [`Error::Busy`], [`Error::Empty`].
    pub async fn open(&self, id: ThreadId) -> Result<Loaded, Error> {
        self.blocking(move |shared| {
            let path = shared.locate(id)?;
            open(shared, &path)
        })
        .await
    }

    /// The same, by the place of the file.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub async fn open_path(&self, path: &Path) -> Result<Loaded, Error> {
        let path = path.to_owned();
        self.blocking(move |shared| open(shared, &path)).await
    }

    /// Reads a thread without the right to continue it. Archived ones too.
    ///
    /// # Errors
    /// [`Error::NoThread`], [`Error::Empty`].
    pub async fn read(&self, id: ThreadId) -> Result<History, Error> {
        self.blocking(move |shared| {
            let path = shared.locate(id)?;
            Ok(History::read(&shared.home, &path)?.0)
        })
        .await
    }

    /// A page of the list.
    ///
    /// Order: threads that others wrote before the call are in it. On a home that has no index
    /// yet the call waits until all files have been looked at once.
    ///
    /// # Errors
    /// [`Error::BadCursor`]. A database that cannot be used is none: another takes its place.
    pub async fn list(&self, query: ListQuery) -> Result<Page<ThreadRow>, Error> {
        self.blocking(move |shared| shared.list(&query)).await
    }

    /// What lists show of one thread, also before it has a preview. Read from its file.
    ///
    /// # Errors
    /// Those of reading. A thread that is not there is `None`.
    pub async fn row(&self, id: ThreadId) -> Result<Option<ThreadRow>, Error> {
        self.blocking(move |shared| match shared.locate(id) {
            Ok(path) => shared.row_at(&path),
            Err(Error::NoThread(_)) => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    /// The same, by the place of the file.
    ///
    /// # Errors
    /// Those of reading.
    pub async fn row_of_path(&self, path: &Path) -> Result<Option<ThreadRow>, Error> {
        let path = path.to_owned();
        self.blocking(move |shared| shared.row_at(&path)).await
    }

    /// How far the reading of files into the index is, while it goes on.
    pub fn progress(&self) -> Option<Progress> {
        self.shared.index.progress()
    }

    /// Waits until all records that were given before are written and the index has their rows.
    pub async fn flush(&self) {
        self.shared.writer.barrier(&self.shared).await;
        let flushed = self.blocking(|shared| shared.flush_rows()).await;
        if let Err(error) = flushed {
            tracing::warn!(%error, "the index lacks the last changes; they are read from the files");
        }
    }

    /// Writes what is left and lets go of all files. Records given later are refused.
    pub async fn close(&self) {
        self.shared.writer.close().await;
        self.flush().await;
        self.shared.index.close();
    }

    /// Runs what may wait for the disk or the database off the workers.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Arc<Shared>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let shared = Arc::clone(&self.shared);
        tokio::task::spawn_blocking(move || run(&shared)).await.unwrap_or(Err(Error::Closed))
    }
}

fn open(shared: &Arc<Shared>, path: &Path) -> Result<Loaded, Error> {
    if is_archived(path) {
        let id = Lineage::open(&shared.home, path)?.meta.id;
        return Err(Error::Archived(id));
    }
    // The header says whose lock to take; the rest is read when nobody writes any more.
    let id = match FileName::parse(path) {
        Some(name) => name.id,
        None => Lineage::open(&shared.home, path)?.meta.id,
    };
    let lock = WriterLock::take_patiently(&*shared.disk, &shared.home, id)?;
    open_locked(shared, path, lock)
}

/// Reads a thread that nobody else writes to.
pub(crate) fn open_locked(
    shared: &Arc<Shared>,
    path: &Path,
    lock: WriterLock,
) -> Result<Loaded, Error> {
    let (history, end) = History::read(&shared.home, path)?;
    let meta = Arc::clone(&history.meta);
    let finder = Finder::new(&shared.home);
    let mut facts = facts_of(&finder, path, end.len).context("read", path)?;
    if facts.head.is_none() {
        let made_ms = to_ms(&meta.timestamp).unwrap_or(0);
        facts.head = Some(Head::unknown(meta.id, made_ms));
    }
    let home = shared.home.clone();
    let appender = Appender::existing(home, path.to_owned(), Arc::clone(&meta), end, lock);
    Ok(Loaded { log: Log::new(Arc::clone(shared), appender, meta, facts), history })
}

/// A moment as rollouts hold it: RFC 3339, UTC, milliseconds.
pub fn timestamp(at: Timestamp) -> Box<str> {
    stamp(at.as_millisecond())
}

#[cfg(test)]
mod tests;
