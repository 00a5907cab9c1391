//! Files of settings, read once per change.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::layer::{digest, version_of};
use super::path::resolve_paths;
use super::reader::{Fault, Reader};
use super::settings::Settings;
use super::tree::{Tree, from_table, locate, remove};
use super::warning::ConfigWarning;

/// What is known of a file of settings.
#[derive(Debug)]
pub(crate) struct FileState {
    /// The settings that can be used.
    pub(crate) tree: Arc<Tree>,
    /// The state's name.
    pub(crate) version: Arc<str>,
    /// What cannot be used.
    pub(crate) warnings: Vec<ConfigWarning>,
    /// Whether there is a file.
    pub(crate) exists: bool,
    /// Whether the whole file cannot be used.
    is_broken: bool,
}

/// What tells one state of a file from another without opening it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    len: u64,
    seconds: i64,
    nanos: i64,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self {
            inode: metadata.ino(),
            len: metadata.len(),
            seconds: metadata.mtime(),
            nanos: metadata.mtime_nsec(),
        }
    }
}

/// The files read so far.
///
/// A file is opened again only when its stamp has changed, so that starting a thread costs a
/// `stat` for each source.
#[derive(Debug, Default)]
pub(crate) struct Files {
    known: Mutex<HashMap<PathBuf, Known>>,
}

/// A file as it was at a stamp; none when it was not there.
#[derive(Debug)]
struct Known {
    stamp: Option<Stamp>,
    state: Arc<FileState>,
}

impl Files {
    /// Returns a file's settings; a file that is not there has none.
    pub(crate) fn read(&self, path: &Path, user_home: Option<&Path>) -> Arc<FileState> {
        let stamp = fs::metadata(path).ok().map(|metadata| Stamp::of(&metadata));
        let mut known = self.known.lock();
        if let Some(file) = known.get(path)
            && file.stamp == stamp
        {
            return Arc::clone(&file.state);
        }
        let state = Arc::new(FileState::read(path, user_home));
        known.insert(path.to_owned(), Known { stamp, state: Arc::clone(&state) });
        state
    }

    /// Forgets a file, because it was just written: two writes may share a stamp.
    pub(crate) fn forget(&self, path: &Path) {
        self.known.lock().remove(path);
    }
}

impl FileState {
    fn read(path: &Path, user_home: Option<&Path>) -> Self {
        match fs::read(path) {
            Ok(bytes) => Self::parse(path, &bytes, user_home),
            Err(error) if is_absent(&error) => Self::empty(false),
            Err(error) => {
                let warning = ConfigWarning::at(path, "", None, &error.to_string());
                Self { warnings: vec![warning], is_broken: true, ..Self::empty(true) }
            }
        }
    }

    /// Why the whole file cannot be used, if so.
    pub(crate) fn broken_reason(&self) -> Option<String> {
        let warning = self.warnings.first().filter(|_| self.is_broken)?;
        Some(warning.reason().to_owned())
    }

    fn empty(exists: bool) -> Self {
        let tree = Tree::new();
        Self {
            version: version_of(&tree),
            tree: Arc::new(tree),
            warnings: Vec::new(),
            exists,
            is_broken: false,
        }
    }

    /// Reads a file's content. A syntax error costs the file, a wrong value that setting.
    pub(crate) fn parse(path: &Path, bytes: &[u8], user_home: Option<&Path>) -> Self {
        let broken = |warning| Self {
            version: digest(bytes),
            warnings: vec![warning],
            is_broken: true,
            ..Self::empty(true)
        };
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
            Err(error) => {
                let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                let span = Some(good.len()..good.len());
                return broken(ConfigWarning::at(path, &good, span, "invalid UTF-8"));
            }
        };
        match toml_edit::Document::parse(text) {
            Ok(document) => Self::check(path, text, from_table(document.as_table()), user_home),
            Err(error) => broken(ConfigWarning::at(path, text, error.span(), error.message())),
        }
    }

    fn check(path: &Path, text: &str, mut tree: Tree, user_home: Option<&Path>) -> Self {
        let version = version_of(&tree);
        let warnings = take_faults(&mut tree)
            .into_iter()
            .map(|fault| ConfigWarning::at(path, text, locate(text, &fault.path), &fault.message))
            .collect();
        if let Some(folder) = path.parent() {
            resolve_paths(&mut tree, folder, user_home);
        }
        Self { tree: Arc::new(tree), version, warnings, exists: true, is_broken: false }
    }
}

/// Finds the settings whose values do not fit, and takes them out.
pub(crate) fn take_faults(tree: &mut Tree) -> Vec<Fault> {
    let faults = faults_of(tree);
    for fault in &faults {
        remove(tree, &fault.path);
    }
    faults
}

/// Finds the settings whose values do not fit.
pub(crate) fn faults_of(tree: &Tree) -> Vec<Fault> {
    let faults = RefCell::default();
    Settings::read(&Reader::new(tree, &faults));
    faults.into_inner()
}

/// Whether an error says that there is no such file.
pub(crate) fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests;
