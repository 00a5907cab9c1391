//! What the file of notes says.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use spindle_schema::ids::ThreadId;
use spindle_schema::note::{Attachment, Placed, Project, ReadState, Section, ThreadNotes};
use spindle_schema::rollout::GitInfo;

use super::Line;

/// The section that is there from the start. Its id sorts before those that people make.
const PINNED: &str = "00000000-0000-7000-8000-000000000001";

/// What the file of notes says.
#[derive(Debug)]
pub(crate) struct Book {
    /// Sections in the order in which they were made.
    pub(crate) sections: BTreeMap<Box<str>, Section>,
    /// Projects by id.
    pub(crate) projects: BTreeMap<Box<str>, Project>,
    threads: HashMap<ThreadId, Thread>,
    /// How many lines there are of each key, by its hash.
    lines: HashMap<u64, u32>,
    /// All of them.
    count: usize,
}

/// What is noted about one thread.
#[derive(Debug, Default)]
pub(crate) struct Thread {
    pub(crate) read_state: Option<ReadState>,
    pub(crate) place: Option<Place>,
    pub(crate) project: Option<Box<str>>,
    pub(crate) git: Option<GitInfo>,
    pub(crate) daybreak: Option<bool>,
    /// Whether the thread may be remembered and use what is remembered.
    pub(crate) memory: Option<bool>,
    /// By id, so in the order in which they came.
    pub(crate) attachments: BTreeMap<Box<str>, Attachment>,
}

/// Where a thread stands.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Place {
    pub(crate) section: Box<str>,
    pub(crate) entered_at_ms: i64,
    /// Smaller ones stand before greater ones.
    pub(crate) rank: i64,
}

impl Default for Book {
    fn default() -> Self {
        let pinned = Section { id: PINNED.into(), name: "Pinned".into(), look: None };
        Self {
            sections: BTreeMap::from([(PINNED.into(), pinned)]),
            projects: BTreeMap::new(),
            threads: HashMap::new(),
            lines: HashMap::new(),
            count: 0,
        }
    }
}

impl Book {
    /// Takes lines in, in the order of the file.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        for line in bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
            self.count += 1;
            if let Ok(Line { of, value, .. }) = serde_json::from_slice::<Line<'_, &RawValue>>(line)
            {
                *self.lines.entry(hash(of)).or_default() += 1;
                self.take_line(of, value);
            }
        }
    }

    fn take_line(&mut self, of: &str, value: &RawValue) {
        let Some((kind, rest)) = of.split_once('/') else { return };
        match kind {
            "section" => match read::<Section>(value) {
                Some(section) => {
                    let section = Section { id: rest.into(), ..section };
                    drop(self.sections.insert(rest.into(), section));
                }
                None => drop(self.sections.remove(rest)),
            },
            "project" => match read::<Project>(value) {
                Some(project) => {
                    let project = Project { id: rest.into(), ..project };
                    drop(self.projects.insert(rest.into(), project));
                }
                None => drop(self.projects.remove(rest)),
            },
            "thread" => {
                if let Some((id, what)) = rest.split_once('/')
                    && let Ok(id) = ThreadId::parse(id)
                {
                    self.threads.entry(id).or_default().take(what, value);
                }
            }
            _ => {}
        }
    }

    /// What is noted about a thread.
    pub(crate) fn thread(&self, id: ThreadId) -> Option<&Thread> {
        self.threads.get(&id)
    }

    /// All threads about which something is, or was, noted.
    pub(crate) fn threads(&self) -> impl Iterator<Item = (ThreadId, &Thread)> {
        self.threads.iter().map(|(id, thread)| (*id, thread))
    }

    /// Whether a line of the file is about the thread.
    pub(super) fn has_heard_of(&self, id: ThreadId) -> bool {
        self.threads.contains_key(&id)
    }

    /// What lists show.
    pub(crate) fn notes_of(&self, id: ThreadId) -> ThreadNotes {
        let Some(thread) = self.threads.get(&id) else { return ThreadNotes::default() };
        let placed = thread.place.as_ref().and_then(|place| {
            let section = self.sections.get(&place.section)?.clone();
            Some(Placed { section, entered_at_ms: place.entered_at_ms })
        });
        let project = thread.project.clone();
        ThreadNotes {
            read_state: thread.read_state.clone(),
            placed,
            project: project.filter(|project| self.projects.contains_key(project)),
            git: thread.git.clone(),
            daybreak: thread.daybreak,
        }
    }

    /// The threads of a section, in its order.
    pub(crate) fn members(&self, section: &str) -> Vec<(i64, ThreadId)> {
        let place = |(id, thread): (ThreadId, &Thread)| {
            thread.place.as_ref().filter(|place| &*place.section == section).map(|p| (p.rank, id))
        };
        let mut members: Vec<_> = self.threads().filter_map(place).collect();
        members.sort_unstable();
        members
    }

    /// The threads of a project.
    pub(crate) fn threads_of_project(&self, project: &str) -> Vec<ThreadId> {
        let of = |(id, thread): (ThreadId, &Thread)| {
            (thread.project.as_deref() == Some(project)).then_some(id)
        };
        let mut threads: Vec<_> = self.threads().filter_map(of).collect();
        threads.sort_unstable();
        threads
    }

    /// Whether there are many lines of which few count.
    pub(super) fn is_mostly_past(&self, few: usize) -> bool {
        self.count > few && self.count > 4 * self.lines.len()
    }

    /// How many lines there are of each key.
    pub(super) fn lines_by_key(&self) -> impl Iterator<Item = (u64, u32)> {
        self.lines.iter().map(|(key, lines)| (*key, *lines))
    }
}

impl Thread {
    /// Takes a line in. A value that this program cannot read counts as none.
    fn take(&mut self, what: &str, value: &RawValue) {
        match what {
            "readState" => self.read_state = read(value),
            "place" => self.place = read(value),
            "project" => self.project = read(value),
            "git" => self.git = read(value),
            "daybreak" => self.daybreak = read(value),
            "memory" => self.memory = read(value),
            _ => {
                let Some(id) = what.strip_prefix("attachment/") else { return };
                match read::<Attachment>(value) {
                    Some(attachment) => {
                        let attachment = Attachment { id: id.into(), ..attachment };
                        drop(self.attachments.insert(id.into(), attachment));
                    }
                    None => drop(self.attachments.remove(id)),
                }
            }
        }
    }
}

fn read<T: DeserializeOwned>(value: &RawValue) -> Option<T> {
    serde_json::from_str::<Option<T>>(value.get()).ok().flatten()
}

/// The key of a note about a thread.
pub(crate) fn thread_key(id: ThreadId, what: &str) -> String {
    format!("thread/{id}/{what}")
}

/// Whether something stands under the key without a line: taking it back must be remembered.
pub(super) fn is_there_by_itself(key: &str) -> bool {
    key.strip_prefix("section/") == Some(PINNED)
}

/// Stands for a key where only sameness counts.
pub(super) fn hash(key: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(key)
}

/// The rank of something that goes between two others; `None` when there is no room.
pub(crate) fn between(before: Option<i64>, after: Option<i64>) -> Option<i64> {
    /// Room for about thirty moves to the same place.
    const STEP: i64 = 1 << 30;
    match (before, after) {
        (None, None) => Some(0),
        (Some(before), None) => before.checked_add(STEP),
        (None, Some(after)) => after.checked_sub(STEP),
        (Some(before), Some(after)) => {
            let middle = before + (after - before) / 2;
            (middle != before && middle != after).then_some(middle)
        }
    }
}

/// Ranks for so many things, with room between them.
pub(crate) fn fresh_ranks(count: usize) -> impl Iterator<Item = i64> {
    (0..count).map(|at| i64::try_from(at).unwrap_or(i64::MAX).saturating_mul(1 << 30))
}
