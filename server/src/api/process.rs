//! `process/spawn` and what is done to such a process while it runs.

use spindle_engine::commands::{CommandKey, CommandKind};
use spindle_schema::v2::{
    ProcessKillParams, ProcessKillResponse, ProcessResizePtyParams, ProcessResizePtyResponse,
    ProcessSpawnParams, ProcessSpawnResponse, ProcessWriteStdinParams, ProcessWriteStdinResponse,
};

use super::context::{Context, answering};
use super::convert::command;
use super::errors::of_engine;
use crate::rpc::{Reply, RpcError};

/// Starts a process; its end is a notification.
pub(super) fn spawn(
    context: &Context,
    params: ProcessSpawnParams,
    reply: Reply<ProcessSpawnParams>,
) {
    let key = key(context, &params.process_handle);
    match command::process(params) {
        Ok(request) => {
            let answer = answering(reply, |()| ProcessSpawnResponse {});
            context.engine.commands().spawn(key, request, answer);
        }
        Err(refusal) => reply.err(&refusal.into()),
    }
}

/// Writes to a process's input. The next request about the process need not wait until it was
/// taken.
pub(super) fn write(
    context: &Context,
    params: &ProcessWriteStdinParams,
    mut reply: Reply<ProcessWriteStdinParams>,
) {
    let closes = params.close_stdin;
    match command::written("process/writeStdin", params.delta_base64.as_deref(), closes) {
        Ok(bytes) => {
            let _until_it_waits = reply.take_place();
            let answer = answering(reply, |()| ProcessWriteStdinResponse {});
            let key = key(context, &params.process_handle);
            context.engine.commands().write(&key, bytes, closes, answer);
        }
        Err(refusal) => reply.err(&refusal.into()),
    }
}

/// Kills a process.
pub(super) fn kill(
    context: &Context,
    params: &ProcessKillParams,
) -> Result<ProcessKillResponse, RpcError> {
    let killed = context.engine.commands().kill(&key(context, &params.process_handle));
    killed.map_err(|error| of_engine(&error))?;
    Ok(ProcessKillResponse {})
}

/// Changes the size of a process's terminal.
pub(super) fn resize(
    context: &Context,
    params: &ProcessResizePtyParams,
) -> Result<ProcessResizePtyResponse, RpcError> {
    let size = command::size(CommandKind::Process, (params.size.rows, params.size.cols))?;
    let resized = context.engine.commands().resize(&key(context, &params.process_handle), size);
    resized.map_err(|error| of_engine(&error))?;
    Ok(ProcessResizePtyResponse {})
}

fn key(context: &Context, handle: &str) -> CommandKey {
    command::key(context.client.id, CommandKind::Process, handle)
}
