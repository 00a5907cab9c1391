//! Events of the Messages API to model events. Pure.

use serde::Deserialize;
use serde_json::Value;
use spindle_schema::model::TokenUsage;

use crate::error::{ErrorKind, ModelError, from_failed};
use crate::event::ModelEvent;
use crate::foreign::names::{Names, new_id};
use crate::foreign::writer::{Call, Kind, Writer};

/// Reads the events of one answer.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    writer: Writer,
    response_id: Box<str>,
    usage: Usage,
    stop_reason: Option<Box<str>>,
    completed: bool,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: Start,
    },
    ContentBlockStart {
        content_block: Block,
    },
    ContentBlockDelta {
        delta: Delta,
    },
    ContentBlockStop,
    MessageDelta {
        delta: End,
        #[serde(default)]
        usage: Option<Usage>,
    },
    MessageStop,
    Error {
        error: Value,
    },
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize)]
struct Start {
    #[serde(default)]
    id: Box<str>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        #[serde(default)]
        text: String,
    },
    Thinking {
        #[serde(default)]
        thinking: String,
    },
    ToolUse {
        #[serde(default)]
        id: Box<str>,
        name: String,
    },
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "thinking_delta")]
    Thinking { thinking: String },
    #[serde(rename = "input_json_delta")]
    Input { partial_json: String },
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize)]
struct End {
    #[serde(default)]
    stop_reason: Option<Box<str>>,
}

/// Counts; each event tells those that it knows.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names are the API's")]
struct Usage {
    #[serde(default)]
    input_tokens: Option<i64>,
    #[serde(default)]
    cache_read_input_tokens: Option<i64>,
    #[serde(default)]
    cache_creation_input_tokens: Option<i64>,
    #[serde(default)]
    output_tokens: Option<i64>,
}

impl Usage {
    fn merge(&mut self, later: Self) {
        let Self { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, .. } = later;
        self.input_tokens = input_tokens.or(self.input_tokens);
        self.cache_read_input_tokens = cache_read_input_tokens.or(self.cache_read_input_tokens);
        self.cache_creation_input_tokens =
            cache_creation_input_tokens.or(self.cache_creation_input_tokens);
        self.output_tokens = later.output_tokens.or(self.output_tokens);
    }

    /// The API counts what came from the cache, and what went into it, apart from the input.
    fn total(self) -> Option<TokenUsage> {
        let output_tokens = self.output_tokens?;
        let cached_input_tokens = self.cache_read_input_tokens.unwrap_or(0);
        let cache_write_input_tokens = self.cache_creation_input_tokens.unwrap_or(0);
        let input_tokens =
            self.input_tokens.unwrap_or(0) + cached_input_tokens + cache_write_input_tokens;
        Some(TokenUsage {
            input_tokens,
            cached_input_tokens,
            cache_write_input_tokens,
            output_tokens,
            reasoning_output_tokens: 0,
            total_tokens: input_tokens + output_tokens,
        })
    }
}

impl Decoder {
    /// Makes a decoder for the answer to a request with these tools.
    pub(crate) fn new(names: Names) -> Self {
        Self { writer: Writer::new(names), ..Self::default() }
    }

    /// Whether the answer is whole.
    pub(crate) fn is_completed(&self) -> bool {
        self.completed
    }

    /// Reads the data of one event and adds what it says to `events`.
    pub(crate) fn event(
        &mut self,
        data: &str,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ModelError> {
        if self.completed {
            return Ok(());
        }
        match serde_json::from_str(data) {
            Ok(event) => self.read(event, events),
            Err(error) => {
                tracing::debug!(%error, bytes = data.len(), "event passed over");
                Ok(())
            }
        }
    }

    fn read(&mut self, event: Event, events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        match event {
            Event::MessageStart { message } => self.start(message, events),
            Event::ContentBlockStart { content_block } => self.begin(content_block, events),
            Event::ContentBlockDelta { delta } => self.delta(delta, events),
            Event::ContentBlockStop => self.writer.close(events),
            Event::MessageDelta { delta, usage } => {
                self.stop_reason = delta.stop_reason.or(self.stop_reason.take());
                self.usage.merge(usage.unwrap_or_default());
            }
            Event::MessageStop => return self.stop(events),
            Event::Error { error } => return Err(from_failed(Some(&error.to_string()))),
            Event::Unknown => {}
        }
        Ok(())
    }

    fn start(&mut self, message: Start, events: &mut Vec<ModelEvent>) {
        self.usage.merge(message.usage.unwrap_or_default());
        self.response_id = message.id;
        events.push(ModelEvent::Created { response_id: self.response_id.clone() });
    }

    fn begin(&mut self, block: Block, events: &mut Vec<ModelEvent>) {
        match block {
            Block::Text { text } => self.writer.write(Kind::Message, text, events),
            Block::Thinking { thinking } => self.writer.write(Kind::Reasoning, thinking, events),
            Block::ToolUse { id, name } => {
                let id = if id.is_empty() { new_id("call") } else { id };
                self.writer.begin_call(Call { id, name, arguments: String::new() }, events);
            }
            Block::Unknown => {}
        }
    }

    fn delta(&mut self, delta: Delta, events: &mut Vec<ModelEvent>) {
        match delta {
            Delta::Text { text } => self.writer.write(Kind::Message, text, events),
            Delta::Thinking { thinking } => {
                self.writer.write(Kind::Reasoning, thinking, events);
            }
            Delta::Input { partial_json } => {
                if let Some(call) = self.writer.call() {
                    call.arguments.push_str(&partial_json);
                }
            }
            Delta::Unknown => {}
        }
    }

    fn stop(&mut self, events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        self.writer.close(events);
        match self.stop_reason.as_deref() {
            Some("max_tokens") => {
                return Err(ErrorKind::Incomplete("max_output_tokens".into()).into());
            }
            Some("refusal") => {
                return Err(ErrorKind::Refused("the model refused to answer".into()).into());
            }
            Some("model_context_window_exceeded") => return Err(ErrorKind::ContextWindow.into()),
            _ => {}
        }
        self.completed = true;
        let response_id = std::mem::take(&mut self.response_id);
        // The API pauses long answers and wants to be asked again.
        let end_turn = (self.stop_reason.as_deref() == Some("pause_turn")).then_some(false);
        events.push(ModelEvent::Completed { response_id, usage: self.usage.total(), end_turn });
        Ok(())
    }
}

#[cfg(test)]
mod tests;
