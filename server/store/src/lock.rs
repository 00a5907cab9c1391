//! One writer per thread, across processes.
//!
//! The right to append is a lock on `thread-writer-locks/<thread id>.lock`. The kernel drops it
//! with the process. The file holds the number of the process, so that others can say who has it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use spindle_schema::ids::ThreadId;

use crate::disk::Disk;
use crate::error::{Context as _, Error};

/// The right to append to one thread. Ends with the value.
#[derive(Debug)]
pub(crate) struct WriterLock {
    _file: File,
    path: PathBuf,
}

/// How often, and how long in between, a lock is asked for that is about to be free.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(3);

impl WriterLock {
    /// Takes the right. Waits some milliseconds for an owner who is just letting go.
    pub(crate) fn take_patiently(
        disk: &dyn Disk,
        home: &Path,
        id: ThreadId,
    ) -> Result<Self, Error> {
        for _ in 1..TRIES {
            match Self::take(disk, home, id) {
                Err(Error::Busy { .. }) => thread::sleep(PAUSE),
                other => return other,
            }
        }
        Self::take(disk, home, id)
    }

    /// Takes the right.
    ///
    /// # Errors
    /// [`Error::Busy`] while somebody else has it.
    pub(crate) fn take(disk: &dyn Disk, home: &Path, id: ThreadId) -> Result<Self, Error> {
        let path = path(home, id);
        if let Some(folder) = path.parent() {
            disk.create_folders(folder).context("create", folder)?;
        }
        loop {
            let mut file = open(&path).context("open", &path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::Busy { id, pid: owner(&mut file) });
                }
                Err(TryLockError::Error(source)) => return Err(source).context("lock", &path),
            }
            // Between opening and locking, the last owner may have removed the file.
            if is_at(&file, &path) {
                leave_number(&mut file);
                return Ok(Self { _file: file, path });
            }
        }
    }

    /// Gives the right up and leaves no file.
    pub(crate) fn remove(self, disk: &dyn Disk) -> Result<(), Error> {
        match disk.remove(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).context("remove", &self.path)
            }
            _ => Ok(()),
        }
    }
}

fn path(home: &Path, id: ThreadId) -> PathBuf {
    home.join("thread-writer-locks").join(format!("{id}.lock"))
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

fn owner(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// The number is a courtesy: without it the lock holds just as well.
fn leave_number(file: &mut File) {
    let text = format!("{}\n", std::process::id());
    drop(file.set_len(0).and_then(|()| file.write_all(text.as_bytes())));
}

fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), path.metadata()) {
        (Ok(open), Ok(named)) => open.ino() == named.ino() && open.dev() == named.dev(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
