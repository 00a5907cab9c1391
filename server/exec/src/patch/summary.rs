//! Tells the model and the clients what a patch changed. Pure.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use similar::{Algorithm, TextDiff};
use spindle_schema::item::FileUpdate;

use super::apply::{Entry, EntryKind, FileState, Plan};

/// Time after which a diff is finished coarsely: it stays right, but may be longer than needed.
const DIFF_TIME: Duration = Duration::from_millis(500);

impl Plan {
    /// Returns what changes for each file that the patch names, in the patch's order. Paths are
    /// absolute. A file that comes twice stands once, with the sum of its changes.
    pub fn changes(&self) -> Vec<(PathBuf, FileUpdate)> {
        let mut changes: Vec<(PathBuf, FileUpdate)> = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            if changes.iter().all(|(path, _)| *path != entry.path) {
                changes.push((entry.path.clone(), self.change(entry)));
            }
        }
        changes
    }

    fn change(&self, entry: &Entry) -> FileUpdate {
        let last = self.entries.iter().rfind(|other| other.path == entry.path).unwrap_or(entry);
        let state = |file: usize| self.files.get(file);
        let before = state(entry.file).map_or("".into(), |file| text(&file.before));
        match (entry.kind, last.kind) {
            (EntryKind::Delete, EntryKind::Delete) => {
                FileUpdate::Delete { content: before.into_owned() }
            }
            (EntryKind::Update, EntryKind::Update) => {
                let target = last.moved.as_ref();
                let to = target.map_or(last.file, |moved| moved.file);
                let after = state(to).map_or("".into(), |file| text(&file.after));
                let move_path = target.map(|moved| moved.path.display().to_string());
                FileUpdate::Update { unified_diff: hunks(&before, &after), move_path }
            }
            (_, EntryKind::Delete) => FileUpdate::Delete { content: before.into_owned() },
            _ => {
                let after = state(last.file).map_or("".into(), |file| text(&file.after));
                FileUpdate::Add { content: after.into_owned() }
            }
        }
    }
}

/// Returns the text for the model after a patch was written: one line per file, added ones
/// first, then changed and removed ones, by the names that the patch has for them.
pub fn summary(plan: &Plan) -> String {
    let mut text = "Success. Updated the following files:\n".to_owned();
    for (sign, kind) in [('A', EntryKind::Add), ('M', EntryKind::Update), ('D', EntryKind::Delete)]
    {
        let mut seen: Vec<&str> = Vec::new();
        for entry in plan.entries.iter().filter(|entry| entry.kind == kind) {
            let name = entry.moved.as_ref().map_or(entry.named.as_str(), |moved| &moved.named);
            if !seen.contains(&name) {
                seen.push(name);
                text.extend([sign, ' ']);
                text.push_str(name);
                text.push('\n');
            }
        }
    }
    text
}

/// Returns the content as text; bytes that are no UTF-8 show as replacement characters.
fn text(state: &FileState) -> Cow<'_, str> {
    match state {
        FileState::File(content) => String::from_utf8_lossy(&content.bytes),
        FileState::Link(target) => target.to_string_lossy(),
        FileState::Missing => "".into(),
    }
}

/// Returns the hunks of a unified diff with three lines of context; empty for equal texts.
pub(super) fn hunks(before: &str, after: &str) -> String {
    let mut config = TextDiff::configure();
    let diff = config.algorithm(Algorithm::Myers).timeout(DIFF_TIME).diff_lines(before, after);
    diff.unified_diff().context_radius(3).to_string()
}

#[cfg(test)]
mod tests;
