//! What a session is told.

use serde_json::{Map, Value};

use crate::ids::TurnId;
use crate::item::UserInput;
use crate::settings::{
    ApprovalPolicy, ApprovalsReviewer, ModeKind, ReasoningSummary, SandboxPolicy,
};

/// Everything a session can be told by clients.
#[derive(Debug, Clone)]
pub enum Op {
    /// Starts a turn, or gives its input to the one that runs.
    StartTurn(Box<TurnInput>),
    /// Gives input to the turn that runs.
    Steer(Box<Steer>),
    /// Ends the turn that runs.
    Interrupt(Interrupt),
    /// Changes the settings for later turns.
    UpdateSettings(Box<SettingsUpdate>),
    /// Puts a summary in the place of the history.
    Compact,
    /// Runs a command of the person's.
    Shell(Box<ShellCommand>),
}

/// A command that a person runs in a thread: nobody is asked and nothing holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellCommand {
    /// The text for the shell.
    pub command: Box<str>,
    /// How long it may take, in milliseconds; `None` is as long as it likes.
    pub timeout_ms: Option<u64>,
}

/// Input for a turn.
#[derive(Debug, Clone, Default)]
pub struct TurnInput {
    /// The parts, in order. May be empty: the turn then has no message of the person.
    pub input: Vec<UserInput>,
    /// The client's own id of the message.
    pub client_id: Option<Box<str>>,
    /// Settings that change with this turn and stay.
    pub settings: SettingsUpdate,
    /// A JSON Schema that the final answer must fit. This turn only.
    pub output_schema: Option<Value>,
    /// A service tier for this turn only.
    pub service_tier_for_turn: Option<Box<str>>,
    /// Why the turn was started, in the client's words.
    pub trigger: Option<Box<str>>,
    /// The turn that caused this one.
    pub parent_turn_id: Option<Box<str>>,
    /// The turn at the root of the tree.
    pub root_turn_id: Option<Box<str>>,
    /// Members for the request's metadata.
    pub client_metadata: Map<String, Value>,
}

/// Input for the turn that runs.
#[derive(Debug, Clone)]
pub struct Steer {
    /// The turn the client thinks is running.
    pub expected_turn: TurnId,
    /// The parts, in order.
    pub input: Vec<UserInput>,
    /// The client's own id of the message.
    pub client_id: Option<Box<str>>,
}

/// The end of the turn that runs.
#[derive(Debug, Clone)]
pub struct Interrupt {
    /// The turn the client thinks is running.
    pub turn: TurnId,
}

/// Settings to change; `None` leaves a setting as it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SettingsUpdate {
    /// The model's name.
    pub model: Option<Box<str>>,
    /// How hard it thinks.
    pub effort: Option<Box<str>>,
    /// How much of its reasoning is told.
    pub summary: Option<ReasoningSummary>,
    /// The provider's service tier.
    pub service_tier: Option<Box<str>>,
    /// The tone.
    pub personality: Option<Box<str>>,
    /// Working folder; a relative one is joined to the thread's.
    pub cwd: Option<Box<str>>,
    /// The workspace folders.
    pub workspace_roots: Option<Vec<Box<str>>>,
    /// When a person is asked.
    pub approval_policy: Option<ApprovalPolicy>,
    /// Who answers.
    pub approvals_reviewer: Option<ApprovalsReviewer>,
    /// What commands may touch.
    pub sandbox_policy: Option<SandboxPolicy>,
    /// Plan first, or just work.
    pub mode: Option<ModeKind>,
    /// Extra instructions of the mode; the inner `None` is the mode's own text.
    pub mode_instructions: Option<Option<Box<str>>>,
}
