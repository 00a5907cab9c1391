//! What a turn is begun with.

use std::sync::Arc;

use spindle_schema::ids::TurnId;
use spindle_schema::op::{ShellCommand, TurnInput};
use spindle_schema::settings::ThreadSettings;
use tokio_util::sync::CancellationToken;

use super::mailbox::{Expected, Mailbox};

/// All that a session decides about a turn. Nothing in it changes while the turn runs.
#[derive(Debug)]
pub(crate) struct TurnPlan {
    /// The turn.
    pub(crate) id: TurnId,
    /// The turn at the root of its tree.
    pub(crate) root: Box<str>,
    /// What it does.
    pub(crate) task: Task,
    /// What the person said, and what goes with it.
    pub(crate) input: TurnInput,
    /// The settings, as they are for the whole turn.
    pub(crate) settings: ThreadSettings,
    /// Whether the settings must be recorded: they changed, or never were.
    pub(crate) record_settings: bool,
    /// Where steering arrives.
    pub(crate) mailbox: Mailbox,
    /// Ends the turn.
    pub(crate) cancel: CancellationToken,
    /// When it began. Unix milliseconds.
    pub(crate) started_at_ms: i64,
}

/// What a turn does (SPEC S7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Task {
    /// It takes the input and talks with the model.
    Regular,
    /// It runs a command of the person's. If something is said meanwhile, it goes on like a
    /// regular one.
    Shell(ShellCommand),
    /// It puts a summary in the place of the history.
    Compact,
}

/// A command of the person's that runs beside what a turn does.
#[derive(Debug)]
pub(crate) struct SideCommand {
    /// The turn.
    pub(crate) turn_id: TurnId,
    /// The command.
    pub(crate) command: ShellCommand,
    /// The thread's settings.
    pub(crate) settings: Arc<ThreadSettings>,
    /// The end of the turn, which is the command's too.
    pub(crate) cancel: CancellationToken,
    /// Where its output goes.
    pub(crate) ticket: Expected,
}
