//! Why the configuration could not be used or changed.

use std::path::PathBuf;

use spindle_model::provider::ProviderError;

use super::key::KeyError;

/// Why the configuration could not be used or changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A setting of a request or of the command line has a value that does not fit.
    #[error("{message}\nin `{key}`\n")]
    Value {
        /// The setting's dotted name.
        key: String,
        /// What does not fit.
        message: String,
    },
    /// The provider is not in the configuration.
    #[error("Model provider `{0}` not found")]
    ProviderNotFound(Box<str>),
    /// A provider's settings cannot be used.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// A permission profile is asked for that nobody described.
    #[error("default_permissions requires a `[permissions]` table")]
    NoPermissions,
    /// A file cannot be read as TOML. The text says where and why.
    #[error("{0}")]
    Broken(String),
    /// An edit would give a setting a value that does not fit.
    #[error("Invalid configuration: {message}\nin `{key}`\n")]
    InvalidEdit {
        /// The setting's dotted name.
        key: String,
        /// What does not fit.
        message: String,
    },
    /// An edit names no setting.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The file changed since the client read it.
    #[error("Configuration was modified since last read. Fetch latest version and retry.")]
    VersionConflict,
    /// Another file than the user's was to be written.
    #[error("Only writes to the user config are allowed")]
    ReadOnlyLayer,
    /// The system refused.
    #[error("failed to {action} {}", path.display())]
    Io {
        /// What was tried: `read`, `write`, …
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's answer.
        #[source]
        source: std::io::Error,
    },
}

impl Error {
    /// The code that tells clients why an edit was refused; `None` when it was no edit.
    pub fn write_code(&self) -> Option<&'static str> {
        match self {
            Self::InvalidEdit { .. } | Self::Key(_) => Some("configValidationError"),
            Self::VersionConflict => Some("configVersionConflict"),
            Self::ReadOnlyLayer => Some("configLayerReadonly"),
            Self::Value { .. }
            | Self::ProviderNotFound(_)
            | Self::Provider(_)
            | Self::NoPermissions
            | Self::Broken(_)
            | Self::Io { .. } => None,
        }
    }

    /// Whether the caller asked for something wrong, in contrast to a fault of the machine.
    pub fn is_callers_fault(&self) -> bool {
        !matches!(self, Self::Broken(_) | Self::Io { .. })
    }

    /// Wraps an answer of the system.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}
