//! Which definitions belong to a flavour, and which lead to which.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{EXPERIMENTAL, Flavour};
use crate::methods::MethodInfo;

/// The methods of a table that a flavour shows. The older API is not in the schema.
pub(super) fn methods(
    table: &'static [MethodInfo],
    flavour: Flavour,
) -> impl Iterator<Item = &'static MethodInfo> {
    table.iter().filter(move |method| {
        (flavour == Flavour::Experimental || !method.is_experimental) && !is_older(method)
    })
}

fn is_older(method: &MethodInfo) -> bool {
    ["getConversationSummary", "gitDiffToRemote", "getAuthStatus"].contains(&method.name)
}

/// The definitions of a flavour: all of them without their marks, or those without a mark.
pub(super) fn definitions(all: Map<String, Value>, flavour: Flavour) -> Map<String, Value> {
    all.into_iter()
        .filter(|(_, definition)| flavour == Flavour::Experimental || !is_marked(definition))
        .map(|(name, definition)| (name, without_marked(definition, flavour)))
        .collect()
}

fn is_marked(schema: &Value) -> bool {
    schema.get(EXPERIMENTAL) == Some(&Value::Bool(true))
}

/// A schema without the parts that a flavour does not show, and without marks.
fn without_marked(schema: Value, flavour: Flavour) -> Value {
    let hides = |part: &Value| flavour == Flavour::Stable && is_marked(part);
    match schema {
        Value::Object(members) => members
            .into_iter()
            .filter(|(name, member)| name != EXPERIMENTAL && !hides(member))
            .map(|(name, member)| (name, without_marked(member, flavour)))
            .collect(),
        Value::Array(items) => items
            .into_iter()
            .filter(|item| !hides(item))
            .map(|item| without_marked(item, flavour))
            .collect(),
        other => other,
    }
}

/// The names of the types that some types lead to, themselves included.
pub(super) fn closure<'a>(
    all: &Map<String, Value>,
    roots: impl Iterator<Item = &'a str>,
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open: Vec<String> = roots.map(str::to_owned).collect();
    while let Some(name) = open.pop() {
        if let Some(definition) = all.get(&name)
            && found.insert(name)
        {
            references(definition, &mut |name| open.push(name.to_owned()));
        }
    }
    found
}

/// Calls back with the name of each type that a schema refers to, repeats included.
pub(super) fn references(schema: &Value, found: &mut impl FnMut(&str)) {
    match schema {
        Value::Object(members) => {
            if let Some(name) = members.get("$ref").and_then(referred) {
                found(name);
            }
            for member in members.values() {
                references(member, found);
            }
        }
        Value::Array(items) => {
            for item in items {
                references(item, found);
            }
        }
        _ => {}
    }
}

/// The name in a reference.
pub(super) fn referred(reference: &Value) -> Option<&str> {
    reference.as_str()?.strip_prefix("#/definitions/")
}
