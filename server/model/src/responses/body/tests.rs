use bytes::Bytes;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Format, Reasoning, RequestBody, Text};

fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("a JSON value is JSON")
}

fn encoded(value: &Value) -> Bytes {
    value.to_string().into()
}

fn parsed(body: &RequestBody<'_>) -> Value {
    serde_json::from_slice(&body.join()).expect("the body is JSON")
}

#[test]
fn what_is_none_is_absent() {
    let body = RequestBody { model: "m", ..RequestBody::default() };
    let expected = json!({
        "include": [], "input": [], "model": "m", "parallel_tool_calls": false,
        "store": false, "stream": true, "tool_choice": "auto"
    });
    assert_eq!(parsed(&body), expected);
}

#[test]
fn a_full_body_has_the_recorded_members() {
    let items = [json!({"type": "message", "role": "user"}), json!({"type": "reasoning"})];
    let input = items.each_ref().map(encoded);
    let tools = [encoded(&json!({"type": "function", "name": "exec_command"}))];
    let metadata = raw(&json!({"turn_id": "t"}));
    let schema = json!({"type": "object", "properties": {}});
    let body = RequestBody {
        model: "gpt-5.5",
        input: &input,
        tools: Some(&tools),
        parallel_tool_calls: true,
        reasoning: Some(Reasoning { effort: Some("medium".into()), ..Reasoning::default() }),
        store: false,
        include: &["reasoning.encrypted_content"],
        prompt_cache_key: Some("thread-1"),
        text: Some(Text {
            format: Some(Format::json_schema(raw(&schema), true)),
            verbosity: Some("low".into()),
        }),
        service_tier: Some("priority"),
        client_metadata: Some(&metadata),
        previous_response_id: None,
    };
    let expected = json!({
        "client_metadata": {"turn_id": "t"},
        "include": ["reasoning.encrypted_content"],
        "input": items,
        "model": "gpt-5.5",
        "parallel_tool_calls": true,
        "prompt_cache_key": "thread-1",
        "reasoning": {"effort": "medium"},
        "service_tier": "priority",
        "store": false,
        "stream": true,
        "text": {
            "format": {"name": "codex_output_schema", "schema": schema, "strict": true, "type": "json_schema"},
            "verbosity": "low"
        },
        "tool_choice": "auto",
        "tools": [{"type": "function", "name": "exec_command"}]
    });
    assert_eq!(parsed(&body), expected);
}

#[test]
fn members_stand_in_the_order_of_their_names() {
    let body = RequestBody {
        model: "m",
        tools: Some(&[]),
        prompt_cache_key: Some("k"),
        previous_response_id: Some("r"),
        ..RequestBody::default()
    };
    let Value::Object(members) = parsed(&body) else { panic!("an object") };
    let names: Vec<_> = members.keys().cloned().collect();
    assert!(names.is_sorted(), "{names:?}");
}

#[test]
fn names_with_quotes_are_escaped() {
    let body = RequestBody { model: "a\"b\\", ..RequestBody::default() };
    assert_eq!(parsed(&body)["model"], "a\"b\\");
}

#[test]
fn a_long_history_is_joined_without_growing_the_buffer() {
    let item = encoded(&json!({"type": "message", "text": "x".repeat(1_000)}));
    let input = vec![item; 500];
    let body = RequestBody { model: "m", input: &input, ..RequestBody::default() };
    assert!(body.join().len() < body.size());
}
