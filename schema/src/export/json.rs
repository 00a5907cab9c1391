//! The JSON Schema files.
//!
//! ```text
//! ClientRequest.json ServerRequest.json ServerNotification.json ClientNotification.json
//! JSONRPC*.json RequestId.json     the messages
//! *Params.json *Response.json      what the server asks of clients
//! v1/Initialize*.json v2/*.json    what clients ask, and what they are told
//! codex_app_server_protocol*.json  all definitions in one file
//! ```

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::select::{closure, methods, references};
use super::{File, Flavour};
use crate::methods::MethodInfo;
use crate::methods::client::{CLIENT_NOTIFICATIONS, CLIENT_REQUESTS};
use crate::methods::server::{SERVER_NOTIFICATIONS, SERVER_REQUESTS};

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// Whether messages of a kind carry an id.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Id {
    Present,
    Absent,
}

pub(super) fn files(definitions: &Map<String, Value>, flavour: Flavour) -> Vec<File> {
    let messages = messages(flavour);
    let mut files: Vec<File> = messages
        .iter()
        .map(|(name, schema)| file(name, &complete(name, schema.clone(), definitions)))
        .collect();
    for (path, name) in places(definitions, flavour) {
        if let Some(definition) = definitions.get(&name) {
            files.push(file(&path, &complete(&name, definition.clone(), definitions)));
        }
    }
    let mut all = definitions.clone();
    all.extend(messages);
    all.sort_keys();
    for suffix in ["", ".v2"] {
        let name = format!("codex_app_server_protocol{suffix}.schemas");
        let title = "CodexAppServerProtocol";
        let schema = json!({"$schema": DRAFT, "definitions": all, "title": title});
        files.push(file(&name, &schema));
    }
    files
}

fn file(path: &str, schema: &Value) -> File {
    let text = format!("{schema:#}\n");
    File { path: format!("{path}.json"), text }
}

/// The four kinds of message, each a choice among its methods.
pub(super) fn messages(flavour: Flavour) -> Vec<(String, Value)> {
    let kinds: [(&str, &'static [MethodInfo], Id); 4] = [
        ("ClientNotification", CLIENT_NOTIFICATIONS, Id::Absent),
        ("ClientRequest", CLIENT_REQUESTS, Id::Present),
        ("ServerNotification", SERVER_NOTIFICATIONS, Id::Absent),
        ("ServerRequest", SERVER_REQUESTS, Id::Present),
    ];
    kinds
        .into_iter()
        .map(|(name, table, id)| {
            let choices: Vec<Value> =
                methods(table, flavour).map(|method| message(method, name, id)).collect();
            (name.to_owned(), json!({"oneOf": choices}))
        })
        .collect()
}

fn message(method: &MethodInfo, kind: &str, id: Id) -> Value {
    let title = format!("{}{kind}", method.name);
    let mut properties = Map::new();
    let mut required = vec!["method"];
    if id == Id::Present {
        properties.insert("id".to_owned(), json!({"$ref": "#/definitions/RequestId"}));
        required.insert(0, "id");
    }
    let name = json!({"enum": [method.name], "title": format!("{title}Method"), "type": "string"});
    properties.insert("method".to_owned(), name);
    if let Some(params) = method.params {
        let nullable = if method.params_optional { "Nullable" } else { "" };
        let reference = format!("#/definitions/{nullable}{params}");
        properties.insert("params".to_owned(), json!({"$ref": reference}));
        if !method.params_optional {
            required.push("params");
        }
    } else if id == Id::Present {
        properties.insert("params".to_owned(), json!({"type": "null"}));
    }
    json!({
        "properties": properties, "required": required, "title": title, "type": "object",
    })
}

/// Which types have a file of their own: path without its ending, name.
fn places(definitions: &Map<String, Value>, flavour: Flavour) -> BTreeSet<(String, String)> {
    let mut places = BTreeSet::new();
    let mut place = |folder: &str, name: &str| {
        places.insert((format!("{folder}{name}"), name.to_owned()));
    };
    for method in methods(CLIENT_REQUESTS, flavour).chain(methods(SERVER_NOTIFICATIONS, flavour)) {
        let folder = if method.name == "initialize" { "v1/" } else { "v2/" };
        for name in [method.params, method.result].into_iter().flatten() {
            place(folder, name);
        }
    }
    for method in methods(SERVER_REQUESTS, flavour) {
        for name in [method.params, method.result].into_iter().flatten() {
            place("", name);
        }
    }
    for name in definitions.keys().filter(|name| name.starts_with("JSONRPC")) {
        place("", name);
    }
    place("", "RequestId");
    places
}

/// A schema that stands alone, with the definitions it needs.
fn complete(name: &str, schema: Value, definitions: &Map<String, Value>) -> Value {
    let mut roots = Vec::new();
    references(&schema, &mut |name| roots.push(name.to_owned()));
    let needed: Map<String, Value> = closure(definitions, roots.iter().map(String::as_str))
        .into_iter()
        .filter_map(|name| definitions.get(&name).map(|schema| (name, schema.clone())))
        .collect();
    let mut whole = Map::new();
    whole.insert("$schema".to_owned(), DRAFT.into());
    if !needed.is_empty() {
        whole.insert("definitions".to_owned(), Value::Object(needed));
    }
    if let Value::Object(members) = schema {
        whole.extend(members);
    }
    whole.insert("title".to_owned(), name.into());
    Value::Object(whole)
}
