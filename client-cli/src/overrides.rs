//! Settings of the command line as JSON, for daemons that run elsewhere.

use serde_json::{Map, Number, Value};
use toml_edit::DocumentMut;

use crate::args::Shared;

/// The overrides as the `config` member of a thread's start: dotted keys, later ones win.
pub(crate) fn to_config(shared: &Shared) -> Map<String, Value> {
    let mut config: Map<String, Value> =
        shared.config.iter().map(|(key, text)| (key.clone(), value_of(text))).collect();
    for (name, is_on) in shared.features() {
        config.insert(format!("features.{name}"), Value::Bool(is_on));
    }
    config
}

/// A value as TOML reads it, or the text itself when it is no TOML.
pub(crate) fn value_of(text: &str) -> Value {
    let parsed = format!("value = {text}").parse::<DocumentMut>();
    parsed.ok().filter(|document| document.len() == 1).map_or_else(
        || Value::String(text.to_owned()),
        |document| document.get("value").map_or(Value::Null, item_to_json),
    )
}

/// A piece of a TOML document as JSON. Dates become text.
pub(crate) fn item_to_json(item: &toml_edit::Item) -> Value {
    match item {
        toml_edit::Item::None => Value::Null,
        toml_edit::Item::Value(value) => to_json(value),
        toml_edit::Item::Table(table) => table_to_json(table),
        toml_edit::Item::ArrayOfTables(tables) => tables.iter().map(table_to_json).collect(),
    }
}

fn table_to_json(table: &toml_edit::Table) -> Value {
    table.iter().map(|(key, item)| (key.to_owned(), item_to_json(item))).collect()
}

fn to_json(value: &toml_edit::Value) -> Value {
    match value {
        toml_edit::Value::String(text) => Value::String(text.value().clone()),
        toml_edit::Value::Integer(number) => Value::from(*number.value()),
        toml_edit::Value::Float(number) => {
            Number::from_f64(*number.value()).map_or(Value::Null, Value::Number)
        }
        toml_edit::Value::Boolean(flag) => Value::Bool(*flag.value()),
        toml_edit::Value::Datetime(date) => Value::String(date.value().to_string()),
        toml_edit::Value::Array(values) => values.iter().map(to_json).collect(),
        toml_edit::Value::InlineTable(table) => {
            table.iter().map(|(key, value)| (key.to_owned(), to_json(value))).collect()
        }
    }
}

#[cfg(test)]
mod tests;
