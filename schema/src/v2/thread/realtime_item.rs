//! Spoken conversation on a thread: what it consists of and what is told about it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::v2::{
    ConversationTextRole, RealtimeConversationVersion, ThreadRealtimeAudioChunk,
    ThreadRealtimeHandoffMode,
};

/// Params of `thread/realtime/started`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeStartedNotification {
    pub thread_id: String,
    pub version: RealtimeConversationVersion,
    pub realtime_session_id: Option<String>,
}

/// Params of `thread/realtime/itemAdded`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeItemAddedNotification {
    pub thread_id: String,
    pub item: Value,
}

/// Params of `thread/realtime/item/started`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeItemStartedNotification {
    pub thread_id: String,
    pub item: ThreadRealtimeItem,
}

/// An entry of the spoken conversation.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeItem {
    pub id: String,
    pub realtime_session_id: String,
    pub observed_at_ms: Option<i64>,
    #[serde(flatten)]
    pub body: ThreadRealtimeItemBody,
}

/// What a [`ThreadRealtimeItem`] says, by kind.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ThreadRealtimeItemBody {
    RealtimeSessionStarted,
    Frame {
        channels: ThreadRealtimeFrameChannels,
    },
    TranscriptSegment {
        role: ThreadRealtimeTranscriptRole,
        text: String,
    },
    BemItemPromoted {
        item_id: String,
        presentation: ThreadRealtimeBemItemPresentation,
        turn_id: String,
    },
    RealtimeSessionClosed {
        outcome: ThreadRealtimeSessionOutcome,
    },
    TurnInputAccepted {
        handoff_id: String,
        input: String,
        input_item_id: String,
        mode: ThreadRealtimeHandoffMode,
        source_event_ids: Vec<String>,
        turn_id: String,
    },
    SessionEndInputSaved {
        input: String,
        input_item_id: String,
        source_event_ids: Vec<String>,
    },
}

/// What happened on each channel.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadRealtimeFrameChannels {
    pub voice_transcript: ThreadRealtimeVoiceTranscript,
}

/// What was spoken.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadRealtimeVoiceTranscript {
    pub role: ThreadRealtimeTranscriptRole,
    pub text: String,
}

/// Who spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ThreadRealtimeTranscriptRole {
    User,
    Assistant,
}

/// How an item is shown while the voice speaks of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ThreadRealtimeBemItemPresentation {
    WholeItem,
    InlineMarkdown,
    InlineVisualization { index: u32 },
}

/// How a spoken conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ThreadRealtimeSessionOutcome {
    Ended,
    Failed,
}

/// Params of `thread/realtime/item/transcript/delta`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeItemTranscriptDeltaNotification {
    pub thread_id: String,
    pub item_id: String,
    pub delta: String,
}

/// Params of `thread/realtime/item/completed`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeItemCompletedNotification {
    pub thread_id: String,
    pub item: ThreadRealtimeItem,
}

/// Params of `thread/realtime/transcript/delta`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeTranscriptDeltaNotification {
    pub thread_id: String,
    pub delta: String,
    pub role: String,
}

/// Params of `thread/realtime/transcript/done`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeTranscriptDoneNotification {
    pub thread_id: String,
    pub role: String,
    pub text: String,
}

/// Params of `thread/realtime/outputAudio/delta`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeOutputAudioDeltaNotification {
    pub thread_id: String,
    pub audio: ThreadRealtimeAudioChunk,
}

/// Params of `thread/realtime/sdp`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeSdpNotification {
    pub thread_id: String,
    pub sdp: String,
}

/// Params of `thread/realtime/error`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeErrorNotification {
    pub thread_id: String,
    pub message: String,
}

/// Params of `thread/realtime/closed`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ThreadRealtimeClosedNotification {
    pub thread_id: String,
    pub reason: Option<String>,
}

/// Which part of the spoken conversation a page covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ThreadRealtimeCoverage {
    Unsupported,
    Pending,
    Ready,
}

/// An entry of the spoken conversation.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadRealtimeEntry {
    pub item: ThreadRealtimeItem,
    pub position: u64,
}

/// A text that a spoken conversation begins with.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ThreadRealtimeInitialItem {
    pub role: ConversationTextRole,
    pub text: String,
}
