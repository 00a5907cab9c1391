//! Changes to the user's file, made for clients.

mod document;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use toml_edit::DocumentMut;

use super::error::Error;
use super::file::{FileState, faults_of, is_absent};
use super::key;
use super::layer::{LayerMetadata, LayerSource, version_of};
use super::load::Loader;
use super::tree::{Tree, from_table, get};
use super::warning::ConfigWarning;
use crate::auth::write_private;

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// The setting's dotted name.
    pub key_path: String,
    /// Its value; null takes the setting out.
    pub value: Value,
    /// What happens to a table that is there.
    pub strategy: MergeStrategy,
}

/// What happens to a table that is there when another is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MergeStrategy {
    /// It goes.
    Replace,
    /// What the other does not name stays.
    Upsert,
}

/// What happens to a file that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnBroken {
    /// Nothing; the change is refused.
    Refuse,
    /// It is kept under another name, and a file with the changes alone takes its place.
    Replace,
}

/// Changes that are made together or not at all.
#[derive(Debug, Clone, Copy)]
pub struct WriteRequest<'a> {
    /// The changes, in order.
    pub edits: &'a [Edit],
    /// The file; `None` is the user's, and no other is allowed.
    pub file: Option<&'a str>,
    /// The version that the client read; `None` changes whatever is there.
    pub expected_version: Option<&'a str>,
    /// What happens to a file that cannot be read.
    pub on_broken: OnBroken,
}

/// Changes were made.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The file's new version.
    pub version: Arc<str>,
    /// The file.
    pub file: PathBuf,
    /// The first change that has no effect, because another source is over the file.
    pub overridden: Option<Overridden>,
    /// Where the file that could not be read is kept.
    pub backup: Option<PathBuf>,
}

/// A change that has no effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Overridden {
    /// What is over the file, in words.
    pub message: String,
    /// The source that is over the file.
    pub layer: LayerMetadata,
    /// The value that counts.
    pub effective_value: Value,
}

/// The user's file, about to be changed.
struct Draft {
    text: String,
    version: Arc<str>,
    document: DocumentMut,
    /// The content that cannot be read and is to be replaced.
    broken: Option<Vec<u8>>,
}

impl Loader {
    /// Changes the user's file. Comments and the order of settings stay.
    ///
    /// A change may not bring a value that does not fit; one that the file already has stays
    /// where no change touches it.
    ///
    /// # Errors
    /// [`Error::Key`], [`Error::InvalidEdit`], [`Error::VersionConflict`] and
    /// [`Error::ReadOnlyLayer`] say what is wrong with the request; [`Error::Broken`] and
    /// [`Error::Io`] what is wrong with the file. The file is then as it was.
    pub fn write(&self, request: &WriteRequest<'_>) -> Result<Written, Error> {
        let file = self.user_file();
        if request.file.is_some_and(|wanted| !is_same_file(Path::new(wanted), &file)) {
            return Err(Error::ReadOnlyLayer);
        }
        let paths = request
            .edits
            .iter()
            .map(|edit| key::split(&edit.key_path))
            .collect::<Result<Vec<_>, _>>()?;
        let _one_after_another = self.writing.lock();
        let mut draft = Draft::open(&file, request.on_broken)?;
        if request.expected_version.is_some_and(|expected| *expected != *draft.version) {
            return Err(Error::VersionConflict);
        }
        for (edit, path) in request.edits.iter().zip(&paths) {
            document::apply(draft.document.as_table_mut(), path, &edit.value, edit.strategy);
        }
        let tree = from_table(draft.document.as_table());
        refuse_faults(&tree, &paths)?;
        let backup = draft.save(&file)?;
        self.files.forget(&file);
        let overridden = self.overridden(request.edits, &paths);
        Ok(Written { version: version_of(&tree), file, overridden, backup })
    }

    /// Finds the first change that another source hides.
    fn overridden(&self, edits: &[Edit], paths: &[Vec<String>]) -> Option<Overridden> {
        // A command line that does not fit hides nothing.
        let config = self.load(None, None).ok()?;
        edits.iter().zip(paths).find_map(|(edit, path)| {
            let layer = config.layers().find(|layer| get(&layer.tree, path).is_some())?;
            let effective = get(&config.tree, path)?;
            let message = match &layer.metadata.name {
                LayerSource::User { profile: None, .. } | LayerSource::System { .. } => {
                    return None;
                }
                LayerSource::User { profile: Some(name), .. } => {
                    format!("Overridden by the profile `{name}`")
                }
                LayerSource::SessionFlags => "Overridden by session flags".to_owned(),
                other => format!("Overridden by {}", other.label()),
            };
            (*effective != edit.value).then(|| Overridden {
                message,
                layer: layer.metadata.clone(),
                effective_value: effective.clone(),
            })
        })
    }
}

impl Draft {
    fn open(file: &Path, on_broken: OnBroken) -> Result<Self, Error> {
        let bytes = match fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) if is_absent(&error) => Vec::new(),
            Err(error) => return Err(Error::io("read", file)(error)),
        };
        let state = FileState::parse(file, &bytes, None);
        let document = std::str::from_utf8(&bytes)
            .ok()
            .map(|text| text.strip_prefix('\u{feff}').unwrap_or(text))
            .and_then(|text| Some((text.to_owned(), text.parse::<DocumentMut>().ok()?)));
        let version = state.version;
        match (document, on_broken) {
            (Some((text, document)), _) => Ok(Self { text, version, document, broken: None }),
            (None, OnBroken::Replace) => Ok(Self {
                text: String::new(),
                version,
                document: DocumentMut::new(),
                broken: Some(bytes),
            }),
            (None, OnBroken::Refuse) => {
                let reason = state.warnings.first().map_or("not readable", ConfigWarning::reason);
                Err(Error::Broken(reason.to_owned()))
            }
        }
    }

    /// Writes the file, unless nothing changed; returns where an unreadable one is kept.
    fn save(self, file: &Path) -> Result<Option<PathBuf>, Error> {
        let text = self.document.to_string();
        let mut backup = None;
        if let Some(broken) = &self.broken {
            let place = free_name(file);
            write_private(&place, broken).map_err(Error::io("write", &*place))?;
            backup = Some(place);
        } else if text == self.text {
            return Ok(None);
        }
        write_private(file, text.as_bytes()).map_err(Error::io("write", file))?;
        Ok(backup)
    }
}

/// Refuses values that do not fit, where a change put them.
fn refuse_faults(tree: &Tree, paths: &[Vec<String>]) -> Result<(), Error> {
    let is_touched = |fault: &[String]| {
        paths.iter().any(|path| fault.starts_with(path) || path.starts_with(fault))
    };
    match faults_of(tree).into_iter().find(|fault| is_touched(&fault.path)) {
        Some(fault) => {
            Err(Error::InvalidEdit { key: key::join(&fault.path), message: fault.message })
        }
        None => Ok(()),
    }
}

/// A name beside the file that is not taken: `config.toml.broken`, `config.toml.broken-2`, …
fn free_name(file: &Path) -> PathBuf {
    let named = |suffix: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let mut name = named(".broken");
    let mut number = 1;
    while name.exists() {
        number += 1;
        name = named(&format!(".broken-{number}"));
    }
    name
}

/// Whether two paths lead to one file.
fn is_same_file(wanted: &Path, file: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    wanted == file || (wanted.is_absolute() && real(wanted).is_some_and(|w| Some(w) == real(file)))
}

#[cfg(test)]
mod tests;
