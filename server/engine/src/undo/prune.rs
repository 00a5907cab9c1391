//! Throws away what is too old or too much. Blocks.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use spindle_exec::snapshot::{Blobs, Change, Digest, Manifest};
use spindle_schema::ids::TurnId;

use super::journal::{Journal, Record};
use crate::clock;
use crate::config::UndoSettings;

/// How often what is kept is looked through.
const INTERVAL: Duration = Duration::from_hours(24);
/// What was touched so recently may be about to be named.
const GRACE: Duration = Duration::from_hours(1);
/// The file whose time says when that was done last.
const MARK: &str = "tidied";

/// Where everything is.
pub(super) struct Folders<'a> {
    pub(super) blobs: &'a Blobs,
    pub(super) journals: PathBuf,
    pub(super) looks: PathBuf,
}

/// Whether it is time again. A home without anything to look through is never due.
pub(super) fn is_due(folder: &Path) -> bool {
    let touched = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified()).ok();
    match touched(&folder.join(MARK)) {
        Some(last) => now().duration_since(last).is_ok_and(|since| since > INTERVAL),
        None => folder.exists(),
    }
}

/// Removes what is older than the settings allow, and then the oldest until the rest is small
/// enough: looks at folders count by when they were taken, turns by when they ended.
pub(super) fn prune(folder: &Path, folders: &Folders<'_>, settings: UndoSettings) {
    if let Err(error) = fs::write(folder.join(MARK), "") {
        tracing::warn!(%error, "what is kept for undo cannot be tidied");
        return;
    }
    let now = now();
    let horizon = now.checked_sub(settings.max_age).unwrap_or(SystemTime::UNIX_EPOCH);
    let sizes = folders.blobs.all();
    let mut kept = Kept { wanted: HashSet::new(), bytes: 0, sizes, max: settings.max_bytes };
    let mut all = items(folders);
    all.sort_by_key(|item| std::cmp::Reverse(item.at));
    let mut dropped: HashMap<PathBuf, HashSet<TurnId>> = HashMap::new();
    for item in all {
        if item.at >= horizon && kept.take(&item.contents) {
            continue;
        }
        match item.turn {
            Some(turn) => {
                dropped.entry(item.file).or_default().insert(turn);
            }
            None => {
                fs::remove_file(&item.file).ok();
            }
        }
    }
    #[expect(clippy::iter_over_hash_type, reason = "files are independent of each other")]
    for (file, turns) in dropped {
        let kept = |records: Vec<Record>| without(records, &turns);
        if let Err(error) = Journal::at(file).rewrite(kept) {
            tracing::warn!(%error, "an undo journal cannot be tidied");
        }
    }
    let since = now.checked_sub(GRACE).unwrap_or(SystemTime::UNIX_EPOCH);
    folders.blobs.sweep(since, |digest| kept.wanted.contains(&digest));
}

/// Removes the contents that only these records named.
pub(super) fn drop_contents(folders: &Folders<'_>, records: &[Record]) {
    let mut mine: HashSet<Digest> = HashSet::new();
    for record in records {
        match record {
            Record::Patch { changes, .. } | Record::Turn { changes, .. } => {
                mine.extend(contents(changes));
            }
            Record::Watch { looks, .. } => {
                for look in looks {
                    fs::remove_file(folders.looks.join(&look.file)).ok();
                }
            }
            _ => {}
        }
    }
    for item in items(folders) {
        item.contents.iter().for_each(|digest| {
            mine.remove(digest);
        });
    }
    #[expect(clippy::iter_over_hash_type, reason = "contents are independent of each other")]
    for digest in mine {
        folders.blobs.remove(digest);
    }
}

/// Something that names contents: a turn of a journal, or a look at a folder.
struct Item {
    file: PathBuf,
    turn: Option<TurnId>,
    at: SystemTime,
    contents: Vec<Digest>,
}

/// What stays.
struct Kept {
    wanted: HashSet<Digest>,
    bytes: u64,
    sizes: HashMap<Digest, u64>,
    max: u64,
}

impl Kept {
    /// Takes contents in, if there is room for all of them.
    fn take(&mut self, contents: &[Digest]) -> bool {
        let fresh: HashSet<Digest> =
            contents.iter().filter(|digest| !self.wanted.contains(digest)).copied().collect();
        let bytes: u64 = fresh.iter().filter_map(|digest| self.sizes.get(digest)).sum();
        let fits = self.bytes + bytes <= self.max;
        if fits {
            self.bytes += bytes;
            self.wanted.extend(fresh);
        }
        fits
    }
}

fn items(folders: &Folders<'_>) -> Vec<Item> {
    let mut found = Vec::new();
    for (file, at) in files(&folders.looks) {
        let contents = Manifest::load(&file).map_or_else(Vec::new, |m| m.contents().collect());
        found.push(Item { file, turn: None, at, contents });
    }
    for (file, at) in files(&folders.journals) {
        let Ok(records) = Journal::at(file.clone()).read() else { continue };
        let mut turns: HashMap<TurnId, Item> = HashMap::new();
        for record in &records {
            let (turn, ended, changes) = match record {
                Record::Patch { turn, at, changes, .. }
                | Record::Turn { turn, at, changes, .. } => (turn, *at, changes.as_slice()),
                Record::Watch { turn, at, .. } => (turn, *at, [].as_slice()),
                _ => continue,
            };
            let ended = Duration::from_millis(ended.try_into().unwrap_or_default());
            let ended = SystemTime::UNIX_EPOCH.checked_add(ended).unwrap_or(at);
            let new = || Item {
                file: file.clone(),
                turn: Some(turn.clone()),
                at: ended,
                contents: Vec::new(),
            };
            let item = turns.entry(turn.clone()).or_insert_with(new);
            item.at = ended;
            item.contents.extend(contents(changes));
        }
        found.extend(turns.into_values());
    }
    found
}

fn files(folder: &Path) -> Vec<(PathBuf, SystemTime)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let timed = |entry: fs::DirEntry| Some((entry.path(), entry.metadata().ok()?.modified().ok()?));
    entries.flatten().filter_map(timed).collect()
}

fn contents(changes: &[Change]) -> impl Iterator<Item = Digest> {
    changes.iter().flat_map(|change| [&change.before, &change.after]).filter_map(|s| s.content())
}

/// The records of the turns that stay. What was taken back of the others is forgotten with them.
fn without(records: Vec<Record>, gone: &HashSet<TurnId>) -> Vec<Record> {
    let keep = |turn: &TurnId| !gone.contains(turn);
    let kept = records.into_iter().filter(|record| match record {
        Record::Patch { turn, .. } | Record::Watch { turn, .. } | Record::Turn { turn, .. } => {
            keep(turn)
        }
        Record::Undone { turns, .. } | Record::Redone { turns, .. } => turns.iter().all(keep),
        Record::Told => true,
    });
    let kept: Vec<Record> = kept.collect();
    if kept.iter().all(|record| *record == Record::Told) { Vec::new() } else { kept }
}

fn now() -> SystemTime {
    let since = Duration::from_millis(clock::now_ms().try_into().unwrap_or_default());
    SystemTime::UNIX_EPOCH + since
}
