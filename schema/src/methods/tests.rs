use std::collections::BTreeSet;

use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::client::{CLIENT_REQUESTS, ThreadSearchStream};
use super::server::{SERVER_NOTIFICATIONS, SERVER_REQUESTS};
use super::{
    ClientNotification, ClientRequest, MethodInfo, ParseError, Request, Scope, ServerNotification,
    ServerRequest,
};
use crate::v2::{ThreadSearchParams, ThreadStartParams};

/// Params that do not fit, with the words of the refusal.
const INVALID: &str = include_str!("../../fixtures/invalid.jsonl");

fn parse(method: &str, params: &Value) -> Result<ClientRequest, ParseError> {
    ClientRequest::parse(method, Some(&to_raw_value(params).expect("a value is JSON")))
}

fn request(method: &str, params: &Value) -> ClientRequest {
    parse(method, params).unwrap_or_else(|e| panic!("{method}: {e}"))
}

#[test]
fn recorded_faults_are_refused_in_the_recorded_words() {
    let mut count = 0;
    for line in INVALID.lines() {
        let line: Value = serde_json::from_str(line).expect("the fixture is JSON");
        let method = line["method"].as_str().expect("each line names a method");
        let raw = line.get("params").map(|params| to_raw_value(params).expect("JSON"));
        let error = ClientRequest::parse(method, raw.as_deref()).expect_err(method);
        assert_eq!(error.to_string(), line["detail"].as_str().expect("a detail"), "{line}");
        count += 1;
    }
    assert!(count > 40, "the fixture has shrunk to {count} lines");
}

#[test]
fn the_tables_hold_the_whole_protocol_without_repeats() {
    let theirs = |method: &&MethodInfo| !method.name.starts_with("spindle/");
    for (table, length) in
        [(CLIENT_REQUESTS, 192), (SERVER_REQUESTS, 10), (SERVER_NOTIFICATIONS, 87)]
    {
        let table: Vec<_> = table.iter().filter(theirs).collect();
        let names: BTreeSet<_> = table.iter().map(|method| method.name).collect();
        assert_eq!((table.len(), names.len()), (length, length));
    }
    let experimental = CLIENT_REQUESTS.iter().filter(|method| method.is_experimental).count();
    assert_eq!(experimental, 79);
}

#[test]
fn every_name_in_the_table_is_known_to_the_parser() {
    for method in CLIENT_REQUESTS {
        match ClientRequest::parse(method.name, None) {
            Ok(request) => {
                assert_eq!(request.method(), method.name);
                assert_eq!(request.is_experimental(), method.is_experimental);
                assert!(method.params.is_none() || method.params_optional, "{}", method.name);
            }
            Err(error) => {
                assert_eq!(error.to_string(), "missing field `params`");
                assert!(method.params.is_some() && !method.params_optional, "{}", method.name);
            }
        }
    }
}

#[test]
fn an_unknown_method_is_named() {
    assert_eq!(
        ClientRequest::parse("no/such", None).expect_err("unknown"),
        ParseError::UnknownMethod("no/such".to_owned()),
    );
    assert!(ServerNotification::parse("no/such", None).is_err());
    assert!(ServerRequest::parse("no/such", None).is_err());
    assert!(ClientNotification::parse("no/such").is_err());
}

#[test]
fn a_method_without_params_takes_any() {
    for params in [json!(null), json!({"a": 1}), json!([1, 2]), json!("x")] {
        assert!(matches!(request("account/logout", &params), ClientRequest::AccountLogout));
    }
}

#[test]
fn params_that_may_be_left_out_get_their_defaults() {
    let ClientRequest::AccountRateLimitsRead(params) =
        ClientRequest::parse("account/rateLimits/read", None).expect("params are optional")
    else {
        panic!("another method");
    };
    assert!(!params.exclude_reset_credit_details);
    assert!(parse("account/rateLimits/read", &json!(5)).is_err());
}

#[test]
fn params_in_an_array_are_read_by_position() {
    let ClientRequest::ThreadLoadedList(params) = request("thread/loaded/list", &json!([null, 7]))
    else {
        panic!("another method");
    };
    assert_eq!(params.limit, Some(7));
}

#[test]
fn unknown_members_are_ignored() {
    assert!(parse("thread/read", &json!({"threadId": "t", "later": {"a": [1]}})).is_ok());
}

#[test]
fn a_wrong_kind_of_value_for_an_enum_is_named() {
    let error = parse("thread/list", &json!({"sortDirection": 5})).expect_err("no direction");
    assert_eq!(error.to_string(), "invalid type: integer `5`, expected string or map");
    let error = parse("thread/list", &json!({"limit": 1, "sortDirection": [true]}));
    let detail = error.expect_err("no direction").to_string();
    assert_eq!(detail, "invalid type: sequence, expected string or map");
}

#[test]
fn a_text_that_is_no_json_string_of_unicode_is_refused_with_a_reason() {
    let raw: &RawValue = serde_json::from_str(r#"{"threadId":"\ud800"}"#).expect("raw text");
    let error = ClientRequest::parse("thread/read", Some(raw)).expect_err("a lone surrogate");
    assert!(error.to_string().contains("hex escape"), "{error}");
    assert!(!error.to_string().contains("column"), "{error}");
}

#[test]
fn what_concerns_a_thread_keeps_its_order_and_reads_do_not() {
    let turn = request("turn/start", &json!({"threadId": "t", "input": []}));
    assert_eq!((turn.scope(), turn.thread_id()), (Scope::Thread("t"), Some("t")));
    let read = request("thread/read", &json!({"threadId": "t"}));
    assert_eq!((read.scope(), read.thread_id()), (Scope::None, Some("t")));
    let list = request("thread/list", &json!({}));
    assert_eq!((list.scope(), list.thread_id()), (Scope::None, None));
}

#[test]
fn handles_configuration_and_the_greeting_have_orders_of_their_own() {
    let watch = request("fs/watch", &json!({"watchId": "w", "path": "/p"}));
    assert_eq!((watch.scope(), watch.thread_id()), (Scope::Handle("w"), None));
    let exec = request("command/exec", &json!({"command": ["true"]}));
    assert_eq!(exec.scope(), Scope::None);
    let logout = request("account/logout", &json!(null));
    assert_eq!(logout.scope(), Scope::Global);
    let greeting = json!({"clientInfo": {"name": "n", "version": "1"}});
    assert_eq!(request("initialize", &greeting).scope(), Scope::Connection);
}

#[test]
fn a_request_knows_its_method_and_its_own_params() {
    assert_eq!(ThreadStartParams::METHOD, "thread/start");
    assert_eq!(ThreadSearchParams::METHOD, "thread/search");
    assert_eq!(ThreadSearchStream::METHOD, "thread/search/stream");
    let search: ThreadSearchParams =
        serde_json::from_value(json!({"searchTerm": "x"})).expect("params");
    let written = serde_json::to_value(ThreadSearchStream(search)).expect("params are JSON");
    assert_eq!(written["searchTerm"], "x");
}

#[test]
fn messages_stay_small_enough_to_be_moved() {
    assert!(size_of::<ClientRequest>() <= 128);
    assert!(size_of::<ServerRequest>() <= 128);
    assert!(size_of::<ServerNotification>() <= 128);
}
