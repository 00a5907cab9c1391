//! Writes a plan: all files or none.
//!
//! New contents are put beside their files first, then renamed into place one after another;
//! if one fails, those before it are put back.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::apply::{FileState, Plan, Planned, read_state};
use super::error::ApplyError;
use super::folder::Folder;

/// A patch that was written; it can be taken back.
#[derive(Debug)]
pub struct Applied {
    files: Vec<Planned>,
    /// Folders that were made, outer ones first.
    folders: Vec<PathBuf>,
}

impl Plan {
    /// Writes the plan. Blocks; files are replaced, never written in place, so that a reader
    /// sees the old or the new content. On an error every file is as it was.
    pub fn write(&self) -> Result<Applied, ApplyError> {
        let changed = self.files.iter().filter(|file| file.before != file.after);
        let files: Vec<Planned> = changed.cloned().collect();
        let folders = write_all(&files)?;
        Ok(Applied { files, folders })
    }
}

impl Applied {
    /// Puts every file back, and takes folders away that the patch made and that are empty.
    /// Refuses when a file changed since.
    pub fn revert(self) -> Result<(), ApplyError> {
        let back = |file: Planned| Planned { before: file.after, after: file.before, ..file };
        let files = self.files.into_iter().map(back);
        let files: Vec<Planned> = files.map(with_mode_on_disk).collect();
        write_all(&files)?;
        for folder in self.folders.iter().rev() {
            // A folder that somebody uses by now stays.
            std::fs::remove_dir(folder).ok();
        }
        Ok(())
    }
}

/// A new file got its permission bits from the system; takes them over as what is expected.
fn with_mode_on_disk(mut file: Planned) -> Planned {
    if let FileState::File(expected) = &mut file.before
        && expected.mode.is_none()
        && let Ok(FileState::File(found)) = read_state(&file.real)
    {
        expected.mode = found.mode;
    }
    file
}

/// One file on its way.
struct Step<'a> {
    file: &'a Planned,
    folder: Folder,
    name: &'a OsStr,
    /// The new content under its temporary name, until it is in place.
    staged: Option<OsString>,
    /// The old content under its temporary name.
    kept: Option<OsString>,
    done: bool,
}

fn write_all(files: &[Planned]) -> Result<Vec<PathBuf>, ApplyError> {
    for file in files {
        let state = read_state(&file.real);
        if state.ok().as_ref() != Some(&file.before) {
            return Err(ApplyError::Changed { path: file.real.clone() });
        }
    }
    let mut made = Vec::new();
    let mut steps = Vec::with_capacity(files.len());
    let written = stage_all(files, &mut steps, &mut made).and_then(|()| {
        let alone = steps.len() == 1;
        steps.iter_mut().try_for_each(|step| step.put(alone).map_err(|e| (step.file, e)))
    });
    let result = match written {
        Ok(()) => Ok(()),
        Err((file, source)) => Err(undo(&mut steps, &file.real, source)),
    };
    for step in &steps {
        step.clean();
    }
    if result.is_err() {
        for folder in made.iter().rev() {
            std::fs::remove_dir(folder).ok();
        }
    }
    result.map(|()| made)
}

/// Writes every new content under a temporary name.
fn stage_all<'a>(
    files: &'a [Planned],
    steps: &mut Vec<Step<'a>>,
    made: &mut Vec<PathBuf>,
) -> Result<(), (&'a Planned, io::Error)> {
    for file in files {
        let step = stage(file, made).map_err(|error| (file, error))?;
        steps.push(step);
    }
    Ok(())
}

fn stage<'a>(file: &'a Planned, made: &mut Vec<PathBuf>) -> io::Result<Step<'a>> {
    let (Some(parent), Some(name)) = (file.real.parent(), file.real.file_name()) else {
        return Err(rustix::io::Errno::ISDIR.into());
    };
    let (folder, new) = Folder::create(parent)?;
    made.extend(new);
    let staged = match &file.after {
        FileState::Missing => None,
        FileState::File(content) => Some(folder.stage(&content.bytes, content.mode, name)?),
        FileState::Link(target) => Some(folder.stage_link(target)?),
    };
    Ok(Step { file, folder, name, staged, kept: None, done: false })
}

impl Step<'_> {
    /// Puts the new content in place. The old one is kept unless this is the only file.
    fn put(&mut self, alone: bool) -> io::Result<()> {
        if !alone && self.file.before != FileState::Missing {
            // Without hard links the old content is written anew when it is needed.
            self.kept = self.folder.keep(self.name).ok();
        }
        match &self.staged {
            Some(staged) => self.folder.rename(staged, self.name)?,
            None => self.folder.remove(self.name)?,
        }
        self.staged = None;
        self.done = true;
        Ok(())
    }

    /// Puts the old content back.
    fn put_back(&mut self) -> io::Result<()> {
        let kept = match (&self.file.before, self.kept.take()) {
            (FileState::Missing, _) => return self.folder.remove(self.name),
            (_, Some(kept)) => kept,
            (FileState::File(old), None) => self.folder.stage(&old.bytes, old.mode, self.name)?,
            (FileState::Link(target), None) => self.folder.stage_link(target)?,
        };
        self.folder.rename(&kept, self.name)
    }

    /// Removes temporary names that are left.
    fn clean(&self) {
        for name in [&self.staged, &self.kept].into_iter().flatten() {
            self.folder.remove(name).ok();
        }
    }
}

/// Puts everything back that is in place already.
fn undo(steps: &mut [Step<'_>], path: &Path, source: io::Error) -> ApplyError {
    for step in steps.iter_mut().rev().filter(|step| step.done) {
        if let Err(error) = step.put_back() {
            let left = step.file.real.clone();
            return ApplyError::Undo { path: path.to_owned(), left, source: error };
        }
    }
    ApplyError::Write { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests;
