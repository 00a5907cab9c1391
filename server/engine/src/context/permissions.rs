//! Permissions as a list of entries: what the model is told and what rollouts keep.

use serde_json::{Value, json};
use spindle_schema::settings::{NetworkAccess, SandboxPolicy, ThreadSettings};

/// Folders of a workspace that stay read-only in it.
pub(crate) const PROTECTED: [&str; 4] = [".git", ".agents", ".codex", ".aws"];

/// One rule about a place.
pub(crate) struct Entry {
    /// What is allowed there.
    pub(crate) access: Access,
    /// Where.
    pub(crate) place: Place,
    /// Whether the rule falls away when nothing is there.
    pub(crate) skip_missing: bool,
}

/// What is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Looking.
    Read,
    /// Looking and changing.
    Write,
}

/// Where a rule holds.
pub(crate) enum Place {
    /// A place with a name: `root`, `slash_tmp`, `tmpdir`.
    Special(&'static str),
    /// A path.
    Path(String),
}

/// The rules of a restricted policy; none for the others.
pub(crate) fn entries(settings: &ThreadSettings) -> Vec<Entry> {
    let rule = |access, place| Entry { access, place, skip_missing: false };
    let mut list = vec![rule(Access::Read, Place::Special("root"))];
    match &settings.sandbox_policy {
        SandboxPolicy::WorkspaceWrite {
            writable_roots,
            exclude_slash_tmp,
            exclude_tmpdir_env_var,
            ..
        } => {
            let own = settings.workspace_roots.iter().map(ToString::to_string);
            let roots: Vec<String> = own.chain(writable_roots.iter().cloned()).collect();
            list.extend(roots.iter().map(|r| rule(Access::Write, Place::Path(r.clone()))));
            if !exclude_slash_tmp {
                list.push(rule(Access::Write, Place::Special("slash_tmp")));
            }
            if !exclude_tmpdir_env_var {
                list.push(rule(Access::Write, Place::Special("tmpdir")));
            }
            for root in &roots {
                list.extend(PROTECTED.iter().map(|name| Entry {
                    access: Access::Read,
                    place: Place::Path(format!("{root}/{name}")),
                    skip_missing: true,
                }));
            }
            list
        }
        SandboxPolicy::ReadOnly { .. } => list,
        SandboxPolicy::DangerFullAccess | SandboxPolicy::ExternalSandbox { .. } => Vec::new(),
    }
}

/// The `permission_profile` member of rollout lines.
pub(crate) fn permission_profile(settings: &ThreadSettings) -> Value {
    let network = |open: bool| if open { "enabled" } else { "restricted" };
    match &settings.sandbox_policy {
        SandboxPolicy::DangerFullAccess => json!({ "type": "disabled" }),
        SandboxPolicy::ExternalSandbox { network_access } => json!({
            "type": "external",
            "network": network(*network_access == NetworkAccess::Enabled),
        }),
        SandboxPolicy::ReadOnly { network_access }
        | SandboxPolicy::WorkspaceWrite { network_access, .. } => json!({
            "type": "managed",
            "file_system": {
                "type": "restricted",
                "entries": entries(settings).iter().map(Entry::to_json).collect::<Vec<_>>(),
            },
            "network": network(*network_access),
        }),
    }
}

/// The `file_system_sandbox_policy` member of rollout lines: the same entries, where the policy's
/// own form does not show them.
pub(crate) fn file_system_policy(settings: &ThreadSettings) -> Option<Value> {
    let shown = matches!(settings.sandbox_policy, SandboxPolicy::WorkspaceWrite { .. });
    shown.then(|| {
        let entries = entries(settings).iter().map(Entry::to_json).collect::<Vec<_>>();
        json!({ "kind": "restricted", "entries": entries })
    })
}

impl Entry {
    fn to_json(&self) -> Value {
        let path = match &self.place {
            Place::Special(kind) => json!({ "type": "special", "value": { "kind": kind } }),
            Place::Path(path) => json!({ "type": "path", "path": path }),
        };
        let access = match self.access {
            Access::Read => "read",
            Access::Write => "write",
        };
        let mut value = json!({ "path": path, "access": access });
        if self.skip_missing {
            value["missing_path_behavior"] = "skip".into();
        }
        value
    }
}
