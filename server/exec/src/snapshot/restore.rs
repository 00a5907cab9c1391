//! Puts back what changed: all of it, or nothing when somebody else has changed a file since.

use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::blob::{Blobs, Digest};
use super::state::{Change, State, Unkept};
use crate::patch::Folder;

/// Files larger than this are no content of ours.
const MAX_FILE: u64 = 64 * 1024 * 1024;

/// What stands in the way of one change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The path.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: Why,
}

/// Why a path cannot be put back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// It is not what the change left.
    #[error("it changed since")]
    Changed,
    /// It was taken away.
    #[error("it was removed since")]
    Removed,
    /// There is something where the change left nothing.
    #[error("it was made anew since")]
    Appeared,
    /// What it was is not kept.
    #[error("what it was is not kept: {0}")]
    NotKept(Unkept),
    /// What it was is kept no more.
    #[error("what it was is kept no more")]
    Gone,
    /// It lies behind a link that was not there, or cannot be looked at.
    #[error("it cannot be looked at: {0}")]
    Unreachable(String),
}

/// How a change stands before it is taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It can be taken back. Holds what is there.
    Ready(State),
    /// Everything is as it was before the change already.
    Done,
    /// It cannot.
    Blocked(Why),
}

/// Why nothing was put back.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// Files stand in the way.
    #[error("{} files cannot be put back", .0.len())]
    Conflicts(Vec<Conflict>),
    /// A file could not be written; every file is as it was.
    #[error("{} could not be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file could not be written, and then another could not be set back.
    #[error("{} could not be written, and {} could not be set back: {source}", path.display(), left.display())]
    Stuck {
        /// The file that could not be written.
        path: PathBuf,
        /// The file that was put back already and stays so.
        left: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// How each change stands, in their order. Blocks; changes nothing.
pub fn look(changes: &[Change], blobs: &Blobs) -> Vec<Standing> {
    changes.iter().map(|change| standing(change, blobs)).collect()
}

fn standing(change: &Change, blobs: &Blobs) -> Standing {
    let found = match read(&change.path) {
        Ok(found) => found,
        Err(error) => return Standing::Blocked(Why::Unreachable(error.to_string())),
    };
    if change.before.fits(&found) {
        return Standing::Done;
    }
    let expected = match (&change.after, &found) {
        // A folder that the change made goes away if it is empty by then.
        (State::Folder { .. }, State::Folder { .. }) => true,
        (State::Unkept { size, modified, .. }, State::File { .. } | State::Unkept { .. }) => {
            looks_like(&change.path, *size, *modified)
        }
        (after, found) => after.fits(found),
    };
    if !expected {
        return Standing::Blocked(match (&change.after, &found) {
            (_, State::Missing) => Why::Removed,
            (State::Missing, _) => Why::Appeared,
            _ => Why::Changed,
        });
    }
    match &change.before {
        State::Unkept { why, .. } => Standing::Blocked(Why::NotKept(*why)),
        State::File { content, .. } if blobs.len(*content).is_none() => {
            Standing::Blocked(Why::Gone)
        }
        _ => Standing::Ready(found),
    }
}

fn looks_like(path: &Path, size: u64, modified: i64) -> bool {
    let Ok(stat) = rustix::fs::lstat(path) else { return false };
    let stamp = super::scan::stamp(&stat);
    (stamp.size, stamp.modified) == (size, modified)
}

/// What stands under a path, links not followed, neither in its folder.
fn read(path: &Path) -> io::Result<State> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(rustix::io::Errno::ISDIR.into());
    };
    match Folder::open(parent) {
        Ok(folder) if folder.stat(name)?.is_none() => return Ok(State::Missing),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(State::Missing),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(State::Missing),
        Err(error) => return Err(error),
    }
    let meta = std::fs::symlink_metadata(path)?;
    let mode = meta.permissions().mode() & 0o7777;
    if meta.is_dir() {
        return Ok(State::Folder { mode });
    }
    if meta.is_symlink() {
        return Ok(State::Link { target: std::fs::read_link(path)? });
    }
    if !meta.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    if meta.len() > MAX_FILE {
        let stamp = super::scan::stamp(&rustix::fs::lstat(path)?);
        let (size, modified) = (stamp.size, stamp.modified);
        return Ok(State::Unkept { why: Unkept::TooLarge, size, modified });
    }
    let content = Digest::of(&std::fs::read(path)?);
    Ok(State::File { content, mode: Some(mode) })
}

/// Takes changes back. Blocks. Each file is replaced as a whole; on an error every file is as
/// it was, unless the error says else. A folder that was made and holds something else by now
/// stays.
pub fn restore(changes: &[Change], blobs: &Blobs) -> Result<(), RestoreError> {
    let mut conflicts = Vec::new();
    let mut moves = Vec::new();
    for (change, standing) in changes.iter().zip(look(changes, blobs)) {
        match standing {
            Standing::Ready(found) => {
                moves.push(Move { path: &change.path, from: found, to: change.before.clone() });
            }
            Standing::Done => {}
            Standing::Blocked(why) => {
                conflicts.push(Conflict { path: change.path.clone(), why });
            }
        }
    }
    if !conflicts.is_empty() {
        return Err(RestoreError::Conflicts(conflicts));
    }
    let moves = in_order(moves);
    for (at, step) in moves.iter().enumerate() {
        if let Err(source) = step.carry_out(blobs) {
            return Err(set_back(&moves[..at], step.path, source, blobs));
        }
    }
    Ok(())
}

/// One path on its way.
#[derive(Debug, Clone)]
struct Move<'a> {
    path: &'a Path,
    from: State,
    to: State,
}

/// Takes away from the inside out, then makes from the outside in; permission bits of folders
/// come last, so that a read-only folder can be filled first.
fn in_order(moves: Vec<Move<'_>>) -> Vec<Move<'_>> {
    let is_folder = |state: &State| matches!(state, State::Folder { .. });
    let (mut away, mut made, mut bits) = (Vec::new(), Vec::new(), Vec::new());
    for mut step in moves {
        let changes_kind = is_folder(&step.from) != is_folder(&step.to);
        if step.from != State::Missing && (step.to == State::Missing || changes_kind) {
            away.push(Move { to: State::Missing, ..step.clone() });
            step.from = State::Missing;
        }
        if step.to == State::Missing {
            continue;
        }
        if is_folder(&step.to) {
            let open = State::Folder { mode: 0o700 };
            if !is_folder(&step.from) {
                made.push(Move { to: open.clone(), ..step.clone() });
                step.from = open;
            }
            bits.push(step);
        } else {
            made.push(step);
        }
    }
    away.sort_by(|a, b| b.path.cmp(a.path));
    made.sort_by(|a, b| a.path.cmp(b.path));
    bits.sort_by(|a, b| b.path.cmp(a.path));
    away.extend(made);
    away.extend(bits);
    away
}

/// Undoes what is done already.
fn set_back(done: &[Move<'_>], path: &Path, source: io::Error, blobs: &Blobs) -> RestoreError {
    for step in done.iter().rev() {
        let back = Move { path: step.path, from: step.to.clone(), to: step.from.clone() };
        if let Err(error) = back.carry_out(blobs) {
            let (path, left) = (path.to_owned(), step.path.to_owned());
            return RestoreError::Stuck { path, left, source: error };
        }
    }
    RestoreError::Write { path: path.to_owned(), source }
}

impl Move<'_> {
    fn carry_out(&self, blobs: &Blobs) -> io::Result<()> {
        let (Some(parent), Some(name)) = (self.path.parent(), self.path.file_name()) else {
            return Err(rustix::io::Errno::ISDIR.into());
        };
        let folder = match (&self.to, Folder::open(parent)) {
            // Nothing is to be there, and nothing is.
            (State::Missing, Err(error)) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(());
            }
            // Its folder was taken away with everything in it, and no change names it.
            (_, Err(error)) if error.kind() == io::ErrorKind::NotFound => Folder::create(parent)?.0,
            (_, folder) => folder?,
        };
        match &self.to {
            State::Missing => self.take_away(&folder, name),
            State::File { content, mode } => {
                let staged = folder.stage(&blobs.read(*content)?, *mode, name)?;
                put_in_place(&folder, &staged, name)
            }
            State::Link { target } => {
                let staged = folder.stage_link(target)?;
                put_in_place(&folder, &staged, name)
            }
            State::Folder { mode } => {
                if !matches!(self.from, State::Folder { .. }) {
                    folder.make_folder(name)?;
                }
                folder.set_folder_mode(name, *mode)
            }
            State::Unkept { .. } => Err(io::Error::other("its content is not kept")),
        }
    }

    fn take_away(&self, folder: &Folder, name: &OsStr) -> io::Result<()> {
        match self.from {
            State::Folder { .. } => match folder.remove_folder(name) {
                // Somebody uses it by now.
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
                outcome => outcome,
            },
            _ => folder.remove(name),
        }
    }
}

fn put_in_place(folder: &Folder, staged: &OsStr, name: &OsStr) -> io::Result<()> {
    folder.rename(staged, name).inspect_err(|_| {
        folder.remove(staged).ok();
    })
}

#[cfg(test)]
mod tests;
