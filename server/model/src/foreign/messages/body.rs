//! A request of the Responses API as a request of the Messages API.
//!
//! Messages of one side that follow one another are joined, and a call's result stands at
//! the head of the message behind the call, as the API demands.

use bytes::Bytes;
use serde_json::{Value, json};
use spindle_schema::model::{CallOutput, ContentPart, OutputBody, ResponseItem, Role};

use crate::error::ModelError;
use crate::foreign::names::{Function, Names, custom_arguments, flat_name};
use crate::foreign::request::{Request, joined};

/// The API wants a limit for the answer. Current models take at least this.
const MAX_TOKENS: u32 = 16_384;

/// Returns the request, and what its function names stand for.
///
/// Errors: the body is no request of the Responses API.
pub(crate) fn from_responses(body: &[u8]) -> Result<(Bytes, Names), ModelError> {
    let request = Request::read(body)?;
    let (names, functions) = request.functions();
    let mut turns = Turns::default();
    turns.instruct(request.instructions.as_deref().unwrap_or_default());
    for item in &request.input {
        turns.take(item);
    }
    turns.mark_for_cache();
    let mut body = json!({
        "model": request.model,
        "max_tokens": MAX_TOKENS,
        "messages": turns.messages,
        "stream": true,
    });
    if !turns.system.is_empty() {
        body["system"] = Value::Array(turns.system);
    }
    if !functions.is_empty() {
        body["tools"] = functions.into_iter().map(tool).collect();
        let one_call = request.parallel_tool_calls == Some(false);
        body["tool_choice"] = if one_call {
            json!({"type": "auto", "disable_parallel_tool_use": true})
        } else {
            json!({"type": "auto"})
        };
    }
    Ok((body.to_string().into(), names))
}

fn tool(function: Function) -> Value {
    let Function { name, description, parameters } = function;
    json!({"name": name, "description": description, "input_schema": parameters})
}

/// Messages as they are gathered.
#[derive(Default)]
struct Turns {
    system: Vec<Value>,
    messages: Vec<Value>,
}

impl Turns {
    fn take(&mut self, item: &ResponseItem) {
        match item {
            ResponseItem::Message(message) => match message.role {
                Role::Assistant => self.add("assistant", blocks(&message.content)),
                Role::User => self.add("user", blocks(&message.content)),
                Role::Developer | Role::System => self.instruct(&joined(&message.content)),
            },
            ResponseItem::FunctionCall(call) => {
                let name = flat_name(call.namespace.as_deref(), &call.name);
                self.call(&name, &call.call_id, &call.arguments);
            }
            ResponseItem::CustomToolCall(call) => {
                let name = flat_name(call.namespace.as_deref(), &call.name);
                self.call(&name, &call.call_id, &custom_arguments(&call.input));
            }
            ResponseItem::FunctionCallOutput(output)
            | ResponseItem::CustomToolCallOutput(output) => self.output(output),
            ResponseItem::Reasoning(_) | ResponseItem::Other(_) => {}
        }
    }

    /// Instructions at the head are the system's; later ones are told in the person's name.
    fn instruct(&mut self, text: &str) {
        let blocks = text_block(text).into_iter().collect();
        if self.messages.is_empty() {
            self.system.extend(blocks);
        } else {
            self.add("user", blocks);
        }
    }

    fn add(&mut self, role: &str, blocks: Vec<Value>) {
        if blocks.is_empty() {
            return;
        }
        let last = self.messages.last_mut().filter(|last| last["role"] == role);
        match last.and_then(|last| last["content"].as_array_mut()) {
            Some(content) => content.extend(blocks),
            None => self.messages.push(json!({"role": role, "content": blocks})),
        }
    }

    /// Arguments that are no object cannot be told; the text of the result says why.
    fn call(&mut self, name: &str, call_id: &str, arguments: &str) {
        let input = serde_json::from_str(arguments).ok().filter(Value::is_object);
        let input = input.unwrap_or_else(|| json!({}));
        let call = json!({"type": "tool_use", "id": call_id, "name": name, "input": input});
        self.add("assistant", vec![call]);
    }

    fn output(&mut self, output: &CallOutput) {
        let content = match &output.output {
            OutputBody::Text(text) => text_block(text).into_iter().collect(),
            OutputBody::Parts(parts) => blocks(parts),
        };
        let asked = output.call_id.as_deref().and_then(|id| self.place_of(id).map(|at| (id, at)));
        let Some((id, asked)) = asked else { return self.add("user", content) };
        let result = json!({"type": "tool_result", "tool_use_id": id, "content": content});
        let behind = self.messages.get_mut(asked + 1);
        match behind.and_then(|message| message["content"].as_array_mut()) {
            Some(content) => {
                let results = content.iter().take_while(|block| block["type"] == "tool_result");
                content.insert(results.count(), result);
            }
            None => self.messages.push(json!({"role": "user", "content": [result]})),
        }
    }

    fn place_of(&self, call_id: &str) -> Option<usize> {
        self.messages.iter().rposition(|message| {
            let blocks = message["content"].as_array();
            blocks.is_some_and(|blocks| {
                blocks.iter().any(|block| block["type"] == "tool_use" && block["id"] == call_id)
            })
        })
    }

    /// What stands before these two places is read from the provider's cache the next time.
    fn mark_for_cache(&mut self) {
        let last = self.messages.last_mut().and_then(|last| last["content"].as_array_mut());
        let ends = [self.system.last_mut(), last.and_then(|content| content.last_mut())];
        for block in ends.into_iter().flatten() {
            block["cache_control"] = json!({"type": "ephemeral"});
        }
    }
}

fn blocks(parts: &[ContentPart]) -> Vec<Value> {
    parts.iter().filter_map(block).collect()
}

fn block(part: &ContentPart) -> Option<Value> {
    match part {
        ContentPart::InputText { text } | ContentPart::OutputText { text, .. } => text_block(text),
        ContentPart::InputImage { image_url, .. } => {
            Some(json!({"type": "image", "source": source(image_url)}))
        }
        ContentPart::Other(_) => None,
    }
}

/// The API refuses blocks without text.
fn text_block(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}))
}

/// `data:image/png;base64,…` comes apart, any other address is left to the provider.
fn source(url: &str) -> Value {
    let data = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    match data {
        Some((kind, data)) => json!({"type": "base64", "media_type": kind, "data": data}),
        None => json!({"type": "url", "url": url}),
    }
}

#[cfg(test)]
mod tests;
