//! What a thread is set to when it is loaded.

use std::sync::Arc;

use serde_json::Value;
use spindle_schema::op::SettingsUpdate;
use spindle_schema::settings::ThreadSettings;
use spindle_store::History;

use crate::config::{Config, Forbidden};

/// The configuration and the settings that a request gives.
pub(super) struct Settled {
    /// The configuration of its folder.
    pub(super) config: Arc<Config>,
    /// What it is set to.
    pub(super) settings: ThreadSettings,
    /// What it asks for by name and does not get.
    pub(super) forbidden: Vec<Forbidden>,
}

/// The settings with what a request names itself, allowed or not.
pub(super) fn asked(settings: &ThreadSettings, update: &SettingsUpdate) -> ThreadSettings {
    let mut asked = settings.clone();
    if let Some(policy) = update.approval_policy {
        asked.approval_policy = policy;
    }
    if let Some(policy) = &update.sandbox_policy {
        asked.sandbox_policy = policy.clone();
    }
    asked
}

/// The settings a stored thread goes on with: what the request names, else those of its last turn.
pub(super) fn go_on(settings: &mut ThreadSettings, asked: &SettingsUpdate, history: &History) {
    let Some(context) = &history.turn_context else { return };
    let applied = history.settings.as_ref().and_then(|map| map.get("thread_settings"));
    if asked.model.is_none() {
        settings.model = context.model.clone();
    }
    if asked.effort.is_none() {
        let later = applied.and_then(|map| map.get("reasoning_effort")).and_then(Value::as_str);
        settings.effort = later.map(Into::into).or_else(|| context.effort.clone());
    }
    if asked.cwd.is_none() {
        settings.cwd = context.cwd.clone();
        if asked.workspace_roots.is_none() {
            settings.workspace_roots = vec![context.cwd.clone()];
        }
    }
    let read = |name: &str| context.extra.get(name).cloned().unwrap_or_default();
    if asked.approval_policy.is_none()
        && let Ok(policy) = serde_json::from_value(read("approval_policy"))
    {
        settings.approval_policy = policy;
    }
    if asked.approvals_reviewer.is_none()
        && let Ok(reviewer) = serde_json::from_value(read("approvals_reviewer"))
    {
        settings.approvals_reviewer = reviewer;
    }
    if asked.sandbox_policy.is_none()
        && let Ok(policy) = serde_json::from_value(read("sandbox_policy"))
    {
        settings.sandbox_policy = policy;
    }
}
