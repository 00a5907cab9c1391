//! What was allowed for the rest of a session.

use std::collections::HashSet;

use parking_lot::Mutex;

use super::grant::Beyond;

/// Commands that a person allowed for the session, and rules that came of answers. Only the very
/// same command in the very same folder counts as the same.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    approved: Mutex<HashSet<Approved>>,
    saved: Mutex<Vec<Vec<String>>>,
}

/// A command as it is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Approved {
    /// Program and arguments.
    pub(crate) argv: Vec<String>,
    /// Working folder.
    pub(crate) cwd: String,
    /// How far beyond the sandbox it was allowed.
    pub(crate) beyond: Beyond,
}

impl Memory {
    /// Whether this was allowed.
    pub(crate) fn allows(&self, command: &Approved) -> bool {
        self.approved.lock().contains(command)
    }

    /// Remembers that this is allowed.
    pub(crate) fn remember(&self, command: Approved) {
        self.approved.lock().insert(command);
    }

    /// Notes that a rule allows commands that begin with these words from now on.
    pub(crate) fn rule_saved(&self, words: Vec<String>) {
        self.saved.lock().push(words);
    }

    /// Takes the rules that were saved since the last time; the model is told of them.
    pub(crate) fn take_saved(&self) -> Vec<Vec<String>> {
        std::mem::take(&mut self.saved.lock())
    }
}
