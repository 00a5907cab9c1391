//! What became of a thread's files: one file a thread, one record a line, only appended to.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use spindle_exec::snapshot::{Change, path_text};
use spindle_schema::ids::{ThreadId, TurnId};

/// One line. A reader skips what it does not know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(super) enum Record {
    /// A patch is about to be written.
    Patch {
        turn: TurnId,
        /// Unix milliseconds.
        at: i64,
        /// Whether folders had been looked at before; then they know what was there.
        late: bool,
        changes: Vec<Change>,
    },
    /// A command that may write is about to run.
    Watch {
        turn: TurnId,
        at: i64,
        /// Files that hold what the folders held.
        looks: Vec<Look>,
    },
    /// All that a turn did, patches included. Takes the place of what was said of it before.
    Turn {
        turn: TurnId,
        at: i64,
        changes: Vec<Change>,
        /// What is to be known before it is taken back.
        notes: Vec<String>,
    },
    /// Turns were taken back.
    Undone { turns: Vec<TurnId>, at: i64 },
    /// Turns that were taken back were made again.
    Redone { turns: Vec<TurnId>, at: i64 },
    /// The model knows of all undoing so far.
    Told,
}

/// The file that holds what a folder held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Look {
    #[serde(with = "path_text")]
    pub(super) root: PathBuf,
    /// The file's name in the folder of looks.
    pub(super) file: String,
}

/// A thread's journal; there need not be a file yet.
#[derive(Debug, Clone)]
pub(super) struct Journal {
    path: PathBuf,
}

impl Journal {
    /// The journal of a thread in a folder of journals.
    pub(super) fn of(folder: &Path, thread: ThreadId) -> Self {
        Self { path: folder.join(format!("{thread}.jsonl")) }
    }

    /// Takes any file of a folder of journals.
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path }
    }

    pub(super) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Appends a record. It survives a kill of the process from then on.
    pub(super) fn append(&self, record: &Record) -> io::Result<()> {
        let mut file = self.lock()?;
        let mut line = Vec::with_capacity(256);
        // A line that was cut off by a kill ends here; the reader skips it.
        if !ends_a_line(&mut file)? {
            line.push(b'\n');
        }
        serde_json::to_writer(&mut line, record)?;
        line.push(b'\n');
        file.write_all(&line)
    }

    /// All records. What cannot be read is skipped.
    pub(super) fn read(&self) -> io::Result<Vec<Record>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(parse(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Replaces the records by those that `keep` leaves.
    pub(super) fn rewrite(&self, keep: impl FnOnce(Vec<Record>) -> Vec<Record>) -> io::Result<()> {
        let mut file = self.lock()?;
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.read_to_end(&mut bytes)?;
        let kept = keep(parse(&bytes));
        if kept.is_empty() {
            return fs::remove_file(&self.path);
        }
        let mut text = Vec::with_capacity(bytes.len());
        for record in kept {
            serde_json::to_writer(&mut text, &record)?;
            text.push(b'\n');
        }
        let beside = self.path.with_extension("new");
        let mut new = options().write(true).create(true).truncate(true).open(&beside)?;
        new.write_all(&text).and_then(|()| fs::rename(&beside, &self.path))
    }

    /// Removes it.
    pub(super) fn remove(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Opens the file and locks it: while it is held, nobody appends and nobody replaces it.
    fn lock(&self) -> io::Result<File> {
        loop {
            let open = || options().read(true).append(true).create(true).open(&self.path);
            let file = match open() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let folder = self.path.parent().unwrap_or(&self.path);
                    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
                    open()?
                }
                other => other?,
            };
            file.lock()?;
            // Whoever held the lock before may have put another file in its place.
            let is_there =
                |meta: fs::Metadata| file.metadata().is_ok_and(|m| m.ino() == meta.ino());
            if fs::metadata(&self.path).is_ok_and(is_there) {
                return Ok(file);
            }
        }
    }
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

fn ends_a_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

fn parse(bytes: &[u8]) -> Vec<Record> {
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

#[cfg(test)]
mod tests;
