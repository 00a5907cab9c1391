//! What an undo does, or would do.

use std::path::{Path, PathBuf};

use spindle_exec::patch::{Content, FileState, TurnDiff};
use spindle_exec::snapshot::restore::{Conflict, Standing, look};
use spindle_exec::snapshot::{Blobs, Change, State};
use spindle_schema::ids::TurnId;

use super::history::{Chosen, Touched};

/// What an undo does, or would do.
#[derive(Debug, Clone)]
pub struct Report {
    /// The turns, in the order in which they ran.
    pub turns: Vec<ReportTurn>,
    /// The turns before them that could be taken back after them, in the same order.
    pub earlier: Vec<ReportTurn>,
    /// Whether they are made again, not taken back.
    pub again: bool,
    /// The files: those that stand in the way first, each kind sorted by path.
    pub files: Vec<ReportFile>,
    /// How many more files there are than told.
    pub omitted: usize,
    /// What is to be known of the turns: what was not kept, or who else was there.
    pub notes: Vec<String>,
}

/// A turn in a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportTurn {
    /// The turn.
    pub id: TurnId,
    /// When it was over, or last heard of. Unix milliseconds.
    pub at_ms: i64,
    /// How many files it changed.
    pub files: usize,
}

/// A file in a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFile {
    /// Absolute.
    pub path: PathBuf,
    /// What becomes of it.
    pub action: Action,
    /// What stands in the way.
    pub conflict: Option<String>,
    /// What changes, in git's form; none where there is nothing to show, or too much.
    pub diff: Option<String>,
}

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It is made again.
    Create,
    /// It gets another content, target or mode.
    Update,
    /// It is removed.
    Delete,
    /// Nothing: it is so already.
    Nothing,
}

/// Files that are told one by one.
const MAX_FILES: usize = 1000;
/// Bytes of one diff, and of all.
const MAX_DIFF: usize = 64 * 1024;
const MAX_DIFFS: usize = 1024 * 1024;

impl Report {
    /// Looks at the files and says what would become of them. Blocks.
    pub(super) fn of(chosen: &Chosen<'_>, blobs: &Blobs, cwd: &Path) -> Self {
        let (changes, broken) = chosen.changes();
        let standings = look(&changes, blobs);
        let mut files: Vec<(ReportFile, &Change)> = changes
            .iter()
            .zip(standings)
            .map(|(change, standing)| (file(change, &standing, &broken), change))
            .collect();
        files.sort_by_key(|(file, _)| file.conflict.is_none());
        let omitted = files.len().saturating_sub(MAX_FILES);
        files.truncate(MAX_FILES);
        let mut room = MAX_DIFFS;
        for (file, change) in &mut files {
            if matches!(file.action, Action::Nothing) || file.conflict.is_some() {
                continue;
            }
            file.diff = diff(change, blobs, cwd).filter(|diff| diff.len() <= room);
            room -= file.diff.as_ref().map_or(0, String::len);
        }
        Self {
            turns: chosen.turns.iter().map(|turn| of_turn(turn)).collect(),
            earlier: chosen.earlier.iter().map(|turn| of_turn(turn)).collect(),
            again: chosen.again,
            files: files.into_iter().map(|(file, _)| file).collect(),
            omitted,
            notes: chosen.turns.iter().flat_map(|turn| turn.notes.clone()).collect(),
        }
    }
}

fn of_turn(turn: &Touched) -> ReportTurn {
    ReportTurn { id: turn.turn.clone(), at_ms: turn.at, files: turn.changes.len() }
}

fn file(change: &Change, standing: &Standing, broken: &[Conflict]) -> ReportFile {
    let action = match (standing, &change.after, &change.before) {
        (Standing::Done, ..) => Action::Nothing,
        (_, _, State::Missing) => Action::Delete,
        (_, State::Missing, _) => Action::Create,
        _ => Action::Update,
    };
    let conflict = match standing {
        Standing::Blocked(why) => Some(why.to_string()),
        Standing::Ready(_) | Standing::Done => {
            let between = broken.iter().any(|conflict| conflict.path == change.path);
            between.then(|| "it was changed between the turns".to_owned())
        }
    };
    ReportFile { path: change.path.clone(), action, conflict, diff: None }
}

/// The diff from what is there to what it becomes.
fn diff(change: &Change, blobs: &Blobs, cwd: &Path) -> Option<String> {
    let old = content(&change.after, blobs)?;
    let new = content(&change.before, blobs)?;
    let mut diff = TurnDiff::new(cwd);
    diff.change(&change.path, old, new);
    let text = diff.render();
    (!text.is_empty() && text.len() <= MAX_DIFF).then_some(text)
}

fn content(state: &State, blobs: &Blobs) -> Option<FileState> {
    /// Comparing more takes too long for a look ahead.
    const MAX_COMPARED: u64 = 1024 * 1024;
    Some(match state {
        State::Missing => FileState::Missing,
        State::Link { target } => FileState::Link(target.clone()),
        State::File { content, mode } => {
            blobs.len(*content).filter(|len| *len <= MAX_COMPARED)?;
            let bytes = blobs.read(*content).ok()?.into();
            FileState::File(Content { bytes, mode: *mode })
        }
        State::Folder { .. } | State::Unkept { .. } => return None,
    })
}
