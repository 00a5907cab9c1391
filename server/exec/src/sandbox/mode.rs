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
    /// What another mode allows, and files and folders that somebody allowed by name beyond it.
    Widened {
        /// The other mode; [`ReadOnly`](Mode::ReadOnly) or
        /// [`WorkspaceWrite`](Mode::WorkspaceWrite).
        base: Box<Mode>,
        /// What may be written besides; absolute. One counts only while it is there and no part
        /// of its path is a link, so that nobody can turn a yes to one place into a yes to
        /// another. It may be one that `base` keeps read-only.
        writable: Vec<PathBuf>,
        /// What stays read-only all the same, as for `WorkspaceWrite`; nothing inside an absolute
        /// path of it can be allowed.
        protected: Vec<PathBuf>,
    },
}

impl Mode {
    /// Says whether a sandbox of ours holds commands of this mode.
    pub fn is_sandboxed(&self) -> bool {
        match self {
            Self::FullAccess | Self::External => false,
            Self::ReadOnly { .. } | Self::WorkspaceWrite { .. } => true,
            Self::Widened { base, .. } => base.is_sandboxed(),
        }
    }

    /// The same without the network.
    #[must_use]
    pub fn offline(self) -> Self {
        self.with_network(false)
    }

    /// The same with the network.
    #[must_use]
    pub fn online(self) -> Self {
        self.with_network(true)
    }

    fn with_network(mut self, open: bool) -> Self {
        match &mut self {
            Self::FullAccess | Self::External => {}
            Self::ReadOnly { network } | Self::WorkspaceWrite { network, .. } => *network = open,
            Self::Widened { base, .. } => {
                let inner = std::mem::replace(&mut **base, Self::FullAccess);
                **base = inner.with_network(open);
            }
        }
        self
    }

    /// Says whether commands of this mode are kept from the network.
    pub fn is_offline(&self) -> bool {
        match self {
            Self::FullAccess | Self::External => false,
            Self::ReadOnly { network } | Self::WorkspaceWrite { network, .. } => !network,
            Self::Widened { base, .. } => base.is_offline(),
        }
    }
}
