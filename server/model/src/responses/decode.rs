//! Events of the Responses API to model events. Pure.
//!
//! Only what every server of this API sends is needed: `sequence_number`, `output_index` and
//! `content_index` may be missing. Kinds that are unknown here are passed over.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use spindle_schema::model::{ResponseItem, TokenUsage};

use crate::error::{ErrorKind, ModelError, from_failed};
use crate::event::ModelEvent;

/// Reads the events of one response.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    /// The item the last delta or start belonged to. Deltas share its id.
    item_id: Option<Arc<str>>,
    completed: bool,
}

/// The members of all kinds of event, as far as they are read.
#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(rename = "type", default, borrow)]
    kind: Cow<'a, str>,
    #[serde(default, borrow)]
    item_id: Option<Borrowed<'a>>,
    #[serde(default)]
    delta: Option<Box<str>>,
    #[serde(default)]
    call_id: Option<Box<str>>,
    #[serde(default)]
    summary_index: Option<i64>,
    #[serde(default)]
    content_index: Option<i64>,
    #[serde(default, borrow)]
    item: Option<&'a RawValue>,
    #[serde(default, borrow)]
    response: Option<&'a RawValue>,
    #[serde(default, borrow)]
    error: Option<&'a RawValue>,
}

/// Text that is lent from the event where it holds no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize, Default)]
struct Response<'a> {
    #[serde(default)]
    id: Option<Box<str>>,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(default)]
    end_turn: Option<bool>,
    #[serde(default, borrow)]
    error: Option<&'a RawValue>,
    #[serde(default)]
    incomplete_details: Option<IncompleteDetails>,
}

#[derive(Deserialize)]
struct IncompleteDetails {
    #[serde(default)]
    reason: Option<String>,
}

/// Token counts as the API writes them.
#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    input_tokens: i64,
    #[serde(default)]
    input_tokens_details: Option<InputDetails>,
    #[serde(default)]
    output_tokens: i64,
    #[serde(default)]
    output_tokens_details: Option<OutputDetails>,
    #[serde(default)]
    total_tokens: Option<i64>,
}

#[derive(Deserialize, Default)]
struct InputDetails {
    #[serde(default)]
    cached_tokens: i64,
    #[serde(default)]
    cache_write_tokens: i64,
}

#[derive(Deserialize, Default)]
struct OutputDetails {
    #[serde(default)]
    reasoning_tokens: i64,
}

impl From<Usage> for TokenUsage {
    fn from(usage: Usage) -> Self {
        let input = usage.input_tokens_details.unwrap_or_default();
        let output = usage.output_tokens_details.unwrap_or_default();
        Self {
            input_tokens: usage.input_tokens,
            cached_input_tokens: input.cached_tokens,
            cache_write_input_tokens: input.cache_write_tokens,
            output_tokens: usage.output_tokens,
            reasoning_output_tokens: output.reasoning_tokens,
            total_tokens: usage.total_tokens.unwrap_or(usage.input_tokens + usage.output_tokens),
        }
    }
}

impl Decoder {
    /// Whether the response is whole.
    pub(crate) fn is_completed(&self) -> bool {
        self.completed
    }

    /// Reads the data of one event and adds what it says to `events`. Nothing is heard after
    /// the completion.
    ///
    /// Errors: the provider says that the response failed or is incomplete.
    pub(crate) fn event(
        &mut self,
        data: &str,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ModelError> {
        if self.completed {
            return Ok(());
        }
        let wire: Wire<'_> = match serde_json::from_str(data) {
            Ok(wire) => wire,
            Err(error) => {
                if data != "[DONE]" {
                    tracing::debug!(%error, bytes = data.len(), "event passed over");
                }
                return Ok(());
            }
        };
        if let Some(event) = self.read(wire, data)? {
            events.push(event);
        }
        Ok(())
    }

    fn read(&mut self, wire: Wire<'_>, data: &str) -> Result<Option<ModelEvent>, ModelError> {
        let event = match &*wire.kind {
            "response.output_text.delta" => self.text_delta(wire),
            "response.reasoning_summary_text.delta" => self.summary_delta(wire),
            "response.reasoning_text.delta" => self.reasoning_delta(wire),
            "response.custom_tool_call_input.delta" => self.input_delta(wire),
            "response.reasoning_summary_part.added" => Some(self.summary_part(&wire)),
            "response.output_item.added" => self.item_added(&wire),
            "response.output_item.done" => item(&wire).map(ModelEvent::ItemDone),
            "response.created" => Some(created(&wire)),
            "response.completed" => Some(self.complete(&wire)),
            "response.failed" => return Err(from_failed(response(&wire).error.map(RawValue::get))),
            "response.incomplete" => return Err(incomplete(&wire)),
            "error" => return Err(stream_error(&wire, data)),
            "" if wire.error.is_some() => return Err(stream_error(&wire, data)),
            _ => None,
        };
        Ok(event)
    }

    fn text_delta(&mut self, wire: Wire<'_>) -> Option<ModelEvent> {
        Some(ModelEvent::TextDelta { item_id: self.id_of(&wire), delta: wire.delta? })
    }

    fn summary_delta(&mut self, wire: Wire<'_>) -> Option<ModelEvent> {
        let (item_id, index) = (self.id_of(&wire), wire.summary_index.unwrap_or(0));
        Some(ModelEvent::SummaryDelta { item_id, index, delta: wire.delta? })
    }

    fn reasoning_delta(&mut self, wire: Wire<'_>) -> Option<ModelEvent> {
        let (item_id, index) = (self.id_of(&wire), wire.content_index.unwrap_or(0));
        Some(ModelEvent::ReasoningDelta { item_id, index, delta: wire.delta? })
    }

    fn input_delta(&mut self, wire: Wire<'_>) -> Option<ModelEvent> {
        let item_id = self.id_of(&wire);
        Some(ModelEvent::CustomInputDelta { item_id, call_id: wire.call_id, delta: wire.delta? })
    }

    fn summary_part(&mut self, wire: &Wire<'_>) -> ModelEvent {
        let (item_id, index) = (self.id_of(wire), wire.summary_index.unwrap_or(0));
        ModelEvent::SummaryPartAdded { item_id, index }
    }

    fn item_added(&mut self, wire: &Wire<'_>) -> Option<ModelEvent> {
        let item = item(wire)?;
        self.item_id = item.id().map(Into::into);
        Some(ModelEvent::ItemAdded(item))
    }

    fn complete(&mut self, wire: &Wire<'_>) -> ModelEvent {
        self.completed = true;
        let response = response(wire);
        ModelEvent::Completed {
            response_id: response.id.unwrap_or_default(),
            usage: response.usage.map(Into::into),
            end_turn: response.end_turn,
        }
    }

    /// The id of the item that an event is about; the one begun last where none is named.
    fn id_of(&mut self, wire: &Wire<'_>) -> Arc<str> {
        let named = wire.item_id.as_ref().map(|id| &*id.0);
        match (&self.item_id, named) {
            (Some(last), None) => Arc::clone(last),
            (Some(last), Some(named)) if **last == *named => Arc::clone(last),
            (_, named) => Arc::clone(self.item_id.insert(named.unwrap_or("").into())),
        }
    }
}

fn item(wire: &Wire<'_>) -> Option<Box<ResponseItem>> {
    serde_json::from_str(wire.item?.get()).ok().map(Box::new)
}

fn response<'a>(wire: &Wire<'a>) -> Response<'a> {
    let text = wire.response.map_or("{}", RawValue::get);
    serde_json::from_str(text).unwrap_or_default()
}

fn created(wire: &Wire<'_>) -> ModelEvent {
    ModelEvent::Created { response_id: response(wire).id.unwrap_or_default() }
}

fn incomplete(wire: &Wire<'_>) -> ModelError {
    let reason = response(wire).incomplete_details.and_then(|details| details.reason);
    ErrorKind::Incomplete(reason.unwrap_or_else(|| "unknown".into())).into()
}

/// An error in the middle of the stream: servers nest the error object, or send it flat.
fn stream_error(wire: &Wire<'_>, data: &str) -> ModelError {
    from_failed(Some(wire.error.map_or(data, RawValue::get)))
}

#[cfg(test)]
mod tests;
