//! Refusals about the commands that clients run. The texts are the protocol's.

use spindle_engine::commands::{CommandError, CommandKind};

use super::data::Data;
use super::{chain, of_config};
use crate::rpc::RpcError;

/// Why the door refuses something about a command without asking the engine.
#[derive(Debug, thiserror::Error)]
pub(in crate::api) enum CommandRefusal {
    /// A time in the past.
    #[error("{kind} timeoutMs must be non-negative, got {given}")]
    Timeout {
        /// The kind of command.
        kind: CommandKind,
        /// What was asked for.
        given: i64,
    },
    /// A time, and none.
    #[error("command/exec cannot set both timeoutMs and disableTimeout")]
    TimeoutTwice,
    /// A cap, and none.
    #[error("command/exec cannot set both outputBytesCap and disableOutputCap")]
    CapTwice,
    /// A sandbox, twice.
    #[error("command/exec cannot set both permissionProfile and sandboxPolicy")]
    SandboxTwice,
    /// A size of no terminal.
    #[error("{0} size requires tty: true")]
    SizeWithoutTerminal(CommandKind),
    /// A terminal without lines or columns.
    #[error("{0} size rows and cols must be greater than 0")]
    EmptySize(CommandKind),
    /// What is to be written is not in base64.
    #[error("invalid deltaBase64: {0}")]
    Base64(#[from] base64::DecodeError),
    /// There is nothing to write and nothing to close.
    #[error("{0} requires deltaBase64 or closeStdin")]
    NothingToWrite(&'static str),
    /// What happens while a command runs needs a name for it.
    #[error("command/exec tty or streaming requires a client-supplied processId")]
    NamelessStream,
    /// A process needs a name.
    #[error("processHandle must not be empty")]
    EmptyHandle,
}

impl From<CommandRefusal> for RpcError {
    fn from(refusal: CommandRefusal) -> Self {
        let text = refusal.to_string();
        let (field, is_request) = match refusal {
            CommandRefusal::Timeout { .. } | CommandRefusal::TimeoutTwice => ("timeoutMs", false),
            CommandRefusal::CapTwice => ("outputBytesCap", false),
            CommandRefusal::SandboxTwice => ("permissionProfile", true),
            CommandRefusal::SizeWithoutTerminal(_) | CommandRefusal::EmptySize(_) => {
                ("size", false)
            }
            CommandRefusal::Base64(_) | CommandRefusal::NothingToWrite(_) => ("deltaBase64", false),
            CommandRefusal::NamelessStream => ("processId", true),
            CommandRefusal::EmptyHandle => ("processHandle", true),
        };
        let data = Data::InvalidValue { field };
        if is_request {
            Self::invalid_request(text, &data)
        } else {
            Self::invalid_params(text, &data)
        }
    }
}

/// What a client is told of an error about a command.
pub(super) fn of_command(error: &CommandError) -> RpcError {
    let text = error.to_string();
    match error {
        CommandError::Empty => {
            RpcError::invalid_request(text, &Data::InvalidValue { field: "command" })
        }
        CommandError::InUse(key) => {
            RpcError::invalid_request(text, &Data::CommandExists { name: key.name.text() })
        }
        CommandError::NotActive(key) => {
            RpcError::invalid_request(text, &Data::CommandNotFound { name: key.name.text() })
        }
        CommandError::NoStdin(_) | CommandError::StdinClosed => {
            RpcError::invalid_request(text, &Data::StdinClosed)
        }
        CommandError::NoTerminal | CommandError::Resize(_) => {
            RpcError::invalid_request(text, &Data::NoTerminal)
        }
        CommandError::NotStarted { source, .. } => {
            RpcError::internal(text, &Data::CommandNotStarted { detail: &chain(source) })
        }
        CommandError::Profile(error) => match error.write_code() {
            Some(_) => of_config(error),
            None => {
                RpcError::invalid_request(text, &Data::InvalidValue { field: "permissionProfile" })
            }
        },
        &CommandError::TooMuchOutput { exit_code, limit_bytes } => {
            RpcError::internal(text, &Data::OutputTooLarge { exit_code, limit_bytes })
        }
    }
}
