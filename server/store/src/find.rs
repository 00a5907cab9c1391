//! Files of a thread by their names, without the index.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use spindle_schema::ids::ThreadId;

use crate::rollout::path::{ARCHIVED, FileName, SESSIONS, is_rollout};

/// The rollouts of a thread, the one that counts first: live ones before archived ones, then by
/// name, the newest first.
pub(crate) fn files_of(home: &Path, id: ThreadId) -> Vec<PathBuf> {
    let text = id.to_string();
    // Reading the name as a whole costs more than listing it.
    let mut files = matching(home, &|name| name.contains(&text));
    files.retain(|path| FileName::parse(path).is_some_and(|name| name.id == id));
    files
}

/// All rollouts, in the order of [`files_of`].
pub(crate) fn all(home: &Path) -> Vec<PathBuf> {
    matching(home, &|_| true)
}

fn matching(home: &Path, wanted: &dyn Fn(&str) -> bool) -> Vec<PathBuf> {
    let part = |folder: &str, depth| {
        let mut found = Vec::new();
        walk(&home.join(folder), depth, wanted, &mut found);
        found.sort_by(|a: &PathBuf, b| b.file_name().cmp(&a.file_name()));
        found
    };
    let mut found = part(SESSIONS, 3);
    found.append(&mut part(ARCHIVED, 0));
    found
}

/// Lists the wanted rollouts below a folder. A folder that cannot be read has none.
fn walk(folder: &Path, depth: u8, wanted: &dyn Fn(&str) -> bool, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth > 0 {
            walk(&entry.path(), depth - 1, wanted, found);
        } else if !is_folder
            && entry.file_name().to_str().is_some_and(|name| is_rollout(name) && wanted(name))
        {
            found.push(entry.path());
        }
    }
}

/// The rollouts of threads, looked up once for all of them when the first is asked for.
#[derive(Debug)]
pub(crate) struct Finder<'h> {
    home: &'h Path,
    known: OnceLock<HashMap<ThreadId, Vec<PathBuf>>>,
}

impl<'h> Finder<'h> {
    pub(crate) fn new(home: &'h Path) -> Self {
        Self { home, known: OnceLock::new() }
    }

    /// The same as [`files_of`].
    pub(crate) fn files_of(&self, id: ThreadId) -> &[PathBuf] {
        let known = self.known.get_or_init(|| {
            let mut known: HashMap<_, Vec<_>> = HashMap::new();
            for path in all(self.home) {
                if let Some(name) = FileName::parse(&path) {
                    known.entry(name.id).or_default().push(path);
                }
            }
            known
        });
        known.get(&id).map_or(&[], Vec::as_slice)
    }
}
