//! Texts and ranges that many families share.

use serde::{Deserialize, Serialize};

/// An absolute path of the host, as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct AbsolutePathBuf(pub String);

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
