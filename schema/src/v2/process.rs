//! Processes a client owns: `process/…`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::maybe::Maybe;
use crate::v2::AbsolutePathBuf;

/// Params of `process/spawn`. Without a cap or a time the usual ones hold; null lifts them.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProcessSpawnParams {
    pub command: Vec<String>,
    pub cwd: AbsolutePathBuf,
    pub process_handle: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, Option<String>>>,
    #[serde(default, skip_serializing_if = "Maybe::is_absent")]
    pub output_bytes_cap: Maybe<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<ProcessTerminalSize>,
    #[serde(default)]
    pub stream_stdin: bool,
    #[serde(default)]
    pub stream_stdout_stderr: bool,
    #[serde(default, skip_serializing_if = "Maybe::is_absent")]
    pub timeout_ms: Maybe<i64>,
    #[serde(default)]
    pub tty: bool,
}

/// The size of a process's terminal, in characters.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ProcessTerminalSize {
    pub cols: u16,
    pub rows: u16,
}

/// Result of `process/spawn`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ProcessSpawnResponse {}

/// Params of `process/writeStdin`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProcessWriteStdinParams {
    pub process_handle: String,
    #[serde(default)]
    pub close_stdin: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta_base64: Option<String>,
}

/// Result of `process/writeStdin`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ProcessWriteStdinResponse {}

/// Params of `process/kill`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProcessKillParams {
    pub process_handle: String,
}

/// Result of `process/kill`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ProcessKillResponse {}

/// Params of `process/resizePty`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProcessResizePtyParams {
    pub process_handle: String,
    pub size: ProcessTerminalSize,
}

/// Result of `process/resizePty`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ProcessResizePtyResponse {}

/// Params of `process/outputDelta`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProcessOutputDeltaNotification {
    pub process_handle: String,
    pub stream: ProcessOutputStream,
    pub delta_base64: String,
    pub cap_reached: bool,
}

/// The two outputs of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ProcessOutputStream {
    /// What it prints.
    Stdout,
    /// What it complains of.
    Stderr,
}

/// Params of `process/exited`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProcessExitedNotification {
    pub process_handle: String,
    pub exit_code: i32,
    pub output_drain_timed_out: Option<bool>,
    pub stdout: String,
    pub stdout_cap_reached: bool,
    pub stderr: String,
    pub stderr_cap_reached: bool,
}
