//! Projects: where they start, which folders of settings they have, whether they are trusted.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::section::TrustLevel;
use super::tree::Tree;

/// The folder of a project that holds its settings.
const FOLDER: &str = ".codex";

/// Settings that a project may not make: they say where secrets go and what runs unasked.
pub(crate) const FORBIDDEN: [&str; 12] = [
    "chatgpt_base_url",
    "experimental_realtime_ws_base_url",
    "forced_chatgpt_workspace_id",
    "forced_login_method",
    "model_provider",
    "model_providers",
    "notify",
    "openai_base_url",
    "otel",
    "profile",
    "profiles",
    "projects",
];

/// Finds a project's root: the nearest folder upwards that holds one of the markers.
pub(crate) fn root_of<'a>(cwd: &'a Path, markers: &[String]) -> Option<&'a Path> {
    cwd.ancestors().find(|folder| markers.iter().any(|marker| folder.join(marker).exists()))
}

/// The folders from the project's root down to `cwd`; `cwd` alone outside a project.
pub(crate) fn folders<'a>(cwd: &'a Path, markers: &[String]) -> Vec<&'a Path> {
    let root = root_of(cwd, markers).unwrap_or(cwd);
    let mut folders: Vec<_> =
        cwd.ancestors().take_while(|folder| folder.starts_with(root)).collect();
    folders.reverse();
    folders
}

/// The `.codex` folders of a project that hold a file of settings, the root's first.
///
/// Our own home is none of them, wherever it is.
pub(crate) fn settings_folders(cwd: &Path, markers: &[String], home: &Path) -> Vec<PathBuf> {
    folders(cwd, markers)
        .into_iter()
        .map(|folder| folder.join(FOLDER))
        .filter(|folder| folder != home && folder.join("config.toml").is_file())
        .collect()
}

/// What the user said about a folder, or about the root of its project.
pub(crate) fn trust_of(settings: &Tree, cwd: &Path, root: Option<&Path>) -> Option<TrustLevel> {
    let projects = settings.get("projects")?.as_object()?;
    std::iter::once(cwd).chain(root).find_map(|folder| {
        match projects.get(folder.to_str()?)?.get("trust_level")? {
            Value::String(level) if level == "trusted" => Some(TrustLevel::Trusted),
            Value::String(level) if level == "untrusted" => Some(TrustLevel::Untrusted),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests;
