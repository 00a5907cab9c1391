//! `thread/fork`.

use spindle_engine::threads::{ForkPoint, ForkThread, Started, ThreadManager};
use spindle_engine::{Answer, Error};
use spindle_schema::ids::TurnId;
use spindle_schema::v2::{ThreadForkParams, ThreadForkResponse};

use super::super::context::Context;
use super::super::convert::{settings, thread};
use super::super::errors::{Refusal, of_engine};
use super::origin::{SandboxBy, named, opened, origin};
use super::read::{all_turns, deprecated};
use crate::rpc::{Reply, RpcError};

/// Copies a thread.
pub(in crate::api) fn fork(
    context: &Context,
    params: ThreadForkParams,
    reply: Reply<ThreadForkParams>,
) {
    let has_turns = !params.exclude_turns;
    let request = match request(context, params) {
        Ok(request) => request,
        Err(error) => return reply.err(&error),
    };
    let answerer = context.clone();
    let answer = Answer::new(move |copied: Result<Started, Error>| match copied {
        Ok(copied) => answer_copied(&answerer, copied, has_turns, reply),
        Err(error) => reply.err(&of_engine(&error)),
    });
    context.engine.fork(request, answer);
}

fn request(context: &Context, params: ThreadForkParams) -> Result<ForkThread, RpcError> {
    let id = named(&params.thread_id, params.path.as_ref())?;
    let until = match (params.last_turn_id, params.before_turn_id) {
        (None, None) => ForkPoint::End,
        (Some(last), None) => ForkPoint::After(TurnId::new(last)),
        (None, Some(before)) => ForkPoint::Before(TurnId::new(before)),
        (Some(_), Some(_)) => return Err(Refusal::TwoForkPoints.into()),
    };
    if params.attach_to_source {
        let (method, field) = ("thread/fork", "attachToSource");
        return Err(Refusal::AbsentParam { method, field }.into());
    }
    let origin = origin!(params, personality: None);
    Ok(ForkThread {
        source: origin.into_source(context, SandboxBy::Policy)?,
        id,
        path: params.path.map(Into::into),
        until,
        ephemeral: params.ephemeral,
        thread_source: params.thread_source.map(|source| source.0.into()),
    })
}

/// The turns of the copy are read apart from its session; what is said meanwhile waits.
fn answer_copied(
    context: &Context,
    copied: Started,
    has_turns: bool,
    reply: Reply<ThreadForkParams>,
) {
    if !has_turns {
        return reply.ok(&response(&copied));
    }
    deprecated(&context.client, "use `excludeTurns: true`, then");
    let hold = context.client.hold();
    let engine = context.engine.clone();
    context.tasks.spawn(async move {
        reply.settle(whole(&engine, &copied).await);
        drop(hold);
    });
}

async fn whole(engine: &ThreadManager, copied: &Started) -> Result<ThreadForkResponse, RpcError> {
    let mut response = response(copied);
    response.thread.turns = all_turns(engine, copied.thread.id).await?;
    Ok(response)
}

fn response(copied: &Started) -> ThreadForkResponse {
    let set = settings::of(&copied.settings);
    opened!(ThreadForkResponse { thread::of(&copied.thread), copied, set })
}
