//! Items exchanged with the model, as clients may send and see them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::v2::{
    AgentMessageInputContent, ContentItem, FunctionCallOutputBody, LocalShellAction,
    LocalShellStatus, MessagePhase, ReasoningEffort, ReasoningItemContent,
    ReasoningItemReasoningSummary, ResponsesApiWebSearchAction, TokenUsageBreakdown,
};

/// The reasoning settings that an item changes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ConfigurationReasoning {
    pub effort: ReasoningEffort,
}

/// Members that the provider gets back as it sent them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct InternalChatMessageMetadataPassthrough {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The provider's response has ended. Not sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RawResponseCompletedNotification {
    pub thread_id: String,
    pub turn_id: String,
    pub response_id: String,
    pub usage: Option<TokenUsageBreakdown>,
    pub usage_metadata: Option<ResponseUsageMetadata>,
}

/// An item as the provider sent it. Only for clients that ask for raw events.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RawResponseItemCompletedNotification {
    pub thread_id: String,
    pub turn_id: String,
    pub item: ResponseItem,
}

/// An item exchanged with the model, with all its kinds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ResponseItem {
    AdditionalTools(Box<ResponseAdditionalTools>),
    Message(Box<ResponseMessage>),
    AgentMessage(Box<ResponseAgentMessage>),
    Reasoning(Box<ResponseReasoning>),
    LocalShellCall(Box<ResponseLocalShellCall>),
    FunctionCall(Box<ResponseFunctionCall>),
    ToolSearchCall(Box<ResponseToolSearchCall>),
    FunctionCallOutput(Box<ResponseFunctionCallOutput>),
    CustomToolCall(Box<ResponseCustomToolCall>),
    CustomToolCallOutput(Box<ResponseCustomToolCallOutput>),
    ToolSearchOutput(Box<ResponseToolSearchOutput>),
    WebSearchCall(Box<ResponseWebSearchCall>),
    ImageGenerationCall(Box<ResponseImageGenerationCall>),
    Compaction(Box<ResponseCompaction>),
    ConfigurationUpdate(ResponseConfigurationUpdate),
    CompactionTrigger,
    ContextCompaction(Box<ResponseContextCompaction>),
    Other,
}

/// The form `additional_tools` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseAdditionalTools {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub role: String,
    pub tools: Vec<Value>,
}

/// The form `message` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseMessage {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub content: Vec<ContentItem>,
    pub role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<MessagePhase>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// The form `agent_message` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseAgentMessage {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub author: String,
    pub content: Vec<AgentMessageInputContent>,
    pub recipient: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
}

/// The form `reasoning` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseReasoning {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub summary: Vec<ReasoningItemReasoningSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Vec<ReasoningItemContent>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
}

/// The form `local_shell_call` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseLocalShellCall {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub action: LocalShellAction,
    pub status: LocalShellStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
}

/// The form `function_call` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseFunctionCall {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub name: String,
    pub arguments: String,
    pub call_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_function_args: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// The form `tool_search_call` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseToolSearchCall {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub arguments: Value,
    pub execution: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// The form `function_call_output` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseFunctionCallOutput {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub output: FunctionCallOutputBody,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
}

/// The form `custom_tool_call` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseCustomToolCall {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub name: String,
    pub call_id: String,
    pub input: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// The form `custom_tool_call_output` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseCustomToolCallOutput {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub call_id: String,
    pub output: FunctionCallOutputBody,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
}

/// The form `tool_search_output` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseToolSearchOutput {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub execution: String,
    pub status: String,
    pub tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
}

/// The form `web_search_call` of [`ResponseItem`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseWebSearchCall {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<ResponsesApiWebSearchAction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// The form `image_generation_call` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseImageGenerationCall {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub result: String,
    pub status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revised_prompt: Option<String>,
}

/// The form `compaction` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseCompaction {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub encrypted_content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
}

/// The form `configuration_update` of [`ResponseItem`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseConfigurationUpdate {
    pub reasoning: ConfigurationReasoning,
}

/// The form `context_compaction` of [`ResponseItem`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema), schemars(inline))]
pub struct ResponseContextCompaction {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub internal_chat_message_metadata_passthrough: Option<InternalChatMessageMetadataPassthrough>,
}

/// What one response has used.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ResponseUsageMetadata {
    pub amount: Option<String>,
    pub metadata: Option<Value>,
}

/// Where the model finds a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ToolExposureSurface {
    /// In scripts.
    CodeMode,
    /// By searching.
    Deferred,
    /// In the list of tools.
    Direct,
}
