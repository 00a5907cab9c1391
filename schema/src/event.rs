//! What a session says, and the questions it asks its clients.
//!
//! The engine makes events; the door turns each into protocol notifications, once for all
//! who hear it. Nothing here knows JSON-RPC.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ids::{ConnectionId, ItemId, QuestionId, ThreadId, TurnId};
use crate::item::{FileUpdate, ParsedCommand, TurnItem};
use crate::model::TokenUsage;
use crate::note::{AttachmentChange, ReadState, ThreadNotes};
use crate::settings::{SessionSource, ThreadSettings};

/// Something a session says about its thread.
#[derive(Debug, Clone)]
pub struct Event {
    /// The thread.
    pub thread_id: ThreadId,
    /// When it was said. Unix milliseconds.
    pub at_ms: i64,
    /// What.
    pub msg: EventMsg,
}

/// Who hears an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Every initialised connection.
    Everyone,
    /// The connections that follow the thread.
    Subscribers,
}

/// Everything a session can say.
#[derive(Debug, Clone)]
pub enum EventMsg {
    /// The session is set up. Always the first event (SPEC S2); not told to clients.
    SessionConfigured(Box<ThreadSettings>),
    /// The thread exists.
    ThreadStarted(Arc<ThreadSnapshot>),
    /// Idle, active, failed or unloaded.
    StatusChanged(ThreadStatus),
    /// Something in the thread has not been read yet, or all has.
    ReadStateChanged(ReadState),
    /// The thread's name changed.
    NameUpdated(Option<Box<str>>),
    /// The thread stands in another section, or in none.
    SectionChanged(Option<Box<str>>),
    /// The thread belongs to another project, or to none.
    ProjectChanged(Option<Box<str>>),
    /// Something was attached to the thread, or is no longer.
    AttachmentChanged(Box<AttachmentChange>),
    /// The thread was put away.
    Archived,
    /// The thread was brought back.
    Unarchived,
    /// The thread is gone.
    Deleted,
    /// The session was unloaded because nobody used it.
    Closed,
    /// The settings changed.
    SettingsUpdated(Box<ThreadSettings>),
    /// A turn began.
    TurnStarted(Arc<TurnSnapshot>),
    /// A turn ended, however it did.
    TurnCompleted(Arc<TurnSnapshot>),
    /// An item began.
    ItemStarted(Arc<ItemEvent>),
    /// An item is whole.
    ItemCompleted(Arc<ItemEvent>),
    /// More text of items, as many pieces as had come.
    Deltas(Box<Deltas>),
    /// A client's or the model's keystrokes went to a running command.
    TerminalInteraction(Box<TerminalInteraction>),
    /// A patch that is still streaming.
    PatchUpdated(Box<PatchUpdated>),
    /// The model's list of steps.
    PlanUpdated(Box<PlanUpdated>),
    /// All that the turn changed in files, as a unified diff.
    TurnDiffUpdated(Box<TurnText>),
    /// What has been used.
    TokenUsageUpdated(Box<TokenUsageUpdate>),
    /// The account's limits.
    RateLimitsUpdated(Box<RateLimits>),
    /// The turn is in trouble.
    Error(Box<ErrorEvent>),
    /// Something the people at the clients should know.
    Warning(Box<str>),
    /// Something in the configuration, a rule file or the system does not count as it stands.
    ConfigWarning(Box<ConfigNotice>),
    /// A question to the clients.
    Question(Arc<Question>),
    /// A question is settled, and by whom; by nobody when it was taken back.
    QuestionResolved(QuestionId, Option<Box<Answerer>>),
}

impl EventMsg {
    /// Who hears it.
    pub fn scope(&self) -> Scope {
        match self {
            Self::ThreadStarted(_)
            | Self::StatusChanged(_)
            | Self::ReadStateChanged(_)
            | Self::NameUpdated(_)
            | Self::SectionChanged(_)
            | Self::ProjectChanged(_)
            | Self::AttachmentChanged(_)
            | Self::Archived
            | Self::Unarchived
            | Self::Deleted
            | Self::Closed => Scope::Everyone,
            Self::SessionConfigured(_)
            | Self::SettingsUpdated(_)
            | Self::TurnStarted(_)
            | Self::TurnCompleted(_)
            | Self::ItemStarted(_)
            | Self::ItemCompleted(_)
            | Self::Deltas(_)
            | Self::TerminalInteraction(_)
            | Self::PatchUpdated(_)
            | Self::PlanUpdated(_)
            | Self::TurnDiffUpdated(_)
            | Self::TokenUsageUpdated(_)
            | Self::RateLimitsUpdated(_)
            | Self::Error(_)
            | Self::Warning(_)
            | Self::ConfigWarning(_)
            | Self::Question(_)
            | Self::QuestionResolved(..) => Scope::Subscribers,
        }
    }
}

/// The client that answered a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answerer {
    /// Its connection.
    pub connection: ConnectionId,
    /// What it calls itself.
    pub name: Box<str>,
}

/// How a thread stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadStatus {
    /// It is only on disk.
    NotLoaded,
    /// It waits for input.
    Idle,
    /// The last turn failed.
    SystemError,
    /// A turn runs.
    Active(ActiveFlags),
}

/// What a running turn waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ActiveFlags {
    /// A yes or no to a command, patch or permission.
    pub waiting_on_approval: bool,
    /// An answer to a question of the model.
    pub waiting_on_user_input: bool,
}

/// What a client may know about a thread without its turns.
#[derive(Debug, Clone)]
pub struct ThreadSnapshot {
    /// The thread.
    pub id: ThreadId,
    /// The thread it was forked from.
    pub forked_from: Option<ThreadId>,
    /// The thread that spawned it.
    pub parent: Option<ThreadId>,
    /// The first words of the person; empty before the first turn.
    pub preview: String,
    /// Its name.
    pub name: Option<Box<str>>,
    /// Nothing of it is kept.
    pub ephemeral: bool,
    /// The provider's id.
    pub model_provider: Box<str>,
    /// The model last used.
    pub model: Option<Box<str>>,
    /// How hard it thinks.
    pub effort: Option<Box<str>>,
    /// Unix seconds.
    pub created_at: i64,
    /// Unix seconds.
    pub updated_at: i64,
    /// Unix seconds: the last time a person had to do with it.
    pub recency_at: Option<i64>,
    /// How it stands.
    pub status: ThreadStatus,
    /// The rollout; `None` for an ephemeral thread.
    pub path: Option<Box<str>>,
    /// Working folder.
    pub cwd: Box<str>,
    /// The workspace folders.
    pub workspace_roots: Vec<Box<str>>,
    /// The version of the program that made it.
    pub cli_version: Box<str>,
    /// Where it came from.
    pub source: SessionSource,
    /// The client's word for what it is for.
    pub thread_source: Option<Box<str>>,
    /// The client's name.
    pub originator: Option<Box<str>>,
    /// `paginated` or `legacy`.
    pub history_mode: Box<str>,
    /// Git facts at the start.
    pub git: Option<crate::rollout::GitInfo>,
    /// Whether it is archived.
    pub archived: bool,
    /// What people noted about it.
    pub notes: ThreadNotes,
}

/// A turn, with as many of its items as the view asks for.
#[derive(Debug, Clone)]
pub struct TurnSnapshot {
    /// The turn.
    pub id: TurnId,
    /// The turn at the root of the tree it belongs to.
    pub root_turn_id: Option<Box<str>>,
    /// How it stands.
    pub status: TurnStatus,
    /// Why it failed.
    pub error: Option<TurnError>,
    /// Unix seconds.
    pub started_at: Option<i64>,
    /// Unix seconds.
    pub completed_at: Option<i64>,
    /// Milliseconds.
    pub duration_ms: Option<i64>,
    /// The items.
    pub items: Vec<TimedItem>,
    /// How many of its items `items` holds.
    pub view: ItemsView,
}

/// How many items of a turn are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemsView {
    /// None.
    NotLoaded,
    /// The first message of the person and the last of the model.
    Summary,
    /// All.
    Full,
}

/// How a turn stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TurnStatus {
    /// It runs.
    InProgress,
    /// It ended by itself.
    Completed,
    /// It was ended by a client, or by the end of the program.
    Interrupted,
    /// It could not go on.
    Failed,
}

/// An item and its times.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedItem {
    /// The item.
    pub item: TurnItem,
    /// Unix milliseconds.
    pub started_at_ms: Option<i64>,
    /// Unix milliseconds; absent while it is going on.
    pub completed_at_ms: Option<i64>,
}

/// An item began or is whole.
#[derive(Debug, Clone)]
pub struct ItemEvent {
    /// The turn.
    pub turn_id: TurnId,
    /// The item and its times.
    pub item: TimedItem,
}

/// Pieces of text of one item, in order. One batch per chunk that arrived.
#[derive(Debug, Clone)]
pub struct Deltas {
    /// The turn.
    pub turn_id: TurnId,
    /// The item.
    pub item_id: ItemId,
    /// What kind of text.
    pub kind: DeltaKind,
    /// The pieces. Never empty, except for [`DeltaKind::SummaryPartAdded`], which has none.
    pub pieces: Vec<Box<str>>,
}

/// What text a delta is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeltaKind {
    /// The model's words.
    AgentMessage,
    /// A plan.
    Plan,
    /// A new part of a reasoning summary begins. Numbered from 0.
    SummaryPartAdded(i64),
    /// That part of a reasoning summary.
    ReasoningSummary(i64),
    /// That part of the raw reasoning.
    ReasoningText(i64),
    /// A command's output.
    CommandOutput,
}

/// Keystrokes for a running command.
#[derive(Debug, Clone)]
pub struct TerminalInteraction {
    /// The turn.
    pub turn_id: TurnId,
    /// The command's item.
    pub item_id: ItemId,
    /// The process session, as text.
    pub process_id: Box<str>,
    /// What was typed.
    pub stdin: String,
}

/// Something in the configuration, a rule file or the system that does not count as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigNotice {
    /// What happened, in one sentence.
    pub summary: String,
    /// The place and the reason.
    pub details: Option<String>,
    /// The file.
    pub path: Option<String>,
    /// The first and the last place in the file.
    pub range: Option<(TextPlace, TextPlace)>,
}

/// A character's place in a text. Both numbers count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPlace {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

/// A patch that is still streaming.
#[derive(Debug, Clone)]
pub struct PatchUpdated {
    /// The turn.
    pub turn_id: TurnId,
    /// The patch's item.
    pub item_id: ItemId,
    /// What is known so far: path and change.
    pub changes: Vec<(String, FileUpdate)>,
}

/// The model's list of steps.
#[derive(Debug, Clone)]
pub struct PlanUpdated {
    /// The turn.
    pub turn_id: TurnId,
    /// Why it changed.
    pub explanation: Option<String>,
    /// The steps, in order.
    pub plan: Vec<PlanStep>,
}

/// One step of a list.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanStep {
    /// What is to be done.
    pub step: String,
    /// How it stands.
    pub status: PlanStatus,
}

/// How a step stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    /// Not begun.
    Pending,
    /// Being done.
    InProgress,
    /// Done.
    Completed,
}

/// A text about a turn.
#[derive(Debug, Clone)]
pub struct TurnText {
    /// The turn.
    pub turn_id: TurnId,
    /// The text.
    pub text: String,
}

/// What has been used.
#[derive(Debug, Clone)]
pub struct TokenUsageUpdate {
    /// The turn.
    pub turn_id: TurnId,
    /// The thread so far.
    pub total: TokenUsage,
    /// The last response.
    pub last: TokenUsage,
    /// Tokens the model can see.
    pub model_context_window: Option<i64>,
}

/// An account's limits, in the form of rollouts. Members that no provider told are `null`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RateLimits {
    /// Which limit.
    #[serde(default)]
    pub limit_id: Option<Box<str>>,
    /// Its name.
    #[serde(default)]
    pub limit_name: Option<Box<str>>,
    /// The near window.
    #[serde(default)]
    pub primary: Option<RateLimitWindow>,
    /// The far window.
    #[serde(default)]
    pub secondary: Option<RateLimitWindow>,
    /// Money.
    #[serde(default)]
    pub credits: Option<Value>,
    /// A limit of the person's own.
    #[serde(default)]
    pub individual_limit: Option<Value>,
    /// Whether spending is stopped.
    #[serde(default)]
    pub spend_control_reached: Option<bool>,
    /// The plan.
    #[serde(default)]
    pub plan_type: Option<Box<str>>,
    /// Which limit was reached.
    #[serde(default)]
    pub rate_limit_reached_type: Option<Box<str>>,
}

/// One window of a limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RateLimitWindow {
    /// Percent, 0 to 100.
    pub used_percent: f64,
    /// How long the window is.
    pub window_minutes: Option<i64>,
    /// Unix seconds.
    pub resets_at: Option<i64>,
}

/// A turn is in trouble.
#[derive(Debug, Clone)]
pub struct ErrorEvent {
    /// The turn.
    pub turn_id: TurnId,
    /// What happened.
    pub error: TurnError,
    /// Whether it is tried again.
    pub will_retry: bool,
}

/// Why a turn failed or stalls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnError {
    /// For a person.
    pub message: String,
    /// For a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codex_error_info: Option<ErrorInfo>,
    /// More for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub additional_details: Option<String>,
}

/// What kind of trouble. In rollouts in snake case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorInfo {
    /// The input is too long for the model.
    ContextWindowExceeded,
    /// The account has used what it may.
    UsageLimitExceeded,
    /// Too many requests.
    RateLimitExceeded,
    /// The provider is busy.
    ServerOverloaded,
    /// No such model.
    ModelNotFound,
    /// The provider's own failure.
    InternalServerError,
    /// The credentials are wrong.
    Unauthorized,
    /// The request is wrong.
    BadRequest,
    /// The sandbox could not be set up.
    SandboxError,
    /// The provider could not be reached, or answered with this status.
    HttpConnectionFailed {
        /// HTTP status.
        http_status_code: Option<u16>,
    },
    /// The answer's stream could not be opened.
    ResponseStreamConnectionFailed {
        /// HTTP status.
        http_status_code: Option<u16>,
    },
    /// The answer broke off.
    ResponseStreamDisconnected {
        /// HTTP status.
        http_status_code: Option<u16>,
    },
    /// It was tried often enough.
    ResponseTooManyFailedAttempts {
        /// HTTP status.
        http_status_code: Option<u16>,
    },
    /// Anything else.
    Other,
    /// A kind that another program wrote.
    #[serde(untagged)]
    Unknown(Value),
}

/// A question to the clients of a thread. The first answer counts.
#[derive(Debug, Clone)]
pub struct Question {
    /// Its number.
    pub id: QuestionId,
    /// The turn.
    pub turn_id: TurnId,
    /// The item it is about.
    pub item_id: ItemId,
    /// When it was first asked. Unix milliseconds.
    pub started_at_ms: i64,
    /// The one client that is asked, as long as it follows the thread; `None` asks all who do.
    pub only: Option<ConnectionId>,
    /// What is asked.
    pub kind: QuestionKind,
}

/// What is asked.
#[derive(Debug, Clone)]
pub enum QuestionKind {
    /// May this command run?
    Command(Box<CommandQuestion>),
    /// May these files change?
    FileChange(FileChangeQuestion),
    /// The model asks the person.
    UserInput(UserInputQuestion),
    /// May the turn have these permissions?
    Permissions(Box<PermissionsQuestion>),
    /// A tool that the client itself offers is called.
    DynamicTool(Box<DynamicToolQuestion>),
    /// May a command reach this host?
    Network(NetworkQuestion),
}

/// May a command reach this host?
#[derive(Debug, Clone)]
pub struct NetworkQuestion {
    /// The host.
    pub host: Box<str>,
    /// How it is to be reached.
    pub protocol: NetworkProtocol,
}

/// How a command reaches a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkProtocol {
    /// By a request that can be seen.
    Http,
    /// Through a tunnel for TLS.
    Https,
    /// Through SOCKS.
    Socks5Tcp,
}

/// May this command run?
#[derive(Debug, Clone)]
pub struct CommandQuestion {
    /// The command as a person reads it.
    pub command: String,
    /// What it does.
    pub actions: Vec<ParsedCommand>,
    /// Working folder.
    pub cwd: Box<str>,
    /// Why it is asked.
    pub reason: Option<String>,
    /// A rule that would allow it from then on.
    pub proposed_amendment: Option<Vec<String>>,
    /// What it wants beyond its sandbox, as the protocol shows it.
    pub additional_permissions: Option<Value>,
    /// The decisions that make sense.
    pub decisions: Vec<CommandDecision>,
}

/// An answer to a command question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandDecision {
    /// Run it.
    Accept,
    /// Run it, and the same again without asking until the session ends.
    AcceptForSession,
    /// Run it, and write a rule that allows commands beginning with these words.
    AcceptWithAmendment(Vec<String>),
    /// Do not run it; the turn goes on.
    Decline,
    /// Do not run it and end the turn.
    Cancel,
}

/// May these files change?
#[derive(Debug, Clone)]
pub struct FileChangeQuestion {
    /// Why it is asked.
    pub reason: Option<String>,
    /// A folder that would be writable from then on.
    pub grant_root: Option<Box<str>>,
}

/// The model asks the person.
#[derive(Debug, Clone)]
pub struct UserInputQuestion {
    /// The questions, as the protocol shows them.
    pub questions: Vec<Value>,
    /// Whether the turn waits for it.
    pub is_blocking: bool,
}

/// May the turn have these permissions?
#[derive(Debug, Clone)]
pub struct PermissionsQuestion {
    /// Working folder.
    pub cwd: Box<str>,
    /// Why it is asked.
    pub reason: Option<String>,
    /// What is asked for, as the protocol shows it.
    pub permissions: Value,
}

/// A tool that the client itself offers is called.
#[derive(Debug, Clone)]
pub struct DynamicToolQuestion {
    /// The call.
    pub call_id: Box<str>,
    /// The tool's namespace.
    pub namespace: Option<Box<str>>,
    /// The tool.
    pub tool: Box<str>,
    /// Its arguments.
    pub arguments: Value,
}

/// What a client answered.
#[derive(Debug, Clone)]
pub enum AnswerMsg {
    /// To a command or patch question.
    Decision(CommandDecision),
    /// To the model's questions: question id to the answers.
    UserInput(Map<String, Value>),
    /// To a permissions question: the grant as it was sent.
    Permissions(Value),
    /// To a question about a host: keep a rule.
    HostRule {
        /// The host that the rule is about.
        host: String,
        /// Whether it may be reached.
        allow: bool,
    },
    /// A dynamic tool's result as it was sent.
    DynamicTool(Value),
    /// A JSON-RPC error, or a result that could not be read. Counts as a refusal.
    Unusable(Box<str>),
}
