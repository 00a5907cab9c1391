use proptest::prelude::*;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::{
    Dialect, Envelope, ErrorObject, Incoming, Reason, write_error, write_notification,
    write_raw_notification, write_request, write_result, write_server_request,
};
use crate::ids::RequestId;
use crate::methods::{ServerNotification, ServerRequest};
use crate::v2::{AttestationGenerateParams, SkillsChangedNotification};

fn read(text: &str) -> Incoming<'_> {
    Envelope::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}")).message
}

fn fault(text: &str) -> (Reason, Option<RequestId>) {
    let error = Envelope::parse(text.as_bytes()).expect_err(text);
    (error.reason, error.id)
}

fn number(id: i64) -> RequestId {
    RequestId::Integer(id)
}

fn text(id: &str) -> RequestId {
    RequestId::String(id.to_owned())
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).expect("JSON is UTF-8")
}

#[test]
fn a_request_has_a_method_and_an_id_in_any_order() {
    for message in [
        r#"{"id":7,"method":"a/b","params":{"x":1},"later":[{}]}"#,
        r#" { "params" : {"x":1} , "method":"a\/b", "id":7 } "#,
    ] {
        let Incoming::Request { id, method, params, trace } = read(message) else {
            panic!("{message} is no request");
        };
        assert_eq!((id, &*method, trace.is_none()), (number(7), "a/b", true));
        assert_eq!(params.map(RawValue::get), Some(r#"{"x":1}"#));
    }
}

#[test]
fn the_other_kinds_are_told_by_their_members() {
    assert!(matches!(
        read(r#"{"method":"initialized"}"#),
        Incoming::Notification { params: None, .. }
    ));
    let Incoming::Response { id, result } = read(r#"{"id":"s","result":null}"#) else {
        panic!("no response");
    };
    assert_eq!((id, result.get()), (text("s"), "null"));
    let Incoming::Error { id, error } = read(r#"{"error":{"code":1,"message":"m"},"id":-5}"#)
    else {
        panic!("no error");
    };
    assert_eq!((id, error.get()), (number(-5), r#"{"code":1,"message":"m"}"#));
}

#[test]
fn ids_are_texts_or_integers_of_64_bits() {
    for (raw, id) in [
        ("0", number(0)),
        ("9007199254740993", number(9_007_199_254_740_993)),
        ("-9223372036854775808", number(i64::MIN)),
        (r#""""#, text("")),
        (r#""a\"b""#, text("a\"b")),
    ] {
        let message = format!(r#"{{"id":{raw},"method":"m"}}"#);
        assert!(matches!(read(&message), Incoming::Request { id: found, .. } if found == id));
    }
    for raw in ["1.5", "1e3", "null", "true", "[1]", "{}", "18446744073709551616"] {
        let message = format!(r#"{{"id":{raw},"method":"m"}}"#);
        assert_eq!(fault(&message), (Reason::InvalidId, None));
    }
}

#[test]
fn the_dialect_is_the_presence_of_the_member() {
    let dialect = |text: &str| Envelope::parse(text.as_bytes()).expect("valid").dialect;
    assert_eq!(dialect(r#"{"id":1,"method":"m"}"#), Dialect::Bare);
    assert_eq!(dialect(r#"{"jsonrpc":"2.0","id":1,"method":"m"}"#), Dialect::Versioned);
    assert_eq!(dialect(r#"{"jsonrpc":null,"id":1,"method":"m"}"#), Dialect::Versioned);
}

#[test]
fn a_trace_context_is_handed_on() {
    let message = r#"{"id":1,"method":"m","trace":{"traceparent":"p"}}"#;
    let Incoming::Request { trace, .. } = read(message) else { panic!("no request") };
    assert_eq!(trace.map(RawValue::get), Some(r#"{"traceparent":"p"}"#));
}

#[test]
fn a_fault_carries_the_id_when_it_could_be_read() {
    assert_eq!(fault(r#"{"id":20,"params":{}}"#), (Reason::Shapeless, Some(number(20))));
    assert_eq!(fault(r#"{"id":21,"method":5}"#), (Reason::InvalidMethod, Some(number(21))));
    let (reason, id) = fault(r#"{"id":"x","method":"m","params":{]}"#);
    assert!(reason.is_parse_error());
    assert_eq!(id, Some(text("x")));
    let repeated = fault(r#"{"id":1,"method":"m","method":"n"}"#);
    assert_eq!(repeated, (Reason::Duplicate("method"), Some(number(1))));
    assert_eq!(fault(r#"{"id":1,"id":2,"method":"m"}"#), (Reason::Duplicate("id"), None));
}

#[test]
fn what_is_no_object_is_no_message() {
    for message in ["[]", r#"[{"id":1,"method":"m"}]"#, "5", "null", r#""text""#, "true"] {
        assert_eq!(fault(message), (Reason::NotObject, None), "{message}");
    }
    assert_eq!(fault("{}"), (Reason::Shapeless, None));
    for blank in ["", "  ", "\r\n"] {
        assert_eq!(fault(blank), (Reason::Empty, None));
    }
}

#[test]
fn broken_texts_are_parse_errors() {
    for message in [
        "{",
        r#"{"id":1"#,
        r#"{"id":1,"method":"m"} {}"#,
        "\u{feff}{\"id\":1,\"method\":\"m\"}",
        "{\"id\":1,\"method\":\"a\0b\"}",
        "{\"id\":1,\0\"method\":\"m\"}",
        "{'id':1}",
    ] {
        assert!(fault(message).0.is_parse_error(), "{message}");
    }
    let error = Envelope::parse(b"{\"id\":1,\"method\":\"\xff\xfe\"}").expect_err("no UTF-8");
    assert_eq!(error.reason, Reason::NotUtf8);
}

#[test]
fn nesting_is_limited() {
    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"id":1,"method":"m","params":{open}{close}}}"#)
    };
    assert!(Envelope::parse(nested(100).as_bytes()).is_ok());
    assert_eq!(fault(&nested(127)), (Reason::TooDeep, Some(number(1))));
    assert_eq!(fault(&nested(100_000)), (Reason::TooDeep, Some(number(1))));
    let brackets_in_a_text = "[{\\\"".repeat(500);
    let flat = format!(r#"{{"id":1,"method":"m","params":"{brackets_in_a_text}"}}"#);
    assert!(Envelope::parse(flat.as_bytes()).is_ok());
}

#[test]
fn answers_are_written_with_their_members_in_order() {
    assert_eq!(
        written(|out| write_result(out, Dialect::Bare, &number(1), &json!({"a": 1}))),
        r#"{"id":1,"result":{"a":1}}"#,
    );
    let data = to_raw_value(&json!({"k": "v"})).expect("JSON");
    let error = ErrorObject { code: -32600, message: "no \"m\"", data: Some(&data) };
    assert_eq!(
        written(|out| write_error(out, Dialect::Bare, Some(&text("a")), error)),
        r#"{"error":{"code":-32600,"data":{"k":"v"},"message":"no \"m\""},"id":"a"}"#,
    );
    let error = ErrorObject { code: -32700, message: "m", data: None };
    assert_eq!(
        written(|out| write_error(out, Dialect::Versioned, None, error)),
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"},"id":null}"#,
    );
}

#[test]
fn calls_are_written_with_their_members_in_order() {
    let changed = ServerNotification::SkillsChanged(Box::new(SkillsChangedNotification {}));
    assert_eq!(
        written(|out| write_notification(out, Dialect::Bare, &changed, 5)),
        r#"{"method":"skills/changed","params":{},"emittedAtMs":5}"#,
    );
    assert_eq!(
        written(|out| write_raw_notification(out, Dialect::Versioned, "m", b"[1]", 5)),
        r#"{"jsonrpc":"2.0","method":"m","params":[1],"emittedAtMs":5}"#,
    );
    let attest = ServerRequest::AttestationGenerate(Box::new(AttestationGenerateParams {}));
    assert_eq!(
        written(|out| write_server_request(out, Dialect::Bare, &number(0), &attest)),
        r#"{"method":"attestation/generate","id":0,"params":{}}"#,
    );
    assert_eq!(
        written(|out| write_request(out, Dialect::Bare, &text("q"), "m", &json!({}))),
        r#"{"method":"m","id":"q","params":{}}"#,
    );
}

/// Any JSON value, a few levels deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".*".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map("\\PC*", inner, 0..6)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

fn any_id() -> impl Strategy<Value = RequestId> {
    prop_oneof![any::<i64>().prop_map(RequestId::Integer), ".*".prop_map(RequestId::String)]
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes: Vec<u8>) {
        let _ = Envelope::parse(&bytes);
    }

    #[test]
    fn no_text_near_a_message_makes_the_reader_panic(
        text in r#"[\{\}\[\]",:0-9a-z\\ ]{0,80}"#, cut in 0..80_usize,
    ) {
        let message = format!(r#"{{"id":1,"method":"m","params":{text}}}"#);
        let _ = Envelope::parse(message.as_bytes());
        let _ = Envelope::parse(&message.as_bytes()[..cut.min(message.len())]);
    }

    #[test]
    fn what_is_written_is_read_back(id in any_id(), method in ".*", params in any_json()) {
        let message = written(|out| write_request(out, Dialect::Bare, &id, &method, &params));
        let Incoming::Request { id: found, method: name, params: raw, .. } = read(&message) else {
            panic!("{message} is no request");
        };
        prop_assert_eq!((found, &*name), (id, &*method));
        let raw = raw.expect("params were written").get();
        prop_assert_eq!(serde_json::from_str::<Value>(raw).expect("JSON"), params);
    }

    #[test]
    fn a_cut_message_is_refused(id in any_id(), params in any_json(), part in 0.0..1.0_f64) {
        let message = written(|out| write_request(out, Dialect::Bare, &id, "m", &params));
        let cut = (message.len() as f64 * part) as usize;
        prop_assert!(Envelope::parse(&message.as_bytes()[..cut]).is_err());
    }

    #[test]
    fn every_answer_is_one_line(id in any_id(), message in ".*", result in any_json()) {
        let error = ErrorObject { code: -32603, message: &message, data: None };
        let refusal = written(|out| write_error(out, Dialect::Bare, Some(&id), error));
        let answer = written(|out| write_result(out, Dialect::Bare, &id, &result));
        for line in [refusal, answer] {
            prop_assert!(!line.contains('\n'));
            prop_assert!(serde_json::from_str::<Value>(&line).is_ok());
        }
    }
}
