//! Settings of the command line and of requests.

use serde_json::{Map, Value};

use super::error::Error;
use super::key;
use super::tree::{Tree, from_value, overlay, set};

/// Makes settings of the command line. On failure: the name given, and what is wrong.
pub(crate) fn flags(
    cli: Vec<(String, String)>,
    features: Vec<(String, bool)>,
) -> Result<Tree, (String, String)> {
    let mut tree = Tree::new();
    for (name, text) in cli {
        let path = key::split(&name).map_err(|error| (name, error.to_string()))?;
        let value = text.trim().parse::<toml_edit::Value>();
        set(
            &mut tree,
            &path,
            value.map_or_else(|_| Value::String(text), |value| from_value(&value)),
        );
    }
    for (name, is_on) in features {
        set(&mut tree, &["features".to_owned(), name], Value::Bool(is_on));
    }
    Ok(tree)
}

/// Makes settings of a request: dotted names become tables, nulls say nothing.
pub(crate) fn nested(overrides: &Map<String, Value>) -> Result<Tree, Error> {
    let mut tree = Tree::new();
    for (name, value) in overrides {
        if let Some(value) = without_nulls(value) {
            let mut one = Tree::new();
            set(&mut one, &key::split(name)?, value);
            overlay(&mut tree, &one);
        }
    }
    Ok(tree)
}

fn without_nulls(value: &Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Array(items) => Some(items.iter().filter_map(without_nulls).collect()),
        Value::Object(table) => Some(Value::Object(
            table.iter().filter_map(|(key, v)| Some((key.clone(), without_nulls(v)?))).collect(),
        )),
        plain => Some(plain.clone()),
    }
}

#[cfg(test)]
mod tests;
