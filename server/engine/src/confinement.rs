//! From what people set to what holds a command.

use std::path::{Path, PathBuf};

use spindle_exec::sandbox::Mode;
use spindle_schema::settings::{SandboxPolicy, ThreadSettings};

use crate::context::PROTECTED;

/// What a command may touch under these settings. Our own home, and what decides over a project,
/// stays read-only although it is below a writable folder.
pub(crate) fn mode_of(settings: &ThreadSettings, home: &Path) -> Mode {
    match &settings.sandbox_policy {
        SandboxPolicy::DangerFullAccess => Mode::FullAccess,
        SandboxPolicy::ExternalSandbox { .. } => Mode::External,
        SandboxPolicy::ReadOnly { network_access } => Mode::ReadOnly { network: *network_access },
        SandboxPolicy::WorkspaceWrite {
            writable_roots,
            network_access,
            exclude_tmpdir_env_var,
            exclude_slash_tmp,
        } => {
            let own = settings.workspace_roots.iter().map(|root| PathBuf::from(&**root));
            let more = writable_roots.iter().map(PathBuf::from);
            let names = PROTECTED.iter().map(PathBuf::from);
            Mode::WorkspaceWrite {
                roots: own.chain(more).collect(),
                exclude_tmp: *exclude_tmpdir_env_var,
                exclude_slash_tmp: *exclude_slash_tmp,
                network: *network_access,
                protected: names.chain([home.to_path_buf()]).collect(),
            }
        }
    }
}
