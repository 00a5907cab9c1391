//! `thread/name/set`, `thread/archive`, `thread/unarchive`, `thread/delete` and
//! `thread/unsubscribe`.

use std::sync::Arc;

use spindle_engine::threads::Unsubscribed;
use spindle_engine::{Answer, Error};
use spindle_schema::event::ThreadSnapshot;
use spindle_schema::v2::{
    ThreadArchiveParams, ThreadArchiveResponse, ThreadDeleteParams, ThreadDeleteResponse,
    ThreadSetNameParams, ThreadSetNameResponse, ThreadUnarchiveParams, ThreadUnarchiveResponse,
    ThreadUnsubscribeParams, ThreadUnsubscribeResponse, ThreadUnsubscribeStatus,
};

use super::super::context::{Context, answering, session_id, thread_id};
use super::super::convert::thread;
use super::super::errors::{Refusal, of_engine};
use crate::rpc::{Reply, RpcError};

/// Names a thread.
pub(in crate::api) fn set_name(
    context: &Context,
    params: &ThreadSetNameParams,
    reply: Reply<ThreadSetNameParams>,
) {
    match thread_id(&params.thread_id) {
        Ok(id) => {
            let answer = answering(reply, |()| ThreadSetNameResponse {});
            context.engine.set_name(id, &params.name, answer);
        }
        Err(error) => reply.err(&error),
    }
}

/// Puts a thread away.
pub(in crate::api) fn archive(
    context: &Context,
    params: &ThreadArchiveParams,
    reply: Reply<ThreadArchiveParams>,
) {
    match session_id(&params.thread_id) {
        Ok(id) => {
            context.engine.archive(id, answering(reply, |()| ThreadArchiveResponse {}));
        }
        Err(error) => reply.err(&error),
    }
}

/// Brings a thread back.
pub(in crate::api) fn unarchive(
    context: &Context,
    params: &ThreadUnarchiveParams,
    reply: Reply<ThreadUnarchiveParams>,
) {
    let id = match session_id(&params.thread_id) {
        Ok(id) => id,
        Err(error) => return reply.err(&error),
    };
    let answer = Answer::new(move |back: Result<Arc<ThreadSnapshot>, Error>| match back {
        Ok(back) => reply.ok(&ThreadUnarchiveResponse { thread: thread::of(&back) }),
        Err(Error::NoRollout(id)) => reply.err(&Refusal::NotArchived(id).into()),
        Err(error) => reply.err(&of_engine(&error)),
    });
    context.engine.unarchive(id, answer);
}

/// Removes a thread.
pub(in crate::api) fn delete(
    context: &Context,
    params: &ThreadDeleteParams,
    reply: Reply<ThreadDeleteParams>,
) {
    match thread_id(&params.thread_id) {
        Ok(id) => context.engine.delete(id, answering(reply, |()| ThreadDeleteResponse {})),
        Err(error) => reply.err(&error),
    }
}

/// Stops following a thread.
pub(in crate::api) fn unsubscribe(
    context: &Context,
    params: &ThreadUnsubscribeParams,
) -> Result<ThreadUnsubscribeResponse, RpcError> {
    let id = thread_id(&params.thread_id)?;
    let status = match context.engine.unsubscribe(id, context.client.id) {
        Unsubscribed::Done => ThreadUnsubscribeStatus::Unsubscribed,
        Unsubscribed::NotSubscribed => ThreadUnsubscribeStatus::NotSubscribed,
        Unsubscribed::NotLoaded => ThreadUnsubscribeStatus::NotLoaded,
    };
    Ok(ThreadUnsubscribeResponse { status })
}
