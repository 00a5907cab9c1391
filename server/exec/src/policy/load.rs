//! Reads the rule files of folders, and reads them again when they changed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::parse::{RuleError, parse_rules};
use super::rule::Rules;

/// Largest rule file, in bytes.
const MAX_FILE: u64 = 1024 * 1024;

/// A rule file whose rules do not count.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LoadError {
    /// It has a fault.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// It cannot be read.
    #[error("failed to read rules file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Arc<io::Error>,
    },
}

impl LoadError {
    /// Returns the file.
    pub fn path(&self) -> &Path {
        match self {
            LoadError::Rules(error) => &error.path,
            LoadError::Read { path, .. } => path,
        }
    }

    /// Returns place and fault as compilers tell them: `FILE:LINE:COLUMN: what`.
    pub fn brief(&self) -> String {
        match self {
            LoadError::Rules(RuleError { path, start, message, .. }) => {
                format!("{}:{}:{}: {message}", path.display(), start.line, start.column)
            }
            LoadError::Read { path, source } => format!("{}: {source}", path.display()),
        }
    }
}

/// What is known of one file.
#[derive(Debug)]
struct Entry {
    stamp: Stamp,
    rules: Result<Rules, LoadError>,
}

/// Changes whenever the file's content does.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// The rules of some folders, or of some files, as they are on the disk.
///
/// Every file of a folder whose name ends in `.rules` counts, sub-folders do not.
#[derive(Debug, Default)]
pub struct RuleBook {
    folders: Vec<PathBuf>,
    /// Files that count whatever their names; one that is not there is a fault.
    named: Vec<PathBuf>,
    files: BTreeMap<PathBuf, Entry>,
    rules: Arc<Rules>,
    /// Faults that nobody was told yet.
    news: Vec<LoadError>,
}

impl RuleBook {
    /// Makes a book of folders that need not be there. Reads nothing.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders, ..Self::default() }
    }

    /// Makes a book of files that have to be there. Reads nothing.
    pub fn of_files(files: Vec<PathBuf>) -> Self {
        Self { named: files, ..Self::default() }
    }

    /// Returns the rules that count at this moment. Looks at the folders each time, and reads
    /// only files that are new or changed. Blocks on the disk for microseconds.
    pub fn current(&mut self) -> Arc<Rules> {
        let inside = self.folders.iter().flat_map(|folder| rule_files(folder));
        let stamps: BTreeMap<PathBuf, Stamp> = inside
            .chain(self.named.iter().cloned())
            .map(|path| {
                let stamp = stamp(&path);
                (path, stamp)
            })
            .collect();
        let known = self.files.iter().map(|(path, entry)| (path, &entry.stamp));
        if !known.eq(&stamps) {
            self.read(stamps);
        }
        Arc::clone(&self.rules)
    }

    /// Returns the faults of files that were read since the last call.
    pub fn take_errors(&mut self) -> Vec<LoadError> {
        std::mem::take(&mut self.news)
    }

    /// Returns how many files count and do not count.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// Returns the faults of all files that do not count.
    pub fn errors(&self) -> impl Iterator<Item = &LoadError> {
        self.files.values().filter_map(|entry| entry.rules.as_ref().err())
    }

    fn read(&mut self, stamps: BTreeMap<PathBuf, Stamp>) {
        let mut before = std::mem::take(&mut self.files);
        for (path, stamp) in stamps {
            let entry = match before.remove(&path) {
                Some(entry) if entry.stamp == stamp => entry,
                _ => {
                    let rules = read_file(&path);
                    self.news.extend(rules.as_ref().err().cloned());
                    Entry { stamp, rules }
                }
            };
            self.files.insert(path, entry);
        }
        let mut all = Rules::default();
        for rules in self.files.values().filter_map(|entry| entry.rules.as_ref().ok()) {
            all.extend(rules.clone());
        }
        self.rules = Arc::new(all);
    }
}

fn rule_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(|path| path.extension().is_some_and(|e| e == "rules") && !path.is_dir()).collect()
}

/// Returns the stamp of a file; a file that is gone has one of its own.
fn stamp(path: &Path) -> Stamp {
    let meta = fs::metadata(path);
    meta.map_or(Stamp { inode: 0, size: 0, modified: (0, 0), changed: (0, 0) }, |meta| Stamp {
        inode: meta.ino(),
        size: meta.size(),
        modified: (meta.mtime(), meta.mtime_nsec()),
        changed: (meta.ctime(), meta.ctime_nsec()),
    })
}

fn read_file(path: &Path) -> Result<Rules, LoadError> {
    let failed = |source| LoadError::Read { path: path.to_owned(), source: Arc::new(source) };
    let meta = fs::metadata(path).map_err(failed)?;
    if !meta.is_file() || meta.len() > MAX_FILE {
        return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "not a rule file")));
    }
    let text = fs::read_to_string(path).map_err(failed)?;
    Ok(parse_rules(path, &text)?)
}

#[cfg(test)]
mod tests;
