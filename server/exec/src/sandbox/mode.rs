//! The promise that is made about a command.

use std::path::PathBuf;

/// What a command may do to the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// Everything the user may.
    FullAccess,
    /// Something outside already holds the whole server: no sandbox of our own.
    External,
    /// Reads everything, writes nothing.
    ReadOnly {
        /// Whether it may use the network.
        network: bool,
    },
    /// Reads everything, writes below some folders.
    WorkspaceWrite {
        /// The folders that it may write in; absolute.
        roots: Vec<PathBuf>,
        /// Takes the folder named by `TMPDIR` out.
        exclude_tmp: bool,
        /// Takes `/tmp` out.
        exclude_slash_tmp: bool,
        /// Whether it may use the network.
        network: bool,
        /// What stays read-only although it is below a root. A relative path is looked for below
        /// each of `roots`; `.git`, `.agents` and `.codex` always are.
        protected: Vec<PathBuf>,
    },
}

impl Mode {
    /// Says whether a sandbox of ours holds commands of this mode.
    pub fn is_sandboxed(&self) -> bool {
        matches!(self, Self::ReadOnly { .. } | Self::WorkspaceWrite { .. })
    }

    /// The same without the network.
    #[must_use]
    pub fn offline(mut self) -> Self {
        if let Self::ReadOnly { network } | Self::WorkspaceWrite { network, .. } = &mut self {
            *network = false;
        }
        self
    }

    /// Says whether commands of this mode are kept from the network.
    pub fn is_offline(&self) -> bool {
        matches!(
            self,
            Self::ReadOnly { network: false } | Self::WorkspaceWrite { network: false, .. }
        )
    }
}
