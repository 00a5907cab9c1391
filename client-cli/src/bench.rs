//! The settings, rules and sandbox of this machine, as threads have them, without a daemon.

use std::path::{Path, PathBuf};

use anyhow::Context;
use spindle_server::ServerOptions;
pub(crate) use spindle_server::{SandboxMode, Terms, Wanted, Workbench};

use crate::args::Shared;

/// Makes them ready, with the settings of the command line.
pub(crate) fn make(shared: &Shared) -> Workbench {
    spindle_server::workbench(&ServerOptions {
        config_overrides: shared.config.clone(),
        features: shared.features(),
        ..ServerOptions::default()
    })
}

/// A folder that must be there, without links.
pub(crate) fn folder(path: &Path) -> anyhow::Result<PathBuf> {
    let real = std::fs::canonicalize(path)
        .with_context(|| format!("failed to find {}", path.display()))?;
    anyhow::ensure!(real.is_dir(), "{} is no folder", path.display());
    Ok(real)
}
