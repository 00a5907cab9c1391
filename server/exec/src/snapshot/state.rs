//! What stands under a path, and what became of it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::blob::Digest;
use crate::patch::FileState;

/// What stands under a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase")]
pub enum State {
    /// Nothing.
    Missing,
    /// A file whose content is kept.
    File {
        /// Its content.
        content: Digest,
        /// Its permission bits; none means those of any new file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<u32>,
    },
    /// A symbolic link, with its target as the link has it.
    Link {
        /// Where it points.
        #[serde(with = "path_text")]
        target: PathBuf,
    },
    /// A folder.
    Folder {
        /// Its permission bits.
        mode: u32,
    },
    /// A file whose content is not kept. It is known by its size and time alone.
    Unkept {
        /// Why.
        why: Unkept,
        /// Its length in bytes.
        size: u64,
        /// When it was written last, in nanoseconds of Unix time.
        modified: i64,
    },
}

/// Why a content is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Unkept {
    /// The file is larger than what is kept of one file.
    TooLarge,
    /// The folder holds more than what is kept of one folder.
    TooMuch,
    /// There was no time to read it yet.
    NotYet,
    /// It may not be read, or changed while it was.
    Unreadable,
}

impl std::fmt::Display for Unkept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "the file is too large",
            Self::TooMuch => "the folder holds too much",
            Self::NotYet => "there was no time to read it",
            Self::Unreadable => "it could not be read",
        })
    }
}

impl State {
    /// Whether what was found is what was expected. A mode that nobody fixed fits any.
    pub fn fits(&self, found: &Self) -> bool {
        match (self, found) {
            (Self::File { content, mode: None }, Self::File { content: other, .. }) => {
                content == other
            }
            (
                Self::Unkept { size, modified, .. },
                Self::Unkept { size: found, modified: at, .. },
            ) => size == found && modified == at,
            _ => self == found,
        }
    }

    /// Whether it can be made again.
    pub fn is_kept(&self) -> bool {
        !matches!(self, Self::Unkept { .. })
    }

    /// The content, if it is a file's that is kept.
    pub fn content(&self) -> Option<Digest> {
        match self {
            Self::File { content, .. } => Some(*content),
            _ => None,
        }
    }

    /// The state of a file in a patch. Its bytes must have been kept under their digest.
    pub fn of_patch(state: &FileState) -> Self {
        match state {
            FileState::Missing => Self::Missing,
            FileState::File(content) => {
                Self::File { content: Digest::of(&content.bytes), mode: content.mode }
            }
            FileState::Link(target) => Self::Link { target: target.clone() },
        }
    }
}

/// What became of a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Absolute, without links in its folder.
    #[serde(with = "path_text")]
    pub path: PathBuf,
    /// What it was.
    pub before: State,
    /// What it is.
    pub after: State,
}

impl Change {
    /// The way back.
    pub fn reversed(self) -> Self {
        Self { path: self.path, before: self.after, after: self.before }
    }
}

/// A path in JSON: a text, or a list of bytes where it is none.
pub mod path_text {
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Form {
        Text(String),
        Bytes(Vec<u8>),
    }

    /// Writes a path.
    pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        match path.to_str() {
            Some(text) => serializer.serialize_str(text),
            None => path.as_os_str().as_bytes().serialize(serializer),
        }
    }

    /// Reads a path.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        Ok(match Form::deserialize(deserializer)? {
            Form::Text(text) => PathBuf::from(text),
            Form::Bytes(bytes) => PathBuf::from(OsString::from_vec(bytes)),
        })
    }
}
