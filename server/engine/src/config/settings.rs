//! The configuration, read: what everything else asks.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};
use spindle_exec::env::EnvPolicy;
use spindle_model::provider::ProviderSettings;

use super::error::Error;
use super::feature::Features;
use super::layer::Layer;
use super::reader::Reader;
use super::requirement::Requirements;
use super::section::{
    FrontendSettings, HistorySettings, ModelSettings, PermissionSettings, PromptSettings,
    ToolSettings, TrustLevel, UndoSettings, environment,
};
use super::tree::Tree;
use super::warning::ConfigWarning;
use crate::auth;

/// All settings, typed.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The model and what it is asked for.
    pub model: ModelSettings,
    /// What may run, and who is asked.
    pub permission: PermissionSettings,
    /// What commands see of the environment.
    pub environment: EnvPolicy,
    /// What the model is told beside the conversation.
    pub prompt: PromptSettings,
    /// Tools, and what is shown.
    pub tool: ToolSettings,
    /// Clients of a thread.
    pub frontend: FrontendSettings,
    /// What is kept for other threads.
    pub history: HistorySettings,
    /// What is kept of files that turns change.
    pub undo: UndoSettings,
    /// What is switched on.
    pub features: Features,
    /// `[model_providers]`.
    pub providers: BTreeMap<String, ProviderSettings>,
    /// Another address for the provider `openai`.
    pub openai_base_url: Option<String>,
    /// A command to run when a turn has ended: program and arguments.
    pub notify: Vec<String>,
}

impl Settings {
    /// Reads every setting; what does not fit is noted by the reader and left out.
    pub(crate) fn read(top: &Reader<'_>) -> Self {
        for project in top.table("projects").tables() {
            let _ = project.1.get::<TrustLevel>("trust_level");
        }
        for raw in ["mcp_servers", "hooks", "profiles", "skills"] {
            let _ = top.table(raw);
        }
        let _ = top.get::<String>("profile");
        Self {
            model: ModelSettings::read(top),
            permission: PermissionSettings::read(top),
            environment: environment(&top.table("shell_environment_policy")),
            prompt: PromptSettings::read(top),
            tool: ToolSettings::read(top),
            frontend: FrontendSettings::read(top),
            history: HistorySettings::read(&top.table("history")),
            undo: UndoSettings::read(&top.table("undo")),
            features: Features::read(&top.table("features")),
            providers: top
                .table("model_providers")
                .tables()
                .into_iter()
                .map(|(id, entry)| (id.to_owned(), provider(&entry)))
                .collect(),
            openai_base_url: top.get("openai_base_url"),
            notify: top.get("notify").unwrap_or_default(),
        }
    }
}

/// Reads one provider, setting by setting, so that a wrong one costs nothing but itself.
fn provider(entry: &Reader<'_>) -> ProviderSettings {
    let mut fitting = Map::new();
    for key in entry.keys() {
        let Some(value) = entry.raw(key) else { continue };
        let alone = Value::Object(Map::from_iter([(key.to_owned(), value.clone())]));
        match ProviderSettings::deserialize(&alone) {
            Ok(_) => {
                fitting.insert(key.to_owned(), value.clone());
            }
            Err(error) => entry.fault(key, error.to_string()),
        }
    }
    ProviderSettings::deserialize(Value::Object(fitting)).unwrap_or_default()
}

/// The configuration for one folder, as it was when it was loaded.
#[derive(Debug)]
pub struct Config {
    pub(crate) settings: Settings,
    pub(crate) tree: Tree,
    pub(crate) layers: Vec<Layer>,
    pub(crate) warnings: Vec<ConfigWarning>,
    pub(crate) requirements: Arc<Requirements>,
    pub(crate) trust: Option<TrustLevel>,
    /// Where providers' keys may be.
    pub(crate) env: Arc<HashMap<String, String>>,
    /// The key of the person's account; asked at every turn, since people log in and out.
    pub(crate) credentials: Arc<auth::Store>,
    pub(crate) home: PathBuf,
}

impl std::ops::Deref for Config {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.settings
    }
}

impl Config {
    /// What is not used as it stands, in the order of the sources.
    pub fn warnings(&self) -> &[ConfigWarning] {
        &self.warnings
    }

    /// Our home: the folder of the user's file.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// What the user said about the folder; `None` when nothing was said.
    pub fn trust(&self) -> Option<TrustLevel> {
        self.trust
    }

    /// What the machine's owner demands. Whatever changes a thread's settings keeps to it.
    pub fn requirements(&self) -> &Arc<Requirements> {
        &self.requirements
    }

    /// A setting as it stands, for rooms with settings of their own: `mcp_servers`, `hooks`.
    pub fn raw(&self, key: &str) -> Option<&Value> {
        self.tree.get(key)
    }

    /// The base prompt, when the configuration has one.
    ///
    /// # Errors
    /// [`Error::Io`] when it names a file that cannot be read.
    pub fn base_instructions(&self) -> Result<Option<String>, Error> {
        match read_prompt(self.prompt.instructions_file.as_deref())? {
            Some(text) => Ok(Some(text)),
            None => Ok(self.prompt.instructions.clone()),
        }
    }

    /// The prompt that asks for a summary, when the configuration has one.
    ///
    /// # Errors
    /// [`Error::Io`] when it names a file that cannot be read.
    pub fn compact_prompt(&self) -> Result<Option<String>, Error> {
        match self.prompt.compact_prompt.clone() {
            Some(text) => Ok(Some(text)),
            None => read_prompt(self.prompt.compact_prompt_file.as_deref()),
        }
    }
}

/// Reads a file with a prompt. One of blanks says nothing.
fn read_prompt(path: Option<&Path>) -> Result<Option<String>, Error> {
    let Some(path) = path else { return Ok(None) };
    let text = std::fs::read_to_string(path).map_err(Error::io("read", path))?;
    Ok(Some(text).filter(|text| !text.trim().is_empty()))
}
