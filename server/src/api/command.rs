//! `command/exec` and what is done to such a command while it runs.

use spindle_engine::commands::{CommandKey, CommandKind, CommandName};
use spindle_schema::v2::{
    CommandExecParams, CommandExecResizeParams, CommandExecResizeResponse,
    CommandExecTerminateParams, CommandExecTerminateResponse, CommandExecWriteParams,
    CommandExecWriteResponse,
};

use super::context::{Context, answering};
use super::convert::command;
use super::errors::of_engine;
use crate::rpc::{Reply, RpcError};

/// Runs a command; the answer is its end.
pub(super) fn exec(
    context: &Context,
    params: CommandExecParams,
    mut reply: Reply<CommandExecParams>,
) {
    let commands = context.engine.commands();
    let name = match &params.process_id {
        Some(id) => CommandName::Given(id.as_str().into()),
        None => commands.nameless(),
    };
    match command::exec(params) {
        Ok(request) => {
            let key = CommandKey { connection: context.client.id, kind: CommandKind::Exec, name };
            let place = reply.take_place();
            commands.exec(key, request, place, answering(reply, command::finished));
        }
        Err(refusal) => reply.err(&refusal.into()),
    }
}

/// Writes to a command's input. The next request about the command need not wait until it was
/// taken.
pub(super) fn write(
    context: &Context,
    params: &CommandExecWriteParams,
    mut reply: Reply<CommandExecWriteParams>,
) {
    let closes = params.close_stdin;
    match command::written("command/exec/write", params.delta_base64.as_deref(), closes) {
        Ok(bytes) => {
            let _until_it_waits = reply.take_place();
            let answer = answering(reply, |()| CommandExecWriteResponse {});
            let key = key(context, &params.process_id);
            context.engine.commands().write(&key, bytes, closes, answer);
        }
        Err(refusal) => reply.err(&refusal.into()),
    }
}

/// Kills a command.
pub(super) fn terminate(
    context: &Context,
    params: &CommandExecTerminateParams,
) -> Result<CommandExecTerminateResponse, RpcError> {
    let killed = context.engine.commands().kill(&key(context, &params.process_id));
    killed.map_err(|error| of_engine(&error))?;
    Ok(CommandExecTerminateResponse {})
}

/// Changes the size of a command's terminal.
pub(super) fn resize(
    context: &Context,
    params: &CommandExecResizeParams,
) -> Result<CommandExecResizeResponse, RpcError> {
    let size = command::size(CommandKind::Exec, (params.size.rows, params.size.cols))?;
    let resized = context.engine.commands().resize(&key(context, &params.process_id), size);
    resized.map_err(|error| of_engine(&error))?;
    Ok(CommandExecResizeResponse {})
}

fn key(context: &Context, id: &str) -> CommandKey {
    command::key(context.client.id, CommandKind::Exec, id)
}
