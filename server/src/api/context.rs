//! What a handler may see, and the ways in which it answers.

use std::future::Future;
use std::sync::Arc;

use spindle_engine::threads::{Originator, ThreadManager};
use spindle_engine::{Answer, Error};
use spindle_schema::ids::ThreadId;
use spindle_schema::methods::Request;
use spindle_schema::settings::SessionSource;
use tokio_util::task::TaskTracker;

use super::errors::{Refusal, of_engine};
use crate::rpc::{Client, Clients, Order, Reply, RpcError};

/// What a handler may see: the engine, and who asks.
#[derive(Clone)]
pub(super) struct Context {
    /// The threads.
    pub(super) engine: ThreadManager,
    /// Who asks.
    pub(super) client: Arc<Client>,
    /// Where threads that are made here are said to come from.
    pub(super) source: SessionSource,
    /// Handlers that take time.
    pub(super) tasks: TaskTracker,
    /// All clients.
    pub(super) clients: Arc<Clients>,
    /// The requests that wait for others.
    pub(super) order: Arc<Order>,
}

impl Context {
    /// Answers when the work is done, apart from the connection.
    pub(super) fn spawn<R>(
        &self,
        reply: Reply<R>,
        work: impl Future<Output = Result<R::Result, RpcError>> + Send + 'static,
    ) where
        R: Request + 'static,
    {
        self.tasks.spawn(async move { reply.settle(work.await) });
    }

    /// The client, as threads and providers are told of it.
    pub(super) fn originator(&self) -> Originator {
        Originator {
            name: self.client.identity.name.clone(),
            user_agent: self.client.identity.user_agent.clone(),
            source: self.source.clone(),
        }
    }
}

/// The right to answer, handed to the engine.
pub(super) fn answering<T, R>(
    reply: Reply<R>,
    convert: impl FnOnce(T) -> R::Result + Send + 'static,
) -> Answer<T>
where
    R: Request + 'static,
{
    Answer::new(move |result: Result<T, Error>| match result {
        Ok(value) => reply.ok(&convert(value)),
        Err(error) => reply.err(&of_engine(&error)),
    })
}

/// The thread that a client names.
pub(super) fn thread_id(text: &str) -> Result<ThreadId, RpcError> {
    ThreadId::parse(text).map_err(|invalid| Refusal::ThreadId(&invalid).into())
}

/// The thread that a client names, in the words of methods that wake a thread.
pub(super) fn session_id(text: &str) -> Result<ThreadId, RpcError> {
    ThreadId::parse(text).map_err(|invalid| Refusal::SessionId(&invalid).into())
}
