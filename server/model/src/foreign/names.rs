//! Other forms know functions only. A namespace goes into the name, and a custom tool becomes
//! a function with one text argument; both are undone in the answer.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Map, Value, json};
use spindle_schema::model::{CustomToolCall, FunctionCall, ResponseItem};

/// The longest function name that servers take.
const MAX_NAME: usize = 64;
/// The one argument of a custom tool.
const INPUT: &str = "input";

/// What the flat names of one request stand for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    origins: HashMap<String, Origin>,
}

#[derive(Debug, Clone)]
struct Origin {
    namespace: Option<Box<str>>,
    name: Box<str>,
    is_custom: bool,
}

/// The flat name of a tool. Always the same for the same tool.
pub(crate) fn flat_name(namespace: Option<&str>, name: &str) -> String {
    let whole = match namespace {
        Some(namespace) => format!("{namespace}__{name}"),
        None => name.to_owned(),
    };
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let flat: String = whole.chars().map(allowed).collect();
    if flat.len() <= MAX_NAME {
        return flat;
    }
    let mut hasher = DefaultHasher::new();
    whole.hash(&mut hasher);
    format!("{}_{:08x}", &flat[..MAX_NAME - 9], hasher.finish() as u32)
}

/// A custom call's text as a function's arguments.
pub(crate) fn custom_arguments(input: &str) -> String {
    json!({ INPUT: input }).to_string()
}

/// A function with its flat name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) description: String,
    /// A JSON Schema.
    pub(crate) parameters: Value,
}

impl Names {
    /// Turns a tool of the Responses API into functions; none for a tool that the provider
    /// itself would have to run.
    pub(crate) fn functions(&mut self, tool: &Value) -> Vec<Function> {
        self.functions_in(None, tool)
    }

    fn functions_in(&mut self, namespace: Option<&str>, tool: &Value) -> Vec<Function> {
        let name = tool["name"].as_str();
        if let (Some(name), Some(inner)) = (name, tool["tools"].as_array()) {
            return inner.iter().flat_map(|tool| self.functions_in(Some(name), tool)).collect();
        }
        let (Some(name), Some(kind)) = (name, tool["type"].as_str()) else { return Vec::new() };
        let parameters = match kind {
            "function" => tool["parameters"].clone(),
            "custom" => custom_parameters(),
            _ => return Vec::new(),
        };
        let flat = flat_name(namespace, name);
        let origin = Origin {
            namespace: namespace.map(Into::into),
            name: name.into(),
            is_custom: kind == "custom",
        };
        self.origins.insert(flat.clone(), origin);
        vec![Function { name: flat, description: description(tool), parameters }]
    }

    /// Turns a call into the item that the engine knows.
    pub(crate) fn call(&self, flat: &str, call_id: &str, arguments: String) -> ResponseItem {
        let origin = self.origins.get(flat);
        let name = origin.map_or(flat, |origin| &origin.name).into();
        let namespace = origin.and_then(|origin| origin.namespace.clone());
        let (call_id, extra) = (call_id.into(), Map::new());
        if origin.is_some_and(|origin| origin.is_custom) {
            let (id, input) = (Some(new_id("ctc")), custom_input(arguments));
            let call = CustomToolCall { id, name, namespace, input, call_id, extra };
            return ResponseItem::CustomToolCall(call);
        }
        let id = Some(new_id("fc"));
        let arguments = if arguments.trim().is_empty() { "{}".into() } else { arguments };
        ResponseItem::FunctionCall(FunctionCall { id, name, namespace, arguments, call_id, extra })
    }
}

/// A fresh id in the provider's manner.
pub(crate) fn new_id(kind: &str) -> Box<str> {
    format!("{kind}_{}", uuid::Uuid::new_v4().simple()).into()
}

fn custom_parameters() -> Value {
    let text = json!({"type": "string", "description": "The whole text for the tool."});
    json!({
        "type": "object", "properties": {INPUT: text}, "required": [INPUT],
        "additionalProperties": false
    })
}

/// A custom tool's grammar is text that helps the model, so it is told with the description.
fn description(tool: &Value) -> String {
    let description = tool["description"].as_str().unwrap_or_default();
    match tool["format"]["definition"].as_str() {
        Some(grammar) => format!("{description}\n\nThe text follows this grammar:\n{grammar}"),
        None => description.to_owned(),
    }
}

/// Small models forget the object around the text; then all of it is the text.
fn custom_input(arguments: String) -> String {
    match serde_json::from_str(&arguments) {
        Ok(Value::Object(mut map)) => match map.shift_remove(INPUT) {
            Some(Value::String(input)) => input,
            _ => arguments,
        },
        Ok(Value::String(input)) => input,
        _ => arguments,
    }
}

#[cfg(test)]
mod tests;
