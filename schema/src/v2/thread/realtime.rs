//! Spoken conversation on a thread: requests.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::v2::{ThreadRealtimeCoverage, ThreadRealtimeEntry, ThreadRealtimeInitialItem};

/// Params of `thread/realtime/start`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeStartParams {
    pub thread_id: String,
    pub output_modality: RealtimeOutputModality,
    #[serde(default)]
    pub backend_reasoning_status: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_managed_handoffs: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codex_response_handoff_channel_prefixes: Option<BTreeMap<String, Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codex_response_handoff_mode: Option<CodexResponseHandoffMode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codex_response_item_prefix: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codex_responses_as_items: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delegation_ack_filler: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flush_transcript_tail_on_session_end: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_startup_context: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_items: Option<Vec<ThreadRealtimeInitialItem>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realtime_end_instructions: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realtime_session_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realtime_start_instructions: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<ThreadRealtimeStartTransport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<RealtimeConversationVersion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voice: Option<RealtimeVoice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voice_session_id: Option<String>,
}

/// How the agent's answer is handed to the voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum CodexResponseHandoffMode {
    Thinking,
    Commentary,
    BemTags,
}

/// Whether the voice speaks or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RealtimeOutputModality {
    Text,
    Audio,
}

/// How sound is carried.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ThreadRealtimeStartTransport {
    Websocket,
    Webrtc { sdp: String },
    ExistingCall { call_id: String },
}

/// The generations of spoken conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RealtimeConversationVersion {
    V1,
    V2,
    V3,
}

/// The voices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RealtimeVoice {
    Alloy,
    Arbor,
    Ash,
    Aube,
    Ballad,
    Breeze,
    Bubbie,
    Cedar,
    Coral,
    Cove,
    Echo,
    Ember,
    Haetsal,
    Hanul,
    Himari,
    Juniper,
    Leher,
    Maple,
    Marin,
    Miko,
    Neer,
    Porto,
    Rindo,
    Rio,
    Rivage,
    Sage,
    Selva,
    Shimmer,
    Sol,
    Sonna,
    Spruce,
    Tinta,
    Vale,
    Verse,
    Viola,
}

/// Result of `thread/realtime/start`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadRealtimeStartResponse {}

/// Params of `thread/realtime/appendAudio`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeAppendAudioParams {
    pub thread_id: String,
    pub audio: ThreadRealtimeAudioChunk,
}

/// A piece of sound.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeAudioChunk {
    pub item_id: Option<String>,
    pub data: String,
    pub num_channels: u16,
    pub sample_rate: u32,
    pub samples_per_channel: Option<u32>,
}

/// Result of `thread/realtime/appendAudio`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadRealtimeAppendAudioResponse {}

/// Params of `thread/realtime/appendText`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeAppendTextParams {
    pub thread_id: String,
    pub text: String,
    #[serde(default)]
    pub role: ConversationTextRole,
}

/// Who says a text that is put into a spoken conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ConversationTextRole {
    #[default]
    User,
    Developer,
    Assistant,
}

/// Result of `thread/realtime/appendText`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadRealtimeAppendTextResponse {}

/// Params of `thread/realtime/appendSpeech`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeAppendSpeechParams {
    pub thread_id: String,
    pub text: String,
}

/// Result of `thread/realtime/appendSpeech`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadRealtimeAppendSpeechResponse {}

/// Params of `thread/realtime/stop`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeStopParams {
    pub thread_id: String,
}

/// Result of `thread/realtime/stop`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadRealtimeStopResponse {}

/// Params of `thread/realtime/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeListParams {
    pub thread_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_position: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_observed_at_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<ThreadRealtimeOrder>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required_through_position: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snapshot_end: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_observed_at_ms: Option<i64>,
}

/// How entries are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ThreadRealtimeOrder {
    /// By the time at which it happened.
    ObservedAt,
    /// By the place in the history.
    Position,
}

/// Result of `thread/realtime/list`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeListResponse {
    pub coverage: ThreadRealtimeCoverage,
    pub data: Vec<ThreadRealtimeEntry>,
    pub projected_through_item_index: u64,
    pub snapshot_end: u64,
    pub next_cursor: Option<String>,
}

/// Params of `thread/realtime/listVoices`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadRealtimeListVoicesParams {}

/// Result of `thread/realtime/listVoices`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadRealtimeListVoicesResponse {
    pub voices: RealtimeVoicesList,
}

/// The voices by generation.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RealtimeVoicesList {
    pub v1: Vec<RealtimeVoice>,
    pub v2: Vec<RealtimeVoice>,
    #[serde(default)]
    pub v3: Vec<RealtimeVoice>,
    pub default_v1: RealtimeVoice,
    pub default_v2: RealtimeVoice,
}

/// Who hands work to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ThreadRealtimeHandoffMode {
    Start,
    Steer,
}
