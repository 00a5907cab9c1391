//! What the manager is asked, and what it answers.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};
use spindle_schema::event::{Answerer, ThreadSnapshot, TurnSnapshot};
use spindle_schema::ids::{ConnectionId, ThreadId, TurnId};
use spindle_schema::op::SettingsUpdate;
use spindle_schema::settings::{SessionSource, ThreadSettings};

use super::subscribers::Follower;
use crate::config::Answers;

/// The client that asks, as far as a rollout and a provider are told.
#[derive(Debug, Clone)]
pub struct Originator {
    /// The client's name, a legal HTTP header value.
    pub name: Box<str>,
    /// The whole user agent.
    pub user_agent: Box<str>,
    /// Where threads of this client are said to come from.
    pub source: SessionSource,
}

/// What a thread is made with, whatever its origin.
#[derive(Debug, Clone)]
pub struct ThreadSource {
    /// Who asks; becomes a subscriber.
    pub connection: ConnectionId,
    /// The client.
    pub originator: Originator,
    /// Settings over those of the configuration.
    pub settings: SettingsUpdate,
    /// The provider's id, over that of the configuration.
    pub model_provider: Option<Box<str>>,
    /// Configuration keys over all files: dotted names or nested objects.
    pub config: Option<Map<String, Value>>,
    /// The base prompt, over the built-in one.
    pub base_instructions: Option<String>,
    /// Text for the developer message.
    pub developer_instructions: Option<String>,
}

/// A new thread.
#[derive(Debug, Clone)]
pub struct StartThread {
    /// What it is made with.
    pub source: ThreadSource,
    /// Keep nothing of it.
    pub ephemeral: bool,
    /// The client's word for what it is for.
    pub thread_source: Option<Box<str>>,
    /// Tools that the client runs: `[{"type":"function","name","description","inputSchema"},
    /// {"type":"namespace","name","description","tools":[…]}]`.
    pub client_tools: Option<Value>,
    /// An id chosen by the caller.
    pub id: Option<ThreadId>,
    /// The project it belongs to.
    pub project: Option<Box<str>>,
}

/// A stored thread, or a loaded one to follow.
#[derive(Debug, Clone)]
pub struct ResumeThread {
    /// What it is made with, when it is not loaded yet.
    pub source: ThreadSource,
    /// The thread; `None` only with a path.
    pub id: Option<ThreadId>,
    /// The rollout, when it is not where the index says.
    pub path: Option<PathBuf>,
    /// The number of what the client saw last of the thread, to get what came after it.
    pub seen: Option<u64>,
}

/// A copy of a thread.
#[derive(Debug, Clone)]
pub struct ForkThread {
    /// What it is made with.
    pub source: ThreadSource,
    /// The thread copied.
    pub id: Option<ThreadId>,
    /// Its rollout, when it is not where the index says.
    pub path: Option<PathBuf>,
    /// How much of it is copied.
    pub until: ForkPoint,
    /// Keep nothing of the copy.
    pub ephemeral: bool,
    /// The client's word for what it is for.
    pub thread_source: Option<Box<str>>,
}

/// How much of a thread a copy holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForkPoint {
    /// All.
    End,
    /// All up to the end of this turn.
    After(TurnId),
    /// All before this turn.
    Before(TurnId),
}

/// A thread is loaded.
#[derive(Debug, Clone)]
pub struct Started {
    /// The thread.
    pub thread: Arc<ThreadSnapshot>,
    /// What it is set to.
    pub settings: Box<ThreadSettings>,
    /// The files whose text was given to the model as instructions. Absolute paths.
    pub instruction_sources: Vec<String>,
}

/// A thread is loaded, and the caller follows it.
#[derive(Debug, Clone)]
pub struct Resumed {
    /// The thread.
    pub started: Started,
    /// The turn that runs, with its items so far.
    pub active_turn: Option<Arc<TurnSnapshot>>,
    /// Whether it was loaded before.
    pub was_loaded: bool,
    /// The number of what was said last at that moment.
    pub position: u64,
    /// Whether what the client missed is said again; `None` when it named no number.
    pub is_replayed: Option<bool>,
}

/// A loaded thread and who follows it.
#[derive(Debug, Clone)]
pub struct Following {
    /// The thread.
    pub thread: ThreadId,
    /// Who follows it; the first of them owns it.
    pub followers: Vec<Follower>,
}

/// A turn was started, or the input went to the one that runs.
#[derive(Debug, Clone)]
pub struct StartedTurn {
    /// The turn, without items.
    pub turn: Arc<TurnSnapshot>,
}

/// What came of an unsubscribe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsubscribed {
    /// The connection follows the thread no more.
    Done,
    /// It did not follow it.
    NotSubscribed,
    /// The thread is not loaded.
    NotLoaded,
}

/// A client that answers a question.
#[derive(Debug, Clone)]
pub struct Answering {
    /// Which.
    pub answerer: Answerer,
    /// It came over standard streams or the Unix socket: it is on this machine, and runs for the
    /// person whose daemon this is.
    pub is_local: bool,
}

/// An answer that was not taken, since the thread does not take answers from everybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotYours {
    /// The thread.
    pub thread: ThreadId,
    /// Whose answers it takes.
    pub answers: Answers,
}
