//! What may run, and who is asked.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use spindle_schema::settings::{ApprovalPolicy, ApprovalsReviewer, SandboxPolicy};

use super::network::NetworkProfile;
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
    /// What each of `profiles` says of the network.
    pub networks: BTreeMap<Box<str>, NetworkProfile>,
    /// Whether commands may run in a login shell.
    pub allow_login_shell: bool,
}

impl PermissionSettings {
    pub(crate) fn read(top: &Reader<'_>) -> Self {
        let write = top.table("sandbox_workspace_write");
        let profiles = top.table("permissions").tables().into_iter();
        let network = |(name, table): (&str, Reader<'_>)| {
            (name.into(), NetworkProfile::read(&table.table("network")))
        };
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
            networks: profiles.map(network).collect(),
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
    /// A profile of the user's own acts as the built-in one that it extends, so one that extends
    /// nothing reads only.
    ///
    /// # Errors
    /// [`Error::NoPermissions`] when nobody described the profile.
    pub fn profile_mode(&self, name: &str) -> Result<SandboxMode, Error> {
        match *self.chain(name).last().unwrap_or(&name) {
            ":workspace" => Ok(SandboxMode::WorkspaceWrite),
            ":danger-full-access" => Ok(SandboxMode::DangerFullAccess),
            last if last == ":read-only" || self.profile(last).is_some() => {
                Ok(SandboxMode::ReadOnly)
            }
            _ => Err(Error::NoPermissions),
        }
    }

    /// The policy behind a permission profile's name: that of its mode, with the folders for
    /// temporary files kept as the profile wants them. What else it says of files is not applied.
    ///
    /// # Errors
    /// As [`profile_mode`](Self::profile_mode).
    pub fn profile_policy(&self, name: &str) -> Result<SandboxPolicy, Error> {
        let mut policy = self.policy(self.profile_mode(name)?);
        if let SandboxPolicy::WorkspaceWrite { exclude_tmpdir_env_var, exclude_slash_tmp, .. } =
            &mut policy
        {
            let closed = |place: &str| {
                let said = self
                    .chain(name)
                    .into_iter()
                    .find_map(|name| self.profile(name)?.get("filesystem")?.get(place)?.as_str());
                said.is_some_and(|access| access != "write")
            };
            *exclude_tmpdir_env_var |= closed(":tmpdir");
            *exclude_slash_tmp |= closed(":slash_tmp");
        }
        Ok(policy)
    }

    /// What a permission profile says of the network, with those that it extends.
    pub(crate) fn network_of(&self, name: &str) -> NetworkProfile {
        let said = self.chain(name).into_iter().filter_map(|name| self.networks.get(name));
        said.rev().fold(NetworkProfile::default(), |base, own| own.clone().over(base))
    }

    fn profile(&self, name: &str) -> Option<&Value> {
        self.profiles.as_ref()?.get(name)
    }

    /// A profile and those that it extends, one after the other.
    fn chain<'a>(&'a self, name: &'a str) -> Vec<&'a str> {
        let parent = |name: &&'a str| self.profile(name)?.get("extends")?.as_str();
        // Profiles may extend one another; a chain longer than this goes in circles.
        std::iter::successors(Some(name), parent).take(8).collect()
    }
}
