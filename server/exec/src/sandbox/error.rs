//! Why a command cannot be held.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why the sandbox for a command could not be made. The command did not run.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// The command was cleared because the sandbox would hold it, and its mode is to hold nothing.
    #[error("the command was allowed inside the sandbox only")]
    NotHeld,
    /// This system has no means to enforce the mode; see [`Support`](super::Support).
    #[error("nothing on this system can enforce the sandbox")]
    Unavailable,
    /// This system cannot give a command a network of its own.
    #[error("nothing on this system can give a command a network of its own")]
    NoOwnNetwork,
    /// A protected path is a link, and the means of this system cannot keep a link in its place.
    #[error("cannot protect the link {}", .0.display())]
    ProtectedLink(PathBuf),
    /// A trial command behind the same walls did not run well.
    #[error("a trial command ended with code {code}")]
    Probe {
        /// Its exit code.
        code: i32,
    },
    /// The filter of system calls could not be made.
    #[error("cannot make the filter of system calls: {0}")]
    Filter(#[from] seccompiler::BackendError),
    /// The rules for files could not be made.
    #[error("cannot make the rules for files")]
    Rules(#[from] landlock::RulesetError),
    /// Something that the sandbox needs could not be made.
    #[error("cannot make {what} for the sandbox")]
    Prepare {
        /// What could not be made.
        what: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The system refused a step inside the new process.
    #[error("cannot enter the sandbox ({step})")]
    Enter {
        /// The step that failed.
        step: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

impl SandboxError {
    pub(crate) fn prepare(what: &'static str) -> impl Fn(io::Error) -> Self {
        move |source| Self::Prepare { what, source }
    }
}
