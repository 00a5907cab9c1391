//! Files of a thread by their names, without the index.

use std::fs;
use std::path::{Path, PathBuf};

use spindle_schema::ids::ThreadId;

use crate::rollout::path::{ARCHIVED, FileName, SESSIONS, is_rollout};

/// The rollouts of a thread, the one that counts first: live ones before archived ones, then by
/// name, the newest first.
pub(crate) fn files_of(home: &Path, id: ThreadId) -> Vec<PathBuf> {
    let ours = |path: &Path| FileName::parse(path).is_some_and(|name| name.id == id);
    let mut live = Vec::new();
    walk(&home.join(SESSIONS), 3, &mut |path| {
        if ours(&path) {
            live.push(path);
        }
    });
    let mut archived = Vec::new();
    walk(&home.join(ARCHIVED), 0, &mut |path| {
        if ours(&path) {
            archived.push(path);
        }
    });
    for part in [&mut live, &mut archived] {
        part.sort_by(|a, b| b.file_name().cmp(&a.file_name()));
    }
    live.append(&mut archived);
    live
}

/// All rollouts, in no order.
pub(crate) fn all(home: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(&home.join(SESSIONS), 3, &mut |path| found.push(path));
    walk(&home.join(ARCHIVED), 0, &mut |path| found.push(path));
    found
}

/// Gives every rollout below a folder. A folder that cannot be read has none.
fn walk(folder: &Path, depth: u8, found: &mut dyn FnMut(PathBuf)) {
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 0 => walk(&entry.path(), depth - 1, found),
            Ok(kind) if !kind.is_dir() && entry.file_name().to_str().is_some_and(is_rollout) => {
                found(entry.path());
            }
            _ => {}
        }
    }
}
