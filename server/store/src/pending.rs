//! Rows that changed and that the index does not have yet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::index::facts::Facts;
use crate::index::row::{Stamp, ThreadRow};

/// Rows that wait for the index. At most one per thread that is loaded.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    files: Mutex<BTreeMap<PathBuf, Waiting>>,
}

#[derive(Debug)]
struct Waiting {
    facts: Arc<Mutex<Facts>>,
    size: u64,
}

impl Pending {
    /// Notes that a file grew.
    pub(crate) fn note(&self, path: &Path, facts: &Arc<Mutex<Facts>>, size: u64) {
        let waiting = Waiting { facts: Arc::clone(facts), size };
        let mut files = self.files.lock();
        match files.get_mut(path) {
            Some(known) => *known = waiting,
            None => drop(files.insert(path.to_owned(), waiting)),
        }
    }

    /// Takes all that waits.
    pub(crate) fn take(&self) -> Taken {
        Taken(std::mem::take(&mut *self.files.lock()))
    }

    /// Lets it wait again.
    pub(crate) fn put_back(&self, taken: Taken) {
        let mut files = self.files.lock();
        for (path, waiting) in taken.0 {
            files.entry(path).or_insert(waiting);
        }
    }

    /// Forgets a file that was moved or removed.
    pub(crate) fn forget(&self, path: &Path) {
        self.files.lock().remove(path);
    }
}

/// What waited.
#[derive(Debug)]
pub(crate) struct Taken(BTreeMap<PathBuf, Waiting>);

impl Taken {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rows, each with what tells later whether the file is still the same.
    pub(crate) fn rows(&self) -> Vec<(ThreadRow, Stamp)> {
        let row = |(path, waiting): (&PathBuf, &Waiting)| {
            let row = waiting.facts.lock().to_row(path, waiting.size)?;
            // Without a time the file looks changed and is read again. Nothing is lost.
            let changed_ns = Stamp::of(path).map_or(0, |stamp| stamp.changed_ns);
            Some((row, Stamp { size: waiting.size, changed_ns }))
        };
        self.0.iter().filter_map(row).collect()
    }
}
