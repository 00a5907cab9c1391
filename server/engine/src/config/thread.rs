//! What a thread starts with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use spindle_model::catalog::ModelInfo;
use spindle_model::provider::{
    OFFLINE_ID, OFFLINE_MODEL, Provider, ProviderError, ProviderSettings,
};
use spindle_schema::op::SettingsUpdate;
use spindle_schema::settings::{ApprovalPolicy, ModeKind, SandboxPolicy, ThreadSettings};

use super::error::Error;
use super::path::absolute;
use super::section::{ManagedNetwork, SandboxMode, TrustLevel};
use super::settings::Config;

/// The model when nobody names one.
const DEFAULT_MODEL: &str = "gpt-5.5";

impl Config {
    /// The settings of a new thread: those of a request over those of the configuration.
    ///
    /// `server_cwd` is the server's own folder, absolute. A relative folder of the request
    /// starts there, and none means that one.
    pub fn settings(&self, server_cwd: &Path, update: &SettingsUpdate) -> ThreadSettings {
        let cwd = self.working_folder(server_cwd, update.cwd.as_deref());
        let roots = match &update.workspace_roots {
            Some(roots) => roots.iter().map(|root| text(&absolute(&cwd, root, None))).collect(),
            None => vec![text(&cwd)],
        };
        let tier = update.service_tier.clone().or_else(|| self.model.service_tier.clone());
        let personality = update.personality.clone().or_else(|| self.model.personality.clone());
        let mut settings = ThreadSettings {
            model: update.model.clone().unwrap_or_else(|| self.model_name().into()),
            model_provider: self.model.provider.clone(),
            effort: update.effort.clone().or_else(|| self.model.effort.clone()),
            summary: update.summary.or(self.model.summary),
            service_tier: tier.map(wire_tier),
            personality,
            cwd: text(&cwd),
            workspace_roots: roots,
            approval_policy: update.approval_policy.unwrap_or_else(|| self.approval_policy()),
            approvals_reviewer: update.approvals_reviewer.unwrap_or(self.permission.reviewer),
            sandbox_policy: update.sandbox_policy.clone().unwrap_or_else(|| self.sandbox_policy()),
            mode: update.mode.unwrap_or(ModeKind::Default),
            mode_instructions: update.mode_instructions.clone().flatten(),
        };
        self.requirements.constrain(&mut settings);
        settings
    }

    /// The folder a thread works in. It need not exist.
    pub fn working_folder(&self, server_cwd: &Path, wanted: Option<&str>) -> PathBuf {
        absolute(server_cwd, wanted.unwrap_or_default(), None)
    }

    /// The model's name when a request names none.
    pub fn model_name(&self) -> &str {
        match self.model.model.as_deref() {
            Some(name) => name,
            None if &*self.model.provider == OFFLINE_ID => OFFLINE_MODEL,
            None => DEFAULT_MODEL,
        }
    }

    /// A model with the window that the person has set, if they have.
    pub(crate) fn sized(&self, model: Arc<ModelInfo>) -> Arc<ModelInfo> {
        match self.model.context_window.map(i64::try_from) {
            Some(Ok(window)) => {
                Arc::new(ModelInfo { context_window: Some(window), ..(*model).clone() })
            }
            Some(Err(_)) | None => model,
        }
    }

    /// When a person is asked; in a folder that the user distrusts, about every command.
    pub fn approval_policy(&self) -> ApprovalPolicy {
        self.permission.approval_policy.unwrap_or(match self.trust {
            Some(TrustLevel::Untrusted) => ApprovalPolicy::Untrusted,
            Some(TrustLevel::Trusted) | None => ApprovalPolicy::OnRequest,
        })
    }

    /// What commands may touch. Nothing is written in a folder of which the user said nothing.
    pub fn sandbox_policy(&self) -> SandboxPolicy {
        let permission = &self.permission;
        let mode = match (permission.sandbox_mode, permission.default_profile.as_deref()) {
            (Some(mode), _) => mode,
            // A profile that nobody described is warned of; it must not open anything.
            (None, Some(profile)) => match permission.profile_policy(profile) {
                Ok(policy) => return self.with_network(policy),
                Err(_) => SandboxMode::ReadOnly,
            },
            (None, None) => match self.trust {
                Some(_) => SandboxMode::WorkspaceWrite,
                None => SandboxMode::ReadOnly,
            },
        };
        permission.policy(mode)
    }

    /// Opens the network of a policy if the profile that it comes from has the managed one.
    fn with_network(&self, mut policy: SandboxPolicy) -> SandboxPolicy {
        let managed = self.managed_network().is_some_and(|network| network.profile.is_some());
        if let SandboxPolicy::ReadOnly { network_access }
        | SandboxPolicy::WorkspaceWrite { network_access, .. } = &mut policy
        {
            *network_access |= managed;
        }
        policy
    }

    /// The managed network, where commands that have a network at all have that one: the user's
    /// profile has it switched on, with the feature `network_proxy`, or the machine's owner
    /// demands it.
    pub fn managed_network(&self) -> Option<ManagedNetwork> {
        let demand = self.requirements.network();
        let demanded = demand.and_then(|demand| demand.enabled);
        let profile = self.permission.default_profile.as_deref();
        let profile = profile.filter(|_| self.features.enabled("network_proxy"));
        let own = profile.map(|name| (name, self.permission.network_of(name)));
        let own =
            own.filter(|(_, network)| network.enabled == Some(true) && demanded != Some(false));
        if own.is_none() && demanded != Some(true) {
            return None;
        }
        let name = own.as_ref().map(|(name, _)| Box::from(*name));
        let mut limits = own.map(|(_, network)| network.limits()).unwrap_or_default();
        if let Some(demand) = demand {
            demand.constrain(&mut limits);
        }
        Some(ManagedNetwork { limits, profile: name })
    }

    /// A provider, ready to be asked: with its own key, or that of the person's account.
    ///
    /// # Errors
    /// [`Error::ProviderNotFound`] when it is neither configured nor built in;
    /// [`Error::Provider`] when its settings cannot be used.
    pub fn provider(&self, id: &str) -> Result<Provider, Error> {
        if id == OFFLINE_ID && !self.providers.contains_key(id) {
            return Ok(Provider::offline());
        }
        let settings = self.provider_settings(id)?;
        let mut provider =
            settings.build(id, |variable| self.env.get(variable).cloned()).map_err(|error| {
                match error {
                    ProviderError::Unknown(id) => Error::ProviderNotFound(id.into()),
                    other => Error::Provider(other),
                }
            })?;
        provider.retry.unbounded_connection_retries =
            self.features.enabled("unbounded_connection_retries");
        self.credentials.sign(&mut provider);
        Ok(provider)
    }

    /// A provider's settings: the configured ones, else the built-in ones.
    fn provider_settings(&self, id: &str) -> Result<ProviderSettings, Error> {
        if let Some(settings) = self.providers.get(id) {
            return Ok(settings.clone());
        }
        let mut settings =
            ProviderSettings::built_in(id).ok_or_else(|| Error::ProviderNotFound(id.into()))?;
        if id == "openai"
            && let Some(url) = &self.openai_base_url
        {
            settings.base_url = Some(url.clone());
        }
        Ok(settings)
    }
}

/// Service tiers have names for people that differ from those in a request.
fn wire_tier(tier: Box<str>) -> Box<str> {
    if &*tier == "fast" { "priority".into() } else { tier }
}

fn text(path: &Path) -> Box<str> {
    path.to_string_lossy().into()
}

#[cfg(test)]
mod tests;
