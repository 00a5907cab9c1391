//! A file of changes: one JSON line each, the last one of a thing counts.
//!
//! It only grows, so that a process that dies while it writes costs its own line alone. Writers
//! of all processes take turns by a lock beside the file; readers need none. Now and then a
//! writer puts a shorter file in its place, as a whole.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use crate::disk::{Disk, replace, write_all};
use crate::error::{Context as _, Error};
use crate::rollout::append::ends_whole;

/// A file of changes.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
}

/// How far a file has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    inode: u64,
    size: u64,
    changed_ns: i64,
    /// The end of the last whole line.
    end: u64,
}

/// What a file holds that a reader has not seen.
#[derive(Debug)]
pub(crate) enum News {
    /// Nothing.
    None,
    /// Whole lines behind those that were read.
    More(Vec<u8>, Position),
    /// It is another file: all of its whole lines.
    Anew(Vec<u8>, Option<Position>),
}

/// The right to write, among all processes.
#[derive(Debug)]
pub(crate) struct Guard {
    _lock: File,
}

impl Journal {
    /// The journal in this file, which need not be there.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Waits until nobody else writes.
    pub(crate) fn guard(&self, disk: &dyn Disk) -> Result<Guard, Error> {
        let path = self.path.with_extension("jsonl.lock");
        let file = open_or_create(disk, &path)?;
        file.lock().context("lock", &path)?;
        Ok(Guard { _lock: file })
    }

    /// Appends lines, all or none. Each ends in a line feed.
    pub(crate) fn append(
        &self,
        disk: &dyn Disk,
        _guard: &Guard,
        mut lines: Vec<u8>,
    ) -> Result<(), Error> {
        let file = open_or_create(disk, &self.path)?;
        let len = file.metadata().context("examine", &self.path)?.len();
        if !ends_whole(&file, len).context("read", &self.path)? {
            lines.insert(0, b'\n');
        }
        write_all(disk, &file, &lines)
            .inspect_err(|_| drop(disk.truncate(&file, len)))
            .context("write", &self.path)
    }

    /// Keeps only the lines that are wanted.
    pub(crate) fn retain(
        &self,
        disk: &dyn Disk,
        _guard: &Guard,
        mut wanted: impl FnMut(&[u8]) -> bool,
    ) -> Result<(), Error> {
        let old = match std::fs::read(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            other => other.context("read", &self.path)?,
        };
        let mut kept = Vec::with_capacity(old.len());
        for line in old.split_inclusive(|b| *b == b'\n').filter(|line| wanted(line)) {
            kept.extend_from_slice(line);
        }
        if kept.len() == old.len() {
            return Ok(());
        }
        replace(disk, &self.path, &kept).context("replace", &self.path)
    }

    /// What was added since, or all of it. A file that is not there holds nothing.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn news(&self, known: Option<Position>) -> Result<News, Error> {
        let file = match File::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let is_new = known.is_some();
                return Ok(if is_new { News::Anew(Vec::new(), None) } else { News::None });
            }
            other => other.context("open", &self.path)?,
        };
        let meta = file.metadata().context("examine", &self.path)?;
        let changed_ns = meta.mtime().saturating_mul(1_000_000_000) + meta.mtime_nsec();
        let found = |end| Position { inode: meta.ino(), size: meta.len(), changed_ns, end };
        let from = match known {
            Some(known) if known == found(known.end) => return Ok(News::None),
            Some(known) if known.inode == meta.ino() && known.size <= meta.len() => known.end,
            _ => 0,
        };
        let bytes = whole_lines(&file, from, meta.len()).context("read", &self.path)?;
        let position = found(from + bytes.len() as u64);
        Ok(if from == 0 { News::Anew(bytes, Some(position)) } else { News::More(bytes, position) })
    }

    /// The file.
    #[cfg(test)]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// The lines of a part of a file; one without an end is still being written, or was cut.
fn whole_lines(file: &File, from: u64, to: u64) -> io::Result<Vec<u8>> {
    let len = usize::try_from(to.saturating_sub(from)).unwrap_or(0);
    let mut bytes = vec![0; len];
    let mut read = 0;
    while read < len {
        match file.read_at(&mut bytes[read..], from + read as u64) {
            Ok(0) => break,
            Ok(n) => read += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let end = memchr::memrchr(b'\n', &bytes[..read]).map_or(0, |at| at + 1);
    bytes.truncate(end);
    Ok(bytes)
}

fn open_or_create(disk: &dyn Disk, path: &Path) -> Result<File, Error> {
    match disk.open_append(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => match disk.create_append(path) {
            // Another process was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => disk.open_append(path),
            other => other,
        },
        other => other,
    }
    .context("open", path)
}

#[cfg(test)]
mod tests;
