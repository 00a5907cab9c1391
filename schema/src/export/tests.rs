use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::Value;

use super::{EXPERIMENTAL, File, Flavour, bundle, json_files, select, ts_files};
use crate::methods::client::CLIENT_REQUESTS;
use crate::methods::server::{SERVER_NOTIFICATIONS, SERVER_REQUESTS};

/// All JSON files of a flavour, made once for all tests.
fn parsed(flavour: Flavour) -> &'static BTreeMap<String, Value> {
    static STABLE: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| make(Flavour::Stable));
    static ALL: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| make(Flavour::Experimental));
    match flavour {
        Flavour::Stable => &STABLE,
        Flavour::Experimental => &ALL,
    }
}

fn make(flavour: Flavour) -> BTreeMap<String, Value> {
    json_files(flavour)
        .into_iter()
        .map(|File { path, text }| {
            assert!(!text.contains(EXPERIMENTAL) && text.ends_with("}\n"), "{path}");
            let schema = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
            (path, schema)
        })
        .collect()
}

fn texts(flavour: Flavour) -> BTreeMap<String, String> {
    ts_files(flavour).into_iter().map(|file| (file.path, file.text)).collect()
}

/// The methods that a file of messages lists.
fn listed(schema: &Value) -> BTreeSet<&str> {
    let choices = schema["oneOf"].as_array().expect("messages are a choice");
    choices
        .iter()
        .map(|choice| {
            choice["properties"]["method"]["enum"][0].as_str().expect("a choice names its method")
        })
        .collect()
}

#[cfg(feature = "export")]
#[test]
fn the_committed_bundle_is_what_the_types_give() {
    assert!(
        super::generate::bundle() == super::BUNDLE,
        "json/protocol.json is out of date; write it with \
         `cargo run -p spindle-schema --features export --example bundle`",
    );
}

#[test]
fn the_bundle_is_sorted_and_each_definition_has_a_line() {
    let names: Vec<&str> = super::BUNDLE
        .lines()
        .filter_map(|line| line.strip_prefix('"')?.split_once("\":").map(|(name, _)| name))
        .collect();
    assert!(names.is_sorted());
    assert_eq!(names.len(), bundle().len());
}

#[test]
fn every_method_is_listed_but_the_older_ones() {
    let files = parsed(Flavour::Experimental);
    let requests = listed(&files["ClientRequest.json"]);
    assert_eq!(requests.len(), CLIENT_REQUESTS.len() - 3);
    assert!(!requests.contains("getAuthStatus"));
    assert_eq!(listed(&files["ServerRequest.json"]).len(), SERVER_REQUESTS.len());
    assert_eq!(listed(&files["ServerNotification.json"]).len(), SERVER_NOTIFICATIONS.len());
    assert_eq!(listed(&files["ClientNotification.json"]), BTreeSet::from(["initialized"]));
}

#[test]
fn every_params_and_result_type_is_defined() {
    let definitions = bundle();
    let tables = [CLIENT_REQUESTS, SERVER_REQUESTS, SERVER_NOTIFICATIONS];
    let methods =
        tables.into_iter().flat_map(|table| select::methods(table, Flavour::Experimental));
    for name in methods.flat_map(|method| [method.params, method.result]).flatten() {
        assert!(definitions.contains_key(name), "{name}");
    }
}

#[test]
fn every_file_is_complete_in_itself() {
    for flavour in [Flavour::Stable, Flavour::Experimental] {
        for (path, schema) in parsed(flavour) {
            select::references(schema, &mut |name| {
                assert!(schema["definitions"].get(name).is_some(), "{path} lacks {name}");
            });
            assert!(schema["title"].is_string(), "{path}");
        }
    }
}

#[test]
fn the_stable_flavour_shows_nothing_experimental() {
    let files = parsed(Flavour::Stable);
    assert!(!listed(&files["ClientRequest.json"]).contains("thread/search"));
    assert!(!files.contains_key("v2/ThreadSearchParams.json"));
    let start = &files["v2/ThreadStartParams.json"]["properties"];
    assert!(start.get("cwd").is_some());
    assert!(start.get("environments").is_none());
    let forms = &files["McpServerElicitationRequestParams.json"]["oneOf"];
    assert_eq!(forms.as_array().map(Vec::len), Some(4));
}

#[test]
fn the_experimental_flavour_shows_everything() {
    let files = parsed(Flavour::Experimental);
    assert!(files["v2/TurnStartParams.json"]["properties"].get("environments").is_some());
    assert!(files.contains_key("v2/ThreadSearchParams.json"));
}

#[test]
fn files_lie_where_generators_look_for_them() {
    let files = parsed(Flavour::Stable);
    for path in [
        "ApplyPatchApprovalParams.json",
        "CommandExecutionRequestApprovalResponse.json",
        "JSONRPCMessage.json",
        "RequestId.json",
        "codex_app_server_protocol.schemas.json",
        "codex_app_server_protocol.v2.schemas.json",
        "v1/InitializeParams.json",
        "v2/ThreadForkParams.json",
        "v2/ThreadResumeParams.json",
        "v2/TurnCompletedNotification.json",
        "v2/TurnStartParams.json",
    ] {
        assert!(files.contains_key(path), "{path}");
    }
}

#[test]
fn the_forms_of_a_choice_have_names() {
    let definitions = bundle();
    for (name, title) in [
        ("Account", "ApiKeyAccount"),
        ("SessionSource", "SubAgentSessionSource"),
        ("ThreadItem", "CommandExecutionThreadItem"),
    ] {
        let forms = definitions[name]["oneOf"].as_array().expect("a choice");
        assert!(forms.iter().any(|form| form["title"] == title), "{title}");
    }
}

#[test]
fn members_that_may_be_null_and_must_be_there_are_required() {
    let definitions = bundle();
    for (name, member) in [("Thread", "projectId"), ("ThreadSectionMoveParams", "sectionId")] {
        let required = definitions[name]["required"].as_array().expect("some are required");
        assert!(required.iter().any(|required| required == member), "{name}.{member}");
    }
}

#[test]
fn typescript_has_a_file_for_each_type_and_imports_what_it_names() {
    let files = texts(Flavour::Experimental);
    for name in bundle().keys() {
        let text = &files[&format!("v2/{name}.ts")];
        assert!(text.contains(&format!("export type {name} = ")), "{name}");
        for line in text.lines().filter(|line| line.starts_with("import")) {
            let path =
                line.split('"').nth(1).expect("an import has a path").trim_start_matches("./");
            assert!(files.contains_key(&format!("v2/{path}.ts")), "{name} imports {path}");
        }
    }
    assert!(files["index.ts"].contains("export type { ClientRequest }"));
    assert!(files["v2/index.ts"].contains("export type { Thread }"));
}

#[test]
fn typescript_says_what_the_schema_says() {
    let files = texts(Flavour::Stable);
    let line = |path: &str| {
        let text = &files[path];
        text.lines().find(|line| line.starts_with("export type")).expect("a type").to_owned()
    };
    assert_eq!(line("v2/SortDirection.ts"), r#"export type SortDirection = "asc" | "desc";"#,);
    assert_eq!(
        line("v2/ThreadArchiveParams.ts"),
        r#"export type ThreadArchiveParams = { "threadId": string, };"#,
    );
    assert_eq!(
        line("v2/ThreadLoadedListParams.ts"),
        "export type ThreadLoadedListParams = \
         { \"cursor\"?: string | null, \"limit\"?: number | null, };",
    );
    assert_eq!(line("v2/RequestId.ts"), "export type RequestId = string | number;",);
    let item = line("v2/ThreadItem.ts");
    assert!(item.contains(r#""startedAtMs"?: number | null"#), "{item}");
    assert!(item.contains(r#", } & ({ "clientId"?"#), "{item}");
    assert!(item.contains(r#""source"?: CommandExecutionSource,"#), "{item}");
    assert!(
        line("ServerNotification.ts")
            .contains(r#"{ "method": "turn/started", "params": TurnStartedNotification, }"#)
    );
}
