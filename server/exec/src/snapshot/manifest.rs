//! A folder at a moment: every path below it with what stood there.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::blob::Digest;
use super::ignore::Texts;
use super::state::{Change, State, Unkept};

/// By what a look tells that a file is what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stamp {
    pub(super) size: u64,
    /// Nanoseconds of Unix time.
    pub(super) modified: i64,
    /// The same for its name, owner and mode.
    pub(super) changed: i64,
    pub(super) inode: u64,
    /// The permission bits.
    pub(super) mode: u32,
}

/// One path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Relative to the root.
    pub(super) path: Box<Path>,
    pub(super) stamp: Stamp,
    /// Whether the file had been left alone for long enough that a later change must show in
    /// the stamp. If not, it is read again.
    pub(super) settled: bool,
    pub(super) state: State,
}

/// A folder at a moment. What is ignored is not in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manifest {
    /// The folder: absolute, without links.
    pub(super) root: PathBuf,
    /// Sorted by path.
    pub(super) entries: Vec<Entry>,
    /// The ignore files that held.
    pub(super) texts: Texts,
    /// The ignore files outside the root that held, with the names that lead from each to it.
    pub(super) outside: Vec<(Vec<Vec<u8>>, Vec<u8>)>,
}

impl Manifest {
    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// How many paths it holds.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The contents that it names.
    pub fn contents(&self) -> impl Iterator<Item = Digest> {
        self.entries.iter().filter_map(|entry| entry.state.content())
    }

    pub(super) fn find(&self, path: &Path) -> Option<&Entry> {
        let at = self.entries.binary_search_by(|entry| (*entry.path).cmp(path)).ok()?;
        self.entries.get(at)
    }

    /// Whether it has a word on a path: it is there, or there is nothing and nothing ignored.
    pub fn knows(&self, path: &Path) -> bool {
        path.strip_prefix(&self.root).is_ok_and(|below| self.find(below).is_some())
    }

    /// What is different in a later manifest of the same folder, sorted by path.
    pub fn changes(&self, later: &Self) -> Vec<Change> {
        let mut found = Vec::new();
        let (mut old, mut new) = (self.entries.as_slice(), later.entries.as_slice());
        loop {
            let order = match (old.first(), new.first()) {
                (Some(before), Some(after)) => before.path.cmp(&after.path),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (None, None) => return found,
            };
            let before = if order.is_gt() { None } else { old.split_off_first() };
            let after = if order.is_lt() { None } else { new.split_off_first() };
            let Some(path) = before.or(after).map(|entry| &entry.path) else { return found };
            if let (Some(before), Some(after)) = (before, after)
                && before.is_same(after)
            {
                continue;
            }
            let state = |entry: Option<&Entry>| entry.map_or(State::Missing, |e| e.state.clone());
            let path = self.root.join(path);
            found.push(Change { path, before: state(before), after: state(after) });
        }
    }
}

impl Entry {
    fn is_same(&self, later: &Self) -> bool {
        match (&self.state, &later.state) {
            // Content that nobody has read is the same as long as its stamp is.
            (State::Unkept { .. }, State::Unkept { .. } | State::File { .. })
            | (State::File { .. }, State::Unkept { .. }) => self.stamp == later.stamp,
            (before, after) => before == after,
        }
    }
}

/// The first bytes of the file form; the last one counts its versions.
const MAGIC: &[u8; 8] = b"spindle\x01";

static NEXT: AtomicU64 = AtomicU64::new(0);

impl Manifest {
    /// Writes it to a file, as a whole: a reader sees the old one or the new one. Mode 0600.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let beside = path.with_extension(format!("new-{}-{number}", std::process::id()));
        let create = || OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside);
        let mut file = match create() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = path.parent().unwrap_or(path);
                DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
                create()?
            }
            other => other?,
        };
        let written = file.write_all(&self.encode()).and_then(|()| fs::rename(&beside, path));
        if written.is_err() {
            fs::remove_file(&beside).ok();
        }
        written
    }

    /// Reads it from a file; none when there is no file, or none of ours that is whole.
    pub fn load(path: &Path) -> Option<Self> {
        let bytes = fs::read(path).ok()?;
        Reader(&bytes).manifest()
    }

    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(64 + self.entries.len() * 128);
        out.extend_from_slice(MAGIC);
        put_bytes(&mut out, self.root.as_os_str().as_bytes());
        put(&mut out, self.texts.len() as u64);
        for (folder, text) in &self.texts {
            put_bytes(&mut out, folder.as_os_str().as_bytes());
            put_bytes(&mut out, text);
        }
        put(&mut out, self.outside.len() as u64);
        for (names, text) in &self.outside {
            put(&mut out, names.len() as u64);
            names.iter().for_each(|name| put_bytes(&mut out, name));
            put_bytes(&mut out, text);
        }
        put(&mut out, self.entries.len() as u64);
        for entry in &self.entries {
            entry.encode(&mut out);
        }
        out
    }
}

impl Entry {
    fn encode(&self, out: &mut Vec<u8>) {
        put_bytes(out, self.path.as_os_str().as_bytes());
        let Stamp { size, modified, changed, inode, mode } = self.stamp;
        for number in [size, modified as u64, changed as u64, inode, u64::from(mode)] {
            put(out, number);
        }
        out.push(u8::from(self.settled));
        match &self.state {
            State::File { content, .. } => {
                out.push(b'f');
                out.extend_from_slice(content.as_bytes());
            }
            State::Link { target } => {
                out.push(b'l');
                put_bytes(out, target.as_os_str().as_bytes());
            }
            State::Folder { .. } => out.push(b'd'),
            State::Unkept { why, .. } => out.push(match why {
                Unkept::TooLarge => b'L',
                Unkept::TooMuch => b'M',
                Unkept::NotYet => b'N',
                Unkept::Unreadable => b'U',
            }),
            State::Missing => out.push(b'-'),
        }
    }
}

fn put(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn manifest(mut self) -> Option<Manifest> {
        if self.take(MAGIC.len())? != MAGIC {
            return None;
        }
        let mut manifest = Manifest { root: self.path()?, ..Manifest::default() };
        for _ in 0..self.number()? {
            let folder = self.path()?;
            manifest.texts.insert(folder, self.bytes()?.to_vec());
        }
        for _ in 0..self.number()? {
            let names = (0..self.number()?).map(|_| self.bytes().map(<[u8]>::to_vec));
            let names = names.collect::<Option<_>>()?;
            manifest.outside.push((names, self.bytes()?.to_vec()));
        }
        for _ in 0..self.number()? {
            manifest.entries.push(self.entry()?);
        }
        Some(manifest)
    }

    fn entry(&mut self) -> Option<Entry> {
        let path = self.path()?.into_boxed_path();
        let stamp = Stamp {
            size: self.number()?,
            modified: self.number()? as i64,
            changed: self.number()? as i64,
            inode: self.number()?,
            mode: u32::try_from(self.number()?).ok()?,
        };
        let settled = self.byte()? != 0;
        let unkept = |why| State::Unkept { why, size: stamp.size, modified: stamp.modified };
        let state = match self.byte()? {
            b'f' => State::File {
                content: Digest::from_bytes(self.take(32)?.try_into().ok()?),
                mode: Some(stamp.mode),
            },
            b'l' => State::Link { target: self.path()? },
            b'd' => State::Folder { mode: stamp.mode },
            b'L' => unkept(Unkept::TooLarge),
            b'M' => unkept(Unkept::TooMuch),
            b'N' => unkept(Unkept::NotYet),
            b'U' => unkept(Unkept::Unreadable),
            _ => return None,
        };
        Some(Entry { path, stamp, settled, state })
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = usize::try_from(self.number()?).ok()?;
        self.take(count)
    }

    fn path(&mut self) -> Option<PathBuf> {
        Some(PathBuf::from(OsString::from_vec(self.bytes()?.to_vec())))
    }
}

#[cfg(test)]
mod tests;
