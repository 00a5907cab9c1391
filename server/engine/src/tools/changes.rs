//! What a turn changes in files, and whether clients know.

use spindle_exec::patch::{Plan, TurnDiff};

/// All that the turn has changed in files.
#[derive(Debug)]
pub(crate) struct Changes {
    diff: TurnDiff,
    /// What clients were told last.
    told: String,
}

impl Changes {
    /// Nothing yet. `root` is the folder that paths are shown relative to.
    pub(crate) fn new(root: &str) -> Self {
        Self { diff: TurnDiff::new(root), told: String::new() }
    }

    /// Takes in a patch that was written, and gives the whole diff for the clients.
    pub(super) fn record(&mut self, plan: &Plan) -> String {
        self.diff.record(plan);
        self.told = self.diff.render();
        self.told.clone()
    }

    /// The whole diff once more, for the end of the turn; none when nothing was changed.
    pub(crate) fn last(&mut self) -> Option<String> {
        let text = std::mem::take(&mut self.told);
        (!text.is_empty()).then_some(text)
    }
}
