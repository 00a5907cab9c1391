//! What can go wrong with a process.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::sandbox::SandboxError;

/// Why a command did not start. Nothing was run and nothing is left behind.
#[derive(Debug, Error)]
pub enum SpawnError {
    /// There is no program to run.
    #[error("the command is empty")]
    Empty,
    /// A zero byte cannot be passed to a program.
    #[error("{0} contains a zero byte")]
    ZeroByte(&'static str),
    /// No folder of `PATH` has the program.
    #[error("program not found: {}", .0.display())]
    NotFound(OsString),
    /// The folder to start in cannot be entered.
    #[error("cannot enter folder {}", path.display())]
    Cwd {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The system refused to run the program.
    #[error("cannot run {}", program.display())]
    Exec {
        /// The program as it was found.
        program: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A pipe, a terminal or another thing that a process needs could not be made.
    #[error("cannot make {what} for the command")]
    Resource {
        /// What could not be made.
        what: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The sandbox that the command asks for could not be made.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The process was made but could not be set up.
    #[error("cannot set up the process ({step})")]
    Setup {
        /// The step that failed.
        step: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

impl SpawnError {
    /// Says whether the same command may start when tried again a little later.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Resource { source, .. } | Self::Setup { source, .. } => matches!(
                source.raw_os_error(),
                Some(libc::EAGAIN | libc::ENOMEM | libc::EMFILE | libc::ENFILE)
            ),
            _ => false,
        }
    }
}

/// Why bytes did not reach a command.
#[derive(Debug, Error)]
pub enum WriteError {
    /// Its standard input was never open, was closed, or the command has ended.
    #[error("standard input is closed")]
    StdinClosed,
    /// The system refused.
    #[error("cannot write to the command")]
    Io(#[source] io::Error),
}
