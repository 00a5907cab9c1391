//! The diff of a whole turn: every file as it was when the turn first touched it, against what
//! it is. Pure.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sha1::{Digest, Sha1};

use super::apply::{FileState, Plan};
use super::summary::hunks;

/// Collects what a turn does to files.
#[derive(Debug, Clone, Default)]
pub struct TurnDiff {
    /// Paths are shown relative to it.
    root: PathBuf,
    files: BTreeMap<PathBuf, Tracked>,
    /// Where a path's file came from, for files that were moved.
    origins: BTreeMap<PathBuf, PathBuf>,
}

#[derive(Debug, Clone)]
struct Tracked {
    before: FileState,
    after: FileState,
}

impl TurnDiff {
    /// Starts a turn. `root` is the folder that paths are shown relative to.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), ..Self::default() }
    }

    /// Takes in a patch that was written.
    pub fn record(&mut self, plan: &Plan) {
        for (path, before, after) in plan.effects() {
            self.change(path, before.clone(), after.clone());
        }
        for (from, to) in plan.moves() {
            self.moved(from, to);
        }
    }

    /// Takes in one change. `before` counts only the first time that `path` comes.
    pub fn change(&mut self, path: &Path, before: FileState, after: FileState) {
        match self.files.get_mut(path) {
            Some(tracked) => tracked.after = after,
            None => {
                self.files.insert(path.to_owned(), Tracked { before, after });
            }
        }
    }

    /// Says that the file under `to` came from `from`.
    pub fn moved(&mut self, from: &Path, to: &Path) {
        let origin = self.origins.remove(from).unwrap_or_else(|| from.to_owned());
        if origin != to {
            self.origins.insert(to.to_owned(), origin);
        }
    }

    /// Returns the diff in git's form, sorted by path; empty when nothing differs.
    pub fn render(&self) -> String {
        let mut out = String::new();
        for (path, tracked) in &self.files {
            if self.moved_to(path).is_some() {
                continue;
            }
            let source = self.moved_from(path);
            let (old_path, before) = match source {
                Some((from, origin)) => (from, &origin.before),
                None => (path.as_path(), &tracked.before),
            };
            self.file(&mut out, (old_path, before), (path, &tracked.after));
        }
        out
    }

    /// Returns the file that `path` was moved from, when the two can stand as one entry.
    fn moved_from(&self, path: &Path) -> Option<(&Path, &Tracked)> {
        let from = self.origins.get(path)?;
        let source = self.files.get(from)?;
        let target = self.files.get(path)?;
        let gone = source.after == FileState::Missing && source.before != FileState::Missing;
        let fresh = target.before == FileState::Missing && target.after != FileState::Missing;
        (gone && fresh).then_some((from.as_path(), source))
    }

    fn moved_to(&self, path: &Path) -> Option<&Path> {
        let target = self.origins.iter().find(|(_, from)| from.as_path() == path)?.0;
        self.moved_from(target).map(|_| target.as_path())
    }

    fn file(&self, out: &mut String, old: (&Path, &FileState), new: (&Path, &FileState)) {
        let ((old_path, before), (new_path, after)) = (old, new);
        if before == after && old_path == new_path {
            return;
        }
        let (a, b) = (self.label("a", old_path), self.label("b", new_path));
        let (old_id, new_id) = (blob_id(before), blob_id(after));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "diff --git {a} {b}");
        let _ = match (mode(before), mode(after)) {
            (None, Some(mode)) => writeln!(out, "new file mode {mode:06o}"),
            (Some(mode), None) => writeln!(out, "deleted file mode {mode:06o}"),
            (Some(old), Some(new)) if old != new => {
                writeln!(out, "old mode {old:06o}\nnew mode {new:06o}")
            }
            _ => Ok(()),
        };
        if old_id == new_id {
            // Only the name or the mode differs: there is no hunk to tell the name from.
            if old_path != new_path {
                let (from, to) = (self.relative(old_path), self.relative(new_path));
                let _ = writeln!(out, "similarity index 100%\nrename from {from}\nrename to {to}");
            }
            return;
        }
        let _ = writeln!(out, "index {old_id}..{new_id}");
        let nowhere = || "/dev/null".to_owned();
        let a = if mode(before).is_some() { a } else { nowhere() };
        let b = if mode(after).is_some() { b } else { nowhere() };
        match (text(before), text(after)) {
            (Some(old), Some(new)) => {
                let hunks = hunks(&old, &new);
                if !hunks.is_empty() {
                    let _ = write!(out, "--- {a}\n+++ {b}\n{hunks}");
                }
            }
            _ => {
                let _ = writeln!(out, "Binary files {a} and {b} differ");
            }
        }
    }

    fn label(&self, side: &str, path: &Path) -> String {
        format!("{side}/{}", self.relative(path))
    }

    fn relative(&self, path: &Path) -> String {
        let short = path.strip_prefix(&self.root).unwrap_or(path);
        short.to_string_lossy().into_owned()
    }
}

/// Returns git's mode of a file: `100644`, `100755`, `120000` for a link.
fn mode(state: &FileState) -> Option<u32> {
    match state {
        FileState::Missing => None,
        FileState::Link(_) => Some(0o120_000),
        FileState::File(content) => {
            let runs = content.mode.is_some_and(|mode| mode & 0o100 != 0);
            Some(if runs { 0o100_755 } else { 0o100_644 })
        }
    }
}

/// Returns git's name of the content: 40 hexadecimal digits, all zero for no file.
fn blob_id(state: &FileState) -> String {
    let bytes = match state {
        FileState::Missing => return "0".repeat(40),
        FileState::File(content) => Cow::Borrowed(&*content.bytes),
        FileState::Link(target) => Cow::Owned(target.to_string_lossy().into_owned().into_bytes()),
    };
    let mut hasher = Sha1::new();
    hasher.update(format!("blob {}\0", bytes.len()));
    hasher.update(&bytes);
    hasher.finalize().iter().fold(String::with_capacity(40), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Returns the content as text; none when it is no UTF-8 or holds a zero byte.
fn text(state: &FileState) -> Option<Cow<'_, str>> {
    match state {
        FileState::Missing => Some("".into()),
        FileState::Link(target) => Some(target.to_string_lossy()),
        FileState::File(content) if content.bytes.contains(&0) => None,
        FileState::File(content) => std::str::from_utf8(&content.bytes).ok().map(Cow::Borrowed),
    }
}

#[cfg(test)]
mod tests;
