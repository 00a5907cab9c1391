//! A request of the Responses API as a chat request.
//!
//! Many chat templates take one system message at the head only, and people and model in
//! turn. So instructions at the head are joined, later ones are told in the person's name,
//! and messages of one side that follow one another are joined.

use bytes::Bytes;
use serde_json::{Value, json};
use spindle_schema::model::{CallOutput, ContentPart, OutputBody, ResponseItem, Role};

use crate::error::ModelError;
use crate::foreign::names::{Function, Names, custom_arguments, flat_name};
use crate::foreign::request::{Request, joined};

/// Returns the chat request, and what its function names stand for.
///
/// Errors: the body is no request of the Responses API.
pub(crate) fn from_responses(body: &[u8]) -> Result<(Bytes, Names), ModelError> {
    let request = Request::read(body)?;
    let (names, tools) = request.functions();
    let mut messages = Messages::default();
    messages.instruct(request.instructions.as_deref().unwrap_or_default());
    for item in &request.input {
        messages.take(item);
    }
    let mut chat = json!({
        "model": request.model,
        "messages": messages.done(),
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    if !tools.is_empty() {
        chat["tools"] = tools.into_iter().map(tool).collect();
        chat["tool_choice"] = "auto".into();
        // Some servers refuse the member; true is what all of them assume.
        if request.parallel_tool_calls == Some(false) {
            chat["parallel_tool_calls"] = false.into();
        }
    }
    if let Some(effort) = request.reasoning["effort"].as_str() {
        chat["reasoning_effort"] = effort.into();
    }
    if let Some(tier) = request.service_tier {
        chat["service_tier"] = tier.into();
    }
    if let Some(format) = response_format(&request.text["format"]) {
        chat["response_format"] = format;
    }
    Ok((chat.to_string().into(), names))
}

fn tool(function: Function) -> Value {
    let Function { name, description, parameters } = function;
    json!({
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters}
    })
}

fn response_format(format: &Value) -> Option<Value> {
    let schema = format.get("schema")?;
    let (name, strict) = (&format["name"], &format["strict"]);
    Some(json!({
        "type": "json_schema",
        "json_schema": {"name": name, "schema": schema, "strict": strict}
    }))
}

/// Messages as they are gathered.
#[derive(Default)]
struct Messages {
    done: Vec<Value>,
    /// Pictures of outputs: a tool's message holds text only, so a person's follows it.
    pictures: Vec<Value>,
}

impl Messages {
    fn take(&mut self, item: &ResponseItem) {
        match item {
            ResponseItem::Message(message) => {
                self.show_pictures();
                match message.role {
                    Role::Assistant => self.assistant(&joined(&message.content)),
                    Role::User => self.person(&message.content),
                    Role::Developer | Role::System => self.instruct(&joined(&message.content)),
                }
            }
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

    fn instruct(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.done.last_mut() {
            None => self.done.push(json!({"role": "system", "content": text})),
            Some(last) if last["role"] == "system" => append_text(last, text),
            Some(_) => self.person(&[ContentPart::InputText { text: text.to_owned() }]),
        }
    }

    fn person(&mut self, content: &[ContentPart]) {
        let parts: Vec<Value> = content.iter().filter_map(part).collect();
        let only_text = parts.iter().all(|part| part["type"] == "text");
        let last = self.done.last_mut().filter(|last| last["role"] == "user");
        match last {
            Some(last) if only_text && last["content"].is_string() => {
                append_text(last, &joined(content));
            }
            Some(last) => {
                if let Some(text) = last["content"].as_str() {
                    last["content"] = json!([{"type": "text", "text": text}]);
                }
                if let Some(all) = last["content"].as_array_mut() {
                    all.extend(parts);
                }
            }
            None if only_text => {
                self.done.push(json!({"role": "user", "content": joined(content)}));
            }
            None => self.done.push(json!({"role": "user", "content": parts})),
        }
    }

    fn assistant(&mut self, text: &str) {
        match self.done.last_mut() {
            Some(last) if last["role"] == "assistant" && last["tool_calls"].is_null() => {
                append_text(last, text);
            }
            _ => self.done.push(json!({"role": "assistant", "content": text})),
        }
    }

    fn call(&mut self, name: &str, call_id: &str, arguments: &str) {
        let call = json!({
            "id": call_id, "type": "function",
            "function": {"name": name, "arguments": arguments}
        });
        let last = self.done.last_mut().filter(|last| last["role"] == "assistant");
        match last {
            Some(last) => match last["tool_calls"].as_array_mut() {
                Some(calls) => calls.push(call),
                None => last["tool_calls"] = json!([call]),
            },
            None => {
                self.done.push(json!({"role": "assistant", "content": "", "tool_calls": [call]}));
            }
        }
    }

    /// An output stands right behind the message with its call, whatever the model said in
    /// between. One without a call is text that a tool gave by itself.
    fn output(&mut self, output: &CallOutput) {
        let (text, parts): (String, &[ContentPart]) = match &output.output {
            OutputBody::Text(text) => (text.clone(), &[]),
            OutputBody::Parts(parts) => (joined(parts), parts),
        };
        let pictures = parts.iter().filter_map(part).filter(|part| part["type"] == "image_url");
        self.pictures.extend(pictures);
        let place = output.call_id.as_deref().and_then(|id| self.place_for(id));
        match place {
            Some(place) => {
                let id = &output.call_id;
                let message = json!({"role": "tool", "tool_call_id": id, "content": text});
                self.done.insert(place, message);
            }
            None => self.person(&[ContentPart::InputText { text }]),
        }
    }

    fn place_for(&self, call_id: &str) -> Option<usize> {
        let has_call = |message: &Value| {
            let calls = message["tool_calls"].as_array();
            calls.is_some_and(|calls| calls.iter().any(|call| call["id"] == call_id))
        };
        let asked = self.done.iter().rposition(has_call)?;
        let answers = self.done[asked + 1..].iter().take_while(|next| next["role"] == "tool");
        Some(asked + 1 + answers.count())
    }

    fn show_pictures(&mut self) {
        if !self.pictures.is_empty() {
            let pictures = std::mem::take(&mut self.pictures);
            self.done.push(json!({"role": "user", "content": pictures}));
        }
    }

    fn done(mut self) -> Vec<Value> {
        self.show_pictures();
        self.done
    }
}

fn append_text(message: &mut Value, text: &str) {
    let joined = match message["content"].as_str() {
        Some("") | None => text.to_owned(),
        Some(before) => format!("{before}\n\n{text}"),
    };
    message["content"] = joined.into();
}

fn part(part: &ContentPart) -> Option<Value> {
    match part {
        ContentPart::InputText { text } | ContentPart::OutputText { text, .. } => {
            Some(json!({"type": "text", "text": text}))
        }
        ContentPart::InputImage { image_url, detail } => {
            let mut picture = json!({"url": image_url});
            if let Some(detail) = detail {
                picture["detail"] = json!(detail);
            }
            Some(json!({"type": "image_url", "image_url": picture}))
        }
        ContentPart::Other(_) => None,
    }
}

#[cfg(test)]
mod tests;
