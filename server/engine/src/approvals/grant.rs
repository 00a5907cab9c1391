//! What a person allows beyond the sandbox: places to read and write, and the network.

use std::path::{Component, Path, PathBuf};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Places and the network, beyond what the sandbox allows.
///
/// The paths are absolute, without `..` and without links as far as they exist. Reading is
/// allowed everywhere; it is asked for and granted all the same, so that people see what the
/// model is after.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Grant {
    /// Whether the network is open.
    pub(crate) network: bool,
    /// Files and folders to read.
    pub(crate) read: Vec<PathBuf>,
    /// Files and folders to write, with all that is below them.
    pub(crate) write: Vec<PathBuf>,
}

/// How far beyond the sandbox a command wants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Beyond {
    /// It stays inside.
    Nothing,
    /// It stays inside a wider one.
    Widened(Grant),
    /// It leaves it.
    Everything,
}

impl Beyond {
    /// What is still to be asked for, where this much was granted before.
    pub(crate) fn left_by(&self, granted: &Grant) -> &Self {
        match self {
            Self::Widened(grant) if granted.covers(grant) => &Self::Nothing,
            other => other,
        }
    }

    /// What the sandbox is widened by.
    pub(crate) fn grant(&self) -> Grant {
        match self {
            Self::Widened(grant) => grant.clone(),
            Self::Nothing | Self::Everything => Grant::default(),
        }
    }
}

/// A grant as the model writes and reads it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelForm {
    network: Option<Network>,
    file_system: Option<Places>,
}

/// The network, as models and clients write it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Network {
    enabled: Option<bool>,
}

/// Places, as the model writes them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Places {
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    write: Option<Vec<String>>,
    /// The same in the form of clients, which models write, too.
    #[serde(skip_serializing)]
    entries: Option<Vec<Wanted>>,
}

/// An entry of the model's. Special places and patterns cannot be asked for.
#[derive(Debug, Clone, Deserialize)]
struct Wanted {
    access: WantedAccess,
    path: WantedPath,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WantedAccess {
    Read,
    Write,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum WantedPath {
    Path { path: String },
}

impl Places {
    /// All paths for an access.
    fn paths(&self, access: WantedAccess) -> impl Iterator<Item = &str> {
        let list = match access {
            WantedAccess::Read => &self.read,
            WantedAccess::Write => &self.write,
        };
        let named = self.entries.iter().flatten().filter(move |entry| entry.access == access);
        let named = named.map(|Wanted { path: WantedPath::Path { path }, .. }| path.as_str());
        list.iter().flatten().map(String::as_str).chain(named)
    }
}

/// How long a grant holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Lasting {
    /// Until the end of the turn.
    #[default]
    Turn,
    /// Until the session ends.
    Session,
}

impl Grant {
    /// What the model asks for; relative paths begin at `cwd`. Looks at the file system, so that
    /// people are shown where links lead.
    pub(crate) fn asked(form: ModelForm, cwd: &Path) -> Self {
        let places = form.file_system.unwrap_or_default();
        let paths = |access| unique(places.paths(access).map(|path| real(&plain(&cwd.join(path)))));
        Self {
            network: form.network.is_some_and(|network| network.enabled == Some(true)),
            read: paths(WantedAccess::Read),
            write: paths(WantedAccess::Write),
        }
    }

    /// Whether it allows nothing.
    pub(crate) fn is_empty(&self) -> bool {
        !self.network && self.read.is_empty() && self.write.is_empty()
    }

    /// Whether all of `other` is allowed by it.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        (self.network || !other.network)
            && other.write.iter().all(|path| is_below(path, &self.write))
            && other
                .read
                .iter()
                .all(|path| is_below(path, &self.write) || is_below(path, &self.read))
    }

    /// Allows what `other` allows, too.
    pub(crate) fn add(&mut self, other: &Self) {
        self.network |= other.network;
        self.read = unique(self.read.drain(..).chain(other.read.iter().cloned()));
        self.write = unique(self.write.drain(..).chain(other.write.iter().cloned()));
    }

    /// Leaves out what is at or below a folder.
    #[must_use]
    pub(crate) fn without(mut self, folder: &Path) -> Self {
        self.write.retain(|path| !path.starts_with(folder));
        self
    }

    /// What of this question an answer grants: never more than was asked. A client may name
    /// places in two lists; where both are there, what one leaves out is not granted.
    pub(crate) fn granted(&self, answer: &Answered) -> Self {
        let Some(places) = &answer.file_system else {
            return Self { network: self.network && answer.network(), ..Self::default() };
        };
        let write = common(&self.write, &places.allowed(Access::Write));
        let read = common(&self.read, &places.allowed(Access::Read));
        Self { network: self.network && answer.network(), read, write }
    }

    /// The grant as clients see it.
    pub(crate) fn to_protocol(&self) -> Value {
        let list = |paths: &[PathBuf]| (!paths.is_empty()).then(|| texts(paths));
        let entry = |access: &str, path: &PathBuf| json!({ "access": access, "path": { "type": "path", "path": path.to_string_lossy() } });
        let read = self.read.iter().map(|path| entry("read", path));
        let entries: Vec<Value> =
            read.chain(self.write.iter().map(|path| entry("write", path))).collect();
        let files = (!entries.is_empty()).then(
            || json!({ "entries": entries, "read": list(&self.read), "write": list(&self.write) }),
        );
        json!({ "network": self.network.then(|| json!({ "enabled": true })), "fileSystem": files })
    }

    /// The grant as the model reads it.
    pub(crate) fn for_model(&self, lasting: Lasting) -> String {
        #[derive(Serialize)]
        struct Told {
            permissions: ModelForm,
            scope: Lasting,
        }
        let list = |paths: &[PathBuf]| (!paths.is_empty()).then(|| texts(paths));
        let places = Places { read: list(&self.read), write: list(&self.write), entries: None };
        let told = Told {
            permissions: ModelForm {
                network: self.network.then_some(Network { enabled: Some(true) }),
                file_system: (places.read.is_some() || places.write.is_some()).then_some(places),
            },
            scope: lasting,
        };
        serde_json::to_string(&told).expect("texts and booleans are a tree of JSON values")
    }
}

/// A client's answer, as far as it is read. What is not understood grants nothing.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answered {
    network: Option<Network>,
    file_system: Option<AnsweredPlaces>,
}

#[derive(Debug, Deserialize)]
struct AnsweredPlaces {
    entries: Option<Vec<Entry>>,
    read: Option<Vec<PathBuf>>,
    write: Option<Vec<PathBuf>>,
}

#[derive(Debug, Deserialize)]
struct Entry {
    access: Access,
    path: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Access {
    Read,
    Write,
    Deny,
}

impl Answered {
    /// Reads the result of `item/permissions/requestApproval`; one of another shape is a no.
    pub(crate) fn read(result: &Value) -> (Self, Lasting) {
        #[derive(Deserialize)]
        struct Response {
            permissions: Answered,
            #[serde(default)]
            scope: Lasting,
        }
        match Response::deserialize(result) {
            Ok(response) => (response.permissions, response.scope),
            Err(error) => {
                tracing::warn!(%error, "an answer about permissions could not be read");
                Self::default().into()
            }
        }
    }

    fn network(&self) -> bool {
        self.network.as_ref().is_some_and(|network| network.enabled == Some(true))
    }
}

impl From<Answered> for (Answered, Lasting) {
    fn from(answered: Answered) -> Self {
        (answered, Lasting::Turn)
    }
}

impl AnsweredPlaces {
    /// The paths for an access, by both lists where both are there.
    fn allowed(&self, access: Access) -> Vec<PathBuf> {
        let named = self.entries.as_ref().map(|entries| {
            let paths = entries.iter().filter(|entry| entry.access == access);
            paths.filter_map(|entry| plain_path(&entry.path)).collect::<Vec<_>>()
        });
        let list = if access == Access::Write { &self.write } else { &self.read };
        let listed = (self.read.is_some() || self.write.is_some())
            .then(|| list.iter().flatten().cloned().collect::<Vec<_>>());
        match (named, listed) {
            (Some(named), Some(listed)) => common(&named, &listed),
            (Some(paths), None) | (None, Some(paths)) => paths,
            (None, None) => Vec::new(),
        }
    }
}

/// The path of an entry that names one; special places and patterns are never asked for.
fn plain_path(path: &Value) -> Option<PathBuf> {
    path.get("path").and_then(Value::as_str).map(PathBuf::from)
}

/// What two lists have in common: of two paths one below the other, the lower one.
fn common(asked: &[PathBuf], given: &[PathBuf]) -> Vec<PathBuf> {
    let given: Vec<PathBuf> = given.iter().map(|path| plain(path)).collect();
    unique(asked.iter().flat_map(|wanted| {
        let lower = |path: &PathBuf| {
            if wanted.starts_with(path) {
                Some(wanted.clone())
            } else {
                path.starts_with(wanted).then(|| path.clone())
            }
        };
        given.iter().filter_map(lower).collect::<Vec<_>>()
    }))
}

fn is_below(path: &Path, folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| path.starts_with(folder))
}

fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

fn unique(paths: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut list = Vec::new();
    for path in paths {
        if !list.contains(&path) {
            list.push(path);
        }
    }
    list
}

/// The path without `.` and `..`. Text only.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

/// The path with the links of its existing part followed.
fn real(path: &Path) -> PathBuf {
    for above in path.ancestors() {
        if let (Ok(found), Ok(rest)) = (above.canonicalize(), path.strip_prefix(above)) {
            // Joining nothing would end the path with a slash.
            return if rest.as_os_str().is_empty() { found } else { found.join(rest) };
        }
    }
    path.to_owned()
}

/// What has been granted so far.
#[derive(Debug, Default)]
pub(crate) struct Grants(Mutex<Grant>);

impl Grants {
    /// All of it.
    pub(crate) fn all(&self) -> Grant {
        self.0.lock().clone()
    }

    /// Adds to it.
    pub(crate) fn add(&self, grant: &Grant) {
        self.0.lock().add(grant);
    }
}

#[cfg(test)]
mod tests;
