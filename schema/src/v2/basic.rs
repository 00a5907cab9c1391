//! Texts and ranges that many families share.

use std::fmt;
use std::path::Path;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// An absolute path of the host, as text. Reading a relative one fails.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct AbsolutePathBuf(pub String);

impl<'de> Deserialize<'de> for AbsolutePathBuf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if Path::new(&text).is_absolute() {
            Ok(Self(text))
        } else {
            // The words that clients know from the protocol.
            Err(D::Error::custom("AbsolutePathBuf deserialized without a base path"))
        }
    }
}

/// The place of an agent among its peers, for example `/root/worker`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct AgentPath(pub String);

/// A range of bytes in a text, the end excluded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ByteRange {
    pub end: u64,
    pub start: u64,
}

/// A path as the application writes it; mostly absolute.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct LegacyAppPathString(pub String);

/// A path as a URI.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct PathUri(pub String);

/// Upwards or downwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SortDirection {
    Asc,
    Desc,
}

/// A place in a text file, counted from one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct TextPosition {
    pub line: u64,
    pub column: u64,
}

/// A range in a text file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct TextRange {
    pub start: TextPosition,
    pub end: TextPosition,
}

/// What all types that are plain texts can do.
macro_rules! text {
    ($($name:ty),* $(,)?) => { $(
        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }
    )* };
}

text! {
    AbsolutePathBuf,
    AgentPath,
    LegacyAppPathString,
    PathUri,
    crate::v2::ReasoningEffort,
    crate::v2::ThreadSource,
}
