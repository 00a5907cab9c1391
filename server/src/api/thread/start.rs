//! `thread/start`.

use spindle_engine::threads::{StartThread, Started};
use spindle_schema::v2::{ThreadStartParams, ThreadStartResponse};

use super::super::context::{Context, answering};
use super::super::convert::{settings, thread};
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
    };
    context.engine.start(request, answering(reply, |started| response(&started)));
}

fn response(started: &Started) -> ThreadStartResponse {
    let set = settings::of(&started.settings);
    opened!(ThreadStartResponse { thread::of(&started.thread), started, set })
}
