//! A request of the Responses API, as far as other forms have a place for it.

use serde::Deserialize;
use serde_json::Value;
use spindle_schema::model::{ContentPart, ResponseItem};

use super::names::{Function, Names};
use crate::error::{ErrorKind, ModelError};

/// The members that are carried over.
#[derive(Debug, Deserialize)]
pub(super) struct Request {
    pub(super) model: String,
    #[serde(default)]
    pub(super) instructions: Option<String>,
    pub(super) input: Vec<ResponseItem>,
    #[serde(default)]
    tools: Vec<Value>,
    #[serde(default)]
    pub(super) parallel_tool_calls: Option<bool>,
    #[serde(default)]
    pub(super) reasoning: Value,
    #[serde(default)]
    pub(super) text: Value,
    #[serde(default)]
    pub(super) service_tier: Option<String>,
}

impl Request {
    /// Reads a body. Errors: it is no request of the Responses API.
    pub(super) fn read(body: &[u8]) -> Result<Self, ModelError> {
        serde_json::from_slice(body)
            .map_err(|error| ErrorKind::InvalidRequest(error.to_string()).into())
    }

    /// The tools as functions, wherever they stand, and what their names stand for.
    pub(super) fn functions(&self) -> (Names, Vec<Function>) {
        let in_input = self.input.iter().filter_map(|item| match item {
            ResponseItem::Other(item) => item.get("tools").and_then(Value::as_array),
            _ => None,
        });
        let mut names = Names::default();
        let tools = self.tools.iter().chain(in_input.flatten());
        let functions = tools.flat_map(|tool| names.functions(tool)).collect();
        (names, functions)
    }
}

/// The texts of parts, with an empty line between two.
pub(super) fn joined(parts: &[ContentPart]) -> String {
    let texts: Vec<_> = parts.iter().filter_map(ContentPart::text).collect();
    texts.join("\n\n")
}
