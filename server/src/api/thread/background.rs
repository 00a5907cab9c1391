//! `thread/backgroundTerminals/list`, `…/terminate` and `…/clean`.

use spindle_engine::threads::BackgroundCommand;
use spindle_schema::v2::{
    LegacyAppPathString, ThreadBackgroundTerminal, ThreadBackgroundTerminalsCleanParams,
    ThreadBackgroundTerminalsCleanResponse, ThreadBackgroundTerminalsListParams,
    ThreadBackgroundTerminalsListResponse, ThreadBackgroundTerminalsTerminateParams,
    ThreadBackgroundTerminalsTerminateResponse,
};

use super::super::context::{Context, answering, thread_id};
use super::super::convert::path;
use super::super::errors::{Refusal, of_engine};
use crate::rpc::{Reply, RpcError};

/// The commands of a thread that go on beyond their call, oldest first. The cursor is the id of
/// the last one told, so that pages stay right while commands end.
pub(in crate::api) fn list(
    context: &Context,
    params: &ThreadBackgroundTerminalsListParams,
) -> Result<ThreadBackgroundTerminalsListResponse, RpcError> {
    let id = thread_id(&params.thread_id)?;
    let after = match params.cursor.as_deref() {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| Refusal::Cursor(cursor))?,
    };
    let mut commands = context.engine.background_commands(id).map_err(|error| of_engine(&error))?;
    commands.retain(|command| command.id > after);
    let limit = params.limit.map_or(usize::MAX, |limit| limit.max(1) as usize);
    let has_more = commands.len() > limit;
    commands.truncate(limit);
    let last = commands.last().filter(|_| has_more);
    let next_cursor = last.map(|command| command.id.to_string());
    Ok(ThreadBackgroundTerminalsListResponse {
        data: commands.into_iter().map(terminal).collect(),
        next_cursor,
    })
}

fn terminal(command: BackgroundCommand) -> ThreadBackgroundTerminal {
    ThreadBackgroundTerminal {
        item_id: command.item_id.to_string(),
        process_id: command.id.to_string(),
        command: command.command,
        cwd: LegacyAppPathString(path::of_url(&command.cwd)),
        os_pid: None,
        cpu_percent: None,
        rss_kb: None,
    }
}

/// Ends one command of a thread; answered when it is gone.
pub(in crate::api) fn terminate(
    context: &Context,
    params: &ThreadBackgroundTerminalsTerminateParams,
    reply: Reply<ThreadBackgroundTerminalsTerminateParams>,
) {
    let id = match thread_id(&params.thread_id) {
        Ok(id) => id,
        Err(error) => return reply.err(&error),
    };
    let response = |terminated| ThreadBackgroundTerminalsTerminateResponse { terminated };
    match params.process_id.parse() {
        Ok(command) => context.engine.end_command(id, command, answering(reply, response)),
        // No command has such an id.
        Err(_) => reply.ok(&response(false)),
    }
}

/// Ends all commands of a thread that go on beyond their call; answered when they are gone.
pub(in crate::api) fn clean(
    context: &Context,
    params: &ThreadBackgroundTerminalsCleanParams,
    reply: Reply<ThreadBackgroundTerminalsCleanParams>,
) {
    match thread_id(&params.thread_id) {
        Ok(id) => {
            let answer = answering(reply, |()| ThreadBackgroundTerminalsCleanResponse {});
            context.engine.end_background_commands(id, answer);
        }
        Err(error) => reply.err(&error),
    }
}
