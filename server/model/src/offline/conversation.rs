//! A request's body as far as the stand-in reads it: what happened since its last answer.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::Value;
use spindle_schema::model::{CallOutput, ContentPart, OutputBody, ResponseItem, Role};

/// What happened since the last answer, and what may be called.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    /// In order.
    pub(super) steps: Vec<Step>,
    tools: HashSet<String>,
    /// The file that was named last before these steps.
    pub(super) before: Vec<String>,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// A person wrote this.
    Person(String),
    /// The stand-in called a tool.
    Call {
        /// The tool.
        tool: String,
        /// What came back, if anything did.
        output: Option<String>,
    },
}

#[derive(Deserialize)]
struct Body {
    input: Vec<ResponseItem>,
    #[serde(default)]
    tools: Vec<Value>,
}

impl Conversation {
    /// Reads the body of a request.
    pub(super) fn read(body: &[u8]) -> Result<Self, serde_json::Error> {
        let body: Body = serde_json::from_slice(body)?;
        let mut conversation = Self::default();
        conversation.learn_tools(&body.tools);
        for (number, item) in body.input.iter().enumerate() {
            let next = body.input.get(number + 1);
            conversation.take(item, next, &body.input);
        }
        Ok(conversation)
    }

    /// Whether a tool is on offer.
    pub(super) fn offers(&self, tool: &str) -> bool {
        self.tools.contains(tool)
    }

    fn take(&mut self, item: &ResponseItem, next: Option<&ResponseItem>, all: &[ResponseItem]) {
        match item {
            ResponseItem::Message(message) => {
                let text = joined(&message.content);
                match message.role {
                    Role::User if text.starts_with("<turn_aborted>") => self.finish(),
                    Role::User if is_context(&text) => {}
                    Role::User => self.steps.push(Step::Person(text)),
                    Role::Assistant if !matches!(next, Some(ResponseItem::FunctionCall(_))) => {
                        self.finish();
                    }
                    Role::Assistant | Role::Developer | Role::System => {}
                }
            }
            ResponseItem::FunctionCall(call) => {
                let output = all.iter().find_map(|item| output_of(item, &call.call_id));
                self.steps.push(Step::Call { tool: call.name.to_string(), output });
            }
            ResponseItem::Other(item) => {
                if let Some(Value::Array(tools)) = item.get("tools") {
                    self.learn_tools(tools);
                }
            }
            _ => {}
        }
    }

    /// An answer, or an interruption: what came before is settled.
    fn finish(&mut self) {
        for step in self.steps.drain(..) {
            if let Step::Person(text) = step {
                self.before.push(text);
            }
        }
    }

    fn learn_tools(&mut self, tools: &[Value]) {
        for tool in tools {
            if let Some(name) = tool.get("name").and_then(Value::as_str) {
                self.tools.insert(name.to_owned());
            }
            if let Some(Value::Array(inner)) = tool.get("tools") {
                self.learn_tools(inner);
            }
        }
    }
}

/// Context that the program gives in a person's name, not words of a person.
fn is_context(text: &str) -> bool {
    let tagged = text.strip_prefix('<').is_some_and(|rest| {
        let name = rest.find(['>', ' ', '\n']).map_or("", |end| &rest[..end]);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c == '-')
    });
    text.trim().is_empty() || tagged || text.starts_with("# AGENTS.md instructions")
}

fn output_of(item: &ResponseItem, call_id: &str) -> Option<String> {
    let ResponseItem::FunctionCallOutput(CallOutput { call_id: id, output, .. }) = item else {
        return None;
    };
    if id.as_deref() != Some(call_id) {
        return None;
    }
    Some(match output {
        OutputBody::Text(text) => text.clone(),
        OutputBody::Parts(parts) => joined(parts),
    })
}

fn joined(parts: &[ContentPart]) -> String {
    let texts: Vec<_> = parts.iter().filter_map(ContentPart::text).collect();
    texts.join("\n")
}

#[cfg(test)]
mod tests;
