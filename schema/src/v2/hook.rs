//! Hooks: `hooks/list`, `hook/…`.

use serde::{Deserialize, Serialize};

use crate::v2::{AbsolutePathBuf, LegacyAppPathString};

/// Params of `hooks/list`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HooksListParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    #[serde(default)]
    pub cwds: Vec<String>,
}

/// Result of `hooks/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct HooksListResponse {
    pub data: Vec<HooksListEntry>,
}

/// The hooks of one folder.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct HooksListEntry {
    pub cwd: String,
    pub hooks: Vec<HookMetadata>,
    pub warnings: Vec<String>,
    pub errors: Vec<HookErrorInfo>,
}

/// A file of hooks that could not be read.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct HookErrorInfo {
    pub message: String,
    pub path: String,
}

/// A hook as it is listed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HookMetadata {
    pub key: String,
    pub current_hash: String,
    pub display_order: i64,
    pub enabled: bool,
    pub event_name: HookEventName,
    pub is_managed: bool,
    pub source: HookSource,
    pub source_path: AbsolutePathBuf,
    pub timeout_sec: u64,
    pub trust_status: HookTrustStatus,
    pub additional_context_limit: Option<u64>,
    pub environment_id: Option<String>,
    pub matcher: Option<String>,
    pub plugin_id: Option<String>,
    pub status_message: Option<String>,
    #[serde(flatten)]
    pub handler: HookHandler,
}

/// The part of [`HookMetadata`] that differs by `handlerType`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "handlerType", rename_all = "camelCase")]
pub enum HookHandler {
    Command {
        command: String,
        #[serde(rename = "async", default)]
        is_async: bool,
    },
    McpTool {
        server: String,
        tool: String,
    },
    Prompt,
    Agent,
}

/// The moments at which hooks run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum HookEventName {
    PreModelRequest,
    PostModelRequest,
    PreToolUse,
    PermissionRequest,
    PostToolUse,
    PreCompact,
    PostCompact,
    SessionStart,
    SessionEnd,
    UserPromptSubmit,
    SubagentStart,
    SubagentStop,
    Stop,
    Interrupt,
}

/// Where a hook comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum HookSource {
    System,
    User,
    Project,
    Mdm,
    SessionFlags,
    Plugin,
    CloudRequirements,
    CloudManagedConfig,
    LegacyManagedConfigFile,
    LegacyManagedConfigMdm,
    #[default]
    Unknown,
}

/// Whether a hook may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum HookTrustStatus {
    Managed,
    Untrusted,
    Trusted,
    Modified,
}

/// Params of `hook/started`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HookStartedNotification {
    pub thread_id: String,
    pub turn_id: Option<String>,
    pub run: HookRunSummary,
}

/// One run of a hook.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HookRunSummary {
    pub id: String,
    pub display_order: i64,
    pub entries: Vec<HookOutputEntry>,
    pub event_name: HookEventName,
    pub execution_mode: HookExecutionMode,
    pub handler_type: HookHandlerType,
    pub scope: HookScope,
    pub source_path: LegacyAppPathString,
    pub started_at: i64,
    pub status: HookRunStatus,
    pub completed_at: Option<i64>,
    pub duration_ms: Option<i64>,
    #[serde(default)]
    pub source: HookSource,
    pub status_message: Option<String>,
}

/// One line of what a hook says.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct HookOutputEntry {
    pub kind: HookOutputEntryKind,
    pub text: String,
}

/// The kinds of what a hook says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum HookOutputEntryKind {
    Warning,
    Stop,
    Feedback,
    Context,
    Error,
}

/// Whether a hook is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum HookExecutionMode {
    Sync,
    Async,
}

/// The kinds of hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum HookHandlerType {
    Command,
    McpTool,
    Prompt,
    Agent,
}

/// Whether a hook runs for a turn or for a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum HookScope {
    Thread,
    Turn,
}

/// The states of a run of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum HookRunStatus {
    Running,
    Completed,
    Failed,
    Blocked,
    Stopped,
}

/// Params of `hook/completed`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HookCompletedNotification {
    pub thread_id: String,
    pub turn_id: Option<String>,
    pub run: HookRunSummary,
}
