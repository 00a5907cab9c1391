//! One thread as lists show it.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use spindle_schema::event::TurnStatus;
use spindle_schema::ids::ThreadId;
use spindle_schema::note::ThreadNotes;
use spindle_schema::rollout::GitInfo;
use spindle_schema::settings::SessionSource;

use super::facts::{EndSeen, Facts, Head, stamp};
use crate::find::Finder;
use crate::rollout::lineage::Lineage;
use crate::rollout::path::{ARCHIVED, FileName};
use crate::rollout::scan::{Backward, Forward};

/// One thread as lists show it.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreadRow {
    /// The thread.
    pub id: ThreadId,
    /// The session; equal to the thread for a thread of its own.
    pub session_id: Option<Box<str>>,
    /// The rollout. Absolute.
    pub path: PathBuf,
    /// When the thread was made. Unix milliseconds.
    pub created_ms: i64,
    /// When something was last said. Unix milliseconds.
    pub updated_ms: i64,
    /// When a turn was last asked for. Unix milliseconds.
    pub recency_ms: i64,
    /// Working folder at the start.
    pub cwd: Box<str>,
    /// The model last used; `None` before the first turn.
    pub model: Option<Box<str>>,
    /// The provider's id.
    pub model_provider: Option<Box<str>>,
    /// How hard the model thinks.
    pub effort: Option<Box<str>>,
    /// Where the thread came from.
    pub source: SessionSource,
    /// The client's word for what it is for.
    pub thread_source: Option<Box<str>>,
    /// The client's name.
    pub originator: Box<str>,
    /// The version of the program that made it.
    pub cli_version: Box<str>,
    /// The first words of the person, at most 2,000 bytes. `None` before they said any: no list
    /// shows the thread.
    pub preview: Option<Box<str>>,
    /// Its name.
    pub name: Option<Box<str>>,
    /// Whether it is archived.
    pub archived: bool,
    /// Git facts at the start.
    pub git: Option<GitInfo>,
    /// The thread it was forked from.
    pub forked_from: Option<ThreadId>,
    /// The thread that spawned it.
    pub parent: Option<ThreadId>,
    /// The thread whose file it continues by reference; only the peer makes such files.
    pub base: Option<ThreadId>,
    /// `paginated` or `legacy`.
    pub history_mode: Box<str>,
    /// The nickname of a sub-agent.
    pub agent_nickname: Option<Box<str>>,
    /// The role of a sub-agent.
    pub agent_role: Option<Box<str>>,
    /// How the last turn stands, as the file tells it: a turn of a dead process is in progress
    /// here.
    pub last_turn: Option<TurnStatus>,
    /// Bytes of the rollout.
    pub size_bytes: u64,
    /// What people noted about the thread; not part of the index.
    pub notes: ThreadNotes,
}

impl ThreadRow {
    /// When the thread was made: RFC 3339, UTC, milliseconds.
    pub fn created(&self) -> Box<str> {
        stamp(self.created_ms)
    }

    /// When something was last said, in the same form.
    pub fn updated(&self) -> Box<str> {
        stamp(self.updated_ms)
    }
}

/// What of a file tells whether it is still the one that a row was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stamp {
    /// Bytes.
    pub(crate) size: u64,
    /// Nanoseconds of the last change.
    pub(crate) changed_ns: i64,
}

impl Stamp {
    /// Of the file at `path`.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        path.metadata().map(|meta| Self::from(&meta))
    }
}

impl From<&std::fs::Metadata> for Stamp {
    fn from(meta: &std::fs::Metadata) -> Self {
        let changed_ns = meta.mtime().saturating_mul(1_000_000_000) + meta.mtime_nsec();
        Self { size: meta.len(), changed_ns }
    }
}

impl Facts {
    /// Works out the facts of a file from its two ends.
    ///
    /// # Errors
    /// Those of reading. A file that holds no record gives facts without a header.
    pub(crate) fn read(file: &File, size: u64) -> io::Result<Self> {
        let mut facts = Self::default();
        let mut lines = Forward::new(file, 0, size);
        let mut known = 0;
        while let Some(line) = lines.next()? {
            facts.push(line.bytes);
            known = line.end();
            if facts.beginning_is_known() {
                break;
            }
        }
        for line in Self::wanted_from_the_end(file, known, size)? {
            facts.push(&line);
        }
        Ok(facts)
    }

    /// The lines behind `known` that can change a fact, in order.
    fn wanted_from_the_end(file: &File, known: u64, size: u64) -> io::Result<Vec<Vec<u8>>> {
        let mut seen = EndSeen::default();
        let mut wanted = Vec::new();
        let mut lines = Backward::new(file, size);
        while !seen.is_complete() {
            let Some(line) = lines.prev()? else { break };
            if line.offset < known {
                break;
            }
            if seen.look(line.bytes) {
                wanted.push(line.bytes.to_vec());
            }
        }
        wanted.reverse();
        Ok(wanted)
    }

    /// Makes the row. `None` when neither the header nor the name says whose file it is.
    pub(crate) fn to_row(&self, path: &Path, size: u64) -> Option<ThreadRow> {
        let named = FileName::parse(path);
        let head = match (&self.head, named) {
            (Some(head), _) => head.clone(),
            (None, Some(name)) => Head::unknown(name.id, name.made_ms()),
            (None, None) => return None,
        };
        let created_ms = head.created_ms();
        let updated_ms = self.updated_ms.unwrap_or(created_ms);
        let no_cwd = head.cwd.is_empty();
        Some(ThreadRow {
            id: head.id,
            session_id: head.session_id,
            path: path.to_owned(),
            created_ms,
            updated_ms,
            recency_ms: self.recency_ms.unwrap_or(updated_ms),
            cwd: if no_cwd { self.first_cwd.clone().unwrap_or_default() } else { head.cwd },
            model: self.model.clone(),
            model_provider: head.model_provider,
            effort: self.effort.clone(),
            source: head.source,
            thread_source: head.thread_source,
            originator: head.originator,
            cli_version: head.cli_version,
            preview: self.preview.clone(),
            name: None,
            archived: is_archived(path),
            git: head.git,
            forked_from: head.forked_from_id,
            parent: head.parent_thread_id,
            base: head.history_base.map(|base| base.thread_id),
            history_mode: head.history_mode.unwrap_or_else(|| "legacy".into()),
            agent_nickname: head.agent_nickname,
            agent_role: head.agent_role,
            last_turn: self.last_turn,
            size_bytes: size,
            notes: ThreadNotes::default(),
        })
    }
}

/// Works out the facts of a file and of those that it continues by reference.
///
/// # Errors
/// Those of reading the file itself.
pub(crate) fn facts_of(files: &Finder<'_>, path: &Path, size: u64) -> io::Result<Facts> {
    let mut facts = Facts::read(&File::open(path)?, size)?;
    let is_part = facts.head.as_ref().is_some_and(|head| head.history_base.is_some());
    if is_part && let Ok(lineage) = Lineage::with(files, path) {
        for part in lineage.segments.iter().rev().skip(1) {
            let Ok(earlier) = Facts::read(&part.file, part.end) else { continue };
            facts.preview = earlier.preview.or(facts.preview);
            if facts.model.is_none() {
                (facts.model, facts.effort) = (earlier.model, earlier.effort);
            }
            facts.last_turn = facts.last_turn.or(earlier.last_turn);
        }
    }
    Ok(facts)
}

/// Whether the file lies in the folder of archived threads.
pub(crate) fn is_archived(path: &Path) -> bool {
    path.parent().and_then(Path::file_name).is_some_and(|folder| folder == ARCHIVED)
}

#[cfg(test)]
mod tests;
