//! Names, archiving and deleting: what is done to a thread as a whole.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use spindle_schema::ids::ThreadId;

use crate::branch::beside;
use crate::check::aside;
use crate::error::{Context as _, Error};
use crate::find::files_of;
use crate::index::row::is_archived;
use crate::index::sync::Depth;
use crate::lock::WriterLock;
use crate::rollout::path;
use crate::shared::Shared;
use crate::store::{Store, timestamp};

impl Store {
    /// Gives a thread another name. Others may do so too while the thread is in use.
    ///
    /// # Errors
    /// [`Error::NoThread`] while the thread has no file, and those of writing.
    pub async fn set_name(&self, id: ThreadId, name: &str) -> Result<(), Error> {
        let name = name.to_owned();
        self.blocking(move |shared| {
            shared.locate(id)?;
            let at = timestamp((shared.now)());
            shared.index.names.set(&*shared.disk, id, &name, &at)
        })
        .await
    }

    /// Puts a thread away; gives the new place of its file.
    ///
    /// Order: its [`Log`](crate::Log) must have been dropped.
    ///
    /// # Errors
    /// [`Error::NoThread`] also when it is archived already, [`Error::Busy`].
    pub async fn archive(&self, id: ThreadId) -> Result<PathBuf, Error> {
        self.shared.writer.barrier(&self.shared).await;
        self.blocking(move |shared| shared.move_files(id, Side::Archived)).await
    }

    /// Brings an archived thread back; gives the new place of its file.
    ///
    /// # Errors
    /// [`Error::NoThread`] also when it is not archived, [`Error::Busy`].
    pub async fn unarchive(&self, id: ThreadId) -> Result<PathBuf, Error> {
        self.blocking(move |shared| shared.move_files(id, Side::Live)).await
    }

    /// Keeps every writer of a thread out, also those of other processes, until the value that
    /// this gives is dropped.
    ///
    /// # Errors
    /// [`Error::NoThread`], and [`Error::Busy`] while somebody writes.
    pub async fn hold(&self, id: ThreadId) -> Result<Hold, Error> {
        self.blocking(move |shared| {
            shared.locate(id)?;
            WriterLock::take_patiently(&*shared.disk, &shared.home, id).map(Hold)
        })
        .await
    }

    /// Removes a thread: its files, its names, its notes, its rows. Nothing of it is left in the home folder
    /// as far as the store wrote it.
    ///
    /// Order: its [`Log`](crate::Log) must have been dropped.
    ///
    /// # Errors
    /// [`Error::NoThread`], [`Error::Busy`], [`Error::Referenced`].
    pub async fn delete(&self, id: ThreadId) -> Result<(), Error> {
        self.shared.writer.barrier(&self.shared).await;
        self.blocking(move |shared| shared.delete(id)).await
    }
}

/// Keeps the writers of a thread out.
#[derive(Debug)]
pub struct Hold(#[expect(dead_code, reason = "what counts is when it is dropped")] WriterLock);

/// Where a thread lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Live,
    Archived,
}

impl Side {
    fn of(path: &Path) -> Self {
        if is_archived(path) { Self::Archived } else { Self::Live }
    }
}

impl Shared {
    /// All files of a thread, the one that counts first.
    fn all_files(&self, id: ThreadId) -> Result<Vec<PathBuf>, Error> {
        let mut files = files_of(&self.home, id);
        if files.is_empty() {
            // A name may not tell the id; the index knows then.
            files.push(self.locate(id)?);
        }
        Ok(files)
    }

    fn move_files(self: &Arc<Self>, id: ThreadId, to: Side) -> Result<PathBuf, Error> {
        let mut files = self.all_files(id)?;
        files.retain(|path| Side::of(path) != to);
        if files.is_empty() {
            return Err(Error::NoThread(id));
        }
        let _lock = WriterLock::take_patiently(&*self.disk, &self.home, id)?;
        let mut last = PathBuf::new();
        // The file that counts goes last: until then the thread is where it was.
        for from in files.iter().rev() {
            last = match to {
                Side::Archived => path::archived(&self.home, from),
                Side::Live => path::unarchived(&self.home, from),
            };
            self.move_file(from, &last)?;
        }
        Ok(last)
    }

    fn move_file(&self, from: &Path, to: &Path) -> Result<(), Error> {
        if let Some(folder) = to.parent() {
            self.disk.create_folders(folder).context("create", folder)?;
        }
        if to.exists() {
            return Err(Error::Exists { path: to.to_owned() });
        }
        self.flush_rows()?;
        self.disk.rename(from, to).context("move", from)?;
        self.index.moved(from, to)
    }

    fn delete(self: &Arc<Self>, id: ThreadId) -> Result<(), Error> {
        let files = self.all_files(id)?;
        self.index.sync(Depth::Folders)?;
        if let Some(by) = self.index.continued_by(id)? {
            return Err(Error::Referenced { id, by });
        }
        let lock = WriterLock::take_patiently(&*self.disk, &self.home, id)?;
        self.index.names.remove(&*self.disk, id)?;
        self.notes.remove(&*self.disk, id)?;
        for file in files.iter().rev() {
            self.pending.forget(file);
            for path in [aside(file), beside(file), file.clone()] {
                match self.disk.remove(&path) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(error).context("remove", &path);
                    }
                    _ => {}
                }
            }
        }
        self.index.forget(id, &files)?;
        lock.remove(&*self.disk)
    }
}

#[cfg(test)]
mod tests;
