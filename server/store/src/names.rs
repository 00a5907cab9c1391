//! Names that people gave to threads.
//!
//! They stand in `session_index.jsonl`, one line per change:
//! `{"id":…,"thread_name":…,"updated_at":…}`. The last line of a thread counts.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use spindle_schema::ids::ThreadId;

use crate::disk::{Disk, replace, write_all};
use crate::error::{Context as _, Error};
use crate::index::row::Stamp;
use crate::rollout::append::ends_whole;

/// All names, by thread.
pub(crate) type Map = HashMap<ThreadId, Box<str>>;

/// The file of names and what it held when it was last read.
#[derive(Debug)]
pub(crate) struct Names {
    path: PathBuf,
    read: Mutex<Option<(Option<Stamp>, Arc<Map>)>>,
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
        Self { path: home.join("session_index.jsonl"), read: Mutex::default() }
    }

    /// All names. The file is read again only when it changed.
    pub(crate) fn all(&self) -> Arc<Map> {
        let mut read = self.read.lock();
        let stamp = Stamp::of(&self.path).ok();
        match &*read {
            Some((of, map)) if *of == stamp => Arc::clone(map),
            _ => {
                // A file that is not there and one that cannot be read both name nobody.
                let bytes = fs::read(&self.path).unwrap_or_default();
                let map = Arc::new(parse(&bytes));
                *read = Some((stamp, Arc::clone(&map)));
                map
            }
        }
    }

    /// Gives a thread another name.
    pub(crate) fn set(
        &self,
        disk: &dyn Disk,
        id: ThreadId,
        name: &str,
        at: &str,
    ) -> Result<(), Error> {
        let _guard = self.guard(disk)?;
        let line = Line { id, thread_name: name.into(), updated_at: at.into() };
        let mut text = serde_json::to_vec(&line).map_err(Error::Encode)?;
        text.push(b'\n');
        let file = match disk.open_append(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => disk.create_append(&self.path),
            other => other,
        }
        .context("open", &self.path)?;
        let len = file.metadata().context("examine", &self.path)?.len();
        if !ends_whole(&file, len).context("read", &self.path)? {
            text.insert(0, b'\n');
        }
        write_all(disk, &file, &text)
            .inspect_err(|_| drop(disk.truncate(&file, len)))
            .context("write", &self.path)
    }

    /// Takes a thread's names out of the file.
    pub(crate) fn remove(&self, disk: &dyn Disk, id: ThreadId) -> Result<(), Error> {
        if !self.all().contains_key(&id) {
            return Ok(());
        }
        let _guard = self.guard(disk)?;
        let old = fs::read(&self.path).context("read", &self.path)?;
        let is_other = |line: &&[u8]| {
            serde_json::from_slice::<Line<'_>>(line).map_or(true, |line| line.id != id)
        };
        let kept: Vec<u8> =
            old.split_inclusive(|b| *b == b'\n').filter(is_other).flatten().copied().collect();
        replace(disk, &self.path, &kept).context("replace", &self.path)
    }

    /// Keeps other processes from writing at the same time.
    fn guard(&self, disk: &dyn Disk) -> Result<File, Error> {
        let path = self.path.with_extension("jsonl.lock");
        let file = match disk.open_append(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => disk.create_append(&path),
            other => other,
        }
        .context("open", &path)?;
        file.lock().context("lock", &path)?;
        Ok(file)
    }
}

fn parse(bytes: &[u8]) -> Map {
    let lines = bytes.split(|b| *b == b'\n');
    let mut map = Map::new();
    for line in lines.filter_map(|line| serde_json::from_slice::<Line<'_>>(line).ok()) {
        map.insert(line.id, line.thread_name.into());
    }
    map
}

#[cfg(test)]
mod tests;
