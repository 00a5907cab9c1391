//! Settings as a tree of tables: reading TOML into it, laying one over another.

use std::ops::Range;

use serde_json::{Map, Number, Value};
use toml_edit::{Item, TableLike};

/// A table of settings. The order of a file is kept.
pub(crate) type Tree = Map<String, Value>;

/// Turns a TOML table into a tree. Dates become texts; numbers that JSON lacks become texts.
pub(crate) fn from_table(table: &dyn TableLike) -> Tree {
    table.iter().map(|(key, item)| (key.to_owned(), from_item(item))).collect()
}

fn from_item(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => from_value(value),
        Item::Table(table) => Value::Object(from_table(table)),
        Item::ArrayOfTables(tables) => {
            tables.iter().map(|table| Value::Object(from_table(table))).collect()
        }
    }
}

/// Turns one TOML value into JSON.
pub(crate) fn from_value(value: &toml_edit::Value) -> Value {
    match value {
        toml_edit::Value::String(text) => Value::String(text.value().clone()),
        toml_edit::Value::Integer(number) => Value::from(*number.value()),
        toml_edit::Value::Float(number) => Number::from_f64(*number.value())
            .map_or_else(|| Value::String(number.value().to_string()), Value::Number),
        toml_edit::Value::Boolean(flag) => Value::Bool(*flag.value()),
        toml_edit::Value::Datetime(moment) => Value::String(moment.value().to_string()),
        toml_edit::Value::Array(array) => array.iter().map(from_value).collect(),
        toml_edit::Value::InlineTable(table) => Value::Object(from_table(table)),
    }
}

/// Looks a setting up.
pub(crate) fn get<'a>(tree: &'a Tree, path: &[String]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(tree.get(first)?, |value, part| value.as_object()?.get(part))
}

/// Puts a setting in its place. What stands in the way and is no table is replaced by one.
pub(crate) fn set(tree: &mut Tree, path: &[String], value: Value) {
    let Some((last, tables)) = path.split_last() else { return };
    let mut table = tree;
    for part in tables {
        let entry = table.entry(part.clone()).or_insert_with(|| Value::Object(Tree::new()));
        if !entry.is_object() {
            *entry = Value::Object(Tree::new());
        }
        let Value::Object(inner) = entry else { return };
        table = inner;
    }
    table.insert(last.clone(), value);
}

/// Takes a setting out; the order of the others stays.
pub(crate) fn remove(tree: &mut Tree, path: &[String]) -> Option<Value> {
    let (last, tables) = path.split_last()?;
    let table = tables.iter().try_fold(tree, |table, part| table.get_mut(part)?.as_object_mut())?;
    table.shift_remove(last)
}

/// Lays one tree over another: tables are joined, anything else is replaced.
pub(crate) fn overlay(base: &mut Tree, top: &Tree) {
    for (key, value) in top {
        match (base.get_mut(key), value) {
            (Some(Value::Object(below)), Value::Object(above)) => overlay(below, above),
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Finds where in a text a setting's value stands, as a range of bytes.
///
/// The nearest table is named when the setting itself has no place of its own.
pub(crate) fn locate(text: &str, path: &[String]) -> Option<Range<usize>> {
    let document = toml_edit::Document::parse(text).ok()?;
    let mut item = document.as_item();
    let mut found = None;
    for part in path {
        let Some(next) = item.get(part.as_str()) else { break };
        found = next.span().or(found);
        item = next;
    }
    found
}

#[cfg(test)]
mod tests;
