//! Why nothing is taken back.

use spindle_exec::snapshot::restore::{Conflict, RestoreError};
use spindle_schema::ids::TurnId;

/// Why nothing is taken back. No file has changed, except where `Restore` says else.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A turn runs, and may change files at any moment.
    #[error("turn {0} is running; interrupt it or wait for its end")]
    TurnRuns(TurnId),
    /// No turn of the thread has changed files that are not as they were already.
    #[error("there is nothing to undo: no turn changed files, or what they were is kept no more")]
    Nothing,
    /// Nothing was taken back, or something was changed since.
    #[error("there is nothing to redo")]
    NothingTaken,
    /// The turn changed no files, was taken back already, or is not of this thread.
    #[error("turn {0} changed no files that could be put back")]
    NoSuchTurn(TurnId),
    /// Files stand in the way.
    #[error("{}", conflicts_text(.0))]
    Conflicts(Vec<Conflict>),
    /// A file could not be written.
    #[error(transparent)]
    Restore(RestoreError),
    /// What is kept cannot be read or written.
    #[error("what is kept for undo cannot be used: {0}")]
    Io(#[from] std::io::Error),
}

/// Conflicts that a sentence names; programs get them all.
const NAMED: usize = 20;

fn conflicts_text(conflicts: &[Conflict]) -> String {
    let lines = conflicts.iter().take(NAMED);
    let lines = lines.map(|conflict| format!("{}: {}", conflict.path.display(), conflict.why));
    let mut text = lines.collect::<Vec<_>>().join("; ");
    if conflicts.len() > NAMED {
        text.push_str(&format!("; and {} more", conflicts.len() - NAMED));
    }
    format!("nothing was changed, because files are not as the turn left them: {text}")
}

impl From<RestoreError> for Error {
    fn from(error: RestoreError) -> Self {
        match error {
            RestoreError::Conflicts(conflicts) => Self::Conflicts(conflicts),
            other => Self::Restore(other),
        }
    }
}
