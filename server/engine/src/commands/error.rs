//! Why a client's command, or something about it, was refused.

use spindle_exec::SpawnError;

use super::request::{CommandKey, CommandKind};
use crate::config;

/// Why a command was not run, written to, resized or ended.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// There is no program to run.
    #[error("command must not be empty")]
    Empty,
    /// A running command of the connection has that name.
    #[error("duplicate active {}: {:?}", .0.kind.what_names_it(), .0.name.text())]
    InUse(CommandKey),
    /// No running command of the connection has that name.
    #[error("no active {} for {} {:?}", .0.kind, .0.kind.how_it_is_named(), .0.name.text())]
    NotActive(CommandKey),
    /// The command was started without an input that can be written.
    #[error("stdin streaming is not enabled for this {0}")]
    NoStdin(CommandKind),
    /// The command closed its input, or has ended.
    #[error("stdin is closed")]
    StdinClosed,
    /// The command has no terminal.
    #[error("failed to resize PTY: process is not attached to a PTY")]
    NoTerminal,
    /// The system refused another size.
    #[error("failed to resize PTY: {0}")]
    Resize(#[source] std::io::Error),
    /// The command could not be started.
    #[error("failed to spawn {}: {}", .kind.word(), root_cause(.source))]
    NotStarted {
        /// The kind of command.
        kind: CommandKind,
        /// What went wrong.
        source: SpawnError,
    },
    /// The permission profile that is to hold it cannot be used.
    #[error("invalid permission profile: {0}")]
    Profile(#[source] config::Error),
    /// The command has ended, but printed more than one answer can hold.
    #[error(
        "the command ended with code {exit_code} but printed more than {limit_bytes} bytes; \
         stream its output or set outputBytesCap"
    )]
    TooMuchOutput {
        /// How it ended.
        exit_code: i32,
        /// How much an answer can hold of each output.
        limit_bytes: u64,
    },
}

/// What the system said, where it said something: clients know these texts.
fn root_cause(error: &SpawnError) -> String {
    if let SpawnError::NotFound(_) = error {
        return std::io::Error::from_raw_os_error(rustix::io::Errno::NOENT.raw_os_error())
            .to_string();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
