//! What the model is told about a call.

use std::time::Duration;

use serde_json::Map;
use spindle_schema::ids::TurnId;
use spindle_schema::model::{CallOutput, ContentPart, OutputBody, ResponseItem};

use super::call::{Payload, ToolCall};
use crate::context::ItemNote;

/// The budget that outputs are recorded with, in tokens.
const TOKEN_LIMIT: u64 = 12_000;

/// The output of a call. It is always one, however the call went (SPEC C7).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolOutput {
    body: OutputBody,
}

impl ToolOutput {
    /// A text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { body: OutputBody::Text(text.into()) }
    }

    /// Parts, some of them pictures.
    pub(crate) fn parts(parts: Vec<ContentPart>) -> Self {
        Self { body: OutputBody::Parts(parts) }
    }

    /// The output of a call that the person, or the end of the turn, cut short.
    pub(crate) fn aborted(call: &ToolCall, after: Duration) -> Self {
        let seconds = after.as_secs_f64();
        let is_command = matches!(&*call.name, "exec_command" | "write_stdin");
        Self::text(if is_command {
            format!("Wall time: {seconds:.4} seconds\naborted by user")
        } else {
            format!("aborted by user after {seconds:.1}s")
        })
    }

    /// Arguments that could not be read.
    pub(crate) fn bad_arguments(error: &serde_json::Error) -> Self {
        Self::text(format!("failed to parse function arguments: {error}"))
    }

    /// The item for the history, of the kind that matches the call.
    pub(crate) fn into_item(self, call: &ToolCall) -> ResponseItem {
        let output = CallOutput {
            id: None,
            call_id: Some(call.call_id.clone()),
            output: self.body,
            extra: Map::new(),
        };
        match call.payload {
            Payload::Function(_) => ResponseItem::FunctionCallOutput(output),
            Payload::Custom(_) => ResponseItem::CustomToolCallOutput(output),
        }
    }

    /// What is recorded beside the item.
    pub(crate) fn note(turn_id: &TurnId) -> ItemNote {
        ItemNote { token_limit: Some(TOKEN_LIMIT), ..ItemNote::here(turn_id) }
    }
}
