//! Reads a patch while the model still writes it, so that clients can show it grow.

use spindle_schema::item::FileUpdate;

use super::parse::{FileOp, Reader};

/// A patch of which only the beginning is known.
#[derive(Debug, Clone, Default)]
pub struct PatchStream {
    reader: Reader,
    /// The last line, as long as it may go on.
    rest: String,
    /// Set by the first line that is no patch; the rest is then left alone.
    broken: bool,
}

impl PatchStream {
    /// Starts with nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in the next piece of text; returns whether there is something new to show.
    pub fn push(&mut self, text: &str) -> bool {
        self.rest.push_str(text);
        let Some(end) = self.rest.rfind('\n') else { return false };
        let rest = self.rest.split_off(end + 1);
        let whole = std::mem::replace(&mut self.rest, rest);
        for line in whole.lines() {
            // Lines before the patch are no error: the first one may be a here-document's.
            let leads = self.reader.is_fresh() && line.trim() != "*** Begin Patch";
            self.broken = self.broken || (!leads && self.reader.feed(line).is_err());
        }
        !self.broken && !self.reader.patch.ops.is_empty()
    }

    /// Returns what the patch changes so far: path as the patch has it, and the change.
    ///
    /// An update's diff is the text of its chunks; line numbers are not known before the end.
    pub fn changes(&self) -> Vec<(String, FileUpdate)> {
        self.reader.patch.ops.iter().map(change).collect()
    }
}

fn change(op: &FileOp) -> (String, FileUpdate) {
    match op {
        FileOp::Add { path, lines } => {
            let content = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
            (path.clone(), FileUpdate::Add { content })
        }
        FileOp::Delete { path } => (path.clone(), FileUpdate::Delete { content: String::new() }),
        FileOp::Update { path, move_to, chunks } => {
            let unified_diff = chunks.iter().map(ToString::to_string).collect();
            (path.clone(), FileUpdate::Update { unified_diff, move_path: move_to.clone() })
        }
    }
}

#[cfg(test)]
mod tests;
