//! Reads all sources and lays them over one another.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use serde_json::{Map, Value};

use super::error::Error;
use super::file::{FileState, Files, faults_of};
use super::flag::{flags, nested};
use super::key;
use super::known;
use super::layer::{Layer, LayerSource, version_of};
use super::path::resolve_paths;
use super::project;
use super::reader::Reader;
use super::requirement::Requirements;
use super::section::TrustLevel;
use super::settings::{Config, Settings};
use super::tree::{Tree, overlay};
use super::warning::ConfigWarning;
use crate::auth;

/// The folder of the machine's own files.
const MACHINE: &str = "/etc/codex";

/// Reads the configuration.
///
/// The sources, each over the one before: the machine's file, the user's file, the files of a
/// trusted project from its root down, the chosen profile, the command line and the request,
/// and the file by which a machine's owner decides.
#[derive(Debug)]
pub struct Loader {
    /// Where the user's file is.
    pub(crate) home: PathBuf,
    /// Where the machine's files are.
    pub(crate) machine: PathBuf,
    env: Arc<HashMap<String, String>>,
    /// The key of the person's account.
    credentials: Arc<auth::Store>,
    /// The command line as settings, or why it is none.
    flags: Result<Tree, (String, String)>,
    pub(crate) files: Files,
    /// What the machine's owner demands; read once, with the first configuration.
    requirements: OnceLock<Arc<Requirements>>,
    /// The configuration of the last thread, for the next one in the same folder.
    last: Mutex<Option<Loaded>>,
    /// Edits are made one after another.
    pub(crate) writing: Mutex<()>,
}

/// A configuration and all that it depends on.
#[derive(Debug)]
struct Loaded {
    cwd: Option<PathBuf>,
    files: Vec<(LayerSource, Arc<FileState>)>,
    config: Arc<Config>,
}

/// The files of one configuration, lowest first.
struct Sources {
    files: Vec<(LayerSource, Arc<FileState>)>,
    trust: Option<TrustLevel>,
}

impl Loader {
    /// Prepares to read; touches nothing.
    ///
    /// `cli` are settings of the command line: a dotted name, and a value in TOML or, when it
    /// is none, a plain text. `features` switches features by name.
    pub fn new(
        home: PathBuf,
        cli: Vec<(String, String)>,
        features: Vec<(String, bool)>,
        env: Arc<HashMap<String, String>>,
    ) -> Self {
        Self {
            credentials: Arc::new(auth::Store::new(&home, Arc::clone(&env))),
            home,
            machine: PathBuf::from(MACHINE),
            env,
            flags: flags(cli, features),
            files: Files::default(),
            requirements: OnceLock::new(),
            last: Mutex::default(),
            writing: Mutex::default(),
        }
    }

    /// Looks for the machine's files in another folder.
    #[must_use]
    pub fn with_machine_folder(mut self, folder: PathBuf) -> Self {
        self.machine = folder;
        self
    }

    /// The user's file.
    pub fn user_file(&self) -> PathBuf {
        self.home.join("config.toml")
    }

    /// Our home: the folder of the user's file.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The key of the person's account.
    pub fn credentials(&self) -> &auth::Store {
        &self.credentials
    }

    /// Reads the configuration for a folder, with the settings of a request over all files.
    ///
    /// The overrides are nested objects or have dotted names; a null says nothing. Files that
    /// cannot be used, and values that do not fit, are in [`Config::warnings`].
    ///
    /// # Errors
    /// [`Error::Value`] or [`Error::Key`] when an override, or the command line, does not fit.
    pub fn load(
        &self,
        cwd: Option<&Path>,
        overrides: Option<&Map<String, Value>>,
    ) -> Result<Arc<Config>, Error> {
        let mut flags =
            self.flags.clone().map_err(|(key, message)| Error::Value { key, message })?;
        let overrides = overrides.filter(|overrides| !overrides.is_empty());
        if let Some(overrides) = overrides {
            overlay(&mut flags, &nested(overrides)?);
        }
        if let Some(fault) = faults_of(&flags).into_iter().next() {
            return Err(Error::Value { key: key::join(&fault.path), message: fault.message });
        }
        resolve_paths(&mut flags, cwd.unwrap_or(&self.home), self.user_home());
        let sources = self.sources(cwd, &flags);
        if overrides.is_some() {
            return Ok(Arc::new(self.assemble(sources, flags)));
        }
        if let Some(known) = self.known(cwd, &sources) {
            return Ok(known);
        }
        let files = sources.files.clone();
        let config = Arc::new(self.assemble(sources, flags));
        let loaded = Loaded { cwd: cwd.map(Path::to_owned), files, config: Arc::clone(&config) };
        *self.last.lock() = Some(loaded);
        Ok(config)
    }

    /// What is wrong with the configuration outside any project; the command line included.
    pub fn warnings(&self) -> Vec<ConfigWarning> {
        match self.load(None, None) {
            Ok(config) => config.warnings.clone(),
            Err(error) => vec![ConfigWarning::general(error.to_string())],
        }
    }

    /// The configuration made last, if nothing that it depends on has changed.
    fn known(&self, cwd: Option<&Path>, sources: &Sources) -> Option<Arc<Config>> {
        let last = self.last.lock();
        let last = last.as_ref()?;
        let same = last.cwd.as_deref() == cwd
            && last.config.trust == sources.trust
            && last.files.len() == sources.files.len()
            && last.files.iter().zip(&sources.files).all(|(a, b)| Arc::ptr_eq(&a.1, &b.1));
        same.then(|| Arc::clone(&last.config))
    }

    /// What the machine's owner demands, as it was when it was first asked for.
    pub fn requirements(&self) -> &Arc<Requirements> {
        self.requirements
            .get_or_init(|| Arc::new(Requirements::read(&self.machine.join("requirements.toml"))))
    }

    fn user_home(&self) -> Option<&Path> {
        self.env.get("HOME").map(Path::new)
    }

    /// Reads the files that count for a folder.
    fn sources(&self, cwd: Option<&Path>, flags: &Tree) -> Sources {
        let read = |path: &Path| self.files.read(path, self.user_home());
        let system = self.machine.join("config.toml");
        let managed = self.machine.join("managed_config.toml");
        let mut files = vec![(LayerSource::System { file: system.clone() }, read(&system))];
        let user = self.user_file();
        let state = read(&user);
        files.push((LayerSource::User { file: user, profile: None }, state));
        let mut above = Vec::new();
        let state = read(&managed);
        if state.exists {
            above.push((LayerSource::LegacyManagedConfigTomlFromFile { file: managed }, state));
        }
        let mut trust = None;
        if let Some(cwd) = cwd {
            let base = merged(files.iter().chain(&above).map(|(_, state)| &*state.tree), flags);
            let markers = markers(&base);
            trust = project::trust_of(&base, cwd, project::root_of(cwd, &markers));
            for folder in project::settings_folders(cwd, &markers, &self.home) {
                let state = read(&folder.join("config.toml"));
                files.push((LayerSource::Project { dot_codex_folder: folder }, state));
            }
        }
        files.append(&mut above);
        Sources { files, trust }
    }

    /// Makes the configuration out of its sources.
    fn assemble(&self, sources: Sources, flags: Tree) -> Config {
        let mut warnings = Vec::new();
        let mut layers = Vec::new();
        for (name, state) in sources.files {
            let mut layer = layer_of(name, &state, sources.trust);
            if layer.is_enabled() {
                warnings.extend(state.warnings.iter().cloned());
                layer.disabled_reason = state.broken_reason();
            }
            layers.push(layer);
        }
        add_flags(&mut layers, flags);
        add_profile(&mut layers, &mut warnings);
        warnings.extend(forbidden(&mut layers));
        let mut tree = Tree::new();
        for layer in layers.iter().filter(|layer| layer.is_enabled()) {
            overlay(&mut tree, &layer.tree);
        }
        let faults = std::cell::RefCell::default();
        let mut settings = Settings::read(&Reader::new(&tree, &faults));
        let requirements = Arc::clone(self.requirements());
        requirements.pin(&mut settings);
        warnings.extend(requirements.warning().cloned());
        warnings.extend(missing_profile(&settings));
        warnings.extend(known::unknown_settings(&layers, &settings.features));
        Config {
            settings,
            tree,
            layers,
            warnings,
            requirements,
            trust: sources.trust,
            env: Arc::clone(&self.env),
            credentials: Arc::clone(&self.credentials),
            home: self.home.clone(),
        }
    }
}

/// Makes a layer of a file. A project's file counts only when the user trusts the folder.
fn layer_of(name: LayerSource, state: &FileState, trust: Option<TrustLevel>) -> Layer {
    let is_project = matches!(name, LayerSource::Project { .. });
    let mut layer = Layer::new(name, Arc::clone(&state.tree), Arc::clone(&state.version));
    if is_project && trust != Some(TrustLevel::Trusted) {
        layer.disabled_reason = Some(
            "the folder is not trusted: set `trust_level = \"trusted\"` for it under \
             `[projects]` in the user's config.toml to use its settings"
                .to_owned(),
        );
    }
    layer
}

/// Puts the command line and the request below the file by which the machine's owner decides.
fn add_flags(layers: &mut Vec<Layer>, flags: Tree) {
    if flags.is_empty() {
        return;
    }
    let version = version_of(&flags);
    let flags = Layer::new(LayerSource::SessionFlags, Arc::new(flags), version);
    layers.insert(below_managed(layers), flags);
}

/// The place right below the file by which the machine's owner decides.
fn below_managed(layers: &[Layer]) -> usize {
    let is_managed = |layer: &Layer| {
        matches!(layer.metadata.name, LayerSource::LegacyManagedConfigTomlFromFile { .. })
    };
    layers.iter().position(is_managed).unwrap_or(layers.len())
}

/// Adds the profile that is chosen, over the files and below the command line.
fn add_profile(layers: &mut Vec<Layer>, warnings: &mut Vec<ConfigWarning>) {
    // A project cannot choose a profile.
    let may_choose = |layer: &&Layer| {
        layer.is_enabled() && !matches!(layer.metadata.name, LayerSource::Project { .. })
    };
    let chosen = layers.iter().rev().filter(may_choose).find_map(|layer| layer.tree.get("profile"));
    let Some(name) = chosen.and_then(Value::as_str).map(str::to_owned) else { return };
    let found = layers.iter().find_map(|layer| match &layer.metadata.name {
        LayerSource::User { file, profile: None } => {
            let settings = layer.tree.get("profiles")?.get(&name)?.as_object()?;
            Some((file.clone(), settings.clone()))
        }
        _ => None,
    });
    let Some((file, mut settings)) = found else {
        let text = format!("The profile `{name}` is not in the configuration; it is not used.");
        warnings.push(ConfigWarning::general(text));
        return;
    };
    for fault in super::file::take_faults(&mut settings) {
        let reason = format!("{}\nin `profiles.{name}.{}`", fault.message, key::join(&fault.path));
        warnings.push(ConfigWarning::at(&file, "", None, &reason));
    }
    let version = version_of(&settings);
    let source = LayerSource::User { file, profile: Some(name) };
    let flags = layers.iter().position(|layer| layer.metadata.name == LayerSource::SessionFlags);
    let place = flags.unwrap_or_else(|| below_managed(layers));
    layers.insert(place, Layer::new(source, Arc::new(settings), version));
}

/// Takes out of projects' settings what a project may not decide.
fn forbidden(layers: &mut [Layer]) -> Vec<ConfigWarning> {
    let mut warnings = Vec::new();
    for layer in layers.iter_mut().filter(|layer| layer.is_enabled()) {
        if !matches!(layer.metadata.name, LayerSource::Project { .. }) {
            continue;
        }
        let found = project::FORBIDDEN.iter().filter(|key| layer.tree.contains_key(**key));
        let found: Vec<_> = found.collect();
        for key in found {
            Arc::make_mut(&mut layer.tree).shift_remove(*key);
            let text = format!(
                "{}: a project may not set `{key}`; it is ignored.",
                layer.metadata.name.label()
            );
            warnings.push(ConfigWarning::general(text));
        }
    }
    warnings
}

/// Tells of a permission profile that nobody described.
fn missing_profile(settings: &Settings) -> Option<ConfigWarning> {
    let name = settings.permission.default_profile.as_deref()?;
    let error = settings.permission.profile_mode(name).err()?;
    Some(ConfigWarning::general(format!(
        "The permission profile `{name}` cannot be used; nothing may be written. {error}."
    )))
}

/// The names that make a folder a project's root, by what is known outside the project.
fn markers(base: &Tree) -> Vec<String> {
    match base.get("project_root_markers").and_then(Value::as_array) {
        Some(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        None => vec![".git".to_owned()],
    }
}

fn merged<'a>(trees: impl Iterator<Item = &'a Tree>, top: &Tree) -> Tree {
    let mut all = Tree::new();
    trees.for_each(|tree| overlay(&mut all, tree));
    overlay(&mut all, top);
    all
}

#[cfg(test)]
mod tests;
