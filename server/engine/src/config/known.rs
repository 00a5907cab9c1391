//! The names that settings may have.

use std::fmt::Write as _;

use super::feature::Features;
use super::key;
use super::layer::Layer;
use super::tree::get;
use super::warning::ConfigWarning;

/// Settings at the top of a file that have no value unless somebody gives one, sorted.
pub(crate) const UNSET: [&str; 87] = [
    "agents",
    "allow_symlinked_codex_home",
    "analytics",
    "approval_policy",
    "approvals_reviewer",
    "apps",
    "apps_mcp_product_sku",
    "audio",
    "auto_review",
    "browser_use",
    "check_for_update_on_startup",
    "client_search_provider",
    "cloud",
    "code_mode",
    "compact_prompt",
    "computer_use",
    "daybreak",
    "default_permissions",
    "desktop",
    "developer_instructions",
    "disable_paste_burst",
    "experimental_compact_prompt_file",
    "experimental_realtime_start_instructions",
    "experimental_realtime_webrtc_call_base_url",
    "experimental_realtime_ws_backend_prompt",
    "experimental_realtime_ws_base_url",
    "experimental_realtime_ws_model",
    "experimental_realtime_ws_startup_context",
    "experimental_thread_store",
    "experimental_thread_store_endpoint",
    "experimental_use_unified_exec_tool",
    "feedback",
    "forced_chatgpt_workspace_id",
    "forced_login_method",
    "ghost_snapshot",
    "goals",
    "hooks",
    "instructions",
    "js_repl_node_module_dirs",
    "js_repl_node_path",
    "log_dir",
    "mcp_enterprise_managed_auth",
    "mcp_oauth_callback_port",
    "mcp_oauth_callback_url",
    "mcp_optional_startup_grace_ms",
    "memories",
    "model",
    "model_auto_compact_token_limit",
    "model_auto_compact_token_limit_scope",
    "model_catalog_json",
    "model_context_window",
    "model_instructions_file",
    "model_post_turn_compact_threshold_percent",
    "model_provider",
    "model_reasoning_effort",
    "model_reasoning_summary",
    "model_verbosity",
    "notice",
    "notify",
    "openai_base_url",
    "orchestrator",
    "oss_provider",
    "otel",
    "permissions",
    "personality",
    "plan_mode_reasoning_effort",
    "profile",
    "projects",
    "realtime",
    "responses",
    "responses_api_metadata",
    "review_model",
    "rollout_trace",
    "sandbox_mode",
    "sandbox_workspace_write",
    "service_tier",
    "show_raw_agent_reasoning",
    "skills",
    "sqlite_home",
    "suppress_unstable_features_warning",
    "thread_unload_delay_secs",
    "tool_output_token_limit",
    "tool_suggest",
    "tools",
    "tui",
    "web_search",
    "windows",
];

/// Settings at the top of a file that have a value of their own, sorted.
pub(crate) const PRESET: [&str; 22] = [
    "allow_login_shell",
    "background_terminal_max_timeout",
    "chatgpt_base_url",
    "cli_auth_credentials_store",
    "features",
    "file_opener",
    "hide_agent_reasoning",
    "history",
    "include_apps_instructions",
    "include_collaboration_mode_instructions",
    "include_environment_context",
    "include_environment_context_time",
    "include_permissions_instructions",
    "marketplaces",
    "mcp_oauth_credentials_store",
    "mcp_servers",
    "model_providers",
    "plugins",
    "profiles",
    "project_doc_fallback_filenames",
    "project_doc_max_bytes",
    "project_root_markers",
];

/// Settings that are read and not told, sorted.
const UNTOLD: [&str; 5] = [
    "model_supports_reasoning_summaries",
    "network",
    "shell_environment_policy",
    "spindle",
    "undo",
];

/// Whether a setting at the top of a file has this name.
fn is_known(name: &str) -> bool {
    UNSET.binary_search(&name).is_ok()
        || PRESET.binary_search(&name).is_ok()
        || UNTOLD.binary_search(&name).is_ok()
}

/// Tells of all settings that nobody knows, with the source that has each.
pub(crate) fn unknown_settings(layers: &[Layer], features: &Features) -> Option<ConfigWarning> {
    let enabled = || layers.iter().filter(|layer| layer.is_enabled());
    let mut names: Vec<Vec<String>> = Vec::new();
    for name in enabled().flat_map(|layer| layer.tree.keys()) {
        if !is_known(name) && !names.iter().any(|known| known[0] == *name) {
            names.push(vec![name.clone()]);
        }
    }
    names.extend(features.unknown().map(|name| vec!["features".to_owned(), name.to_owned()]));
    if names.is_empty() {
        return None;
    }
    let plural = if names.len() == 1 { "" } else { "s" };
    let mut text = format!(
        "Spindle is ignoring {} unrecognized configuration setting{plural}. Check for typos or \
         deprecated settings.",
        names.len()
    );
    for name in names {
        let source = enabled().rfind(|layer| get(&layer.tree, &name).is_some());
        let source = source.map_or_else(String::new, |layer| layer.metadata.name.label());
        // Writing to a text cannot fail.
        let _ = write!(text, "\n  {source}: `{}` is ignored.", key::join(&name));
    }
    Some(ConfigWarning::general(text))
}

#[cfg(test)]
mod tests;
