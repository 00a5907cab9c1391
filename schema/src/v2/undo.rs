//! `spindle/undo/*`: methods of our own that take back what turns did to files.

use serde::{Deserialize, Serialize};

/// Params of `spindle/undo/preview`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpindleUndoPreviewParams {
    pub thread_id: String,
    /// That turn and all later ones; without it the last turn that was not undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_turn_id: Option<String>,
    /// What was undone last is made again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redo: bool,
}

/// Params of `spindle/undo/apply`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpindleUndoApplyParams {
    pub thread_id: String,
    /// That turn and all later ones; without it the last turn that was not undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_turn_id: Option<String>,
    /// What was undone last is made again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redo: bool,
}

/// Result of `spindle/undo/preview` and of `spindle/undo/apply`: what would be done, or was.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpindleUndoResponse {
    /// In the order in which they ran.
    pub turns: Vec<SpindleUndoTurn>,
    /// Turns before these that can be undone after them, in the same order.
    #[serde(default)]
    pub earlier_turns: Vec<SpindleUndoTurn>,
    /// Those that stand in the way first, each kind sorted by path.
    pub files: Vec<SpindleUndoFile>,
    /// How many more files there are than told.
    pub omitted_files: u64,
    /// What is to be known: what was not kept, who else was there.
    pub notes: Vec<String>,
}

/// A turn that is undone.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpindleUndoTurn {
    pub turn_id: String,
    /// When it was over. Unix milliseconds.
    pub ended_at_ms: i64,
    pub changed_files: u64,
}

/// What becomes of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SpindleUndoFile {
    pub path: String,
    pub action: SpindleUndoAction,
    /// What stands in the way.
    pub conflict: Option<String>,
    /// What changes, as a unified diff.
    pub diff: Option<String>,
}

/// What is done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SpindleUndoAction {
    Create,
    Update,
    Delete,
    None,
}
