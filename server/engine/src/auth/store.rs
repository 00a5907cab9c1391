//! The key of an account: where it is kept and who gets it.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};
use spindle_model::{Auth, Provider, Secret};

use super::private::write_private;

/// The variable whose key is over the one that is stored.
const OVERRIDE: &str = "CODEX_API_KEY";
/// The variable whose key is used when none is stored.
const FALLBACK: &str = "OPENAI_API_KEY";

/// Why credentials could not be kept.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refused.
    #[error("failed to {action} {}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's answer.
        #[source]
        source: std::io::Error,
    },
}

/// An account that the person is logged in with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Account {
    /// A key of the API.
    ApiKey,
}

/// What clients are told about the account of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountFacts {
    /// The account; `None` when there is none or the provider wants none.
    pub account: Option<Account>,
    /// Whether the provider wants an account.
    pub requires_openai_auth: bool,
}

/// Keeps the key of an account in `auth.json`, with mode 0600.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    env: Arc<HashMap<String, String>>,
    /// The file's key as it was at a stamp, so that a turn opens no file.
    known: Mutex<Option<(Stamp, Option<Secret>)>>,
}

/// What tells one state of the file from another: inode, length, time of the last change.
type Stamp = (u64, u64, i64, i64);

impl Store {
    /// Prepares to read; touches nothing.
    pub fn new(home: &Path, env: Arc<HashMap<String, String>>) -> Self {
        Self { path: home.join("auth.json"), env, known: Mutex::default() }
    }

    /// The key, from the environment or the file.
    pub fn key(&self) -> Option<Secret> {
        let variable = |name: &str| {
            self.env.get(name).map(|key| Secret::new(key)).filter(|key| !key.reveal().is_empty())
        };
        variable(OVERRIDE).or_else(|| self.stored()).or_else(|| variable(FALLBACK))
    }

    /// Gives the key to a provider that wants an account's and has none of its own.
    pub fn sign(&self, provider: &mut Provider) {
        if !provider.requires_openai_auth {
            return;
        }
        // A token in the settings is meant; the environment's key is only the fall-back.
        let is_settings_token = matches!(&provider.auth, Auth::Bearer(token)
            if self.env.get(FALLBACK).is_none_or(|key| key.trim() != token.reveal()));
        if is_settings_token {
            return;
        }
        if let Some(key) = self.key() {
            provider.auth = Auth::Bearer(key);
        }
    }

    /// What clients are told about the account of a provider.
    pub fn facts(&self, provider: &Provider) -> AccountFacts {
        let requires_openai_auth = provider.requires_openai_auth;
        let account = (requires_openai_auth && self.key().is_some()).then_some(Account::ApiKey);
        AccountFacts { account, requires_openai_auth }
    }

    /// Keeps a key, in place of whatever was kept.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be written.
    pub fn log_in(&self, key: &str) -> Result<(), Error> {
        let content = json!({ "auth_mode": "apikey", "OPENAI_API_KEY": key });
        let written = write_private(&self.path, format!("{content:#}\n").as_bytes());
        *self.known.lock() = None;
        written.map_err(|source| self.error("write", source))
    }

    /// Forgets the key that is kept; says whether there was a file.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be removed.
    pub fn log_out(&self) -> Result<bool, Error> {
        *self.known.lock() = None;
        match fs::remove_file(&self.path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(source) => Err(self.error("remove", source)),
        }
    }

    /// The key in the file.
    fn stored(&self) -> Option<Secret> {
        let metadata = fs::metadata(&self.path).ok()?;
        let stamp: Stamp =
            (metadata.ino(), metadata.len(), metadata.mtime(), metadata.mtime_nsec());
        let mut known = self.known.lock();
        if let Some((at, key)) = &*known
            && *at == stamp
        {
            return key.clone();
        }
        let key = read_key(&self.path);
        *known = Some((stamp, key.clone()));
        key
    }

    fn error(&self, action: &'static str, source: std::io::Error) -> Error {
        Error::Io { action, path: self.path.clone(), source }
    }
}

/// Reads the key. A file that says nothing we understand has none, and is left alone.
fn read_key(path: &Path) -> Option<Secret> {
    let content = fs::read(path)
        .map_err(|error| tracing::warn!(path = %path.display(), %error, "cannot read credentials"))
        .ok()?;
    let content: Value = serde_json::from_slice(&content)
        .map_err(|_| tracing::warn!(path = %path.display(), "credentials are not JSON"))
        .ok()?;
    let key = content.get("OPENAI_API_KEY")?.as_str().map(Secret::new)?;
    (!key.reveal().is_empty()).then_some(key)
}

#[cfg(test)]
mod tests;
