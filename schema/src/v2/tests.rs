//! Recorded messages must survive reading and writing: nothing lost, nothing added, absent
//! members absent and null members null.

use serde_json::{Map, Value, json};

use crate::maybe::Maybe;
use crate::methods::client::{rewrite_params, rewrite_result};
use crate::methods::{ClientRequest, ServerNotification, ServerRequest};
use crate::v2::{
    CodexErrorInfo, ThreadItem, ThreadItemBody, ThreadMetadataGitInfoUpdateParams, UserImageSource,
    UserInput,
};

/// One message of each shape that was seen, a line each.
const RECORDED: &str = include_str!("../../fixtures/recorded.jsonl");

fn recorded(kind: &str) -> impl Iterator<Item = (String, Value)> {
    RECORDED.lines().filter_map(move |line| {
        let mut line: Map<String, Value> =
            serde_json::from_str(line).expect("the fixture holds one object a line");
        let Some(Value::String(method)) = line.remove(kind) else { return None };
        let payload = line.remove("params").or_else(|| line.remove("result"));
        Some((method, payload.expect("each line has a payload")))
    })
}

fn raw(value: &Value) -> Box<serde_json::value::RawValue> {
    serde_json::value::to_raw_value(value).expect("a value is JSON")
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> Value {
    let mut out = Vec::new();
    write(&mut out);
    serde_json::from_slice(&out).expect("what is written is JSON")
}

/// Drops null members, which mean the same as absent ones in what clients send.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .filter(|(_, member)| !member.is_null())
                .map(|(name, member)| (name, without_nulls(member)))
                .collect(),
        ),
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// Whether all of the first is in the second; members that have a default may be added.
fn contains(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => part
            .iter()
            .all(|(name, member)| whole.get(name).is_some_and(|found| contains(found, member))),
        (Value::Array(whole), Value::Array(part)) => {
            whole.len() == part.len() && whole.iter().zip(part).all(|(w, p)| contains(w, p))
        }
        _ => whole == part,
    }
}

#[test]
fn recorded_notifications_are_written_as_they_were_read() {
    let mut count = 0;
    for (method, params) in recorded("notification") {
        let read = ServerNotification::parse(&method, Some(&raw(&params)))
            .unwrap_or_else(|e| panic!("{method}: {e} in {params}"));
        assert_eq!(read.method(), method);
        assert_eq!(written(|out| read.write_params(out)), params, "{method}");
        count += 1;
    }
    assert!(count > 100, "the fixture has shrunk to {count} notifications");
}

#[test]
fn recorded_requests_of_the_server_are_written_as_they_were_read() {
    let mut count = 0;
    for (method, params) in recorded("request") {
        let read = ServerRequest::parse(&method, Some(&raw(&params)))
            .unwrap_or_else(|e| panic!("{method}: {e} in {params}"));
        assert_eq!(written(|out| read.write_params(out)), params, "{method}");
        count += 1;
    }
    assert!(count > 10, "the fixture has shrunk to {count} requests");
}

#[test]
fn recorded_answers_are_written_as_they_were_read() {
    let mut count = 0;
    for (method, result) in recorded("answer") {
        let again = rewrite_result(&method, result.clone())
            .unwrap_or_else(|e| panic!("{method}: {e} in {result}"));
        assert_eq!(again, result, "{method}");
        count += 1;
    }
    assert!(count > 100, "the fixture has shrunk to {count} answers");
}

#[test]
fn recorded_calls_of_clients_are_read_and_lose_nothing() {
    let mut count = 0;
    for (method, params) in recorded("call") {
        let read = ClientRequest::parse(&method, Some(&raw(&params)))
            .unwrap_or_else(|e| panic!("{method}: {e} in {params}"));
        let again = rewrite_params(&read).expect("params are JSON");
        assert!(
            contains(&without_nulls(again.clone()), &without_nulls(params.clone())),
            "{method}: {params} became {again}",
        );
        count += 1;
    }
    assert!(count > 100, "the fixture has shrunk to {count} calls");
}

#[test]
fn an_item_has_its_times_beside_its_members() {
    let text = r#"{"type":"plan","id":"i","text":"t","startedAtMs":1,"completedAtMs":null}"#;
    let item: ThreadItem = serde_json::from_str(text).expect("a plan");
    assert!(matches!(&item.body, ThreadItemBody::Plan(plan) if plan.text == "t"));
    assert_eq!(item.started_at_ms, Some(1));
    assert_eq!(serde_json::to_string(&item).expect("an item is JSON"), text);
}

#[test]
fn absent_null_and_value_stay_apart_in_an_update() {
    let text = r#"{"sha":null,"branch":"main"}"#;
    let update: ThreadMetadataGitInfoUpdateParams = serde_json::from_str(text).expect("an update");
    assert_eq!(update.sha, Maybe::Null);
    assert_eq!(update.branch, Maybe::Value("main".to_owned()));
    assert_eq!(update.origin_url, Maybe::Absent);
    let again = serde_json::to_value(&update).expect("an update is JSON");
    assert_eq!(again, json!({"sha": null, "branch": "main"}));
}

#[test]
fn a_picture_comes_from_an_address_or_a_file() {
    let from = |value| serde_json::from_value::<UserInput>(value);
    let by_file = from(json!({"type": "image", "fileId": "f"})).expect("a picture");
    assert!(matches!(
        by_file,
        UserInput::Image { source: UserImageSource::FileId { file_id }, .. } if file_id == "f"
    ));
    assert!(from(json!({"type": "image"})).is_err());
}

#[test]
fn an_unknown_kind_of_failure_is_kept() {
    let value = json!({"somethingLater": {"a": 1}});
    let info: CodexErrorInfo = serde_json::from_value(value.clone()).expect("any kind is read");
    assert!(matches!(info, CodexErrorInfo::Unknown(_)));
    assert_eq!(serde_json::to_value(&info).expect("a kind is JSON"), value);
}
