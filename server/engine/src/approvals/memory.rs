//! What was allowed for the rest of a session.

use std::collections::HashSet;

use parking_lot::Mutex;

/// Commands that a person allowed for the session. Only the very same command in the very same
/// folder counts as the same.
#[derive(Debug, Default)]
pub(crate) struct Memory(Mutex<HashSet<Approved>>);

/// A command as it is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Approved {
    /// Program and arguments.
    pub(crate) argv: Vec<String>,
    /// Working folder.
    pub(crate) cwd: String,
    /// Whether it was allowed to leave the sandbox.
    pub(crate) escalated: bool,
}

impl Memory {
    /// Whether this was allowed.
    pub(crate) fn allows(&self, command: &Approved) -> bool {
        self.0.lock().contains(command)
    }

    /// Remembers that this is allowed.
    pub(crate) fn remember(&self, command: Approved) {
        self.0.lock().insert(command);
    }
}
