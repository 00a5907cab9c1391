//! The TypeScript files: one for each definition, and an index in each folder.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::select::{references, referred};
use super::{File, Flavour, json};

/// The folder of all types but the messages.
const FOLDER: &str = "v2/";

pub(super) fn files(definitions: &Map<String, Value>, flavour: Flavour) -> Vec<File> {
    let messages = json::messages(flavour);
    let mut files = Vec::new();
    let mut index = String::new();
    for (name, schema) in &messages {
        files.push(File { path: format!("{name}.ts"), text: module(name, schema, FOLDER) });
        push_export(&mut index, name);
    }
    let mut inner_index = String::new();
    for (name, schema) in definitions {
        let path = format!("{FOLDER}{name}.ts");
        files.push(File { path, text: module(name, schema, "") });
        push_export(&mut inner_index, name);
    }
    index.push_str("export * from \"./v2\";\n");
    files.push(File { path: "index.ts".to_owned(), text: index });
    files.push(File { path: format!("{FOLDER}index.ts"), text: inner_index });
    files
}

fn push_export(index: &mut String, name: &str) {
    let _ = writeln!(index, "export type {{ {name} }} from \"./{name}\";");
}

/// A file with one type. The folder is where its imports lie, as seen from the file.
fn module(name: &str, schema: &Value, folder: &str) -> String {
    let mut imports = BTreeSet::new();
    references(schema, &mut |import| {
        imports.insert(import.to_owned());
    });
    imports.remove(name);
    let mut text = String::new();
    for import in &imports {
        let _ = writeln!(text, "import type {{ {import} }} from \"./{folder}{import}\";");
    }
    if !imports.is_empty() {
        text.push('\n');
    }
    if let Some(description) = schema.get("description").and_then(Value::as_str) {
        let _ = writeln!(text, "/** {} */", description.replace('\n', " ").replace("*/", "* /"));
    }
    let _ = writeln!(text, "export type {name} = {};", type_of(schema));
    text
}

/// The type that a schema describes.
fn type_of(schema: &Value) -> String {
    let Value::Object(members) = schema else { return "unknown".to_owned() };
    if let Some(name) = members.get("$ref").and_then(referred) {
        return name.to_owned();
    }
    if let Some(Value::Array(values)) = members.get("enum") {
        return union(values.iter().map(Value::to_string));
    }
    let forms = |key| members.get(key).and_then(Value::as_array);
    let mut parts: Vec<String> = forms("allOf").into_iter().flatten().map(type_of).collect();
    for choice in [forms("oneOf"), forms("anyOf")].into_iter().flatten() {
        parts.push(union(choice.iter().map(type_of)));
    }
    if members.contains_key("properties") || parts.is_empty() {
        parts.insert(0, plain_type_of(members));
    }
    match &*parts {
        [one] => one.clone(),
        many => many.iter().map(|part| grouped(part)).collect::<Vec<_>>().join(" & "),
    }
}

/// The type that a schema without choices describes.
fn plain_type_of(members: &Map<String, Value>) -> String {
    match members.get("type") {
        Some(Value::Array(kinds)) => {
            union(kinds.iter().filter_map(Value::as_str).map(|kind| kind_of(kind, members)))
        }
        Some(Value::String(kind)) => kind_of(kind, members),
        _ => "unknown".to_owned(),
    }
}

fn kind_of(kind: &str, members: &Map<String, Value>) -> String {
    match kind {
        "string" | "boolean" | "null" => kind.to_owned(),
        "integer" | "number" => "number".to_owned(),
        "array" => format!("Array<{}>", members.get("items").map_or("unknown".into(), type_of)),
        "object" => object_of(members),
        _ => "unknown".to_owned(),
    }
}

fn object_of(members: &Map<String, Value>) -> String {
    let others = match members.get("additionalProperties") {
        None | Some(Value::Bool(false)) => None,
        Some(schema) => Some(format!("{{ [key: string]: {} }}", type_of(schema))),
    };
    let Some(Value::Object(properties)) = members.get("properties") else {
        return others.unwrap_or_else(|| "Record<string, never>".to_owned());
    };
    let required: BTreeSet<&str> = members
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut text = String::from("{ ");
    for (name, schema) in properties {
        let optional = if required.contains(name.as_str()) { "" } else { "?" };
        let _ = write!(text, "{}{optional}: {}, ", Value::from(name.as_str()), type_of(schema));
    }
    text.push('}');
    match others {
        Some(others) => format!("{text} & {others}"),
        None => text,
    }
}

fn union(parts: impl Iterator<Item = String>) -> String {
    let mut seen = BTreeSet::new();
    let parts: Vec<String> = parts.filter(|part| seen.insert(part.clone())).collect();
    if parts.is_empty() { "never".to_owned() } else { parts.join(" | ") }
}

/// A union in parentheses, so that it can stand in an intersection.
fn grouped(part: &str) -> String {
    let mut depth = 0_i32;
    let is_union = part.bytes().any(|byte| {
        match byte {
            b'{' | b'(' | b'<' => depth += 1,
            b'}' | b')' | b'>' => depth -= 1,
            _ => {}
        }
        depth == 0 && byte == b'|'
    });
    if is_union { format!("({part})") } else { part.to_owned() }
}
