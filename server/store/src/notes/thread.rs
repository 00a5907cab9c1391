//! Notes about one thread that need no rules of their own, and the ways to all of them.

use std::sync::Arc;

use spindle_schema::ids::ThreadId;
use spindle_schema::note::ThreadNotes;
use spindle_schema::rollout::GitInfo;

use super::book::thread_key;
use super::{Book, Lines, NoteError};
use crate::error::Error;
use crate::shared::Shared;
use crate::store::Store;

/// A change of what is noted about a thread. What is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct ThreadUpdate {
    /// The project it belongs to; `Some(None)`: none.
    pub project: Option<Option<Box<str>>>,
    /// Git facts. A member that is `None` stays, an empty one is cleared.
    pub git: Option<GitInfo>,
    /// A switch of clients.
    pub daybreak: Option<bool>,
}

impl Store {
    /// Changes what is noted about a thread; gives all of it.
    ///
    /// # Errors
    /// [`Error::NoThread`], [`NoteError::NoProject`], and those of writing.
    pub async fn update_thread(
        &self,
        thread: ThreadId,
        update: ThreadUpdate,
    ) -> Result<ThreadNotes, Error> {
        self.note_about(thread, move |book, lines| {
            if let Some(project) = update.project {
                if let Some(unknown) =
                    project.as_ref().filter(|id| !book.projects.contains_key(*id))
                {
                    return Err(NoteError::NoProject(unknown.clone()).into());
                }
                lines.put(&thread_key(thread, "project"), project.as_ref())?;
            }
            if let Some(new) = update.git {
                let old = book.thread(thread).and_then(|noted| noted.git.clone());
                let merged = match old {
                    None => new,
                    Some(old) => GitInfo {
                        commit_hash: new.commit_hash.or(old.commit_hash),
                        branch: new.branch.or(old.branch),
                        repository_url: new.repository_url.or(old.repository_url),
                    },
                };
                lines.put(&thread_key(thread, "git"), Some(&merged))?;
            }
            if let Some(daybreak) = update.daybreak {
                lines.put(&thread_key(thread, "daybreak"), Some(&daybreak))?;
            }
            Ok(())
        })
        .await
    }

    /// Says whether a thread may be remembered and may use what is remembered.
    ///
    /// # Errors
    /// [`Error::NoThread`], and those of writing.
    pub async fn set_memory(&self, thread: ThreadId, enabled: bool) -> Result<(), Error> {
        self.note_about(thread, move |_, lines| {
            lines.put(&thread_key(thread, "memory"), Some(&enabled))
        })
        .await
        .map(drop)
    }

    /// Whether a thread may be remembered; `None` when nobody said so or not.
    pub async fn memory(&self, thread: ThreadId) -> Result<Option<bool>, Error> {
        self.noted(move |book| book.thread(thread).and_then(|noted| noted.memory)).await
    }

    /// What is noted about a thread.
    pub async fn notes(&self, thread: ThreadId) -> Result<ThreadNotes, Error> {
        self.noted(move |book| book.notes_of(thread)).await
    }

    /// Looks at what is noted.
    pub(super) async fn noted<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Book) -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.blocking(move |shared| Ok(shared.notes.look(run))).await
    }

    /// Makes notes.
    pub(super) async fn note<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Book, &mut Lines) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.blocking(move |shared| shared.make_notes(run)).await
    }

    /// Makes notes about a thread that is there; gives all notes about it.
    pub(super) async fn note_about(
        &self,
        thread: ThreadId,
        run: impl FnOnce(&Book, &mut Lines) -> Result<(), Error> + Send + 'static,
    ) -> Result<ThreadNotes, Error> {
        self.blocking(move |shared| {
            shared.locate(thread)?;
            shared.make_notes(run)?;
            Ok(shared.notes.of(thread))
        })
        .await
    }
}

impl Shared {
    fn make_notes<T>(
        self: &Arc<Self>,
        run: impl FnOnce(&Book, &mut Lines) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.notes.change(&*self.disk, (self.now)(), run)
    }
}
