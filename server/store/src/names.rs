//! Names that people gave to threads.
//!
//! They stand in `session_index.jsonl`, one line per change:
//! `{"id":…,"thread_name":…,"updated_at":…}`. The last line of a thread counts.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use spindle_schema::ids::ThreadId;

use crate::disk::Disk;
use crate::error::Error;
use crate::journal::{Journal, News, Position};

/// All names, by thread.
pub(crate) type Map = HashMap<ThreadId, Box<str>>;

/// The file of names and what it held when it was last read.
#[derive(Debug)]
pub(crate) struct Names {
    journal: Journal,
    read: Mutex<(Option<Position>, Arc<Map>)>,
}

#[derive(Serialize, Deserialize)]
struct Line<'a> {
    id: ThreadId,
    #[serde(borrow)]
    thread_name: Cow<'a, str>,
    #[serde(borrow)]
    updated_at: Cow<'a, str>,
}

impl Names {
    pub(crate) fn new(home: &Path) -> Self {
        Self { journal: Journal::new(home.join("session_index.jsonl")), read: Mutex::default() }
    }

    /// All names. Only what was added is read again.
    pub(crate) fn all(&self) -> Arc<Map> {
        let mut read = self.read.lock();
        let (position, map) = &mut *read;
        match self.journal.news(*position) {
            Ok(News::None) => {}
            Ok(News::More(bytes, end)) => {
                add(Arc::make_mut(map), &bytes);
                *position = Some(end);
            }
            Ok(News::Anew(bytes, end)) => {
                let mut new = Map::new();
                add(&mut new, &bytes);
                (*position, *map) = (end, Arc::new(new));
            }
            // A file that cannot be read names whom it named before.
            Err(error) => tracing::debug!(%error, "the names of threads cannot be read"),
        }
        Arc::clone(map)
    }

    /// Gives a thread another name.
    pub(crate) fn set(
        &self,
        disk: &dyn Disk,
        id: ThreadId,
        name: &str,
        at: &str,
    ) -> Result<(), Error> {
        let guard = self.journal.guard(disk)?;
        let line = Line { id, thread_name: name.into(), updated_at: at.into() };
        let mut text = serde_json::to_vec(&line).map_err(Error::Encode)?;
        text.push(b'\n');
        self.journal.append(disk, &guard, text)
    }

    /// Takes a thread's names out of the file.
    pub(crate) fn remove(&self, disk: &dyn Disk, id: ThreadId) -> Result<(), Error> {
        if !self.all().contains_key(&id) {
            return Ok(());
        }
        let guard = self.journal.guard(disk)?;
        self.journal.retain(disk, &guard, |line| {
            serde_json::from_slice::<Line<'_>>(line).map_or(true, |line| line.id != id)
        })
    }
}

fn add(map: &mut Map, bytes: &[u8]) {
    let lines = bytes.split(|b| *b == b'\n');
    for line in lines.filter_map(|line| serde_json::from_slice::<Line<'_>>(line).ok()) {
        map.insert(line.id, line.thread_name.into());
    }
}

#[cfg(test)]
mod tests;
