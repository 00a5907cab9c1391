//! One entry of a turn and its start and end.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::v2::{
    AbsolutePathBuf, AgentMessageDelivery, AgentMessageModeration, AsyncUserInputQuestion,
    CollabAgentState, CollabAgentTool, CollabAgentToolCallStatus, CommandAction,
    CommandExecutionSource, CommandExecutionStatus, DynamicToolCallOutputContentItem,
    DynamicToolCallStatus, FileUpdateChange, FunctionCallOutputBody, HookPromptFragment,
    ImageGenerationFailure, ImageGenerationInputImage, LegacyAppPathString, McpAppUi,
    McpToolCallAppContext, McpToolCallError, McpToolCallResult, McpToolCallStatus, MemoryCitation,
    PatchApplyStatus, ReasoningEffort, SubAgentActivityKind, UserInput, WebSearchAction,
};

/// Whether a message is on the way or the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MessagePhase {
    /// Said on the way.
    Commentary,
    /// A part of the answer.
    PartialAnswer,
    /// The answer.
    FinalAnswer,
}

/// One entry of a turn as clients see it.
///
/// Shape: `{"type":"plan","id":"i1","text":"…","startedAtMs":1,"completedAtMs":null}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadItem {
    #[serde(flatten)]
    pub body: ThreadItemBody,
    pub started_at_ms: Option<i64>,
    pub completed_at_ms: Option<i64>,
}

/// What a [`ThreadItem`] says, by kind.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ThreadItemBody {
    UserMessage(Box<UserMessageItem>),
    HookPrompt(HookPromptItem),
    AgentMessage(Box<AgentMessageItem>),
    FunctionCallOutput(Box<FunctionCallOutputItem>),
    Plan(PlanItem),
    Reasoning(Box<ReasoningItem>),
    CommandExecution(Box<CommandExecutionItem>),
    FileChange(Box<FileChangeItem>),
    McpToolCall(Box<McpToolCallItem>),
    DynamicToolCall(Box<DynamicToolCallItem>),
    CollabAgentToolCall(Box<CollabAgentToolCallItem>),
    SubAgentActivity(Box<SubAgentActivityItem>),
    WebSearch(Box<WebSearchItem>),
    ImageView(ImageViewItem),
    Sleep(SleepItem),
    ImageGeneration(Box<ImageGenerationItem>),
    EnteredReviewMode(EnteredReviewModeItem),
    ExitedReviewMode(ExitedReviewModeItem),
    ContextCompaction(ContextCompactionItem),
}

/// Where a picture that was made is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum GeneratedImage {
    FileId {
        #[serde(rename = "fileId")]
        file_id: String,
    },
    Result {
        result: String,
    },
}

/// The form `userMessage` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct UserMessageItem {
    pub id: String,
    pub client_id: Option<String>,
    pub content: Vec<UserInput>,
}

/// The form `hookPrompt` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct HookPromptItem {
    pub id: String,
    pub fragments: Vec<HookPromptFragment>,
}

/// The form `agentMessage` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct AgentMessageItem {
    pub moderation: Option<AgentMessageModeration>,
    pub id: String,
    pub text: String,
    pub phase: Option<MessagePhase>,
    pub memory_citation: Option<MemoryCitation>,
    pub delivery: Option<AgentMessageDelivery>,
    pub questions: Option<Vec<AsyncUserInputQuestion>>,
}

/// The form `functionCallOutput` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct FunctionCallOutputItem {
    pub id: String,
    pub name: String,
    pub output: FunctionCallOutputBody,
    pub namespace: Option<String>,
}

/// The form `plan` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct PlanItem {
    pub id: String,
    pub text: String,
}

/// The form `reasoning` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ReasoningItem {
    pub id: String,
    #[serde(default)]
    pub content: Vec<String>,
    #[serde(default)]
    pub summary: Vec<String>,
}

/// The form `commandExecution` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct CommandExecutionItem {
    pub id: String,
    pub plugin_id: Option<String>,
    pub script_path: Option<String>,
    pub command: String,
    pub cwd: LegacyAppPathString,
    pub process_id: Option<String>,
    #[serde(default)]
    pub source: CommandExecutionSource,
    pub status: CommandExecutionStatus,
    pub command_actions: Vec<CommandAction>,
    pub aggregated_output: Option<String>,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<i64>,
}

/// The form `fileChange` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct FileChangeItem {
    pub id: String,
    pub changes: Vec<FileUpdateChange>,
    pub status: PatchApplyStatus,
}

/// The form `mcpToolCall` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct McpToolCallItem {
    pub id: String,
    pub arguments: Value,
    pub server: String,
    pub status: McpToolCallStatus,
    pub tool: String,
    pub app_context: Option<McpToolCallAppContext>,
    pub duration_ms: Option<i64>,
    pub environment_id: Option<String>,
    pub error: Option<McpToolCallError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp_app_resource_uri: Option<String>,
    pub mcp_app_ui: Option<McpAppUi>,
    pub plugin_id: Option<String>,
    pub read_only_hint: Option<bool>,
    pub result: Option<McpToolCallResult>,
}

/// The form `dynamicToolCall` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct DynamicToolCallItem {
    pub id: String,
    pub arguments: Value,
    pub status: DynamicToolCallStatus,
    pub tool: String,
    pub content_items: Option<Vec<DynamicToolCallOutputContentItem>>,
    pub duration_ms: Option<i64>,
    pub namespace: Option<String>,
    pub success: Option<bool>,
}

/// The form `collabAgentToolCall` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct CollabAgentToolCallItem {
    pub id: String,
    pub agents_states: BTreeMap<String, CollabAgentState>,
    pub receiver_thread_ids: Vec<String>,
    pub sender_thread_id: String,
    pub status: CollabAgentToolCallStatus,
    pub tool: CollabAgentTool,
    pub model: Option<String>,
    pub prompt: Option<String>,
    pub reasoning_effort: Option<ReasoningEffort>,
}

/// The form `subAgentActivity` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct SubAgentActivityItem {
    pub id: String,
    pub agent_path: String,
    pub agent_thread_id: String,
    pub kind: SubAgentActivityKind,
    pub model: Option<String>,
    pub reasoning_effort: Option<ReasoningEffort>,
}

/// The form `webSearch` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct WebSearchItem {
    pub id: String,
    pub query: String,
    pub action: Option<WebSearchAction>,
    pub results: Option<Vec<Value>>,
}

/// The form `imageView` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ImageViewItem {
    pub id: String,
    pub path: LegacyAppPathString,
}

/// The form `sleep` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct SleepItem {
    pub id: String,
    pub duration_ms: u64,
}

/// The form `imageGeneration` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct ImageGenerationItem {
    pub id: String,
    pub status: String,
    pub failure: Option<ImageGenerationFailure>,
    pub generation_id: Option<String>,
    #[serde(default)]
    pub input_images: Vec<ImageGenerationInputImage>,
    pub revised_prompt: Option<String>,
    pub saved_path: Option<AbsolutePathBuf>,
    pub transparent_background: Option<bool>,
    #[serde(flatten)]
    pub image: GeneratedImage,
}

/// The form `enteredReviewMode` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct EnteredReviewModeItem {
    pub id: String,
    pub review: String,
}

/// The form `exitedReviewMode` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ExitedReviewModeItem {
    pub id: String,
    pub review: String,
}

/// The form `contextCompaction` of [`ThreadItemBody`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ContextCompactionItem {
    pub id: String,
}
