//! What can go wrong in the store.

use std::io;
use std::path::{Path, PathBuf};

use spindle_schema::ids::{ThreadId, TurnId};
use spindle_schema::rollout::RolloutLine;

use crate::notes::NoteError;

/// Why the store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No file of this thread is in the home folder.
    #[error("no rollout found for thread id {0}")]
    NoThread(ThreadId),
    /// Another process, or another part of this one, may append to the thread.
    #[error("thread {id} already has an active writer")]
    Busy {
        /// The thread.
        id: ThreadId,
        /// The process that holds it, where it left its number.
        pid: Option<u32>,
    },
    /// The thread is put away; it has to be brought back before it is continued.
    #[error("session {0} is archived")]
    Archived(ThreadId),
    /// A file of this name is there already.
    #[error("rollout {} exists", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file holds nothing that can be read.
    #[error("rollout at {} is empty", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Another thread continues this one by reference, so it cannot go.
    #[error("cannot delete thread {id}: forked history still references it")]
    Referenced {
        /// The thread.
        id: ThreadId,
        /// The thread that needs it.
        by: ThreadId,
    },
    /// The thread has no such turn.
    #[error("turn not found: {0}")]
    NoTurn(TurnId),
    /// The text is no cursor of this list.
    #[error("invalid cursor: {0}")]
    BadCursor(Box<str>),
    /// A note cannot be made.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// The file system said no.
    #[error("could not {action} {}", path.display())]
    Io {
        /// A verb: `open`, `write`, `rename`, …
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The index said no, and no other index could take its place.
    #[error("index failed")]
    Index(#[from] rusqlite::Error),
    /// The migrations of the index failed.
    #[error("index could not be prepared")]
    Migration(#[from] rusqlite_migration::Error),
    /// A line could not be made into JSON.
    #[error("record could not be encoded")]
    Encode(#[source] serde_json::Error),
    /// The disk did not take records. They are not acknowledged.
    #[error("the records could not be saved")]
    Unwritten {
        /// The records, without numbers.
        lines: Vec<RolloutLine>,
        /// Whether they wait in memory and go first with the next append. The caller must not
        /// append them again then.
        kept: bool,
        /// What the disk said.
        #[source]
        source: Box<Error>,
    },
    /// More appends wait than the queue holds: the disk does not answer.
    #[error("too many records wait for the disk")]
    Overloaded,
    /// The search was given up.
    #[error("the search was cancelled")]
    Stopped,
    /// The store is closed.
    #[error("the store is closed")]
    Closed,
}

impl Error {
    /// Whether the same call may succeed later without anybody repairing something.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Overloaded | Self::Busy { .. } => true,
            Self::Unwritten { source, .. } => source.is_retryable(),
            Self::Io { source, .. } => matches!(
                source.kind(),
                io::ErrorKind::StorageFull
                    | io::ErrorKind::QuotaExceeded
                    | io::ErrorKind::Interrupted
                    | io::ErrorKind::TimedOut
            ),
            _ => false,
        }
    }
}

/// Names the action and the file of an I/O error.
pub(crate) trait Context<T> {
    /// Turns the error into [`Error::Io`].
    fn context(self, action: &'static str, path: &Path) -> Result<T, Error>;
}

impl<T> Context<T> for io::Result<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, Error> {
        self.map_err(|source| Error::Io { action, path: path.to_owned(), source })
    }
}
