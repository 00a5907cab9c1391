//! What people noted about threads: where they stand, what they belong to, how far they are read.
//!
//! None of it is in a rollout and none of it is in the index: it stands in `spindle_notes.jsonl`,
//! one line per change, `{"of":KEY,"value":…,"at":…}`. The last line of a key counts; a value of
//! null takes it back. Keys are `section/ID`, `project/ID` and `thread/ID/WHAT`, so that all that
//! is noted about a thread can be taken out of the file with it. Lines of a kind that this program
//! does not know are kept.
//!
//! A new kind of note about threads is a field of `Thread` and an arm of `Thread::take`.
//! Start with [`Notes::change`]; `book` is what the file says, the other files are what can be
//! done with it.

mod attachment;
mod book;
mod project;
mod read_state;
mod section;
mod thread;

use std::collections::HashMap;
use std::path::Path;

use jiff::Timestamp;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use spindle_schema::ids::ThreadId;
use spindle_schema::note::{ReadState, ThreadNotes};

pub use self::attachment::NewAttachment;
pub(crate) use self::book::Book;
pub use self::project::{NewProject, ProjectUpdate};
pub use self::section::SectionUpdate;
pub use self::thread::ThreadUpdate;
use crate::disk::Disk;
use crate::error::Error;
use crate::journal::{Journal, News, Position};

/// Lines that a file may have before it is looked whether most of them still count.
const FEW_LINES: usize = 1024;

/// Why a note was not made.
#[derive(Debug, thiserror::Error)]
pub enum NoteError {
    /// Nobody made this section.
    #[error("section {0} does not exist")]
    NoSection(Box<str>),
    /// The thread that another one was to stand before is in another section.
    #[error("before thread {before} is not in section {section}")]
    NotInSection {
        /// The thread.
        before: ThreadId,
        /// The section.
        section: Box<str>,
    },
    /// Nobody made this project.
    #[error("project not found: {0}")]
    NoProject(Box<str>),
    /// The read state is another one than the caller knows.
    #[error("read state changed")]
    ReadStateChanged(ReadState),
}

/// The file of notes and what it says.
#[derive(Debug)]
pub(crate) struct Notes {
    journal: Journal,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    position: Option<Position>,
    book: Book,
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Line<'a, V> {
    of: &'a str,
    value: V,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<&'a str>,
}

/// Lines that a change adds.
#[derive(Debug)]
pub(crate) struct Lines {
    /// The moment of the change.
    pub(crate) now: Timestamp,
    at: Box<str>,
    text: Vec<u8>,
}

impl Lines {
    /// Notes a value, or takes one back.
    pub(crate) fn put(&mut self, of: &str, value: Option<&impl Serialize>) -> Result<(), Error> {
        let line = Line { of, value, at: Some(&*self.at) };
        serde_json::to_writer(&mut self.text, &line).map_err(Error::Encode)?;
        self.text.push(b'\n');
        Ok(())
    }

    /// The moment of the change in Unix milliseconds.
    pub(crate) fn now_ms(&self) -> i64 {
        self.now.as_millisecond()
    }
}

impl Notes {
    /// The notes of a home folder. Touches no file.
    pub(crate) fn new(home: &Path) -> Self {
        let journal = Journal::new(home.join("spindle_notes.jsonl"));
        Self { journal, known: Mutex::default() }
    }

    /// Looks at what is noted. What another process added is seen.
    pub(crate) fn look<T>(&self, run: impl FnOnce(&Book) -> T) -> T {
        let mut known = self.known.lock();
        if let Err(error) = known.catch_up(&self.journal) {
            tracing::warn!(%error, "the notes about threads cannot be read");
        }
        run(&known.book)
    }

    /// Makes notes: `run` looks at what is noted and says what to add. Nobody else makes notes
    /// meanwhile, in no process; all lines of one call are written, or none.
    pub(crate) fn change<T>(
        &self,
        disk: &dyn Disk,
        now: Timestamp,
        run: impl FnOnce(&Book, &mut Lines) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut known = self.known.lock();
        let guard = self.journal.guard(disk)?;
        known.catch_up(&self.journal)?;
        let at = crate::store::timestamp(now);
        let mut lines = Lines { now, at, text: Vec::new() };
        let value = run(&known.book, &mut lines)?;
        if lines.text.is_empty() {
            return Ok(value);
        }
        self.journal.append(disk, &guard, lines.text)?;
        known.catch_up(&self.journal)?;
        if known.book.is_mostly_past(FEW_LINES)
            && let Err(error) = self.journal.retain(disk, &guard, keep_last(&known.book))
        {
            tracing::warn!(%error, "the notes about threads are made shorter another time");
        }
        Ok(value)
    }

    /// Takes all that was ever noted about a thread out of the file.
    pub(crate) fn remove(&self, disk: &dyn Disk, id: ThreadId) -> Result<(), Error> {
        let mut known = self.known.lock();
        known.catch_up(&self.journal)?;
        if !known.book.has_heard_of(id) {
            return Ok(());
        }
        let guard = self.journal.guard(disk)?;
        let start = book::thread_key(id, "");
        let is_other = |line: &[u8]| {
            serde_json::from_slice::<Line<'_, &RawValue>>(line)
                .map_or(true, |line| !line.of.starts_with(&start))
        };
        self.journal.retain(disk, &guard, is_other)?;
        known.catch_up(&self.journal)
    }

    /// What is noted about a thread, as lists show it.
    pub(crate) fn of(&self, id: ThreadId) -> ThreadNotes {
        self.look(|book| book.notes_of(id))
    }

    /// The same for many threads.
    pub(crate) fn of_all(
        &self,
        ids: impl Iterator<Item = ThreadId>,
    ) -> HashMap<ThreadId, ThreadNotes> {
        self.look(|book| ids.map(|id| (id, book.notes_of(id))).collect())
    }
}

impl Known {
    fn catch_up(&mut self, journal: &Journal) -> Result<(), Error> {
        match journal.news(self.position)? {
            News::None => {}
            News::More(bytes, position) => {
                self.book.take(&bytes);
                self.position = Some(position);
            }
            News::Anew(bytes, position) => {
                self.book = Book::default();
                self.book.take(&bytes);
                self.position = position;
            }
        }
        Ok(())
    }
}

/// Chooses the lines that still count: those that were the last of their key and have a value.
/// A line that nobody can read says nothing to anybody.
fn keep_last(book: &Book) -> impl FnMut(&[u8]) -> bool {
    let mut left: HashMap<u64, u32> = book.lines_by_key().collect();
    move |line| {
        let Ok(line) = serde_json::from_slice::<Line<'_, &RawValue>>(line) else { return false };
        let Some(left) = left.get_mut(&book::hash(line.of)) else { return false };
        *left -= 1;
        *left == 0 && (line.value.get() != "null" || book::is_there_by_itself(line.of))
    }
}

#[cfg(test)]
mod tests;
