//! The service behind all connections.

use std::sync::{Arc, OnceLock};

use serde_json::value::RawValue;
use spindle_engine::QuestionTag;
use spindle_engine::config::{Answers, ConfigWarning, installation_id};
use spindle_engine::threads::{Answering, NotYours, ThreadManager};
use spindle_schema::event::{AnswerMsg, Answerer};
use spindle_schema::ids::{ConnectionId, QuestionId, RequestId};
use spindle_schema::methods::{ClientRequest, ServerNotification};
use spindle_schema::settings::SessionSource;
use spindle_schema::v2::{
    InitializeParams, InitializeResponse, RemoteControlConnectionStatus,
    RemoteControlStatusChangedNotification, WarningNotification,
};
use tokio_util::task::TaskTracker;

use super::context::Context;
use super::convert::{notice, question};
use super::platform::Platform;
use super::{dispatch, initialize};
use crate::rpc::{Client, Clients, Identity, Order, Responder, RpcError, Service};

/// Turns requests into calls of the engine.
pub(crate) struct Door {
    engine: ThreadManager,
    source: SessionSource,
    tasks: TaskTracker,
    clients: Arc<Clients>,
    order: Arc<Order>,
    platform: Arc<Platform>,
    /// Read once: where it cannot be kept, it lasts as long as the daemon.
    installation: Arc<OnceLock<String>>,
}

impl Door {
    /// A door to the engine. Threads made through it are said to come from `source`; what
    /// takes time is counted in `tasks`.
    pub(crate) fn new(
        engine: ThreadManager,
        source: SessionSource,
        tasks: TaskTracker,
        clients: Arc<Clients>,
        order: Arc<Order>,
    ) -> Self {
        let (platform, installation) = (Arc::default(), Arc::default());
        Self { engine, source, tasks, clients, order, platform, installation }
    }
}

impl Service for Door {
    fn initialize(
        &self,
        params: InitializeParams,
    ) -> Result<(InitializeResponse, Identity), RpcError> {
        initialize::greet(params, self.engine.home(), &self.platform)
    }

    /// Two small files are read here, while the answer is on its way: whoever asks next hears
    /// of faults first.
    fn welcome(&self, client: &Arc<Client>) {
        let installation = || installation_id(self.engine.home());
        let id = self.installation.get_or_init(installation).clone();
        client.tell(&remote_control(self.platform.host_name(), id));
        for warning in self.engine.config().warnings() {
            client.tell(&config_warning(&warning));
        }
    }

    fn request(&self, client: &Arc<Client>, request: ClientRequest, responder: Responder) {
        let context = Context {
            engine: self.engine.clone(),
            client: client.clone(),
            source: self.source.clone(),
            tasks: self.tasks.clone(),
            clients: self.clients.clone(),
            order: self.order.clone(),
        };
        dispatch::dispatch(&context, request, responder);
    }

    fn answer(&self, client: &Arc<Client>, id: &RequestId, answer: Result<&RawValue, &RawValue>) {
        let &RequestId::Integer(number) = id else { return };
        let id = QuestionId(number);
        let Some(tag) = self.engine.question_kind(id) else {
            if self.engine.is_settled(id) {
                client.tell(&too_late(id));
            }
            return;
        };
        let msg = match (answer, tag) {
            (Err(error), _) => AnswerMsg::Unusable(error.get().into()),
            (Ok(result), QuestionTag::Command) => question::command_answer(result),
            (Ok(result), QuestionTag::FileChange) => question::file_change_answer(result),
            (Ok(result), QuestionTag::UserInput) => question::user_input_answer(result),
            (Ok(result), QuestionTag::Permissions) => question::permissions_answer(result),
            (Ok(result), QuestionTag::DynamicTool) => question::dynamic_tool_answer(result),
        };
        let answerer = Answerer { connection: client.id, name: client.identity.name.clone() };
        let from = Answering { answerer, is_local: client.via.is_local() };
        match self.engine.answer(from, id, msg) {
            Ok(true) => {}
            Ok(false) => client.tell(&too_late(id)),
            Err(refused) => client.tell(&not_taken(&refused)),
        }
    }

    fn closed(&self, connection: ConnectionId) {
        self.engine.connection_closed(connection);
    }
}

/// An answer cannot be answered: the client is warned, and the question stays open.
fn not_taken(refused: &NotYours) -> ServerNotification {
    let who = match refused.answers {
        Answers::Owner => "the client that has followed it longest",
        Answers::Local => "clients over standard streams or the Unix socket",
        Answers::First => "its followers",
    };
    ServerNotification::Warning(Box::new(WarningNotification {
        thread_id: Some(refused.thread.to_string()),
        message: format!(
            "Your answer was not taken: this thread takes answers only from {who}. The question \
             stays open."
        ),
    }))
}

/// Remote control is not offered; clients wait for being told so.
fn remote_control(server_name: String, installation_id: String) -> ServerNotification {
    let status = RemoteControlConnectionStatus::Disabled;
    ServerNotification::RemoteControlStatusChanged(Box::new(
        RemoteControlStatusChangedNotification {
            status,
            server_name,
            installation_id,
            environment_id: None,
        },
    ))
}

/// Tells a client that its answer changed nothing. The protocol has no error for an answer.
fn too_late(question: QuestionId) -> ServerNotification {
    let message = format!(
        "The answer to request {} changes nothing: the request was answered or withdrawn before.",
        question.0
    );
    ServerNotification::Warning(Box::new(WarningNotification { thread_id: None, message }))
}

fn config_warning(warning: &ConfigWarning) -> ServerNotification {
    ServerNotification::ConfigWarning(Box::new(notice::of(&warning.notice())))
}
