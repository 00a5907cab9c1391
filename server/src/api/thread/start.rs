//! `thread/start`.

use spindle_engine::threads::{StartThread, Started};
use spindle_engine::{Answer, Error};
use spindle_schema::v2::{ThreadStartParams, ThreadStartResponse};

use super::super::context::Context;
use super::super::convert::{settings, thread};
use super::super::errors::without_project;
use super::origin::{SandboxBy, opened, origin};
use crate::rpc::Reply;

/// Makes a thread.
pub(in crate::api) fn start(
    context: &Context,
    params: ThreadStartParams,
    reply: Reply<ThreadStartParams>,
) {
    let origin = origin!(params, personality: params.personality);
    let source = match origin.into_source(context, SandboxBy::Configuration) {
        Ok(source) => source,
        Err(error) => return reply.err(&error),
    };
    let request = StartThread {
        source,
        ephemeral: params.ephemeral.unwrap_or_default(),
        thread_source: params.thread_source.map(|source| source.0.into()),
        client_tools: params.dynamic_tools.and_then(|tools| serde_json::to_value(tools).ok()),
        id: None,
        project: params.project_id.map(Into::into),
    };
    let answer = Answer::new(move |started: Result<Started, Error>| match started {
        Ok(started) => reply.ok(&response(&started)),
        Err(error) => reply.err(&without_project(&error)),
    });
    context.engine.start(request, answer);
}

fn response(started: &Started) -> ThreadStartResponse {
    let set = settings::of(&started.settings);
    opened!(ThreadStartResponse { thread::of(&started.thread), started, set })
}
