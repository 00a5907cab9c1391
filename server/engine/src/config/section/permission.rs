//! What may run, and who is asked.

use serde::Deserialize;
use serde_json::Value;
use spindle_schema::settings::{ApprovalPolicy, ApprovalsReviewer, SandboxPolicy};

use crate::config::error::Error;
use crate::config::reader::Reader;

/// The names of the sandbox policies that a file can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxMode {
    /// Read all files, write none.
    ReadOnly,
    /// Write in the workspace.
    WorkspaceWrite,
    /// Everything.
    DangerFullAccess,
}

/// Whether the user trusts a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrustLevel {
    /// Its configuration, rules and hooks count.
    Trusted,
    /// They do not.
    Untrusted,
}

/// `[sandbox_workspace_write]`: what goes with the mode of that name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkspaceWrite {
    /// Folders that may be written beside the workspace. Absolute.
    pub writable_roots: Vec<String>,
    /// Whether the network is open.
    pub network_access: bool,
    /// Keeps `$TMPDIR` read-only.
    pub exclude_tmpdir_env_var: bool,
    /// Keeps `/tmp` read-only.
    pub exclude_slash_tmp: bool,
}

/// What may run, and who is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct PermissionSettings {
    /// When a person is asked; `None` when nothing was said.
    pub approval_policy: Option<ApprovalPolicy>,
    /// Who answers.
    pub reviewer: ApprovalsReviewer,
    /// The sandbox; `None` when nothing was said.
    pub sandbox_mode: Option<SandboxMode>,
    /// What goes with `workspace-write`.
    pub workspace_write: WorkspaceWrite,
    /// The permission profile to start with: `:read-only`, `:workspace`,
    /// `:danger-full-access`, or one of `profiles`.
    pub default_profile: Option<Box<str>>,
    /// `[permissions]` as it stands.
    pub profiles: Option<Value>,
    /// Whether commands may run in a login shell.
    pub allow_login_shell: bool,
}

impl PermissionSettings {
    pub(crate) fn read(top: &Reader<'_>) -> Self {
        let write = top.table("sandbox_workspace_write");
        // Only a table can hold profiles; anything else is a fault.
        let _ = top.table("permissions");
        Self {
            approval_policy: top.get("approval_policy"),
            reviewer: top.get("approvals_reviewer").unwrap_or_default(),
            sandbox_mode: top.get("sandbox_mode"),
            workspace_write: WorkspaceWrite {
                writable_roots: write.get("writable_roots").unwrap_or_default(),
                network_access: write.get("network_access").unwrap_or_default(),
                exclude_tmpdir_env_var: write.get("exclude_tmpdir_env_var").unwrap_or_default(),
                exclude_slash_tmp: write.get("exclude_slash_tmp").unwrap_or_default(),
            },
            default_profile: top.get("default_permissions"),
            profiles: top.raw("permissions").filter(|value| value.is_object()).cloned(),
            allow_login_shell: top.get("allow_login_shell").unwrap_or(true),
        }
    }

    /// The policy behind a mode's name, with what the configuration says about it.
    pub fn policy(&self, mode: SandboxMode) -> SandboxPolicy {
        match mode {
            SandboxMode::ReadOnly => SandboxPolicy::ReadOnly { network_access: false },
            SandboxMode::DangerFullAccess => SandboxPolicy::DangerFullAccess,
            SandboxMode::WorkspaceWrite => SandboxPolicy::WorkspaceWrite {
                writable_roots: self.workspace_write.writable_roots.clone(),
                network_access: self.workspace_write.network_access,
                exclude_tmpdir_env_var: self.workspace_write.exclude_tmpdir_env_var,
                exclude_slash_tmp: self.workspace_write.exclude_slash_tmp,
            },
        }
    }

    /// The mode behind a permission profile's name.
    ///
    /// A profile of the user's own acts as the built-in one that it extends; what it adds to
    /// that is not applied, so one that extends nothing reads only.
    ///
    /// # Errors
    /// [`Error::NoPermissions`] when nobody described the profile.
    pub fn profile_mode(&self, name: &str) -> Result<SandboxMode, Error> {
        let mut name = name;
        // Profiles may extend one another; a chain longer than this goes in circles.
        for _ in 0..8 {
            match name {
                ":read-only" => return Ok(SandboxMode::ReadOnly),
                ":workspace" => return Ok(SandboxMode::WorkspaceWrite),
                ":danger-full-access" => return Ok(SandboxMode::DangerFullAccess),
                _ => {}
            }
            let profile = self.profiles.as_ref().and_then(|profiles| profiles.get(name));
            match profile.ok_or(Error::NoPermissions)?.get("extends").and_then(Value::as_str) {
                Some(parent) => name = parent,
                None => break,
            }
        }
        Ok(SandboxMode::ReadOnly)
    }
}
