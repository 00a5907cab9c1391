//! Texts and ranges that many families share.

use serde::{Deserialize, Serialize};

/// `file` of [`ConfigLayerSource`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct AbsolutePathBuf(pub String);

/// `thread_spawn` of [`SubAgentSource`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct AgentPath(pub String);

/// `byteRange` of [`TextElement`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ByteRange {
    pub end: u64,
    pub start: u64,
}

/// `read` of [`AdditionalFileSystemPermissions`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct LegacyAppPathString(pub String);

/// `cwd` of [`EnvironmentInfoResponse`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct PathUri(pub String);

/// `sortDirection` of [`ProjectListParams`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SortDirection {
    Asc,
    Desc,
}

/// `end` of [`TextRange`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct TextPosition {
    pub line: u64,
    pub column: u64,
}

/// `range` of [`ConfigWarningNotification`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct TextRange {
    pub start: TextPosition,
    pub end: TextPosition,
}
