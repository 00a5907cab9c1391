use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use super::{CamelCase, MEMBERS};
use crate::methods::client::CLIENT_REQUESTS;
use crate::methods::{ClientRequest, ServerRequest};

/// Requests of a client without the capability, and how they were refused, if they were.
const RECORDED: &str = include_str!("../../fixtures/gate.jsonl");

fn parse(method: &str, params: &Value) -> ClientRequest {
    let raw = to_raw_value(params).expect("a value is JSON");
    ClientRequest::parse(method, Some(&raw)).unwrap_or_else(|e| panic!("{method}: {e}"))
}

fn refusal(method: &str, params: &Value) -> Option<String> {
    parse(method, params).experimental_requirement().map(|requirement| requirement.to_string())
}

#[test]
fn recorded_requests_are_refused_in_the_recorded_words() {
    let mut count = 0;
    for line in RECORDED.lines() {
        let line: Value = serde_json::from_str(line).expect("the fixture is JSON");
        let method = line["method"].as_str().expect("each line names a method");
        let refused = line["refused"].as_str().map(str::to_owned);
        assert_eq!(refusal(method, &line["params"]), refused, "{line}");
        count += 1;
    }
    assert!(count > 20, "the fixture has shrunk to {count} lines");
}

#[test]
fn members_that_equal_their_default_pass() {
    for params in [
        json!({"threadId": "t", "path": null}),
        json!({"threadId": "t", "attachToSource": false}),
        json!({"threadId": "t"}),
    ] {
        assert_eq!(refusal("thread/fork", &params), None, "{params}");
    }
}

#[test]
fn an_empty_list_is_a_value_and_does_not_pass() {
    assert_eq!(
        refusal("thread/start", &json!({"environments": []})).as_deref(),
        Some("thread/start.environments requires experimentalApi capability"),
    );
}

#[test]
fn approval_by_category_is_refused_by_its_own_name_in_all_four_methods() {
    let policy = json!({"granular": {
        "sandbox_approval": true, "rules": true, "mcp_elicitations": false,
    }});
    for method in ["thread/start", "thread/resume", "thread/fork", "turn/start"] {
        let params = json!({"threadId": "t", "input": [], "approvalPolicy": policy});
        assert_eq!(
            refusal(method, &params).as_deref(),
            Some("askForApproval.granular requires experimentalApi capability"),
            "{method}",
        );
    }
}

#[test]
fn names_are_shown_as_on_the_wire() {
    assert_eq!(CamelCase("responsesapi_client_metadata").to_string(), "responsesapiClientMetadata");
    assert_eq!(CamelCase("path").to_string(), "path");
}

#[test]
fn only_members_of_stable_methods_are_listed() {
    for (params, _) in MEMBERS {
        let method = CLIENT_REQUESTS.iter().find(|method| method.params == Some(params));
        assert!(method.is_some_and(|method| !method.is_experimental), "{params}");
    }
}

#[test]
fn a_request_for_approval_loses_the_permissions_that_plain_clients_do_not_know() {
    let params = json!({
        "kind": "command", "threadId": "t", "turnId": "u", "itemId": "i", "startedAtMs": 1,
        "additionalPermissions": {"network": {"enabled": true}, "fileSystem": null},
    });
    let raw = to_raw_value(&params).expect("a value is JSON");
    let mut request =
        ServerRequest::parse("item/commandExecution/requestApproval", Some(&raw)).expect("valid");
    request.strip_experimental();
    let mut out = Vec::new();
    request.write_params(&mut out);
    let written: Value = serde_json::from_slice(&out).expect("params are JSON");
    assert_eq!(written.get("additionalPermissions"), None);
    assert_eq!(written["itemId"], "i");
}
