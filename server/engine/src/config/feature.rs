//! Features: parts that can be switched on and off by name.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::reader::Reader;

/// How settled a feature is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    /// In work; off unless asked for.
    UnderDevelopment,
    /// For everybody who wants to try.
    Beta,
    /// Part of the product.
    Stable,
    /// Still there, soon gone.
    Deprecated,
    /// The name is known and changes nothing.
    Removed,
}

/// A feature that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feature {
    /// The name in `[features]`.
    pub name: &'static str,
    /// How settled it is.
    pub stage: Stage,
    /// Whether it is on when nobody says anything.
    pub default: bool,
    /// Whether clients may switch it while the server runs.
    pub is_switchable: bool,
}

use Stage::{Beta, Deprecated, Removed, Stable, UnderDevelopment};

/// A feature that only the configuration switches.
const fn fixed(name: &'static str, stage: Stage, default: bool) -> Feature {
    Feature { name, stage, default, is_switchable: false }
}

/// A feature that clients may switch, too.
const fn switchable(name: &'static str, stage: Stage, default: bool) -> Feature {
    Feature { name, stage, default, is_switchable: true }
}

/// Every feature with a name, sorted by it.
pub const FEATURES: &[Feature] = &[
    switchable("api_key_cyber_access_programs", Stable, true),
    switchable("api_key_model_discovery", Stable, true),
    fixed("apply_patch_freeform", Stable, true),
    fixed("apply_patch_streaming_events", UnderDevelopment, false),
    fixed("apps", Stable, true),
    switchable("auth_elicitation", Stable, true),
    switchable("background_paginated_rollout_migration", UnderDevelopment, false),
    fixed("browser_use", Stable, true),
    fixed("browser_use_external", Stable, true),
    fixed("code_mode", UnderDevelopment, false),
    fixed("code_mode_host", Stable, true),
    fixed("code_mode_only", UnderDevelopment, false),
    switchable("codex_apps_mcp_2026_07_28", UnderDevelopment, false),
    fixed("collaboration_modes", Removed, true),
    fixed("compaction_image_budget", Stable, true),
    fixed("computer_use", Stable, true),
    fixed("content_item_kinds", Stable, true),
    fixed("current_time_reminder", UnderDevelopment, false),
    fixed("daemon_auto_start", Stable, true),
    switchable("daybreak_program_propagation", UnderDevelopment, false),
    fixed("default_mode_request_user_input", UnderDevelopment, false),
    fixed("deferred_executor", UnderDevelopment, false),
    fixed("enable_mcp_apps", UnderDevelopment, false),
    fixed("enable_request_compression", Stable, true),
    fixed("exec_permission_approvals", UnderDevelopment, false),
    fixed("fast_mode", Stable, true),
    fixed("goals", Stable, true),
    fixed("guardian_approval", Stable, true),
    fixed("hooks", Stable, true),
    fixed("image_generation", Stable, true),
    fixed("in_app_browser", Stable, true),
    fixed("js_repl", Removed, false),
    switchable("mcp_2026_07_28", UnderDevelopment, false),
    switchable("mcp_connection_sharing", UnderDevelopment, false),
    switchable("mcp_lazy_stdio_startup", UnderDevelopment, false),
    switchable("mcp_shared_repl_cwd", UnderDevelopment, false),
    fixed("mcp_tool_list_changed", UnderDevelopment, false),
    switchable("memories", Beta, false),
    switchable("mentions_v2", Stable, true),
    fixed("multi_agent", Stable, true),
    fixed("multi_agent_v2", UnderDevelopment, false),
    fixed("network_proxy", Beta, false),
    fixed("personality", Stable, true),
    fixed("plugin_hooks", UnderDevelopment, false),
    fixed("plugins", Stable, true),
    fixed("realtime_conversation", UnderDevelopment, false),
    fixed("recommended_plugins", UnderDevelopment, false),
    switchable("remote_control", UnderDevelopment, false),
    fixed("remote_compaction_v2", UnderDevelopment, false),
    fixed("remote_models", Removed, true),
    switchable("remote_plugin", Stable, true),
    fixed("request_permissions_tool", UnderDevelopment, false),
    fixed("request_rule", Removed, true),
    fixed("responses_websockets", Removed, false),
    fixed("responses_websockets_v2", Removed, false),
    fixed("rmcp_client", Removed, true),
    fixed("search_tool", Removed, false),
    fixed("secret_auth_storage", Stable, true),
    fixed("shell_snapshot", Stable, true),
    fixed("shell_tool", Stable, true),
    fixed("skill_env_var_dependency_prompt", UnderDevelopment, false),
    fixed("skill_mcp_dependency_install", Stable, true),
    fixed("skill_search", UnderDevelopment, false),
    fixed("skills", Removed, true),
    fixed("sleep_tool", Stable, true),
    fixed("standalone_web_search", UnderDevelopment, false),
    fixed("steer", Removed, true),
    fixed("step_model_switching", UnderDevelopment, false),
    fixed("system_proxy_fallback", Stable, true),
    fixed("tool_call_mcp_elicitation", Stable, true),
    switchable("tool_suggest", Stable, true),
    fixed("unbounded_connection_retries", Stable, true),
    fixed("undo", Removed, false),
    fixed("unified_exec", Stable, true),
    fixed("unified_exec_tty", Stable, true),
    fixed("use_legacy_landlock", Deprecated, false),
    fixed("view_image", Stable, true),
    fixed("view_image_tool", Removed, true),
    fixed("web_search_cached", Deprecated, false),
    fixed("web_search_request", Deprecated, false),
    switchable("windows_sandbox_service", UnderDevelopment, false),
    fixed("workspace_dependencies", Stable, true),
    fixed("write_stdin_approval", UnderDevelopment, false),
];

/// Finds a feature by its name.
pub fn feature(name: &str) -> Option<&'static Feature> {
    FEATURES.iter().find(|feature| feature.name == name)
}

/// Which features are on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features {
    chosen: BTreeMap<Box<str>, bool>,
}

impl Features {
    /// Whether a feature is on. A name that nobody knows is off unless it was switched on.
    pub fn enabled(&self, name: &str) -> bool {
        self.chosen
            .get(name)
            .copied()
            .unwrap_or_else(|| feature(name).is_some_and(|feature| feature.default))
    }

    /// Switches a feature, whatever the configuration says.
    pub(crate) fn switch(&mut self, name: &str, is_on: bool) {
        self.chosen.insert(name.into(), is_on);
    }

    /// The names of features in work that are on, sorted.
    pub(crate) fn unfinished(&self) -> impl Iterator<Item = &str> {
        let is_on = |name: &str| {
            feature(name).is_some_and(|it| it.stage == UnderDevelopment) && self.enabled(name)
        };
        self.chosen.keys().map(|name| &**name).filter(move |name| is_on(name))
    }

    /// The names in the configuration that belong to no feature, sorted.
    pub(crate) fn unknown(&self) -> impl Iterator<Item = &str> {
        self.chosen.keys().map(|name| &**name).filter(|name| feature(name).is_none())
    }

    /// Reads `[features]`. A feature is a boolean, or a table of options with `enabled`.
    pub(crate) fn read(features: &Reader<'_>) -> Self {
        let mut chosen = BTreeMap::new();
        for name in features.keys() {
            let choice = match features.raw(name) {
                Some(Value::Object(_)) => features.table(name).get("enabled"),
                _ => features.get(name),
            };
            if let Some(choice) = choice {
                chosen.insert(name.into(), choice);
            }
        }
        Self { chosen }
    }
}

#[cfg(test)]
mod tests;
