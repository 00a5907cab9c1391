//! Chunks of a chat completion to model events. Pure.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use spindle_schema::model::TokenUsage;

use crate::error::{ErrorKind, ModelError, from_failed};
use crate::event::ModelEvent;
use crate::foreign::names::{Names, new_id};
use crate::foreign::writer::{Call, Kind, Writer};

/// Reads the chunks of one answer.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    writer: Writer,
    response_id: Option<Box<str>>,
    /// The number of the call that is being streamed.
    call_index: i64,
    finish: Option<Box<str>>,
    usage: Option<TokenUsage>,
    completed: bool,
}

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(default)]
    id: Option<Box<str>>,
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(default, borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Option<Delta>,
    #[serde(default)]
    finish_reason: Option<Box<str>>,
}

#[derive(Deserialize)]
struct Delta {
    /// Text; some servers send parts.
    #[serde(default)]
    content: Option<Value>,
    #[serde(default, alias = "reasoning")]
    reasoning_content: Option<Value>,
    #[serde(default)]
    tool_calls: Option<Vec<CallDelta>>,
}

#[derive(Deserialize)]
struct CallDelta {
    #[serde(default)]
    index: Option<i64>,
    #[serde(default)]
    id: Option<Box<str>>,
    #[serde(default)]
    function: Option<FunctionDelta>,
}

#[derive(Deserialize)]
struct FunctionDelta {
    #[serde(default)]
    name: Option<String>,
    /// Text; some servers send the object itself.
    #[serde(default)]
    arguments: Option<Value>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: i64,
    #[serde(default)]
    completion_tokens: i64,
    #[serde(default)]
    total_tokens: Option<i64>,
    #[serde(default)]
    prompt_tokens_details: Option<PromptDetails>,
    #[serde(default)]
    completion_tokens_details: Option<CompletionDetails>,
}

#[derive(Deserialize, Default)]
struct PromptDetails {
    #[serde(default)]
    cached_tokens: Option<i64>,
}

#[derive(Deserialize, Default)]
struct CompletionDetails {
    #[serde(default)]
    reasoning_tokens: Option<i64>,
}

impl From<Usage> for TokenUsage {
    fn from(usage: Usage) -> Self {
        let prompt = usage.prompt_tokens_details.unwrap_or_default();
        let completion = usage.completion_tokens_details.unwrap_or_default();
        let sum = usage.prompt_tokens + usage.completion_tokens;
        Self {
            input_tokens: usage.prompt_tokens,
            cached_input_tokens: prompt.cached_tokens.unwrap_or(0),
            cache_write_input_tokens: 0,
            output_tokens: usage.completion_tokens,
            reasoning_output_tokens: completion.reasoning_tokens.unwrap_or(0),
            total_tokens: usage.total_tokens.unwrap_or(sum),
        }
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
        if data.trim() == "[DONE]" {
            return self.end(events);
        }
        let chunk: Chunk<'_> = match serde_json::from_str(data) {
            Ok(chunk) => chunk,
            Err(error) => {
                tracing::debug!(%error, bytes = data.len(), "chunk passed over");
                return Ok(());
            }
        };
        if let Some(error) = chunk.error {
            return Err(from_failed(Some(error.get())));
        }
        self.begin(chunk.id, events);
        self.usage = chunk.usage.map(Into::into).or(self.usage);
        if let Some(choice) = chunk.choices.into_iter().next() {
            if let Some(delta) = choice.delta {
                self.delta(delta, events);
            }
            if let Some(reason) = choice.finish_reason {
                self.writer.close(events);
                self.finish = Some(reason);
            }
        }
        Ok(())
    }

    /// The body ended. Servers that send no `[DONE]` have told why they finished.
    pub(crate) fn end(&mut self, events: &mut Vec<ModelEvent>) -> Result<(), ModelError> {
        let Some(reason) = self.finish.take() else {
            let why = "stream closed before response.completed";
            return Err(ErrorKind::Disconnected(why.into()).into());
        };
        match &*reason {
            "length" => return Err(ErrorKind::Incomplete("max_output_tokens".into()).into()),
            "content_filter" => return Err(ErrorKind::Incomplete("content_filter".into()).into()),
            _ => {}
        }
        self.completed = true;
        let response_id = self.response_id.take().unwrap_or_default();
        events.push(ModelEvent::Completed { response_id, usage: self.usage, end_turn: None });
        Ok(())
    }

    fn begin(&mut self, id: Option<Box<str>>, events: &mut Vec<ModelEvent>) {
        if self.response_id.is_none() {
            let id = id.unwrap_or_default();
            events.push(ModelEvent::Created { response_id: id.clone() });
            self.response_id = Some(id);
        }
    }

    fn delta(&mut self, delta: Delta, events: &mut Vec<ModelEvent>) {
        if let Some(text) = delta.reasoning_content.and_then(text_of) {
            self.writer.write(Kind::Reasoning, text, events);
        }
        if let Some(text) = delta.content.and_then(text_of) {
            self.writer.write(Kind::Message, text, events);
        }
        for call in delta.tool_calls.into_iter().flatten() {
            self.call(call, events);
        }
    }

    /// A call goes on as long as its number stays the same. Some servers number all calls 0
    /// and give each an id of its own.
    fn call(&mut self, delta: CallDelta, events: &mut Vec<ModelEvent>) {
        let function = delta.function.unwrap_or(FunctionDelta { name: None, arguments: None });
        let arguments = match function.arguments {
            Some(Value::String(text)) => text,
            None | Some(Value::Null) => String::new(),
            Some(object) => object.to_string(),
        };
        let id = delta.id.filter(|id| !id.is_empty());
        let name = function.name.filter(|name| !name.is_empty());
        let same_index = delta.index.is_none_or(|index| index == self.call_index);
        if let Some(call) = self.writer.call() {
            let other_id = id.as_ref().is_some_and(|id| *id != call.id) && name.is_some();
            if same_index && !other_id {
                call.arguments.push_str(&arguments);
                return;
            }
        }
        self.call_index = delta.index.unwrap_or(0);
        let id = id.unwrap_or_else(|| new_id("call"));
        let call = Call { id, name: name.unwrap_or_default(), arguments };
        self.writer.begin_call(call, events);
    }
}

/// Text that is not empty, plain or in parts.
fn text_of(content: Value) -> Option<String> {
    let text = match content {
        Value::String(text) => text,
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part["text"].as_str()).collect::<String>()
        }
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests;
