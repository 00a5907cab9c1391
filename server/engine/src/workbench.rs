//! Commands that a person starts by hand, under the settings, the rules and the sandbox that the
//! commands of a thread get.
//!
//! Knows neither threads nor models: what `spindle sandbox`, `spindle execpolicy` and
//! `spindle doctor` say about a command is what a thread would do with it.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use spindle_exec::env::{self, Environment};
use spindle_exec::policy::RuleBook;
use spindle_exec::sandbox::Mode;
use spindle_schema::op::SettingsUpdate;
use spindle_schema::settings::{ApprovalPolicy, SandboxPolicy};

use crate::config::{Config, Error, Loader, SandboxMode};
use crate::confinement::mode_of;
use crate::threads::EngineOptions;

#[cfg(test)]
mod tests;

/// The settings and rules of this machine, outside any thread.
#[derive(Debug)]
pub struct Workbench {
    home: PathBuf,
    cwd: PathBuf,
    env: Arc<HashMap<String, String>>,
    config: Loader,
}

/// What the person asks for, over the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The folder to work in; none means the current one.
    pub cwd: Option<PathBuf>,
    /// What may be touched; none leaves it to the settings.
    pub mode: Option<SandboxMode>,
    /// Folders that may be written in beside that one. Absolute.
    pub writable: Vec<PathBuf>,
    /// Opens the network.
    pub network: bool,
}

/// Under what terms a command runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// The folder that it works in; absolute.
    pub cwd: PathBuf,
    /// What it may touch.
    pub mode: Mode,
    /// When a person is asked about commands of a thread.
    pub approval: ApprovalPolicy,
    /// What it sees of the environment.
    pub env: Environment,
    /// What is wrong with the settings, each in a sentence or more.
    pub warnings: Vec<String>,
}

/// Why there are no terms for a command.
#[derive(Debug, thiserror::Error)]
pub enum WorkbenchError {
    /// The settings cannot be used.
    #[error(transparent)]
    Config(#[from] Error),
    /// Folders are to be writable in a mode in which nothing is.
    #[error("nothing may be written in read-only mode; choose the mode workspace-write as well")]
    ReadOnly,
    /// The owner of the machine allows other modes only.
    #[error("the requirements of this machine do not allow this mode")]
    NotAllowed,
}

impl Workbench {
    /// Prepares to read; touches no file.
    pub fn new(options: EngineOptions) -> Self {
        let env = Arc::new(options.env);
        let EngineOptions { home, cwd, config_overrides, features, .. } = options;
        let config = Loader::new(home.clone(), config_overrides, features, Arc::clone(&env));
        Self { home, cwd, env, config }
    }

    /// The folder of settings, rules and threads.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The rules about commands that threads go by.
    pub fn rules(&self) -> RuleBook {
        RuleBook::new(vec![self.home.join("rules")])
    }

    /// The terms of a command: what is wanted over what the settings say for its folder.
    ///
    /// # Errors
    /// [`WorkbenchError`] when the settings cannot be used or forbid what is wanted.
    pub fn terms(&self, wanted: &Wanted) -> Result<Terms, WorkbenchError> {
        let cwd = wanted.cwd.as_ref().map_or_else(|| self.cwd.clone(), |cwd| self.cwd.join(cwd));
        let config = self.config.load(Some(&cwd), None)?;
        let policy = policy(&config, wanted)?;
        let update = SettingsUpdate {
            cwd: Some(cwd.to_string_lossy().into()),
            sandbox_policy: Some(policy.clone()),
            ..SettingsUpdate::default()
        };
        let settings = config.settings(&self.cwd, &update);
        if settings.sandbox_policy != policy {
            return Err(WorkbenchError::NotAllowed);
        }
        let mode = mode_of(&settings, &self.home);
        let base = self.env.iter().map(|(name, value)| (OsString::from(name), value.into()));
        let mut env = config.environment.apply(base);
        if mode.is_offline() {
            env::overlay(&mut env, [env::NO_NETWORK]);
        }
        let warnings = config.warnings().iter().map(|warning| match &warning.details {
            Some(details) => format!("{}\n{details}", warning.summary),
            None => warning.summary.clone(),
        });
        let warnings = warnings.collect();
        Ok(Terms { cwd, mode, approval: settings.approval_policy, env, warnings })
    }
}

/// The policy of the settings, or that of the mode that is wanted, with what is added to it.
fn policy(config: &Config, wanted: &Wanted) -> Result<SandboxPolicy, WorkbenchError> {
    let chosen = wanted.mode.map(|mode| config.permission.policy(mode));
    let mut policy = chosen.unwrap_or_else(|| config.sandbox_policy());
    match &mut policy {
        SandboxPolicy::ReadOnly { .. } if !wanted.writable.is_empty() => {
            return Err(WorkbenchError::ReadOnly);
        }
        SandboxPolicy::ReadOnly { network_access } => *network_access |= wanted.network,
        SandboxPolicy::WorkspaceWrite { writable_roots, network_access, .. } => {
            let added = wanted.writable.iter().map(|root| root.to_string_lossy().into_owned());
            writable_roots.extend(added);
            *network_access |= wanted.network;
        }
        SandboxPolicy::DangerFullAccess | SandboxPolicy::ExternalSandbox { .. } => {}
    }
    Ok(policy)
}
