//! Walks a folder. Reads only what a look cannot vouch for.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{self, AtFlags, Dir, FileType, Mode, OFlags, Stat};

use super::blob::Blobs;
use super::ignore::{Rules, is_left_out, surroundings};
use super::manifest::{Entry, Manifest, Stamp};
use super::state::{State, Unkept};

/// How much is looked at and kept of one folder.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Paths. A folder with more is not looked at any further.
    pub paths: usize,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of all files together.
    pub bytes: u64,
    /// How long contents are read. The look itself is not cut short.
    pub time: Duration,
}

/// Why there is no manifest.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// The folder holds more paths than are looked at.
    #[error("{} holds more than {limit} files", root.display())]
    TooManyPaths {
        /// The folder.
        root: PathBuf,
        /// The limit.
        limit: usize,
    },
    /// The folder itself cannot be read.
    #[error("{} cannot be read: {source}", root.display())]
    Root {
        /// The folder.
        root: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A look at a folder, to be [taken](Scan::run).
#[derive(Debug)]
pub struct Scan<'a> {
    /// The folder: absolute, without links.
    pub root: &'a Path,
    /// An earlier look: what has not changed since is taken over.
    pub base: Option<&'a Manifest>,
    /// Whether the ignore rules of `base` hold, whatever the files say by now. Two manifests
    /// that are to be compared must follow the same rules: what is no longer ignored would look
    /// like something new.
    pub same_rules: bool,
    /// Where contents are kept.
    pub blobs: &'a Blobs,
    /// How much.
    pub limits: Limits,
    /// Folders that are left out: absolute, without links.
    pub leave_out: &'a [PathBuf],
    /// This moment, in nanoseconds of Unix time, by the clock of the file system.
    pub now: i64,
}

/// Folders inside folders are followed this deep.
const MAX_DEPTH: usize = 128;
/// A file that changed so shortly before a look may change once more without showing it: clocks
/// of file systems are coarse. Nanoseconds.
const UNSETTLED: i64 = 50_000_000;

impl Scan<'_> {
    /// Looks. Blocks. Links are not followed, and no folder is entered through one.
    pub fn run(&self) -> Result<Manifest, ScanError> {
        let root = |source| ScanError::Root { root: self.root.to_owned(), source };
        let mut walk = Walk {
            scan: self,
            deadline: Instant::now() + self.limits.time,
            rules: Rules::default(),
            manifest: Manifest { root: self.root.to_owned(), ..Manifest::default() },
            names: Vec::new(),
            path: PathBuf::new(),
            kept: 0,
            buffer: Vec::new(),
        };
        walk.manifest.outside = match self.base.filter(|_| self.same_rules) {
            Some(base) => base.outside.clone(),
            None => surroundings(self.root),
        };
        for (names, text) in &walk.manifest.outside {
            walk.rules.push_outside(names.clone(), text);
        }
        let folder = open_folder(fs::CWD, self.root.as_os_str()).map_err(root)?;
        walk.folder(&folder).map_err(|cut| match cut {
            Cut::TooManyPaths => {
                ScanError::TooManyPaths { root: self.root.to_owned(), limit: self.limits.paths }
            }
            Cut::Io(source) => root(source),
        })?;
        let mut manifest = walk.manifest;
        manifest.entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(manifest)
    }
}

enum Cut {
    TooManyPaths,
    Io(io::Error),
}

struct Walk<'a> {
    scan: &'a Scan<'a>,
    deadline: Instant,
    rules: Rules,
    manifest: Manifest,
    /// The folder in which the walk is, as names below the root.
    names: Vec<Vec<u8>>,
    /// The same as a path.
    path: PathBuf,
    /// Bytes of the contents so far.
    kept: u64,
    buffer: Vec<u8>,
}

fn open_folder(at: impl AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(fs::openat(at, name, flags, Mode::empty())?)
}

impl Walk<'_> {
    fn folder(&mut self, folder: &OwnedFd) -> Result<(), Cut> {
        let mut found = Vec::new();
        for entry in Dir::read_from(folder).map_err(|error| Cut::Io(error.into()))? {
            let entry = entry.map_err(|error| Cut::Io(error.into()))?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                found.push((name.to_vec(), entry.file_type()));
            }
        }
        let has_rules = found.iter().any(|(name, _)| name == b".gitignore");
        let entered = self.enter_rules(folder, has_rules);
        for (name, kind) in found {
            self.names.push(name);
            let outcome = self.entry(folder, kind);
            self.names.pop();
            outcome?;
        }
        if entered {
            self.rules.pop();
        }
        Ok(())
    }

    /// Takes up the folder's own ignore file. Under the rules of an earlier look only new
    /// folders have a say.
    fn enter_rules(&mut self, folder: &OwnedFd, has_rules: bool) -> bool {
        let earlier = self.scan.base.filter(|_| self.scan.same_rules);
        let was_there = |base: &&Manifest| self.names.is_empty() || base.find(&self.path).is_some();
        let text = match earlier.filter(was_there) {
            Some(base) => base.texts.get(&self.path).cloned(),
            None if has_rules => read_rules(folder),
            None => None,
        };
        let Some(text) = text else { return false };
        self.rules.push(self.names.len(), &text);
        self.manifest.texts.insert(self.path.clone(), text);
        true
    }

    /// Takes the entry whose name was pushed last.
    fn entry(&mut self, folder: &OwnedFd, kind: FileType) -> Result<(), Cut> {
        let Some(name) = self.names.last() else { return Ok(()) };
        let name = OsStr::from_bytes(name).to_owned();
        let stat = || fs::statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW);
        let mut known = None;
        let kind = match kind {
            FileType::Unknown => {
                // What is gone again was never there.
                let Ok(found) = stat() else { return Ok(()) };
                known = Some(found);
                FileType::from_raw_mode(found.st_mode)
            }
            kind => kind,
        };
        let is_folder = kind.is_dir();
        let skipped = (is_folder || name == ".git") && is_left_out(name.as_bytes());
        if skipped || self.rules.ignores(&self.names, is_folder) {
            return Ok(());
        }
        let Some(stat) = known.or_else(|| stat().ok()) else { return Ok(()) };
        self.path.push(&name);
        let outcome = match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => self.enter(folder, &name, &stat),
            FileType::RegularFile => {
                let (stamp, settled, state) = self.file(folder, &name, stamp(&stat));
                self.add(stamp, settled, state)
            }
            FileType::Symlink => match fs::readlinkat(folder, &name, Vec::new()) {
                Ok(target) => {
                    let target = std::ffi::OsString::from_vec(target.into_bytes()).into();
                    self.add(stamp(&stat), true, State::Link { target })
                }
                Err(_) => Ok(()),
            },
            // Sockets and devices are no content.
            _ => Ok(()),
        };
        self.path.pop();
        outcome
    }

    fn enter(&mut self, parent: &OwnedFd, name: &OsStr, stat: &Stat) -> Result<(), Cut> {
        if self.scan.leave_out.iter().any(|out| *out == self.scan.root.join(&self.path)) {
            return Ok(());
        }
        let stamp = Stamp { mode: stamp(stat).mode, ..Stamp::default() };
        self.add(stamp, true, State::Folder { mode: stamp.mode })?;
        if self.names.len() > MAX_DEPTH {
            return Ok(());
        }
        match open_folder(parent, name) {
            Ok(folder) => match self.folder(&folder) {
                Err(Cut::Io(error)) => {
                    tracing::debug!(%error, "a folder cannot be read for undo");
                    Ok(())
                }
                outcome => outcome,
            },
            // Not ours to read, or gone again.
            Err(_) => Ok(()),
        }
    }

    fn add(&mut self, stamp: Stamp, settled: bool, state: State) -> Result<(), Cut> {
        if self.manifest.entries.len() >= self.scan.limits.paths {
            return Err(Cut::TooManyPaths);
        }
        let path = self.path.clone().into_boxed_path();
        self.manifest.entries.push(Entry { path, stamp, settled, state });
        Ok(())
    }

    fn file(&mut self, folder: &OwnedFd, name: &OsStr, stamp: Stamp) -> (Stamp, bool, State) {
        let limits = self.scan.limits;
        let settled = |stamp: Stamp| stamp.changed < self.scan.now - UNSETTLED;
        let known = self.scan.base.and_then(|base| base.find(&self.path));
        if let Some(known) = known.filter(|known| known.settled && known.stamp == stamp)
            && let State::File { .. } = known.state
        {
            self.kept += stamp.size;
            return (stamp, true, known.state.clone());
        }
        let why = if stamp.size > limits.file_bytes {
            Unkept::TooLarge
        } else if self.kept + stamp.size > limits.bytes {
            Unkept::TooMuch
        } else if Instant::now() > self.deadline {
            Unkept::NotYet
        } else {
            match self.read(folder, name) {
                Ok((stamp, state)) => return (stamp, settled(stamp), state),
                Err(error) => {
                    tracing::debug!(%error, "a file cannot be kept for undo");
                    Unkept::Unreadable
                }
            }
        };
        let state = State::Unkept { why, size: stamp.size, modified: stamp.modified };
        (stamp, settled(stamp), state)
    }

    /// Reads and keeps a file. The stamp is the one under which it was read.
    fn read(&mut self, folder: &OwnedFd, name: &OsStr) -> io::Result<(Stamp, State)> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(fs::openat(folder, name, flags, Mode::empty())?);
        let before = fs::fstat(&file)?;
        if !FileType::from_raw_mode(before.st_mode).is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let limit = self.scan.limits.file_bytes + 1;
        self.buffer.clear();
        (&file).take(limit).read_to_end(&mut self.buffer)?;
        let stamp = stamp(&before);
        let after = fs::fstat(&file)?;
        if self.buffer.len() as u64 != stamp.size || stamp != self::stamp(&after) {
            return Err(io::Error::other("it changes while it is read"));
        }
        let content = self.scan.blobs.keep_file(&self.buffer, &file)?;
        self.kept += stamp.size;
        Ok((stamp, State::File { content, mode: Some(stamp.mode) }))
    }
}

fn read_rules(folder: &OwnedFd) -> Option<Vec<u8>> {
    /// More than this is no list of rules.
    const MAX_BYTES: u64 = 1024 * 1024;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(fs::openat(folder, ".gitignore", flags, Mode::empty()).ok()?);
    let mut text = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut text).ok()?;
    Some(text)
}

pub(super) fn stamp(stat: &Stat) -> Stamp {
    let nanos =
        |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    Stamp {
        size: stat.st_size as u64,
        modified: nanos(stat.st_mtime, stat.st_mtime_nsec as i64),
        changed: nanos(stat.st_ctime, stat.st_ctime_nsec as i64),
        inode: stat.st_ino,
        mode: stat.st_mode & 0o7777,
    }
}

#[cfg(test)]
mod tests;
