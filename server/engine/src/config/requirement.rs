//! What the owner of the machine demands of every thread on it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use spindle_schema::settings::{ApprovalPolicy, SandboxPolicy, ThreadSettings};

use super::file::is_absent;
use super::section::{NetworkDemand, SandboxMode};
use super::settings::Settings;
use super::tree::{Tree, from_table, locate};
use super::warning::ConfigWarning;

/// The demands that clients are told: the name in the file, and theirs.
const TOLD: [(&str, &str); 14] = [
    ("additional_developer_instructions", "additionalDeveloperInstructions"),
    ("allow_login_shell", "allowLoginShell"),
    ("allow_managed_hooks_only", "allowManagedHooksOnly"),
    ("allow_remote_control", "allowRemoteControl"),
    ("allowed_approval_policies", "allowedApprovalPolicies"),
    ("allowed_approvals_reviewers", "allowedApprovalsReviewers"),
    ("allowed_login_methods", "allowedLoginMethods"),
    ("allowed_permission_profiles", "allowedPermissionProfiles"),
    ("allowed_sandbox_modes", "allowedSandboxModes"),
    ("allowed_web_search_modes", "allowedWebSearchModes"),
    ("chatgpt_base_url", "chatgptBaseUrl"),
    ("check_for_update_on_startup", "checkForUpdateOnStartup"),
    ("enforce_residency", "enforceResidency"),
    ("features", "featureRequirements"),
];

/// The demands about the network.
const NETWORK: &str = "experimental_network";

/// What the owner of the machine demands. Empty where there is no file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Requirements {
    approval_policies: Option<Vec<ApprovalPolicy>>,
    sandbox_modes: Option<Vec<SandboxMode>>,
    login_shell: Option<bool>,
    features: BTreeMap<String, bool>,
    network: Option<NetworkDemand>,
    tree: Tree,
    warning: Option<ConfigWarning>,
}

impl Requirements {
    /// Reads the file. One that cannot be read demands the most careful settings: an owner who
    /// wrote a demand meant one.
    pub(crate) fn read(path: &Path) -> Self {
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(path, &text),
            Err(error) if is_absent(&error) => Self::default(),
            Err(error) => Self::careful(ConfigWarning::at(path, "", None, &error.to_string())),
        }
    }

    fn parse(path: &Path, text: &str) -> Self {
        let tree = match toml_edit::Document::parse(text) {
            Ok(document) => from_table(document.as_table()),
            Err(error) => {
                let warning = ConfigWarning::at(path, text, error.span(), error.message());
                return Self::careful(warning);
            }
        };
        Self::of(tree).unwrap_or_else(|(key, reason)| {
            let place = locate(text, &[key.to_owned()]);
            Self::careful(ConfigWarning::at(path, text, place, &reason))
        })
    }

    fn of(tree: Tree) -> Result<Self, (&'static str, String)> {
        let network: Option<NetworkDemand> = take(&tree, NETWORK)?;
        if let Some(fault) = network.as_ref().and_then(NetworkDemand::fault) {
            return Err((NETWORK, fault));
        }
        Ok(Self {
            approval_policies: list(&tree, "allowed_approval_policies")?,
            sandbox_modes: list(&tree, "allowed_sandbox_modes")?,
            login_shell: take(&tree, "allow_login_shell")?,
            features: take(&tree, "features")?.unwrap_or_default(),
            network,
            tree,
            warning: None,
        })
    }

    fn careful(warning: ConfigWarning) -> Self {
        Self {
            approval_policies: Some(vec![ApprovalPolicy::OnRequest, ApprovalPolicy::Untrusted]),
            sandbox_modes: Some(vec![SandboxMode::ReadOnly]),
            warning: Some(warning),
            ..Self::default()
        }
    }

    /// The demands in the protocol's form, `ConfigRequirements`; `None` where there are none.
    pub fn to_protocol(&self) -> Option<Value> {
        let mut told: Map<String, Value> = TOLD
            .into_iter()
            .filter_map(|(name, theirs)| Some((theirs.to_owned(), self.tree.get(name)?.clone())))
            .collect();
        if let Some(Value::Object(network)) = self.tree.get(NETWORK) {
            let theirs = network.iter().map(|(name, value)| (camel(name), value.clone()));
            told.insert("network".to_owned(), Value::Object(theirs.collect()));
        }
        (!told.is_empty()).then_some(Value::Object(told))
    }

    /// Brings a thread's settings within the demands: what is not allowed becomes the first
    /// choice that is.
    pub fn constrain(&self, settings: &mut ThreadSettings) {
        if let Some(allowed) = &self.approval_policies
            && let Some(first) = allowed.first()
            && !allowed.iter().any(|policy| is_same_kind(*policy, settings.approval_policy))
        {
            settings.approval_policy = *first;
        }
        if let Some(allowed) = &self.sandbox_modes
            && let Some(first) = allowed.first()
            && !mode_of(&settings.sandbox_policy).is_some_and(|mode| allowed.contains(&mode))
        {
            settings.sandbox_policy = bare(*first);
        }
    }

    /// Puts demanded values into the settings.
    pub(crate) fn pin(&self, settings: &mut Settings) {
        for (name, is_on) in &self.features {
            settings.features.switch(name, *is_on);
        }
        if self.login_shell == Some(false) {
            settings.permission.allow_login_shell = false;
        }
    }

    /// What is demanded of the network.
    pub(crate) fn network(&self) -> Option<&NetworkDemand> {
        self.network.as_ref()
    }

    /// Why the file could not be read, if so.
    pub(crate) fn warning(&self) -> Option<&ConfigWarning> {
        self.warning.as_ref()
    }
}

/// Granular policies differ in their parts; a demand names only the kind.
fn is_same_kind(allowed: ApprovalPolicy, wanted: ApprovalPolicy) -> bool {
    std::mem::discriminant(&allowed) == std::mem::discriminant(&wanted)
}

/// A name as the protocol writes it: `allowed_domains` is `allowedDomains`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let capital = letters.next().map(|letter| letter.to_ascii_uppercase());
        name + &capital.into_iter().chain(letters).collect::<String>()
    })
}

fn mode_of(policy: &SandboxPolicy) -> Option<SandboxMode> {
    match policy {
        SandboxPolicy::ReadOnly { .. } => Some(SandboxMode::ReadOnly),
        SandboxPolicy::WorkspaceWrite { .. } => Some(SandboxMode::WorkspaceWrite),
        SandboxPolicy::DangerFullAccess => Some(SandboxMode::DangerFullAccess),
        SandboxPolicy::ExternalSandbox { .. } => None,
    }
}

/// A mode's policy with nothing added.
fn bare(mode: SandboxMode) -> SandboxPolicy {
    match mode {
        SandboxMode::ReadOnly => SandboxPolicy::ReadOnly { network_access: false },
        SandboxMode::DangerFullAccess => SandboxPolicy::DangerFullAccess,
        SandboxMode::WorkspaceWrite => SandboxPolicy::WorkspaceWrite {
            writable_roots: Vec::new(),
            network_access: false,
            exclude_tmpdir_env_var: false,
            exclude_slash_tmp: false,
        },
    }
}

/// Reads a list of what is allowed. One that allows nothing would forbid every thread.
fn list<T: DeserializeOwned>(
    tree: &Tree,
    key: &'static str,
) -> Result<Option<Vec<T>>, (&'static str, String)> {
    let allowed: Option<Vec<T>> = take(tree, key)?;
    if allowed.as_ref().is_some_and(Vec::is_empty) {
        return Err((key, "invalid length 0, expected at least one".to_owned()));
    }
    Ok(allowed)
}

fn take<T: DeserializeOwned>(
    tree: &Tree,
    key: &'static str,
) -> Result<Option<T>, (&'static str, String)> {
    tree.get(key).map(T::deserialize).transpose().map_err(|error| (key, error.to_string()))
}

#[cfg(test)]
mod tests;
