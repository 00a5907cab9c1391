//! How a turn ends.

use spindle_schema::event::TurnError;

/// The end of a turn. There is no fourth.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// The model has said all it wanted.
    Completed,
    /// A client, or the end of the program, stopped it.
    Interrupted,
    /// It could not go on.
    Failed(TurnError),
}

/// Why a turn stops before its story is told.
#[derive(Debug)]
pub(super) enum Stop {
    /// The cancellation token was pulled.
    Interrupted,
    /// It cannot go on.
    Failed(TurnError),
}

impl From<spindle_store::Error> for Stop {
    fn from(error: spindle_store::Error) -> Self {
        Self::Failed(TurnError {
            message: format!("the thread's file could not be written: {error}"),
            codex_error_info: Some(spindle_schema::event::ErrorInfo::Other),
            additional_details: None,
        })
    }
}
