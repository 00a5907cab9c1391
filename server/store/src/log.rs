//! The right to append to one thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use spindle_schema::ids::ThreadId;
use spindle_schema::rollout::{RolloutItem, SessionMeta};
use tokio::sync::oneshot;

use crate::branch::Replaced;
use crate::error::{Context as _, Error};
use crate::find::Finder;
use crate::index::facts::Facts;
use crate::index::row::facts_of;
use crate::rollout::append::{Appended, Appender};
use crate::rollout::history::History;
use crate::shared::Shared;
use crate::writer::Command;

/// The right to append to one thread. No other process has it, and no other `Log` of this one.
/// Ends with the value.
#[derive(Debug)]
pub struct Log {
    shared: Arc<Shared>,
    tail: Arc<Tail>,
}

impl Log {
    pub(crate) fn new(
        shared: Arc<Shared>,
        appender: Appender,
        meta: Arc<SessionMeta>,
        facts: Facts,
    ) -> Self {
        let tail = Tail {
            path: appender.as_ref().to_owned(),
            meta,
            next_ordinal: AtomicU64::new(appender.next_ordinal()),
            appender: Mutex::new(appender),
            growing: Arc::new(Mutex::new(facts)),
        };
        Self { shared, tail: Arc::new(tail) }
    }

    /// Appends records in order, with times and numbers.
    ///
    /// Order: returns when the bytes are with the kernel, so that they survive the end of this
    /// process. Appends that are called one after another stand in the file in that order.
    /// An empty list makes sure that the file exists with its header.
    ///
    /// # Errors
    /// [`Error::Unwritten`] when the disk took nothing (full, read-only, failing);
    /// [`Error::Busy`] and [`Error::Exists`] on the first append of a thread whose id somebody
    /// else uses; [`Error::Overloaded`], [`Error::Closed`].
    ///
    /// # Cancel safety
    /// A dropped call may still write its records.
    pub async fn append(&self, items: Vec<RolloutItem>) -> Result<Appended, Error> {
        let (reply, answer) = oneshot::channel();
        let tail = Arc::clone(&self.tail);
        self.shared.writer.send(&self.shared, Command::Append { tail, items, reply })?;
        answer.await.unwrap_or(Err(Error::Closed))
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    pub(crate) fn tail(&self) -> &Arc<Tail> {
        &self.tail
    }

    /// The thread.
    pub fn id(&self) -> ThreadId {
        self.tail.meta.id
    }

    /// The rollout. Absolute.
    pub fn path(&self) -> &Path {
        &self.tail.path
    }

    /// The thread's header.
    pub fn meta(&self) -> &Arc<SessionMeta> {
        &self.tail.meta
    }

    /// The number that the next record gets.
    pub fn next_ordinal(&self) -> u64 {
        self.tail.next_ordinal.load(Ordering::Acquire)
    }
}

/// What the writer knows of one thread.
#[derive(Debug)]
pub(crate) struct Tail {
    path: PathBuf,
    meta: Arc<SessionMeta>,
    next_ordinal: AtomicU64,
    /// Locked by the writer alone.
    appender: Mutex<Appender>,
    /// Shared with the rows that wait for the index; holding it does not hold the right to write.
    growing: Arc<Mutex<Facts>>,
}

impl Tail {
    /// Writes records; runs on the writer's thread.
    pub(crate) fn append(
        &self,
        shared: &Shared,
        items: Vec<RolloutItem>,
    ) -> Result<Appended, Error> {
        let mut appender = self.appender.lock();
        let mut facts = self.growing.lock();
        let now = (shared.now)();
        let outcome = appender.append(&*shared.disk, now, items, &mut |line| facts.push(line));
        drop(facts);
        self.next_ordinal.store(appender.next_ordinal(), Ordering::Release);
        if outcome.is_ok() {
            shared.pending.note(&self.path, &self.growing, appender.len());
        }
        outcome
    }

    /// Has the file replaced by another one and goes on at its end. Nobody appends meanwhile.
    pub(crate) fn replace(
        &self,
        shared: &Shared,
        run: impl FnOnce(&Path) -> Result<Replaced, Error>,
    ) -> Result<History, Error> {
        let mut appender = self.appender.lock();
        let (history, end) = run(&self.path)?;
        appender.go_on_at(end);
        self.next_ordinal.store(appender.next_ordinal(), Ordering::Release);
        let facts = facts_of(&Finder::new(&shared.home), &self.path, end.len)
            .context("read", &self.path)?;
        *self.growing.lock() = facts;
        shared.pending.note(&self.path, &self.growing, end.len);
        Ok(history)
    }

    /// Closes the file until the next record, after another try to write what the disk had
    /// refused. Tells whether nothing waits.
    pub(crate) fn rest(&self, shared: &Shared) -> bool {
        let waits = self.appender.lock().has_backlog();
        let settled = !waits || self.append(shared, Vec::new()).is_ok();
        self.appender.lock().rest();
        settled
    }
}
