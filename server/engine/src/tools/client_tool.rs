//! The tools that a client brought along and runs itself.

use std::collections::HashSet;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};
use spindle_schema::ids::ConnectionId;

use super::call::{Payload, ToolCall};

/// Letters that the name of a tool or a namespace may have.
const MOST_LETTERS: usize = 128;

/// What a client offers to the model, for the life of a thread.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClientTools {
    /// Namespace and name of each.
    names: HashSet<(Option<Box<str>>, Box<str>)>,
    /// Their definitions, encoded, in the order given.
    specs: Vec<Bytes>,
    owner: Option<ConnectionId>,
}

/// A tool, or a namespace of tools, as clients write it.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Entry {
    Function(Function),
    Namespace { name: String, description: String, tools: Vec<Inner> },
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
enum Inner {
    Function(Function),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Function {
    name: String,
    description: String,
    input_schema: Value,
}

impl ClientTools {
    /// Reads what a client sent, or a rollout kept. `taken` are the names of our own tools.
    ///
    /// # Errors
    /// What is wrong with it, as a fragment that names the tool.
    pub(crate) fn read(list: &Value, taken: &[&str]) -> Result<Self, String> {
        let entries = Vec::<Entry>::deserialize(list).map_err(|error| error.to_string())?;
        let mut tools = Self::default();
        for entry in entries {
            let spec = match entry {
                Entry::Function(function) => {
                    if taken.contains(&&*function.name) {
                        return Err(format!("`{}` is the name of a built-in tool", function.name));
                    }
                    tools.take(None, function)?
                }
                Entry::Namespace { name, description, tools: inner } => {
                    check(&name)?;
                    let inner: Result<Vec<Value>, String> = inner
                        .into_iter()
                        .map(|Inner::Function(function)| tools.take(Some(&name), function))
                        .collect();
                    json!({
                        "type": "namespace", "name": name, "description": description,
                        "tools": inner?,
                    })
                }
            };
            tools.specs.push(Bytes::from(spec.to_string()));
        }
        Ok(tools)
    }

    /// The same, run by the client that brought them.
    pub(crate) fn owned_by(self, client: ConnectionId) -> Self {
        Self { owner: Some(client), ..self }
    }

    /// Who runs them, as long as it follows the thread; else whoever does.
    pub(crate) fn owner(&self) -> Option<ConnectionId> {
        self.owner
    }

    fn take(&mut self, namespace: Option<&str>, function: Function) -> Result<Value, String> {
        let Function { name, description, input_schema } = function;
        check(&name)?;
        if !input_schema.is_object() {
            return Err(format!("the inputSchema of `{name}` is not an object"));
        }
        if !self.names.insert((namespace.map(Into::into), name.as_str().into())) {
            return Err(format!("`{name}` is there twice"));
        }
        Ok(json!({
            "type": "function", "name": name, "description": description, "strict": false,
            "parameters": input_schema,
        }))
    }

    /// The definitions, encoded.
    pub(crate) fn specs(&self) -> &[Bytes] {
        &self.specs
    }

    /// Whether a call is for one of them.
    pub(crate) fn has(&self, call: &ToolCall) -> bool {
        matches!(call.payload, Payload::Function(_))
            && !self.names.is_empty()
            && self.names.contains(&(call.namespace.clone(), call.name.clone()))
    }
}

fn check(name: &str) -> Result<(), String> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if (1..=MOST_LETTERS).contains(&name.len()) && name.bytes().all(is_letter) {
        return Ok(());
    }
    Err(format!("`{name}` is no name of 1 to {MOST_LETTERS} letters, digits, `_` and `-`"))
}

#[cfg(test)]
mod tests;
