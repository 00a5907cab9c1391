//! Where it is all kept, and what is done with it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use spindle_exec::snapshot::Blobs;
use spindle_exec::snapshot::restore::restore;
use spindle_schema::ids::{ThreadId, TurnId};
use spindle_schema::settings::ThreadSettings;

use super::history::{History, Touched};
use super::journal::{Journal, Record};
use super::overlap::Overlaps;
use super::report::Report;
use super::root::Place;
use super::turn::{Open, TurnUndo, close};
use super::{Error, Wanted, news, prune};
use crate::clock;
use crate::config::UndoSettings;

/// All that is kept for undo: `HOME/undo`.
#[derive(Debug)]
pub(crate) struct Keeper {
    /// Our own home, which is never looked at: absolute, without links.
    pub(super) home: PathBuf,
    folder: PathBuf,
    pub(super) blobs: Blobs,
    pub(super) overlaps: Arc<Overlaps>,
    /// Threads of which the model has not heard what was taken back.
    unsaid: Mutex<HashSet<ThreadId>>,
    /// Bytes that had been added when the last tidying began.
    tidied_at: AtomicU64,
}

impl Keeper {
    /// The keeper of a home. Changes no file.
    pub(crate) fn new(home: &Path) -> Self {
        let folder = home.join("undo");
        Self {
            home: home.canonicalize().unwrap_or_else(|_| home.to_owned()),
            blobs: Blobs::new(folder.join("blobs")),
            folder,
            overlaps: Arc::default(),
            unsaid: Mutex::default(),
            tidied_at: AtomicU64::new(0),
        }
    }

    fn journals(&self) -> PathBuf {
        self.folder.join("threads")
    }

    fn looks(&self) -> PathBuf {
        self.folder.join("folders")
    }

    /// Says what an undo would do. Blocks; changes no file of the person's.
    pub(crate) fn preview(self: &Arc<Self>, asked: &Asked) -> Result<Report, Error> {
        let history = self.history(asked)?;
        let chosen = history.choose(&asked.wanted)?;
        Ok(Report::of(&chosen, &self.blobs, &asked.cwd))
    }

    /// Takes turns back, or makes them again. Blocks. Says what it did.
    pub(crate) fn apply(self: &Arc<Self>, asked: &Asked) -> Result<Report, Error> {
        let history = self.history(asked)?;
        let chosen = history.choose(&asked.wanted)?;
        let (changes, broken) = chosen.changes();
        if !broken.is_empty() {
            return Err(Error::Conflicts(broken));
        }
        let report = Report::of(&chosen, &self.blobs, &asked.cwd);
        restore(&changes, &self.blobs)?;
        let turns = chosen.turns.iter().map(|turn| turn.turn.clone()).collect();
        let at = clock::now_ms();
        let record = match asked.wanted {
            Wanted::Again => Record::Redone { turns, at },
            Wanted::Last | Wanted::Back(_) => Record::Undone { turns, at },
        };
        Journal::of(&self.journals(), asked.thread).append(&record)?;
        self.unsaid.lock().insert(asked.thread);
        Ok(report)
    }

    /// Reads a thread's journal. Turns that a kill of the program cut short are closed first.
    fn history(self: &Arc<Self>, asked: &Asked) -> Result<History, Error> {
        let journal = Journal::of(&self.journals(), asked.thread);
        let history = History::of(journal.read()?);
        let open: Vec<&Touched> = history.turns.iter().filter(|turn| turn.open.is_some()).collect();
        if open.is_empty() {
            return Ok(history);
        }
        let thread = ThreadUndo::new(self.clone(), asked.thread, asked.settings);
        open.into_iter().for_each(|turn| thread.recover(turn));
        Ok(History::of(journal.read()?))
    }

    /// Removes all that is kept of a thread. Blocks.
    pub(crate) fn forget(&self, thread: ThreadId) -> std::io::Result<()> {
        let journal = Journal::of(&self.journals(), thread);
        if !journal.exists() {
            return Ok(());
        }
        let records = journal.read()?;
        journal.remove()?;
        prune::drop_contents(&self.place_of(), &records);
        Ok(())
    }

    fn place_of(&self) -> prune::Folders<'_> {
        prune::Folders { blobs: &self.blobs, journals: self.journals(), looks: self.looks() }
    }
}

/// A wish to undo.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// The thread.
    pub(crate) thread: ThreadId,
    /// What is wished.
    pub(crate) wanted: Wanted,
    /// Paths in diffs are shown relative to this folder.
    pub(crate) cwd: PathBuf,
    /// How much may be kept.
    pub(crate) settings: UndoSettings,
}

/// What a session keeps. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct ThreadUndo {
    pub(super) keeper: Arc<Keeper>,
    id: ThreadId,
    settings: UndoSettings,
    session: Arc<Session>,
}

#[derive(Debug)]
struct Session {
    /// Whether the journal was read since the thread was loaded.
    looked: AtomicBool,
    /// What was told of every turn.
    told: Mutex<HashSet<String>>,
}

impl ThreadUndo {
    /// The part of a session.
    pub(crate) fn new(keeper: Arc<Keeper>, id: ThreadId, settings: UndoSettings) -> Self {
        let session = Session { looked: AtomicBool::new(false), told: Mutex::default() };
        Self { keeper, id, settings, session: Arc::new(session) }
    }

    /// Keeps nothing: that of a thread of which nothing is kept.
    pub(crate) fn off(mut self) -> Self {
        self.settings.enabled = false;
        self
    }

    /// Begins a turn.
    pub(crate) fn turn(&self, turn: TurnId, settings: &ThreadSettings) -> Arc<TurnUndo> {
        Arc::new(TurnUndo::new(self.clone(), turn, settings.clone()))
    }

    /// What the model is to be told before the next turn: which files are not as it left them.
    /// It is told once.
    pub(crate) async fn news(&self) -> Option<String> {
        let first = !self.session.looked.swap(true, Ordering::Relaxed);
        if !self.enabled() || !(self.keeper.unsaid.lock().remove(&self.id) || first) {
            return None;
        }
        let this = self.clone();
        let read = tokio::task::spawn_blocking(move || {
            let journal = this.journal();
            if !journal.exists() {
                return Ok(None);
            }
            let records = journal.read()?;
            if first {
                let history = History::of(records.clone());
                let cut = history.turns.iter().filter(|turn| turn.open.is_some());
                cut.for_each(|turn| this.recover(turn));
            }
            let untold = news::untold(&records);
            if untold.is_some() {
                journal.append(&Record::Told)?;
            }
            Ok::<_, std::io::Error>(untold)
        });
        match read.await {
            Ok(Ok(untold)) => untold,
            Ok(Err(error)) => {
                tracing::warn!(%error, "the undo journal cannot be read");
                None
            }
            Err(error) => {
                tracing::error!(%error, "reading the undo journal broke down");
                None
            }
        }
    }

    /// Throws away what is too old or too much, apart from everything else: once a day, and when
    /// much was added.
    pub(crate) fn tidy(&self) {
        let keeper = &self.keeper;
        let added = keeper.blobs.added();
        let grown = added - keeper.tidied_at.load(Ordering::Relaxed) > self.settings.max_bytes / 8;
        let (keeper, settings) = (keeper.clone(), self.settings);
        if !self.enabled() {
            return;
        }
        tokio::task::spawn_blocking(move || {
            if grown || prune::is_due(&keeper.folder) {
                keeper.tidied_at.store(added, Ordering::Relaxed);
                prune::prune(&keeper.folder, &keeper.place_of(), settings);
            }
        });
    }

    pub(super) fn enabled(&self) -> bool {
        self.settings.enabled
    }

    pub(super) fn journal(&self) -> Journal {
        Journal::of(&self.keeper.journals(), self.id)
    }

    pub(super) fn place(&self) -> Place {
        Place {
            folder: self.keeper.looks(),
            keeper: self.keeper.clone(),
            max_bytes: self.settings.max_bytes,
        }
    }

    /// Whether a note has not been told in this session.
    pub(super) fn is_news(&self, note: &str) -> bool {
        self.session.told.lock().insert(note.to_owned())
    }

    /// Closes a turn that was cut short. What was changed since is taken for its work.
    fn recover(&self, turn: &Touched) {
        let looks = turn.open.clone().unwrap_or_default();
        let place = self.place();
        let found: Vec<_> = looks.iter().map(|look| (look, place.load(look))).collect();
        let mut notes = vec![
            "the program was killed in this turn; what changed since then counts as its work"
                .to_owned(),
        ];
        if found.iter().any(|(_, manifest)| manifest.is_none()) {
            notes.push("changes that commands made are not known".to_owned());
        }
        let befores = found.iter().filter_map(|(look, found)| Some((*look, found.as_ref()?)));
        let open = Open { befores: befores.collect(), patches: turn.patches.clone(), notes };
        close(self, &turn.turn, open);
    }
}
