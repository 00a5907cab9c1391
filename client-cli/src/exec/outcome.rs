//! How a turn ended, as `exec` tells its caller.

use spindle_schema::v2::{Turn, TurnStatus};

/// The end of the turn that `exec` waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The turn ended by itself.
    Completed,
    /// The turn failed, or somebody else ended it.
    Failed(String),
    /// This client's Ctrl-C ended it.
    Interrupted,
}

/// What shells give to programs that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

impl Outcome {
    /// Reads the end of a turn. `asked` says whether this client asked to end it.
    pub(crate) fn of(turn: &Turn, asked: bool) -> Self {
        match turn.status {
            TurnStatus::Completed | TurnStatus::InProgress => Self::Completed,
            TurnStatus::Interrupted if asked => Self::Interrupted,
            TurnStatus::Interrupted => Self::Failed("the turn was interrupted".to_owned()),
            TurnStatus::Failed => Self::Failed(
                turn.error
                    .as_ref()
                    .map_or_else(|| "the turn failed".to_owned(), |error| error.message.clone()),
            ),
        }
    }

    /// The exit code of the program.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Completed => 0,
            Self::Failed(_) => 1,
            Self::Interrupted => INTERRUPTED,
        }
    }
}

#[cfg(test)]
mod tests;
