//! Empty folders that stand in for protected ones that do not exist.
//!
//! Only what exists can be mounted over. A command that could make `.git` itself could put hooks
//! in it that the user's next git command runs outside. Several commands share one placeholder;
//! the last takes it away, or the warden when the server is killed.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use parking_lot::Mutex;

use crate::warden::{Entry, Task};

#[cfg(test)]
mod tests;

/// How long a placeholder stays after its last command: commands come in rows, and whoever
/// watches the folder need not hear of each.
const LINGER: Duration = Duration::from_secs(2);

/// A hold on a placeholder.
#[derive(Debug)]
pub(crate) struct Placeholder {
    path: PathBuf,
}

#[derive(Debug)]
struct Made {
    holders: usize,
    /// Counts the holds so far, so that a removal that was put off can tell that one came since.
    holds: u64,
    /// Has the warden remove it; held for its end.
    _entry: Option<Entry>,
}

static MADE: Mutex<Option<HashMap<PathBuf, Made>>> = Mutex::new(None);

impl Placeholder {
    /// Makes the folder or joins those who hold it. `None` when the path exists by itself.
    pub(crate) fn hold(path: &Path) -> io::Result<Option<Self>> {
        let mut made = MADE.lock();
        let made = made.get_or_insert_default();
        let created = std::fs::create_dir(path);
        match (made.get_mut(path), created) {
            (_, Err(error)) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            (None, Err(_)) => return Ok(None),
            (Some(known), _) => {
                known.holders += 1;
                known.holds += 1;
            }
            (None, Ok(())) => {
                let entry = Entry::new(Task::RemoveFolder(path));
                made.insert(path.to_path_buf(), Made { holders: 1, holds: 1, _entry: entry });
            }
        }
        Ok(Some(Self { path: path.to_path_buf() }))
    }
}

/// Says whether `path` is a placeholder.
pub(crate) fn is_placeholder(path: &Path) -> bool {
    MADE.lock().as_ref().is_some_and(|made| made.contains_key(path))
}

impl Drop for Placeholder {
    fn drop(&mut self) {
        let mut made = MADE.lock();
        let Some(known) = made.as_mut().and_then(|made| made.get_mut(&self.path)) else { return };
        known.holders -= 1;
        if known.holders > 0 {
            return;
        }
        let (path, holds) = (std::mem::take(&mut self.path), known.holds);
        drop(made);
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return remove(&path, holds);
        };
        runtime.spawn(async move {
            tokio::time::sleep(LINGER).await;
            remove(&path, holds);
        });
    }
}

/// Removes at once what lingers, for a program that is about to end.
pub fn clear() {
    clear_below(Path::new("/"));
}

fn clear_below(root: &Path) {
    let mut made = MADE.lock();
    let Some(made) = made.as_mut() else { return };
    made.retain(|path, known| {
        let stays = known.holders > 0 || !path.starts_with(root);
        if !stays {
            let _ = std::fs::remove_dir(path);
        }
        stays
    });
}

/// Removes the folder unless somebody held it since, or put something into it.
fn remove(path: &Path, holds: u64) {
    let mut made = MADE.lock();
    let Some(made) = made.as_mut() else { return };
    if made.get(path).is_some_and(|known| known.holders == 0 && known.holds == holds) {
        made.remove(path);
        // Fails when the user has made it theirs, which is their right.
        let _ = std::fs::remove_dir(path);
    }
}
