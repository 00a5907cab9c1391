//! What programs are told of a refusal. The set is closed; `docs/extensions.md` describes it.

use serde::Serialize;
use spindle_schema::ids::{ThreadId, TurnId};
use spindle_schema::v2::{CodexErrorInfo, NonSteerableTurnKind, ThreadReadState, TurnError};

/// `error.data` of the handlers. What the protocol itself refuses is in `rpc/error.rs`.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(super) enum Data<'a> {
    /// A member of the params cannot be used.
    InvalidValue { field: &'a str },
    /// The owner of the machine does not allow the value.
    NotAllowed { field: &'a str, allowed: &'a [String] },
    /// The method does nothing yet.
    UnsupportedMethod { method: &'a str },
    /// A member of the params does nothing yet.
    UnsupportedParam { method: &'a str, field: &'a str },
    /// The capability `experimentalApi` is needed for it.
    ExperimentalApiRequired { what: &'a str },
    /// The thread is neither loaded nor stored.
    ThreadNotFound { thread_id: ThreadId },
    /// The thread has to be unarchived first.
    ThreadArchived { thread_id: ThreadId },
    /// A thread of this id is there already.
    ThreadExists { thread_id: ThreadId },
    /// Another process writes the thread.
    ThreadBusy { thread_id: ThreadId, pid: Option<u32> },
    /// Another thread continues this one by reference.
    ThreadReferenced { thread_id: ThreadId, referenced_by: ThreadId },
    /// Nothing of the thread is kept.
    EphemeralThread,
    /// The rollout holds nothing that can be read.
    UnreadableRollout,
    /// The loaded thread writes another rollout.
    StalePath { thread_id: ThreadId, active_path: &'a str },
    /// No turn runs.
    NoActiveTurn,
    /// Another turn runs.
    TurnMismatch { expected_turn_id: &'a TurnId, active_turn_id: &'a TurnId },
    /// The turn that runs takes no input.
    TurnNotSteerable(NotSteerable),
    /// The thread has no such turn.
    TurnNotFound { turn_id: &'a TurnId },
    /// Too much was said.
    InputTooLarge(InputTooLarge),
    /// The text is no cursor of the list.
    InvalidCursor { cursor: &'a str },
    /// The search was given up.
    SearchCancelled,
    /// There is no such section.
    SectionNotFound { section_id: &'a str },
    /// The thread does not stand in the section.
    NotInSection { thread_id: ThreadId, section_id: &'a str },
    /// There is no such project.
    ProjectNotFound { project_id: &'a str },
    /// The read state is another one than the caller knows.
    ReadStateConflict { reason: &'static str, read_state: ThreadReadState },
    /// The provider is not in the configuration.
    ModelProviderNotConfigured { model_provider: &'a str },
    /// The configuration cannot be used as it is.
    InvalidConfig,
    /// An edit of the configuration was refused.
    ConfigWriteRefused {
        /// The protocol's own name for the reason and for the member.
        #[serde(rename = "config_write_error_code")]
        config_write_error_code: &'a str,
    },
    /// No command of the connection has this name.
    CommandNotFound { name: &'a str },
    /// A running command of the connection has this name.
    CommandExists { name: &'a str },
    /// The command could not be started.
    CommandNotStarted { detail: &'a str },
    /// The command takes no input, or no more.
    StdinClosed,
    /// The command has no terminal, or none that takes this size.
    NoTerminal,
    /// The command has ended, and printed more than an answer holds.
    OutputTooLarge { exit_code: i32, limit_bytes: u64 },
    /// Nobody is logged in.
    AuthenticationRequired,
    /// A turn runs, and may change files.
    TurnRunning { turn_id: &'a TurnId },
    /// No turn has changed files that are not as they were already.
    NothingToUndo,
    /// Files are not as the turn left them.
    UndoConflicts { files: Vec<UndoConflict> },
    /// What is kept for undo, or a file, could not be read or written.
    UndoFailed,
    /// The disk or the index failed.
    StoreFailed { is_retryable: bool },
    /// The daemon is about to end.
    ShuttingDown,
}

/// A file that stands in the way of an undo.
#[derive(Debug, Serialize)]
pub(super) struct UndoConflict {
    pub(super) path: String,
    pub(super) reason: String,
}

impl Data<'_> {
    pub(super) fn input_too_large(max_chars: usize, actual_chars: usize) -> Self {
        let input_error_code = "input_too_large";
        Self::InputTooLarge(InputTooLarge { input_error_code, max_chars, actual_chars })
    }
}

/// The protocol's own members, which are in snake case.
#[derive(Debug, Serialize)]
pub(super) struct InputTooLarge {
    input_error_code: &'static str,
    max_chars: usize,
    actual_chars: usize,
}

/// The protocol's own members: those of a turn's error.
#[derive(Debug, Serialize)]
pub(super) struct NotSteerable(TurnError);

impl NotSteerable {
    /// For a turn of this kind: `review` or `compact`.
    pub(super) fn new(kind: &str, message: &str) -> Self {
        let turn_kind = match kind {
            "review" => NonSteerableTurnKind::Review,
            _ => NonSteerableTurnKind::Compact,
        };
        Self(TurnError {
            message: message.to_owned(),
            additional_details: None,
            codex_error_info: Some(CodexErrorInfo::ActiveTurnNotSteerable { turn_kind }),
            misalignment: None,
        })
    }
}
