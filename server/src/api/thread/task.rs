//! `thread/compact/start` and `thread/shellCommand`: turns that are no talk with the model.

use spindle_schema::op::ShellCommand;
use spindle_schema::v2::{
    ThreadCompactStartParams, ThreadCompactStartResponse, ThreadShellCommandParams,
    ThreadShellCommandResponse,
};

use super::super::context::{Context, answering, thread_id};
use crate::rpc::Reply;

/// Puts a summary in the place of a thread's history.
pub(in crate::api) fn compact(
    context: &Context,
    params: &ThreadCompactStartParams,
    reply: Reply<ThreadCompactStartParams>,
) {
    match thread_id(&params.thread_id) {
        Ok(id) => context.engine.compact(id, answering(reply, |()| ThreadCompactStartResponse {})),
        Err(error) => reply.err(&error),
    }
}

/// Runs a person's command. A time limit that is no positive number is none.
pub(in crate::api) fn shell(
    context: &Context,
    params: ThreadShellCommandParams,
    reply: Reply<ThreadShellCommandParams>,
) {
    match thread_id(&params.thread_id) {
        Ok(id) => {
            let limit = params.timeout_ms.and_then(|limit| u64::try_from(limit).ok());
            let command = ShellCommand {
                command: params.command.into(),
                timeout_ms: limit.filter(|limit| *limit > 0),
            };
            let answer = answering(reply, |()| ThreadShellCommandResponse {});
            context.engine.run_shell(id, command, answer);
        }
        Err(error) => reply.err(&error),
    }
}
