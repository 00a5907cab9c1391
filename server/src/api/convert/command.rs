//! Commands that clients run, in the engine's words.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use spindle_engine::commands::{
    CommandKey, CommandKind, CommandName, CommandRequest, Finished, Held, Input, TerminalSize,
};
use spindle_schema::ids::ConnectionId;
use spindle_schema::maybe::Maybe;
use spindle_schema::v2::{CommandExecParams, CommandExecResponse, ProcessSpawnParams};

use super::super::errors::CommandRefusal;
use super::settings::sandbox_from;

/// How long a command may run when its client does not say.
const USUAL_TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of each output that are told or kept when the client does not say.
const USUAL_CAP_BYTES: u64 = 1 << 20;

/// Which command a client means.
pub(in crate::api) fn key(connection: ConnectionId, kind: CommandKind, name: &str) -> CommandKey {
    CommandKey { connection, kind, name: CommandName::Given(name.into()) }
}

/// The size of a terminal: rows and columns.
pub(in crate::api) fn size(
    kind: CommandKind,
    (rows, cols): (u16, u16),
) -> Result<TerminalSize, CommandRefusal> {
    if rows == 0 || cols == 0 {
        return Err(CommandRefusal::EmptySize(kind));
    }
    Ok(TerminalSize { rows, cols })
}

/// What a client wants written; `method` is how it asks.
pub(in crate::api) fn written(
    method: &'static str,
    delta: Option<&str>,
    closes: bool,
) -> Result<Vec<u8>, CommandRefusal> {
    match delta {
        Some(delta) => Ok(STANDARD.decode(delta)?),
        None if closes => Ok(Vec::new()),
        None => Err(CommandRefusal::NothingToWrite(method)),
    }
}

/// What `command/exec` wants run.
pub(in crate::api) fn exec(params: CommandExecParams) -> Result<CommandRequest, CommandRefusal> {
    let kind = CommandKind::Exec;
    let is_followed = params.tty || params.stream_stdin || params.stream_stdout_stderr;
    if is_followed && params.process_id.is_none() {
        return Err(CommandRefusal::NamelessStream);
    }
    let timeout = match (params.timeout_ms, params.disable_timeout) {
        (Some(_), true) => return Err(CommandRefusal::TimeoutTwice),
        (None, true) => None,
        (None, false) => Some(USUAL_TIMEOUT),
        (Some(given), false) => Some(milliseconds(kind, given)?),
    };
    let cap_bytes = match (params.output_bytes_cap, params.disable_output_cap) {
        (Some(_), true) => return Err(CommandRefusal::CapTwice),
        (None, true) => None,
        (cap, false) => Some(cap.unwrap_or(USUAL_CAP_BYTES)),
    };
    let held = match (params.sandbox_policy, params.permission_profile) {
        (Some(_), Some(_)) => return Err(CommandRefusal::SandboxTwice),
        (Some(policy), None) => Held::Policy(sandbox_from(policy)),
        (None, Some(profile)) => Held::Profile(profile.into()),
        (None, None) => Held::Configured,
    };
    let size = params.size.map(|size| (size.rows, size.cols));
    Ok(CommandRequest {
        argv: params.command,
        cwd: params.cwd,
        env: params.env.unwrap_or_default(),
        held,
        input: input(kind, Ends { tty: params.tty, stdin: params.stream_stdin, size })?,
        streams: params.stream_stdout_stderr || params.tty,
        cap_bytes,
        timeout,
    })
}

/// What `process/spawn` wants run. Nothing holds it: it is the client's own program.
pub(in crate::api) fn process(
    params: ProcessSpawnParams,
) -> Result<CommandRequest, CommandRefusal> {
    let kind = CommandKind::Process;
    if params.process_handle.is_empty() {
        return Err(CommandRefusal::EmptyHandle);
    }
    let timeout = match params.timeout_ms {
        Maybe::Absent => Some(USUAL_TIMEOUT),
        Maybe::Null => None,
        Maybe::Value(given) => Some(milliseconds(kind, given)?),
    };
    let cap_bytes = match params.output_bytes_cap {
        Maybe::Absent => Some(USUAL_CAP_BYTES),
        Maybe::Null => None,
        Maybe::Value(cap) => Some(cap),
    };
    let size = params.size.map(|size| (size.rows, size.cols));
    Ok(CommandRequest {
        argv: params.command,
        cwd: Some(params.cwd.0),
        env: params.env.unwrap_or_default(),
        held: Held::Free,
        input: input(kind, Ends { tty: params.tty, stdin: params.stream_stdin, size })?,
        streams: params.stream_stdout_stderr || params.tty,
        cap_bytes,
        timeout,
    })
}

/// What a client says about the ends of a command.
#[derive(Clone, Copy)]
struct Ends {
    tty: bool,
    stdin: bool,
    size: Option<(u16, u16)>,
}

fn input(kind: CommandKind, ends: Ends) -> Result<Input, CommandRefusal> {
    let Ends { tty, stdin, size: wanted } = ends;
    match (tty, wanted) {
        (false, Some(_)) => Err(CommandRefusal::SizeWithoutTerminal(kind)),
        (false, None) => Ok(if stdin { Input::Written } else { Input::Empty }),
        (true, None) => Ok(Input::Terminal(TerminalSize::default())),
        (true, Some(wanted)) => size(kind, wanted).map(Input::Terminal),
    }
}

fn milliseconds(kind: CommandKind, given: i64) -> Result<Duration, CommandRefusal> {
    let time = u64::try_from(given).map_err(|_| CommandRefusal::Timeout { kind, given })?;
    Ok(Duration::from_millis(time))
}

/// How a command ended.
pub(in crate::api) fn finished(finished: Finished) -> CommandExecResponse {
    let Finished { exit_code, stdout, stderr, .. } = finished;
    CommandExecResponse { exit_code, stdout: stdout.text, stderr: stderr.text }
}

#[cfg(test)]
mod tests;
