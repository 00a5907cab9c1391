//! One turn: is told before files change, and when the turn is over.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use spindle_exec::patch::{FileState, Plan};
use spindle_exec::policy::CommandLine;
use spindle_exec::sandbox::Mode;
use spindle_exec::snapshot::{Change, Manifest, ScanError, State};
use spindle_schema::ids::TurnId;
use spindle_schema::settings::ThreadSettings;
use tokio::sync::{MutexGuard, OnceCell};

use super::history::merge;
use super::journal::{Look, Record};
use super::keeper::ThreadUndo;
use super::overlap::Presence;
use super::root::{Before, roots};
use crate::clock;

/// What is noted of a turn whose commands outlive it.
const STILL_RUNNING: &str = "a command was still running when the turn ended";

/// What a turn keeps of files. Nothing here fails: what cannot be kept is told by
/// [`finish`](Self::finish).
#[derive(Debug)]
pub(crate) struct TurnUndo {
    thread: ThreadUndo,
    turn: TurnId,
    /// The turn's own settings; folders are found from them when the first command comes.
    settings: ThreadSettings,
    /// How the folders were before the first command that may write.
    first: OnceCell<Arc<First>>,
    /// Whether the journal knows that a command may write.
    watched: OnceCell<()>,
    /// Held while folders are looked at for the first time and while a patch is written, so that
    /// it is known which came first.
    order: tokio::sync::Mutex<()>,
    patches: Mutex<Vec<(bool, Vec<Change>)>>,
    /// How many commands began that may write.
    commands: AtomicU64,
    /// How the folders are after so many commands.
    last: tokio::sync::Mutex<Option<(u64, Last)>>,
    /// For how many commands such a look was begun.
    foreseen: AtomicU64,
    troubles: Mutex<Vec<String>>,
    /// Whether the turn has ended.
    over: AtomicBool,
}

#[derive(Debug)]
struct First {
    folders: Vec<Before>,
    troubles: Vec<String>,
    presence: Presence,
}

/// How each of the first look's folders is later.
type Last = Vec<Result<Manifest, ScanError>>;

/// While it lives, no folder is looked at for the first time.
pub(crate) struct Patching<'a> {
    _order: Option<MutexGuard<'a, ()>>,
}

impl TurnUndo {
    /// A turn of a thread.
    pub(crate) fn new(thread: ThreadUndo, turn: TurnId, settings: ThreadSettings) -> Self {
        Self {
            thread,
            turn,
            settings,
            first: OnceCell::new(),
            watched: OnceCell::new(),
            order: tokio::sync::Mutex::new(()),
            patches: Mutex::default(),
            commands: AtomicU64::new(0),
            last: tokio::sync::Mutex::default(),
            foreseen: AtomicU64::new(0),
            troubles: Mutex::default(),
            over: AtomicBool::new(false),
        }
    }

    /// A command will come: the folders are looked at while the model still writes it.
    pub(crate) fn foresee(self: &Arc<Self>) {
        if self.thread.enabled() && !self.first.initialized() {
            let turn = self.clone();
            tokio::spawn(async move {
                let first = turn.first().await;
                if turn.over.load(Ordering::Acquire) {
                    turn.discard(first).await;
                }
            });
        }
    }

    /// The model begins its last words, as far as one can tell: the folders are looked at while
    /// it speaks. `running` says whether a command runs still; then it is too early.
    pub(crate) fn foresee_end(self: &Arc<Self>, running: bool) {
        let commands = self.commands.load(Ordering::Acquire);
        let known = self.foreseen.swap(commands, Ordering::AcqRel) == commands;
        if known || running {
            return;
        }
        let turn = self.clone();
        tokio::spawn(async move {
            let mut last = turn.last.lock().await;
            if let Some(first) = turn.first.get().cloned() {
                let thread = turn.thread.clone();
                let look = tokio::task::spawn_blocking(move || look_again(&thread, &first.folders));
                *last = look.await.ok().map(|looks| (commands, looks));
            }
        });
    }

    /// A command is about to run. Comes back when what it may change is kept.
    pub(crate) async fn before_command(&self, argv: &[String], sandbox: &Mode) {
        let harmless = matches!(sandbox, Mode::ReadOnly { .. })
            || !self.thread.enabled()
            || (!self.has_commands() && CommandLine::new(argv).reads_only());
        if harmless {
            return;
        }
        let first = self.first().await;
        self.commands.fetch_add(1, Ordering::AcqRel);
        self.watched.get_or_init(|| self.watch(first)).await;
    }

    async fn first(&self) -> Arc<First> {
        let look = || async {
            let _order = self.order.lock().await;
            let (thread, turn) = (self.thread.clone(), self.turn.clone());
            let roots = roots(&self.settings);
            let presence = thread.keeper.overlaps.enter(&roots);
            let looked = tokio::task::spawn_blocking(move || look(&thread, &turn, &roots)).await;
            let (folders, troubles) = looked.unwrap_or_else(|error| {
                tracing::error!(%error, "looking at folders broke down");
                (Vec::new(), vec!["looking at the folders failed".to_owned()])
            });
            Arc::new(First { folders, troubles, presence })
        };
        self.first.get_or_init(look).await.clone()
    }

    async fn watch(&self, first: Arc<First>) {
        let looks: Vec<Look> = first.folders.iter().map(|folder| folder.look.clone()).collect();
        let record = Record::Watch { turn: self.turn.clone(), at: clock::now_ms(), looks };
        let journal = self.thread.journal();
        self.in_background(move || journal.append(&record)).await;
    }

    /// A patch is about to be written: keeps what its files are, and what they become. What it
    /// gives must be held until the patch is written.
    pub(crate) async fn before_patch(&self, plan: &Plan) -> Patching<'_> {
        if !self.thread.enabled() {
            return Patching { _order: None };
        }
        let order = self.order.lock().await;
        let late = self.first.initialized();
        let rewrites = plan.rewrites();
        let files: Vec<(PathBuf, FileState, FileState)> = rewrites
            .map(|(path, before, after)| (path.to_owned(), before.clone(), after.clone()))
            .collect();
        let changes: Vec<Change> = files
            .iter()
            .map(|(path, before, after)| Change {
                path: path.clone(),
                before: State::of_patch(before),
                after: State::of_patch(after),
            })
            .collect();
        self.patches.lock().push((late, changes.clone()));
        let record = Record::Patch { turn: self.turn.clone(), at: clock::now_ms(), late, changes };
        let (journal, keeper) = (self.thread.journal(), self.thread.keeper.clone());
        self.in_background(move || {
            let states = files.iter().flat_map(|(_, before, after)| [before, after]);
            for state in states {
                if let FileState::File(content) = state {
                    keeper.blobs.keep(&content.bytes)?;
                }
            }
            journal.append(&record)
        })
        .await;
        Patching { _order: Some(order) }
    }

    /// The turn is over, and so are its commands. Gives what people should be told: what cannot
    /// be taken back.
    pub(crate) async fn finish(&self, still_running: bool) -> Vec<String> {
        self.over.store(true, Ordering::Release);
        let Some(first) = self.first.get().cloned() else { return self.tell(Vec::new()) };
        if !self.has_commands() {
            self.discard(first).await;
            return self.tell(Vec::new());
        }
        let commands = self.commands.load(Ordering::Acquire);
        let last = self.last.lock().await.take();
        let last = last.filter(|(after, _)| *after == commands && !still_running);
        let patches = self.patches.lock().clone();
        let (thread, turn) = (self.thread.clone(), self.turn.clone());
        let closed = tokio::task::spawn_blocking(move || {
            let mut notes = first.troubles.clone();
            if first.presence.met_another() {
                notes.push("another thread worked in the same folder at the same time".to_owned());
            }
            if still_running {
                notes.push(STILL_RUNNING.to_owned());
            }
            let last = last.map_or_else(|| look_again(&thread, &first.folders), |(_, last)| last);
            let folders = first.folders.iter().zip(last);
            let looks = folders.map(|(first, last)| (&first.look, &first.manifest, last));
            close(&thread, &turn, Open { looks: looks.collect(), patches, notes })
        });
        let notes = closed.await.unwrap_or_else(|error| {
            tracing::error!(%error, "looking at folders broke down");
            vec!["looking at the folders failed".to_owned()]
        });
        self.tell(notes)
    }

    fn has_commands(&self) -> bool {
        self.commands.load(Ordering::Acquire) > 0
    }

    /// Forgets a first look that no command came after.
    async fn discard(&self, first: Arc<First>) {
        if !self.has_commands() {
            let place = self.thread.place();
            self.in_background(move || {
                first.folders.iter().for_each(|folder| place.forget(&folder.look));
                Ok(())
            })
            .await;
        }
    }

    /// One sentence for all of it. What is so for every turn of the thread is told once; that a
    /// command goes on is usual, and told by whoever looks at what an undo would do.
    fn tell(&self, notes: Vec<String>) -> Vec<String> {
        let mut notes = notes;
        notes.append(&mut self.troubles.lock());
        notes.retain(|note| note != STILL_RUNNING && self.thread.is_news(note));
        if notes.is_empty() {
            return notes;
        }
        vec![format!("The changes of this turn cannot be fully undone: {}.", notes.join("; "))]
    }

    /// Runs work on files; what goes wrong is told at the end of the turn.
    async fn in_background(&self, work: impl FnOnce() -> std::io::Result<()> + Send + 'static) {
        let done = tokio::task::spawn_blocking(work).await;
        let error = match done {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        tracing::warn!(%error, "a change could not be kept for undo");
        self.troubles.lock().push(format!("a change could not be kept: {error}"));
    }
}

fn look(thread: &ThreadUndo, turn: &TurnId, roots: &[PathBuf]) -> (Vec<Before>, Vec<String>) {
    let place = thread.place();
    let (mut folders, mut troubles) = (Vec::new(), Vec::new());
    for root in roots {
        if root == Path::new("/") {
            troubles.push("changes that commands make are not kept when the folder is /".into());
            continue;
        }
        if let Some(why) = thread.keeper.refusal(root) {
            troubles.push(why);
            continue;
        }
        match place.before(root, turn) {
            Ok(before) => folders.push(before),
            Err(error) => {
                let why = format!("changes that commands make are not kept: {error}");
                if matches!(error, ScanError::TooManyPaths { .. }) {
                    thread.keeper.refuse(root, why.clone());
                }
                troubles.push(why);
            }
        }
    }
    (folders, troubles)
}

fn look_again(thread: &ThreadUndo, folders: &[Before]) -> Last {
    let place = thread.place();
    folders.iter().map(|folder| place.after(&folder.manifest)).collect()
}

/// A turn whose commands are over.
pub(super) struct Open<'a> {
    /// For each folder the copy of the first look, the first look and the last.
    pub(super) looks: Vec<(&'a Look, &'a Manifest, Result<Manifest, ScanError>)>,
    pub(super) patches: Vec<(bool, Vec<Change>)>,
    pub(super) notes: Vec<String>,
}

/// Writes down what the turn did. Gives what is to be known of
/// it. Blocks.
pub(super) fn close(thread: &ThreadUndo, turn: &TurnId, open: Open<'_>) -> Vec<String> {
    let Open { looks, patches, mut notes } = open;
    let mut pairs = Vec::new();
    for (_, first, last) in &looks {
        match last {
            Ok(last) => pairs.push((*first, last)),
            Err(error) => notes.push(format!("changes that commands made are not known: {error}")),
        }
    }
    let seen: Vec<Change> = pairs.iter().flat_map(|(first, last)| first.changes(last)).collect();
    let changes = merge(&patches, &seen, &pairs);
    notes.extend(lost(&changes));
    let at = clock::now_ms();
    let record = Record::Turn { turn: turn.clone(), at, changes, notes: notes.clone() };
    match thread.journal().append(&record) {
        Ok(()) => {
            let place = thread.place();
            looks.iter().for_each(|(look, ..)| place.forget(look));
        }
        Err(error) => {
            tracing::warn!(%error, "a turn's changes could not be kept for undo");
            notes.push(format!("its changes could not be kept: {error}"));
        }
    }
    notes
}

/// How many lost files a note names.
const NAMED: usize = 5;

/// Tells which files were changed or removed without what they were being kept.
fn lost(changes: &[Change]) -> Option<String> {
    let mut lost = changes.iter().filter_map(|change| match change.before {
        State::Unkept { why, .. } => Some(format!("{} ({why})", change.path.display())),
        _ => None,
    });
    let named: Vec<String> = lost.by_ref().take(NAMED).collect();
    let more = match lost.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!named.is_empty()).then(|| format!("not kept: {}{more}", named.join(", ")))
}
