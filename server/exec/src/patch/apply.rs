//! Checks a patch against the files and plans what to write. Reads, but writes nothing.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{Access, OFlags};
use rustix::io::Errno;

use super::edit::{Misfit, apply_chunks};
use super::error::VerifyError;
use super::parse::{Chunk, FileOp, Patch};

/// What stands under a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// Nothing.
    Missing,
    /// A file.
    File(Content),
    /// A symbolic link, with its target as the link has it.
    Link(PathBuf),
}

/// A file's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// Its permission bits, such as `0o644`; none means those of any new file.
    pub mode: Option<u32>,
}

/// Files larger than this are no text that a patch is for.
const MAX_FILE: u64 = 64 * 1024 * 1024;
/// Links that are followed before a path counts as a circle.
const MAX_LINKS: usize = 16;

/// A patch that fits: what every file is, and what it shall become.
#[derive(Debug)]
pub struct Plan {
    pub(super) files: Vec<Planned>,
    pub(super) entries: Vec<Entry>,
}

/// One file of a plan.
#[derive(Debug, Clone)]
pub(super) struct Planned {
    /// Where it really is: absolute, without links in its folder.
    pub(super) real: PathBuf,
    /// Where it is by the patch's word: absolute, without dots.
    pub(super) shown: PathBuf,
    pub(super) before: FileState,
    pub(super) after: FileState,
}

/// What the patch calls a change, in the patch's order. Numbers are places in `Plan::files`.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) kind: EntryKind,
    /// The path as the patch has it.
    pub(super) named: String,
    pub(super) path: PathBuf,
    pub(super) file: usize,
    pub(super) moved: Option<Moved>,
}

/// Where an updated file goes.
#[derive(Debug)]
pub(super) struct Moved {
    pub(super) named: String,
    pub(super) path: PathBuf,
    pub(super) file: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    Add,
    Delete,
    Update,
}

impl Plan {
    /// Reads the files that `patch` names, below `cwd` where a path is relative, and works out
    /// what they become. Nothing is written.
    pub fn check(patch: &Patch, cwd: &Path) -> Result<Self, VerifyError> {
        let mut planner = Planner { cwd, files: Vec::new(), places: HashMap::new() };
        let mut entries = Vec::with_capacity(patch.ops.len());
        for op in &patch.ops {
            entries.push(match op {
                FileOp::Add { path, lines } => planner.add(path, lines)?,
                FileOp::Delete { path } => planner.delete(path)?,
                FileOp::Update { path, move_to, chunks } => {
                    planner.update(path, move_to.as_deref(), chunks)?
                }
            });
        }
        Ok(Self { files: planner.files, entries })
    }

    /// Returns every path that would be written or removed: absolute, links resolved. These are
    /// what may be allowed or not; writing goes nowhere else.
    pub fn targets(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter(|file| file.before != file.after).map(|file| file.real.as_path())
    }

    /// Returns every file that changes: path by the patch's word, state before and state after.
    pub fn effects(&self) -> impl Iterator<Item = (&Path, &FileState, &FileState)> {
        let changed = self.files.iter().filter(|file| file.before != file.after);
        changed.map(|file| (file.shown.as_path(), &file.before, &file.after))
    }

    /// Returns the same by where each file really is: links resolved.
    pub fn rewrites(&self) -> impl Iterator<Item = (&Path, &FileState, &FileState)> {
        let changed = self.files.iter().filter(|file| file.before != file.after);
        changed.map(|file| (file.real.as_path(), &file.before, &file.after))
    }

    /// Returns the moves: from where to where.
    pub fn moves(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.entries
            .iter()
            .filter_map(|entry| Some((entry.path.as_path(), entry.moved.as_ref()?.path.as_path())))
    }
}

/// Follows the patch from file to file; a file that comes twice is read once.
struct Planner<'a> {
    cwd: &'a Path,
    files: Vec<Planned>,
    places: HashMap<PathBuf, usize>,
}

/// What to do when the last part of a path is a symbolic link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AtLink {
    Follow,
    Stay,
}

impl Planner<'_> {
    fn add(&mut self, path: &str, lines: &[String]) -> Result<Entry, VerifyError> {
        let shown = absolute(self.cwd, path);
        let failed = |source| VerifyError::Write { path: shown.clone(), source };
        let file = self.place(&shown, AtLink::Follow).map_err(failed)?;
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        let mode = self.content(file).and_then(|content| content.mode);
        self.set(file, text.into_bytes(), mode);
        Ok(Entry { kind: EntryKind::Add, named: path.to_owned(), path: shown, file, moved: None })
    }

    fn delete(&mut self, path: &str) -> Result<Entry, VerifyError> {
        let shown = absolute(self.cwd, path);
        let failed = |source| VerifyError::Delete { path: shown.clone(), source };
        let file = self.place(&shown, AtLink::Stay).map_err(failed)?;
        match self.files.get_mut(file) {
            Some(planned) if planned.after != FileState::Missing => {
                planned.after = FileState::Missing;
            }
            _ => return Err(failed(not_there())),
        }
        Ok(Entry {
            kind: EntryKind::Delete,
            named: path.to_owned(),
            path: shown,
            file,
            moved: None,
        })
    }

    fn update(
        &mut self,
        path: &str,
        move_to: Option<&str>,
        chunks: &[Chunk],
    ) -> Result<Entry, VerifyError> {
        let shown = absolute(self.cwd, path);
        let failed = |source| VerifyError::Read { path: shown.clone(), source };
        let file = self.place(&shown, AtLink::Follow).map_err(failed)?;
        let old = self.content(file).cloned().ok_or_else(|| failed(not_there()))?;
        let new = apply_chunks(&old.bytes, chunks).map_err(|misfit| match misfit {
            Misfit::Context(context) => VerifyError::Context { path: shown.clone(), context },
            Misfit::Lines(lines) => VerifyError::Lines { path: shown.clone(), lines },
        })?;
        let target = move_to.map(|name| (name, absolute(self.cwd, name)));
        let moved = match target.filter(|(_, target)| *target != shown) {
            Some((named, target)) => {
                let failed = |source| VerifyError::Write { path: target.clone(), source };
                let to = self.place(&target, AtLink::Follow).map_err(failed)?;
                // What goes away is the name: the file, or the link that led to it.
                let source = self.place(&shown, AtLink::Stay).map_err(failed)?;
                self.set(to, new, old.mode);
                if let Some(planned) = self.files.get_mut(source).filter(|_| source != to) {
                    planned.after = FileState::Missing;
                }
                Some(Moved { named: named.to_owned(), path: target, file: to })
            }
            None => {
                self.set(file, new, old.mode);
                None
            }
        };
        Ok(Entry { kind: EntryKind::Update, named: path.to_owned(), path: shown, file, moved })
    }

    fn content(&self, file: usize) -> Option<&Content> {
        match &self.files.get(file)?.after {
            FileState::File(content) => Some(content),
            FileState::Missing | FileState::Link(_) => None,
        }
    }

    fn set(&mut self, file: usize, bytes: Vec<u8>, mode: Option<u32>) {
        if let Some(planned) = self.files.get_mut(file) {
            planned.after = FileState::File(Content { bytes: bytes.into(), mode });
        }
    }

    /// Finds or reads the file under `shown`.
    fn place(&mut self, shown: &Path, at_link: AtLink) -> io::Result<usize> {
        let real = resolve(shown, at_link)?;
        if let Some(place) = self.places.get(&real) {
            return Ok(*place);
        }
        let before = read_state(&real)?;
        if matches!(before, FileState::File(_)) {
            // Replacing a file needs no right to write it; its owner's word counts all the same.
            rustix::fs::access(&real, Access::WRITE_OK)?;
        }
        let place = self.files.len();
        let after = before.clone();
        self.files.push(Planned { real: real.clone(), shown: shown.to_owned(), before, after });
        self.places.insert(real, place);
        Ok(place)
    }
}

fn not_there() -> io::Error {
    Errno::NOENT.into()
}

/// Joins `path` to `cwd` and takes the dots out, without looking at the disk.
fn absolute(cwd: &Path, path: &str) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in cwd.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

/// Returns where `path` really is. Its folder need not be there yet.
fn resolve(path: &Path, at_link: AtLink) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(Errno::ISDIR.into());
        };
        let folder = real_folder(folder)?;
        let real = folder.join(name);
        let is_link = fs::symlink_metadata(&real).is_ok_and(|meta| meta.is_symlink());
        if at_link == AtLink::Stay || !is_link {
            return Ok(real);
        }
        path = folder.join(fs::read_link(&real)?);
    }
    Err(Errno::LOOP.into())
}

/// Resolves the links of a folder; parts that are not there yet stay as they are.
fn real_folder(folder: &Path) -> io::Result<PathBuf> {
    let mut there = folder;
    let mut missing = Vec::new();
    loop {
        match there.canonicalize() {
            Ok(mut real) => {
                real.extend(missing.iter().rev());
                return Ok(real);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let (Some(parent), Some(name)) = (there.parent(), there.file_name()) else {
                    return Err(error);
                };
                missing.push(name);
                there = parent;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Reads what stands under `real`, links not followed.
pub(super) fn read_state(real: &Path) -> io::Result<FileState> {
    let meta = match fs::symlink_metadata(real) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(FileState::Missing),
        Err(error) => return Err(error),
    };
    if meta.is_symlink() {
        return Ok(FileState::Link(fs::read_link(real)?));
    }
    if meta.is_dir() {
        return Err(Errno::ISDIR.into());
    }
    if !meta.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    if meta.len() > MAX_FILE {
        return Err(Errno::FBIG.into());
    }
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let file = fs::OpenOptions::new().read(true).custom_flags(flags.cast_signed()).open(real)?;
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or_default());
    file.take(MAX_FILE).read_to_end(&mut bytes)?;
    let mode = Some(meta.permissions().mode() & 0o7777);
    Ok(FileState::File(Content { bytes: bytes.into(), mode }))
}

#[cfg(test)]
mod tests;
