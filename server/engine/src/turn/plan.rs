//! What a turn is begun with.

use spindle_schema::ids::TurnId;
use spindle_schema::op::TurnInput;
use spindle_schema::settings::ThreadSettings;
use tokio_util::sync::CancellationToken;

use super::mailbox::Mailbox;

/// All that a session decides about a turn. Nothing in it changes while the turn runs.
#[derive(Debug)]
pub(crate) struct TurnPlan {
    /// The turn.
    pub(crate) id: TurnId,
    /// The turn at the root of its tree.
    pub(crate) root: Box<str>,
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
