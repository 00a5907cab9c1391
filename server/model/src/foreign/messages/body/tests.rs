use serde_json::{Value, json};

use super::from_responses;

fn body(request: &Value) -> Value {
    let (bytes, _) =
        from_responses(request.to_string().as_bytes()).expect("the request is well formed");
    let mut body: Value = serde_json::from_slice(&bytes).expect("the body is JSON");
    without_marks(&mut body);
    body
}

/// The marks for the cache are checked by a test of their own.
fn without_marks(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.shift_remove("cache_control");
            map.values_mut().for_each(without_marks);
        }
        Value::Array(values) => values.iter_mut().for_each(without_marks),
        _ => {}
    }
}

fn messages(input: &Value) -> Value {
    body(&json!({"model": "m", "input": input}))["messages"].take()
}

fn message(role: &str, text: &str) -> Value {
    let kind = if role == "assistant" { "output_text" } else { "input_text" };
    json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]})
}

fn call(id: &str) -> Value {
    json!({"type": "function_call", "name": "exec", "arguments": "{\"n\":1}", "call_id": id})
}

fn output(id: &str, text: &str) -> Value {
    json!({"type": "function_call_output", "call_id": id, "output": text})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn tool_use(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "exec", "input": {"n": 1}})
}

fn result(id: &str, output: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": [text(output)]})
}

#[test]
fn instructions_go_to_the_system_and_tools_get_a_schema() {
    let schema = json!({"type": "object"});
    let request = json!({
        "model": "claude", "input": [message("developer", "base"), message("user", "hi")],
        "tools": [{"type": "function", "name": "exec", "description": "d", "parameters": schema}],
        "parallel_tool_calls": false
    });
    let expected = json!({
        "model": "claude", "max_tokens": 16_384, "stream": true,
        "system": [text("base")],
        "messages": [{"role": "user", "content": [text("hi")]}],
        "tools": [{"name": "exec", "description": "d", "input_schema": schema}],
        "tool_choice": {"type": "auto", "disable_parallel_tool_use": true}
    });
    assert_eq!(body(&request), expected);
}

#[test]
fn results_stand_at_the_head_of_the_message_behind_their_calls() {
    let input = json!([
        message("user", "go"),
        message("assistant", "I look."),
        call("a"),
        call("b"),
        output("a", "1"),
        message("user", "steered"),
        output("b", "2"),
        message("developer", "changed")
    ]);
    let expected = json!([
        {"role": "user", "content": [text("go")]},
        {"role": "assistant", "content": [text("I look."), tool_use("a"), tool_use("b")]},
        {"role": "user", "content": [result("a", "1"), result("b", "2"), text("steered"), text("changed")]}
    ]);
    assert_eq!(messages(&input), expected);
}

#[test]
fn empty_text_is_left_out() {
    let input =
        json!([message("user", "a"), message("assistant", " "), call("c"), output("c", "")]);
    let expected = json!([
        {"role": "user", "content": [text("a")]},
        {"role": "assistant", "content": [tool_use("c")]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": []}]}
    ]);
    assert_eq!(messages(&input), expected);
}

#[test]
fn arguments_that_are_no_object_become_an_empty_one() {
    let broken =
        json!({"type": "function_call", "name": "exec", "arguments": "{oops", "call_id": "a"});
    let messages = messages(&json!([message("user", "a"), broken]));
    assert_eq!(messages[1]["content"][0]["input"], json!({}));
}

#[test]
fn pictures_come_apart() {
    let picture = |url: &str| json!({"type": "input_image", "image_url": url});
    let input = json!([{"type": "message", "role": "user", "content": [
        picture("data:image/png;base64,xx"), picture("https://example.com/a.png")
    ]}]);
    let expected = json!([
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "xx"}},
        {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
    ]);
    assert_eq!(messages(&input)[0]["content"], expected);
}

#[test]
fn the_ends_of_system_and_history_are_marked_for_the_cache() {
    let input = json!([message("developer", "a"), message("developer", "b"), message("user", "c")]);
    let request = json!({"model": "m", "input": input}).to_string();
    let (bytes, _) = from_responses(request.as_bytes()).expect("is well formed");
    let body: Value = serde_json::from_slice(&bytes).expect("is JSON");
    let mark = json!({"type": "ephemeral"});
    assert_eq!(body["system"][0]["cache_control"], Value::Null);
    assert_eq!(body["system"][1]["cache_control"], mark);
    assert_eq!(body["messages"][0]["content"][0]["cache_control"], mark);
}

#[test]
fn a_custom_call_carries_its_text_as_an_argument() {
    let input = json!([
        message("user", "a"),
        {"type": "custom_tool_call", "name": "apply_patch", "input": "x", "call_id": "p"},
        {"type": "custom_tool_call_output", "call_id": "p", "output": "ok"},
        {"type": "function_call_output", "output": "by itself"}
    ]);
    let messages = messages(&input);
    assert_eq!(messages[1]["content"][0]["input"], json!({"input": "x"}));
    assert_eq!(messages[2]["content"], json!([result("p", "ok"), text("by itself")]));
}
