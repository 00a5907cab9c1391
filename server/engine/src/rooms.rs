//! What is shared: by the whole engine, and by the turns of one session.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use spindle_exec::policy::RuleBook;
use spindle_model::catalog::Catalog;
use spindle_schema::ids::ThreadId;

use crate::approvals::{Broker, Memory};
use crate::config::{Config, Loader};
use crate::threads::{Audience, Originator};
use crate::tools::{ClientTools, Network, Processes};
use crate::undo::{Keeper, ThreadUndo};

/// What the whole engine shares.
pub(crate) struct Rooms {
    /// The home folder.
    pub(crate) home: PathBuf,
    /// Reads settings.
    pub(crate) config: Loader,
    /// Rollouts and their index.
    pub(crate) store: spindle_store::Store,
    /// What models there are.
    pub(crate) catalog: Catalog,
    /// The way to providers.
    pub(crate) model: spindle_model::Client,
    /// The open questions.
    pub(crate) broker: Arc<Broker>,
    /// The clients.
    pub(crate) audience: Arc<dyn Audience>,
    /// What files were before turns changed them.
    pub(crate) undo: Arc<Keeper>,
    /// The daemon's environment, as it was at its start.
    pub(crate) env: Arc<HashMap<String, String>>,
    /// The version that clients and rollouts are told.
    pub(crate) version: &'static str,
}

/// What the turns of one session share.
pub(crate) struct SessionRooms {
    /// The thread.
    pub(crate) thread_id: ThreadId,
    /// The settings files, as they were when the thread was loaded (R-E4).
    pub(crate) config: Arc<Config>,
    /// What models there are.
    pub(crate) catalog: Catalog,
    /// The way to providers.
    pub(crate) model: spindle_model::Client,
    /// The open questions.
    pub(crate) broker: Arc<Broker>,
    /// Commands that go on beyond their call.
    pub(crate) processes: Arc<Processes>,
    /// Tools that a client runs.
    pub(crate) client_tools: Arc<ClientTools>,
    /// The managed network.
    pub(crate) network: Network,
    /// What files were before its turns changed them.
    pub(crate) undo: ThreadUndo,
    /// What was allowed for the session.
    pub(crate) memory: Memory,
    /// The rules about commands; a change counts from the next command on.
    pub(crate) rules: parking_lot::Mutex<RuleBook>,
    /// The home folder.
    pub(crate) home: PathBuf,
    /// The person's shell.
    pub(crate) shell: spindle_exec::shell::Shell,
    /// The daemon's environment.
    pub(crate) env: Arc<HashMap<String, String>>,
    /// The client that made the thread.
    pub(crate) originator: Originator,
    /// This installation.
    pub(crate) installation_id: Box<str>,
    /// The version that clients are told.
    pub(crate) version: &'static str,
    /// The base prompt.
    pub(crate) base_instructions: Arc<str>,
    /// What asks for a summary that can take the place of the history.
    pub(crate) compact_prompt: Box<str>,
    /// Instructions of the client that made the thread.
    pub(crate) developer_instructions: Option<String>,
    /// The rendered text of the project's instruction files.
    pub(crate) project_instructions: Option<String>,
}
