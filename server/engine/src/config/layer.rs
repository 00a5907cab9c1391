//! One source of settings, and how it is told to clients.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::tree::Tree;

/// Where settings come from. Serialises to the protocol's `ConfigLayerSource`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LayerSource {
    /// The machine's file, below all others.
    System {
        /// The file.
        file: PathBuf,
    },
    /// The user's file, or a profile in it.
    User {
        /// The file.
        file: PathBuf,
        /// The profile's name.
        profile: Option<String>,
    },
    /// A folder of a trusted project.
    Project {
        /// The `.codex` folder that holds the file.
        dot_codex_folder: PathBuf,
    },
    /// The command line and the request that starts a thread.
    SessionFlags,
    /// The machine's file above all others.
    LegacyManagedConfigTomlFromFile {
        /// The file.
        file: PathBuf,
    },
}

impl LayerSource {
    /// The source in a message: the file's path, or a word where there is no file.
    pub fn label(&self) -> String {
        match self {
            Self::System { file }
            | Self::User { file, .. }
            | Self::LegacyManagedConfigTomlFromFile { file } => file.display().to_string(),
            Self::Project { dot_codex_folder } => {
                dot_codex_folder.join("config.toml").display().to_string()
            }
            Self::SessionFlags => "session-flags".to_owned(),
        }
    }
}

/// A source and the state it is in. Serialises to the protocol's `ConfigLayerMetadata`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LayerMetadata {
    /// Where the settings come from.
    pub name: LayerSource,
    /// The state: `sha256:` and 64 hexadecimal digits. Equal settings have equal versions.
    pub version: Arc<str>,
}

/// One source's settings.
#[derive(Debug, Clone)]
pub struct Layer {
    pub(crate) metadata: LayerMetadata,
    pub(crate) tree: Arc<Tree>,
    pub(crate) disabled_reason: Option<String>,
}

impl Layer {
    /// Settings from a source.
    pub(crate) fn new(name: LayerSource, tree: Arc<Tree>, version: Arc<str>) -> Self {
        Self { metadata: LayerMetadata { name, version }, tree, disabled_reason: None }
    }

    /// The source and its state.
    pub fn metadata(&self) -> &LayerMetadata {
        &self.metadata
    }

    /// Why the settings are not used, when they are not.
    pub fn disabled_reason(&self) -> Option<&str> {
        self.disabled_reason.as_deref()
    }

    /// Whether the settings count.
    pub(crate) fn is_enabled(&self) -> bool {
        self.disabled_reason.is_none()
    }
}

/// Names a state of settings. The order of keys, blanks and comments do not change it.
pub(crate) fn version_of(tree: &Tree) -> Arc<str> {
    let mut text = String::new();
    write_canonical(&Value::Object(tree.clone()), &mut text);
    digest(text.as_bytes())
}

/// Names the state of a file that cannot be read as settings.
pub(crate) fn digest(bytes: &[u8]) -> Arc<str> {
    let mut name = String::from("sha256:");
    for byte in Sha256::digest(bytes) {
        // Writing to a text cannot fail.
        let _ = write!(name, "{byte:02x}");
    }
    name.into()
}

/// Writes JSON with sorted keys.
fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(table) => {
            let mut keys: Vec<_> = table.keys().collect();
            keys.sort();
            out.push('{');
            for (index, key) in keys.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                let _ = write!(out, "{}:", Value::String(key.clone()));
                write_canonical(&table[key], out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write_canonical(item, out);
            }
            out.push(']');
        }
        plain => {
            let _ = write!(out, "{plain}");
        }
    }
}

#[cfg(test)]
mod tests;
