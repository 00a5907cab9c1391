//! The end of one rollout: where new lines go.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use spindle_schema::rollout::{RolloutItem, RolloutLine, SessionMeta};

use super::envelope::Envelope;
use super::scan::{Forward, read_exact};
use crate::damage::{Damage, DamageKind};
use crate::disk::{Disk, write_all};
use crate::error::{Context as _, Error};
use crate::lock::WriterLock;

/// Bytes of records that may wait in memory for a disk that takes none.
const BACKLOG_BYTES: usize = 64 << 20;

/// What was appended.
#[derive(Debug)]
pub struct Appended {
    /// The records as they stand in the file, with time and number.
    pub lines: Vec<RolloutLine>,
    /// What had happened to the file since the append before, if something had. The records are
    /// stored all the same.
    pub notice: Option<Damage>,
}

/// The end of one rollout.
#[derive(Debug)]
pub(crate) struct Appender {
    home: PathBuf,
    path: PathBuf,
    meta: Arc<SessionMeta>,
    /// Whether lines carry numbers; those of old rollouts do not.
    numbered: bool,
    next_ordinal: u64,
    /// Bytes of the file that are known to be whole. `None` before the file is made.
    len: Option<u64>,
    /// Whether the file does not end with a line end.
    cut: bool,
    /// Whether a part of a record that failed may stand behind `len`.
    stump: bool,
    /// Open while the thread is active.
    file: Option<File>,
    /// `None` until the first append of a thread that is being made.
    lock: Option<WriterLock>,
    /// Records that the disk did not take. They go first.
    backlog: Vec<RolloutLine>,
    /// How long the backlog is when written out.
    backlog_bytes: usize,
}

/// Where an existing rollout ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct End {
    /// Bytes.
    pub(crate) len: u64,
    /// Whether the last line lacks its end.
    pub(crate) cut: bool,
    /// The number of the next line.
    pub(crate) next_ordinal: u64,
}

impl Appender {
    /// For a thread whose file is yet to be made.
    pub(crate) fn fresh(home: PathBuf, path: PathBuf, meta: Arc<SessionMeta>) -> Self {
        Self {
            home,
            path,
            numbered: meta.history_mode.as_deref() == Some("paginated"),
            meta,
            next_ordinal: 0,
            len: None,
            cut: false,
            stump: false,
            file: None,
            lock: None,
            backlog: Vec::new(),
            backlog_bytes: 0,
        }
    }

    /// For a file that is there.
    pub(crate) fn existing(
        home: PathBuf,
        path: PathBuf,
        meta: Arc<SessionMeta>,
        end: End,
        lock: WriterLock,
    ) -> Self {
        let mut appender = Self::fresh(home, path, meta);
        appender.next_ordinal = end.next_ordinal;
        appender.len = Some(end.len);
        appender.cut = end.cut;
        appender.lock = Some(lock);
        appender
    }

    /// Goes on in a file that took the place of the one before.
    pub(crate) fn go_on_at(&mut self, end: End) {
        self.file = None;
        self.stump = false;
        self.next_ordinal = end.next_ordinal;
        self.len = Some(end.len);
        self.cut = end.cut;
    }

    /// The number that the next line gets.
    pub(crate) fn next_ordinal(&self) -> u64 {
        self.next_ordinal
    }

    /// How long the file is, as far as this end of it knows.
    pub(crate) fn len(&self) -> u64 {
        self.len.unwrap_or(0)
    }

    /// Closes the file. The right to write stays.
    pub(crate) fn rest(&mut self) {
        self.file = None;
    }

    /// Writes records, older unwritten ones first, with one call to the kernel. `seen` gets each
    /// line that was written. Without items only the header is made sure of.
    ///
    /// # Errors
    /// [`Error::Unwritten`] when the disk did not take them; they are kept and go first with the
    /// next append. Any other error: nothing was kept.
    pub(crate) fn append(
        &mut self,
        disk: &dyn Disk,
        now: Timestamp,
        items: Vec<RolloutItem>,
        seen: &mut dyn FnMut(&[u8]),
    ) -> Result<Appended, Error> {
        let timestamp: Box<str> = format!("{now:.3}").into();
        let line = |item| RolloutLine { timestamp: timestamp.clone(), ordinal: None, item };
        let fresh = items.into_iter().map(line).collect();
        let (mut lines, old) = self.behind_backlog(fresh);
        match self.write(disk, &timestamp, &mut lines, seen) {
            Ok(notice) => {
                self.backlog_bytes = 0;
                lines.drain(..old);
                Ok(Appended { lines, notice })
            }
            Err(error @ (Error::Busy { .. } | Error::Exists { .. } | Error::Encode(_))) => {
                lines.truncate(old);
                self.backlog = lines;
                Err(error)
            }
            Err(error) => Err(self.keep(lines, old, error)),
        }
    }

    /// The waiting records with the new ones behind them, and how many waited.
    fn behind_backlog(&mut self, fresh: Vec<RolloutLine>) -> (Vec<RolloutLine>, usize) {
        let mut lines = std::mem::take(&mut self.backlog);
        let old = lines.len();
        lines.extend(fresh);
        (lines, old)
    }

    fn keep(&mut self, mut lines: Vec<RolloutLine>, old: usize, source: Error) -> Error {
        for line in &mut lines {
            line.ordinal = None;
        }
        let fresh = lines.split_off(old);
        self.backlog = lines;
        let bytes: usize = fresh
            .iter()
            .filter_map(|line| serde_json::to_vec(line).ok())
            .map(|line| line.len())
            .sum();
        let kept = self.backlog_bytes + bytes <= BACKLOG_BYTES;
        if kept {
            self.backlog_bytes += bytes;
            self.backlog.extend(fresh.iter().cloned());
        }
        Error::Unwritten { lines: fresh, kept, source: Box::new(source) }
    }

    fn write(
        &mut self,
        disk: &dyn Disk,
        timestamp: &str,
        lines: &mut [RolloutLine],
        seen: &mut dyn FnMut(&[u8]),
    ) -> Result<Option<Damage>, Error> {
        if self.lock.is_none() {
            self.lock = Some(WriterLock::take(disk, &self.home, self.meta.id)?);
        }
        let notice = self.make_ready(disk)?;
        let mut text = Vec::new();
        if self.cut {
            text.push(b'\n');
        }
        let mut ordinal = self.next_ordinal;
        if self.len() == 0 {
            let item = RolloutItem::SessionMeta(Box::new(self.meta.as_ref().clone()));
            let mut header = RolloutLine { timestamp: timestamp.into(), ordinal: None, item };
            ordinal = 0;
            self.encode(&mut text, &mut header, &mut ordinal)?;
        }
        for line in lines {
            self.encode(&mut text, line, &mut ordinal)?;
        }
        self.put(disk, &text)?;
        self.next_ordinal = ordinal;
        text.split(|b| *b == b'\n').filter(|line| !line.is_empty()).for_each(seen);
        Ok(notice)
    }

    fn encode(
        &self,
        text: &mut Vec<u8>,
        line: &mut RolloutLine,
        ordinal: &mut u64,
    ) -> Result<(), Error> {
        line.ordinal = self.numbered.then_some(*ordinal);
        *ordinal += 1;
        serde_json::to_writer(&mut *text, line).map_err(Error::Encode)?;
        text.push(b'\n');
        Ok(())
    }

    /// Adds bytes to the open file, all or none.
    fn put(&mut self, disk: &dyn Disk, text: &[u8]) -> Result<(), Error> {
        let file = self.file.as_ref().ok_or(Error::Closed)?;
        let len = self.len();
        if text.is_empty() {
            return Ok(());
        }
        if let Err(error) = write_all(disk, file, text) {
            // What went in is cut off again, at the latest before the next record.
            self.stump = disk.truncate(file, len).is_err();
            return Err(error).context("write", &self.path);
        }
        self.len = Some(len + text.len() as u64);
        self.cut = false;
        Ok(())
    }

    /// Opens or makes the file, and looks whether it is still as it was left.
    fn make_ready(&mut self, disk: &dyn Disk) -> Result<Option<Damage>, Error> {
        let Some(len) = self.len else {
            self.file = Some(self.make(disk)?);
            self.len = Some(0);
            return Ok(None);
        };
        if let Some(file) = &self.file {
            let meta = file.metadata().context("examine", &self.path)?;
            if meta.nlink() > 0 {
                return self.compare(disk, meta.len());
            }
        }
        match disk.open_append(&self.path) {
            Ok(file) => {
                let size = file.metadata().context("examine", &self.path)?.len();
                self.file = Some(file);
                self.compare(disk, size)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.make_again(disk, len),
            Err(error) => Err(error).context("open", &self.path),
        }
    }

    fn make(&self, disk: &dyn Disk) -> Result<File, Error> {
        if let Some(folder) = self.path.parent() {
            disk.create_folders(folder).context("create", folder)?;
        }
        match disk.create_append(&self.path) {
            Ok(file) => Ok(file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let file = disk.open_append(&self.path).context("open", &self.path)?;
                // An empty one is what is left of a first append that failed.
                match file.metadata().context("examine", &self.path)?.len() {
                    0 => Ok(file),
                    _ => Err(Error::Exists { path: self.path.clone() }),
                }
            }
            Err(error) => Err(error).context("create", &self.path),
        }
    }

    /// The file was removed. While it is still open its content can be put back.
    fn make_again(&mut self, disk: &dyn Disk, len: u64) -> Result<Option<Damage>, Error> {
        let lost = self.file.take();
        let file = self.make(disk)?;
        let restored = lost.is_some_and(|lost| copy(disk, &lost, &file, len).is_ok());
        if !restored {
            disk.truncate(&file, 0).context("truncate", &self.path)?;
            self.len = Some(0);
            self.cut = false;
        }
        self.file = Some(file);
        Ok(Some(self.damage(0, DamageKind::Removed { restored })))
    }

    /// Settles a difference between the file's size and the one it was left with.
    fn compare(&mut self, disk: &dyn Disk, size: u64) -> Result<Option<Damage>, Error> {
        let len = self.len();
        let file = self.file.as_ref().ok_or(Error::Closed)?;
        if self.stump && size > len {
            disk.truncate(file, len).context("truncate", &self.path)?;
            self.stump = false;
            return Ok(None);
        }
        if size == len {
            return Ok(None);
        }
        if size > len {
            let (cut, ordinal) = added(file, len, size).context("read", &self.path)?;
            self.cut = cut;
            self.next_ordinal = ordinal.unwrap_or(self.next_ordinal);
            self.len = Some(size);
            return Ok(Some(self.damage(len, DamageKind::Foreign { bytes: size - len })));
        }
        self.cut = !ends_whole(file, size).context("read", &self.path)?;
        self.len = Some(size);
        Ok(Some(self.damage(size, DamageKind::Shortened { from: len, to: size })))
    }

    fn damage(&self, offset: u64, kind: DamageKind) -> Damage {
        Damage { path: self.path.clone(), offset, kind }
    }

    /// Whether something waits for the disk.
    pub(crate) fn has_backlog(&self) -> bool {
        !self.backlog.is_empty()
    }
}

/// Whether the byte before `end` is a line end.
pub(crate) fn ends_whole(file: &File, end: u64) -> io::Result<bool> {
    let mut last = [b'\n'];
    if end > 0 {
        read_exact(file, &mut last, end - 1)?;
    }
    Ok(last[0] == b'\n')
}

/// What others added between two offsets: whether it ends within a line, and the number after
/// the highest one in it.
fn added(file: &File, from: u64, to: u64) -> io::Result<(bool, Option<u64>)> {
    let mut lines = Forward::new(file, from, to);
    let mut next = None;
    while let Some(line) = lines.next()? {
        let ordinal = Envelope::read(line.bytes).and_then(|line| line.ordinal);
        next = next.max(ordinal.map(|ordinal| ordinal + 1));
    }
    Ok((!ends_whole(file, to)?, next))
}

/// Copies the first `len` bytes of one file to the end of another.
fn copy(disk: &dyn Disk, from: &File, to: &File, len: u64) -> io::Result<()> {
    let mut at = 0;
    let mut block = vec![0; 1 << 18];
    while at < len {
        let want = usize::try_from(len - at).map_or(block.len(), |left| left.min(block.len()));
        read_exact(from, &mut block[..want], at)?;
        write_all(disk, to, &block[..want])?;
        at += want as u64;
    }
    Ok(())
}

/// The path of an appender's file.
impl AsRef<Path> for Appender {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests;
