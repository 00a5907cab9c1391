//! Everything that can go wrong between a request and its answer.

use spindle_schema::ids::{ThreadId, TurnId};

use crate::commands::CommandError;
use crate::{config, undo};

/// Why a request was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The thread is not loaded.
    #[error("thread not found: {0}")]
    ThreadNotFound(ThreadId),
    /// The thread is neither loaded nor stored.
    #[error("no rollout found for thread id {0}")]
    NoRollout(ThreadId),
    /// The thread is neither loaded nor stored; the text that reads give.
    #[error("thread not loaded: {0}")]
    NotLoaded(ThreadId),
    /// The thread is archived and must be brought back first.
    #[error("session {0} is archived. Run `spindle threads unarchive {0}` to bring it back first")]
    ArchivedThread(ThreadId),
    /// Another rollout was named than the one the loaded thread writes.
    #[error(
        "cannot resume running thread {thread} with stale path: requested `{requested}`, active `{active}`"
    )]
    StalePath {
        /// The thread.
        thread: ThreadId,
        /// What was asked for.
        requested: String,
        /// What it writes.
        active: String,
    },
    /// Steering or interrupting needs a turn that runs.
    #[error("no active turn to {0}")]
    NoActiveTurn(ActiveTurnAction),
    /// Another turn runs than the caller thinks.
    #[error("expected active turn id {expected} but found {actual}")]
    TurnMismatch {
        /// What was asked for.
        action: ActiveTurnAction,
        /// The turn the caller thinks is running.
        expected: TurnId,
        /// The turn that runs.
        actual: TurnId,
    },
    /// A turn of this kind takes no input.
    #[error("cannot steer a {0} turn")]
    NotSteerable(&'static str),
    /// Nothing was said.
    #[error("input must not be empty")]
    EmptyInput,
    /// Too much was said.
    #[error("Input exceeds the maximum length of {max_chars} characters.")]
    InputTooLarge {
        /// The limit, in characters.
        max_chars: usize,
        /// What was given, in characters.
        actual_chars: usize,
    },
    /// A value in the request cannot be used.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The owner of the machine does not allow it.
    #[error(transparent)]
    Forbidden(#[from] config::Forbidden),
    /// The turn named does not exist in the thread.
    #[error("turn not found: {0}")]
    TurnNotFound(TurnId),
    /// The provider is not in the configuration.
    #[error("model provider `{0}` not found")]
    ProviderNotConfigured(String),
    /// The configuration cannot be used.
    #[error(transparent)]
    Config(#[from] config::Error),
    /// A client's own command was refused.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] spindle_store::Error),
    /// Nothing is taken back.
    #[error(transparent)]
    Undo(#[from] undo::Error),
    /// Too much waits for the thread already; the same request may succeed later.
    #[error("Server overloaded; retry later.")]
    Overloaded,
    /// The daemon is ending.
    #[error("the server is shutting down")]
    Draining,
    /// Nobody answered; a bug.
    #[error("the request was dropped before it was answered")]
    Dropped,
}

/// A value in a request that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// A picture from the network.
    #[error("remote image URLs are not supported; use an inline data URL instead")]
    RemoteImage,
    /// The id that a client chose belongs to a thread.
    #[error("thread {0} exists already")]
    IdInUse(ThreadId),
    /// A tool of the client that cannot be offered.
    #[error("invalid dynamic tool: {0}")]
    ClientTool(String),
    /// A name of blanks.
    #[error("thread name must not be empty")]
    EmptyName,
    /// Nothing of the thread is kept.
    #[error("ephemeral thread does not support metadata updates: {0}")]
    EphemeralMetadata(ThreadId),
    /// A command of blanks.
    #[error("command must not be empty")]
    EmptyCommand,
    /// A path that cannot be made absolute.
    #[error("invalid path `{0}`")]
    Path(String),
    /// A named choice that does not exist.
    #[error("unknown {what} `{value}`")]
    Unknown {
        /// What kind of thing.
        what: &'static str,
        /// The value given.
        value: String,
    },
}

/// What somebody wanted with the running turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActiveTurnAction {
    /// Give it input.
    Steer,
    /// End it.
    Interrupt,
}

impl std::fmt::Display for ActiveTurnAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Steer => "steer",
            Self::Interrupt => "interrupt",
        })
    }
}
