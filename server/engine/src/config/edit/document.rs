//! Puts values into a TOML document and leaves the rest of it as it is.

use serde_json::{Map, Value};
use toml_edit::{Array, InlineTable, Item, Table, TableLike};

use super::MergeStrategy;

/// Puts a value in its place, or takes it out when it is null.
pub(super) fn apply(
    table: &mut dyn TableLike,
    path: &[String],
    value: &Value,
    strategy: MergeStrategy,
) {
    let Some((name, rest)) = path.split_first() else { return };
    if rest.is_empty() {
        return put(table, name, value, strategy);
    }
    if let Some(inner) = table.get_mut(name).and_then(Item::as_table_like_mut) {
        return apply(inner, rest, value, strategy);
    }
    if value.is_null() {
        return;
    }
    // A table in between shows only when it holds a value of its own.
    let mut inner = Table::new();
    inner.set_implicit(true);
    apply(&mut inner, rest, value, strategy);
    // Within a table of one line, this becomes one, too.
    table.insert(name, Item::Table(inner));
}

fn put(table: &mut dyn TableLike, name: &str, value: &Value, strategy: MergeStrategy) {
    let Value::Object(wanted) = value else { return put_plain(table, name, value) };
    if let Some(there) = table.get_mut(name).and_then(Item::as_table_like_mut) {
        return join(there, wanted, strategy);
    }
    table.insert(name, Item::Table(to_table(wanted)));
}

/// Brings a table to what is wanted, setting by setting, so that its comments stay.
fn join(there: &mut dyn TableLike, wanted: &Map<String, Value>, strategy: MergeStrategy) {
    if strategy == MergeStrategy::Replace {
        let gone: Vec<String> = there
            .iter()
            .map(|(name, _)| name.to_owned())
            .filter(|name| !wanted.contains_key(name))
            .collect();
        for name in gone {
            there.remove(&name);
        }
    }
    for (name, value) in wanted {
        put(there, name, value, strategy);
    }
}

/// Puts a value that is no table. The comment behind the old one stays.
fn put_plain(table: &mut dyn TableLike, name: &str, value: &Value) {
    let Some(mut fresh) = to_value(value) else {
        table.remove(name);
        return;
    };
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(there) => {
            *fresh.decor_mut() = there.decor().clone();
            *there = fresh;
        }
        None => {
            table.insert(name, Item::Value(fresh));
        }
    }
}

/// Makes a table with lines of its own.
fn to_table(wanted: &Map<String, Value>) -> Table {
    let mut table = Table::new();
    for (name, value) in wanted {
        put(&mut table, name, value, MergeStrategy::Replace);
    }
    let has_values = table.iter().any(|(_, item)| item.is_value());
    table.set_implicit(!has_values && !table.is_empty());
    table
}

/// Makes a value of one line. Nulls are left out; a number beyond TOML's range loses precision.
fn to_value(value: &Value) -> Option<toml_edit::Value> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.as_f64()?.into(),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => items.iter().filter_map(to_value).collect::<Array>().into(),
        Value::Object(table) => table
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), to_value(value)?)))
            .collect::<InlineTable>()
            .into(),
    })
}

#[cfg(test)]
mod tests;
