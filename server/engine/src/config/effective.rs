//! The configuration as clients read it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::feature::FEATURES;
use super::key;
use super::known::{PRESET, UNSET};
use super::layer::{Layer, LayerMetadata};
use super::settings::Config;
use super::tree::{Tree, overlay};

/// What stands in the place of a secret.
const REDACTED: &str = "[redacted]";

impl Config {
    /// All settings with the values that count. A setting that nobody made is null, or has the
    /// value that is used in its place; secrets are not told.
    pub fn effective(&self) -> Value {
        let mut all = presets();
        for (name, value) in &self.tree {
            match (all.get_mut(name), value) {
                (Some(Value::Object(below)), Value::Object(above)) => overlay(below, above),
                (Some(preset), value) => *preset = value.clone(),
                // A name that nobody knows has no value that counts.
                (None, _) => {}
            }
        }
        fill_features(&mut all, self);
        for (_, provider) in tables(&mut all, "model_providers") {
            let mut whole = object(provider_template());
            overlay(&mut whole, provider);
            *provider = whole;
        }
        if let Some(Value::Object(write)) = all.get_mut("sandbox_workspace_write") {
            let mut whole = object(json!({"writable_roots": [], "network_access": false,
                "exclude_tmpdir_env_var": false, "exclude_slash_tmp": false}));
            overlay(&mut whole, write);
            *write = whole;
        }
        if let Some(Value::Object(tools)) = all.get_mut("tools") {
            let search = tools.entry("web_search").or_insert(Value::Null);
            if search.is_boolean() {
                *search = Value::Null;
            }
        }
        redact(&mut all);
        Value::Object(all)
    }

    /// Where each value that counts comes from, by its dotted name.
    pub fn origins(&self) -> BTreeMap<String, LayerMetadata> {
        let mut origins = BTreeMap::new();
        let mut path = Vec::new();
        for layer in self.layers.iter().filter(|layer| layer.is_enabled()) {
            note_origins(&layer.tree, &mut path, &layer.metadata, &mut origins);
        }
        origins
    }

    /// The sources, the one over all others first.
    pub fn layers(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().rev()
    }
}

impl Layer {
    /// The settings as they stand in the source; secrets are not told.
    pub fn settings(&self) -> Value {
        let mut tree = (*self.tree).clone();
        redact(&mut tree);
        Value::Object(tree)
    }
}

/// Notes a layer's values; they displace what a lower layer had at or below the same name.
fn note_origins(
    tree: &Tree,
    path: &mut Vec<String>,
    layer: &LayerMetadata,
    origins: &mut BTreeMap<String, LayerMetadata>,
) {
    for (name, value) in tree {
        path.push(name.clone());
        match value {
            Value::Object(table) if !table.is_empty() => {
                origins.remove(&key::join(path));
                note_origins(table, path, layer, origins);
            }
            Value::Object(_) => {}
            _ => {
                let name = key::join(path);
                let below = format!("{name}.");
                origins.retain(|other, _| !other.starts_with(&below));
                origins.insert(name, layer.clone());
            }
        }
        path.pop();
    }
}

/// Every setting with the value it has when nobody says anything.
fn presets() -> Tree {
    let mut all: Tree = UNSET.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
    let mut values = object(json!({
        "allow_login_shell": true,
        "background_terminal_max_timeout": 300_000,
        "chatgpt_base_url": "https://chatgpt.com/backend-api/",
        "cli_auth_credentials_store": "file",
        "file_opener": "vscode",
        "hide_agent_reasoning": false,
        "history": {"persistence": "save-all", "max_bytes": null},
        "include_apps_instructions": true,
        "include_collaboration_mode_instructions": true,
        "include_environment_context": true,
        "include_environment_context_time": true,
        "include_permissions_instructions": true,
        "mcp_oauth_credentials_store": "auto",
        "project_doc_fallback_filenames": [],
        "project_doc_max_bytes": 32768,
        "project_root_markers": [".git"],
        "shell_environment_policy": {"inherit": null, "ignore_default_excludes": null,
            "exclude": null, "set": null, "include_only": null, "filters": null,
            "experimental_use_profile": null},
    }));
    all.append(&mut values);
    for name in PRESET {
        all.entry(name).or_insert_with(|| Value::Object(Map::new()));
    }
    all
}

/// A provider's settings when nobody says anything.
fn provider_template() -> Value {
    json!({"name": null, "base_url": null, "model_catalog_url": null, "env_key": null,
        "env_key_instructions": null, "experimental_bearer_token": null, "auth": null,
        "gateway_oauth": null, "aws": null, "project_id": null, "location": null,
        "credential_file": null, "wire_api": "responses", "capabilities": null,
        "query_params": null, "http_headers": null, "env_http_headers": null,
        "request_max_retries": null, "stream_max_retries": null, "stream_idle_timeout_ms": null,
        "websocket_connect_timeout_ms": null, "requires_openai_auth": false,
        "supports_websockets": false, "supports_standalone_web_search": false})
}

/// Tells of every feature that clients may switch, and of every one that somebody did.
fn fill_features(all: &mut Tree, config: &Config) {
    let Some(Value::Object(features)) = all.get_mut("features") else { return };
    for feature in FEATURES.iter().filter(|feature| feature.is_switchable) {
        let is_on = config.features.enabled(feature.name);
        features.entry(feature.name).or_insert(Value::Bool(is_on));
    }
}

/// Takes secrets out of settings.
fn redact(tree: &mut Tree) {
    for (_, provider) in tables(tree, "model_providers") {
        if let Some(token @ Value::String(_)) = provider.get_mut("experimental_bearer_token") {
            *token = Value::String(REDACTED.to_owned());
        }
    }
    for profile in tables(tree, "profiles").map(|(_, profile)| profile) {
        redact(profile);
    }
}

/// The tables in a table.
fn tables<'a>(tree: &'a mut Tree, name: &str) -> impl Iterator<Item = (&'a String, &'a mut Tree)> {
    let table = tree.get_mut(name).and_then(Value::as_object_mut);
    table.into_iter().flatten().filter_map(|(name, value)| Some((name, value.as_object_mut()?)))
}

/// The table that a literal stands for.
fn object(value: Value) -> Tree {
    match value {
        Value::Object(tree) => tree,
        _ => Tree::new(),
    }
}

#[cfg(test)]
mod tests;
