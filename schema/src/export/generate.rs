//! Makes the bundle of definitions from the Rust types. Needs feature `export`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::{Flavour, marks, select};
use crate::experimental::{CamelCase, MEMBERS};
use crate::ids::{RequestId, ThreadId};
use crate::maybe::Maybe;
use crate::methods::{client, server};
use crate::v2;

/// Older methods, which the published schema leaves out.
const LEFT_OUT: [&str; 8] = [
    "GetConversationSummaryParams",
    "GetConversationSummaryResponse",
    "ConversationSummary",
    "ConversationGitInfo",
    "GitDiffToRemoteParams",
    "GitDiffToRemoteResponse",
    "GetAuthStatusParams",
    "GetAuthStatusResponse",
];

impl JsonSchema for ThreadId {
    fn schema_name() -> Cow<'static, str> {
        "ThreadId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({"type": "string"})
    }
}

impl JsonSchema for RequestId {
    fn schema_name() -> Cow<'static, str> {
        "RequestId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "anyOf": [{"type": "string"}, {"format": "int64", "type": "integer"}],
        })
    }
}

impl<T: JsonSchema> JsonSchema for Maybe<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }
}

/// The bundle as it is committed: one definition a line, sorted, experimental parts marked.
pub fn bundle() -> String {
    let mut generator = SchemaSettings::draft07().into_generator();
    client::define(&mut generator);
    server::define_requests(&mut generator);
    server::define_notifications(&mut generator);
    define_unreferenced(&mut generator);
    let mut definitions: Vec<(String, Value)> = generator
        .take_definitions(true)
        .into_iter()
        .filter(|(name, _)| !LEFT_OUT.contains(&name.as_str()))
        .collect();
    definitions.extend(nullable_params());
    definitions.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, definition) in &mut definitions {
        tidy(definition);
        title_forms(name, definition);
        mark(name, definition);
    }
    mark_types(&mut definitions);
    let lines: Vec<String> = definitions
        .iter()
        .map(|(name, definition)| format!("{}:{definition}", Value::from(name.as_str())))
        .collect();
    format!("{{\"definitions\":{{\n{}\n}}}}\n", lines.join(",\n"))
}

/// Types of the protocol that no method leads to.
fn define_unreferenced(generator: &mut SchemaGenerator) {
    generator.subschema_for::<v2::AppConfig>();
    generator.subschema_for::<v2::AppLinkConfig>();
    generator.subschema_for::<v2::AppLinksConfig>();
    generator.subschema_for::<v2::AppToolConfig>();
    generator.subschema_for::<v2::AppToolsConfig>();
    generator.subschema_for::<v2::JsonRpcMessage>();
    generator.subschema_for::<v2::ModelProviderConfigWriteResponse>();
    generator.subschema_for::<v2::ModelProviderError>();
    generator.subschema_for::<v2::RawResponseCompletedNotification>();
    generator.subschema_for::<v2::RawResponseItemCompletedNotification>();
    generator.subschema_for::<v2::ResponseUsageMetadata>();
    generator.subschema_for::<v2::ToolExposureSurface>();
    generator.subschema_for::<v2::UserVerificationRpcError>();
}

/// Params that may be null, under the names that the published schema gives them.
fn nullable_params() -> impl Iterator<Item = (String, Value)> {
    client::CLIENT_REQUESTS.iter().filter(|method| method.params_optional).filter_map(|method| {
        let params = method.params?;
        let reference = format!("#/definitions/{params}");
        Some((
            format!("Nullable{params}"),
            json!({"anyOf": [{"$ref": reference}, {"type": "null"}]}),
        ))
    })
}

/// Writes constants as enums of one value, which more generators know, and sorts members.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            // Among properties, `const` is the name of one, and its value a schema.
            if members.get("const").is_some_and(|constant| !constant.is_object()) {
                let constant = members.remove("const");
                members.insert("enum".to_owned(), json!([constant]));
            }
            if let Some(Value::String(text)) = members.get_mut("description") {
                *text = text.replace("[`", "`").replace("`]", "`");
            }
            members.sort_keys();
            members.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// Gives each form of a choice a title of its own, from which generators make names:
/// `ApiKeyAccount` for the form `apiKey` of `Account`.
fn title_forms(name: &str, definition: &mut Value) {
    for key in ["oneOf", "anyOf"] {
        let forms = definition.get_mut(key).and_then(Value::as_array_mut);
        for form in forms.into_iter().flatten().filter_map(Value::as_object_mut) {
            if let Some(tag) = tag_of(form) {
                form.insert("title".to_owned(), format!("{tag}{name}").into());
                form.sort_keys();
            }
        }
    }
}

/// What tells a form from the others, in Pascal case: the value of its tag, or the name of its
/// only member.
fn tag_of(form: &Map<String, Value>) -> Option<String> {
    let properties = form.get("properties")?.as_object()?;
    let tag = properties.values().find_map(|property| match property.get("enum")?.as_array()? {
        values if values.len() == 1 => values[0].as_str(),
        _ => None,
    });
    let word = match (tag, properties.len()) {
        (Some(tag), _) => tag,
        (None, 1) => properties.keys().next()?,
        _ => return None,
    };
    let parts = word.split(|c: char| !c.is_ascii_alphanumeric());
    Some(parts.map(|part| part[..1].to_ascii_uppercase() + &part[1..]).collect())
}

fn mark(name: &str, definition: &mut Value) {
    let params = MEMBERS.iter().filter(|(params, _)| *params == name);
    for member in params.flat_map(|(_, members)| members.iter()) {
        mark_member(name, definition, &CamelCase(member).to_string());
    }
    let others = marks::MEMBERS.iter().filter(|(owner, _)| *owner == name);
    for member in others.flat_map(|(_, members)| members.iter()) {
        mark_member(name, definition, member);
    }
    for (owner, index) in marks::VARIANTS {
        if *owner == name {
            set_mark(&mut definition["oneOf"][*index]);
        }
    }
    for (owner, member) in marks::REQUIRED {
        if *owner == name {
            require(definition, member);
        }
    }
}

fn mark_member(name: &str, definition: &mut Value, member: &str) {
    let property = definition
        .pointer_mut(&format!("/properties/{member}"))
        .unwrap_or_else(|| panic!("{name} has no member {member} to be marked"));
    set_mark(property);
}

fn set_mark(schema: &mut Value) {
    let members = schema.as_object_mut().expect("a marked schema is an object");
    members.insert(super::EXPERIMENTAL.to_owned(), Value::Bool(true));
}

fn require(definition: &mut Value, member: &str) {
    let members = definition.as_object_mut().expect("a definition is an object");
    let required = members.entry("required").or_insert_with(|| json!([]));
    let required = required.as_array_mut().expect("required members are a list");
    if !required.iter().any(|name| name == member) {
        required.push(member.into());
    }
}

/// Marks the types that only the experimental API reaches.
fn mark_types(definitions: &mut [(String, Value)]) {
    let all: Map<String, Value> = definitions.iter().cloned().collect();
    let reached = reachable(&all, Flavour::Experimental);
    let unreached = all.keys().map(String::as_str).filter(|name| !reached.contains(*name));
    let mut stable = reachable(&all, Flavour::Stable);
    stable.extend(closure(
        &all,
        Flavour::Stable,
        unreached.filter(|name| !marks::TYPES.contains(name) && !name.starts_with("Nullable")),
    ));
    for (name, definition) in definitions.iter_mut() {
        if !stable.contains(name.strip_prefix("Nullable").unwrap_or(name)) {
            set_mark(definition);
        }
    }
}

/// The names of all types that the methods of a flavour lead to.
fn reachable(all: &Map<String, Value>, flavour: Flavour) -> BTreeSet<String> {
    let roots = [client::CLIENT_REQUESTS, server::SERVER_REQUESTS, server::SERVER_NOTIFICATIONS]
        .into_iter()
        .flat_map(|table| select::methods(table, flavour))
        .flat_map(|method| [method.params, method.result])
        .flatten();
    closure(all, flavour, roots)
}

/// The names of all types that some types lead to by the parts a flavour shows.
fn closure<'a>(
    all: &Map<String, Value>,
    flavour: Flavour,
    roots: impl Iterator<Item = &'a str>,
) -> BTreeSet<String> {
    select::closure(&select::definitions(all.clone(), flavour), roots)
}
