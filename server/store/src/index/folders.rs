//! The folders of rollouts and when they changed.

use std::fs;
use std::path::{Path, PathBuf};

use super::row::Stamp;
use crate::rollout::path::{ARCHIVED, SESSIONS};

/// A folder that changed this short a time ago may change again without its time telling.
const CLOCK_GRAIN_NS: i64 = 50_000_000;
/// The time of a folder that may still change without its time telling. It counts as changed.
pub(super) const UNSETTLED: i64 = 0;

/// All folders of rollouts with their times of change.
pub(super) fn all_folders(home: &Path) -> Vec<(PathBuf, i64)> {
    let mut found = Vec::new();
    folders(&home.join(SESSIONS), 3, &mut found);
    folders(&home.join(ARCHIVED), 0, &mut found);
    let now_ns = i64::try_from(jiff::Timestamp::now().as_nanosecond()).unwrap_or(i64::MAX);
    for (_, changed) in &mut found {
        if now_ns.saturating_sub(*changed) < CLOCK_GRAIN_NS {
            *changed = UNSETTLED;
        }
    }
    found
}

/// Lists a folder and those below it, down to `depth`.
fn folders(path: &Path, depth: u8, found: &mut Vec<(PathBuf, i64)>) {
    let Ok(stamp) = Stamp::of(path) else { return };
    found.push((path.to_owned(), stamp.changed_ns));
    if depth > 0 {
        for entry in fs::read_dir(path).into_iter().flatten().filter_map(Result::ok) {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders(&entry.path(), depth - 1, found);
            }
        }
    }
}

/// The folders where files are likely to come and go: that of the newest day, those above it,
/// and the one of archived threads. One that is missing has time 0.
pub(super) fn hot(home: &Path, found: &[(PathBuf, i64)]) -> Vec<(PathBuf, i64)> {
    let (live, archived) = (home.join(SESSIONS), home.join(ARCHIVED));
    let newest = found.iter().map(|(path, _)| path).filter(|path| path.starts_with(&live)).max();
    let mut wanted: Vec<&Path> = vec![&archived, &live];
    wanted.extend(newest.into_iter().flat_map(|path| path.ancestors()));
    wanted.retain(|path| path.starts_with(&live) || *path == archived);
    wanted.dedup();
    let time = |path: &Path| found.iter().find(|(found, _)| found == path).map_or(0, |(_, at)| *at);
    wanted.into_iter().map(|path| (path.to_owned(), time(path))).collect()
}
