use serde_json::{Value, json};

use super::from_responses;

fn chat(body: &Value) -> Value {
    let (bytes, _) = from_responses(body.to_string().as_bytes()).expect("the body is well formed");
    serde_json::from_slice(&bytes).expect("the chat body is JSON")
}

fn messages(input: &Value) -> Value {
    chat(&json!({"model": "m", "input": input}))["messages"].take()
}

fn message(role: &str, text: &str) -> Value {
    let kind = if role == "assistant" { "output_text" } else { "input_text" };
    json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]})
}

fn call(id: &str) -> Value {
    json!({"type": "function_call", "name": "exec", "arguments": "{}", "call_id": id})
}

fn output(id: &str, text: &str) -> Value {
    json!({"type": "function_call_output", "call_id": id, "output": text})
}

fn chat_call(id: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "exec", "arguments": "{}"}})
}

#[test]
fn a_plain_request_has_only_what_every_server_takes() {
    let expected = json!({
        "model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": true,
        "stream_options": {"include_usage": true}
    });
    let body = json!({
        "model": "m", "input": [message("user", "hi")], "parallel_tool_calls": true,
        "include": ["reasoning.encrypted_content"], "store": false, "stream": true,
        "prompt_cache_key": "t", "text": {"verbosity": "low"}, "tool_choice": "auto", "tools": []
    });
    assert_eq!(chat(&body), expected);
}

#[test]
fn settings_are_carried_over() {
    let schema = json!({"type": "object"});
    let format = json!({"type": "json_schema", "name": "out", "strict": true, "schema": schema});
    let body = chat(&json!({
        "model": "m", "input": [], "reasoning": {"effort": "high"}, "service_tier": "flex",
        "parallel_tool_calls": false, "text": {"format": format},
        "tools": [{"type": "function", "name": "exec", "parameters": {}}]
    }));
    assert_eq!(body["reasoning_effort"], "high");
    assert_eq!(body["service_tier"], "flex");
    assert_eq!(body["parallel_tool_calls"], false);
    assert_eq!(body["tool_choice"], "auto");
    assert_eq!(
        body["response_format"]["json_schema"],
        json!({"name": "out", "schema": schema, "strict": true})
    );
}

#[test]
fn instructions_at_the_head_are_one_system_message() {
    let input = json!([
        message("developer", "base"),
        message("developer", "more"),
        message("user", "context"),
        message("user", "hi"),
        message("assistant", "yes"),
        message("developer", "changed")
    ]);
    let expected = json!([
        {"role": "system", "content": "base\n\nmore"},
        {"role": "user", "content": "context\n\nhi"},
        {"role": "assistant", "content": "yes"},
        {"role": "user", "content": "changed"}
    ]);
    assert_eq!(messages(&input), expected);
}

#[test]
fn calls_are_answered_right_behind_their_message() {
    let input = json!([
        message("user", "go"),
        message("assistant", "I look."),
        call("a"),
        call("b"),
        message("assistant", "And then?"),
        output("a", "1"),
        output("b", "2"),
        call("c"),
        output("c", "3")
    ]);
    let expected = json!([
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "I look.", "tool_calls": [chat_call("a"), chat_call("b")]},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "tool", "tool_call_id": "b", "content": "2"},
        {"role": "assistant", "content": "And then?", "tool_calls": [chat_call("c")]},
        {"role": "tool", "tool_call_id": "c", "content": "3"}
    ]);
    assert_eq!(messages(&input), expected);
}

#[test]
fn a_custom_call_is_told_as_a_function() {
    let input = json!([
        {"type": "custom_tool_call", "name": "apply_patch", "input": "a\"b", "call_id": "p"},
        {"type": "custom_tool_call_output", "call_id": "p", "output": "ok"}
    ]);
    let messages = messages(&input);
    let function = &messages[0]["tool_calls"][0]["function"];
    assert_eq!(*function, json!({"name": "apply_patch", "arguments": "{\"input\":\"a\\\"b\"}"}));
    assert_eq!(messages[1], json!({"role": "tool", "tool_call_id": "p", "content": "ok"}));
}

#[test]
fn pictures_are_parts_and_those_of_tools_follow_in_a_message() {
    let picture =
        json!({"type": "input_image", "image_url": "data:image/png;base64,xx", "detail": "high"});
    let shown = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,xx", "detail": "high"}});
    let input = json!([
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "look"}, picture]},
        call("a"),
        {"type": "function_call_output", "call_id": "a", "output": [picture]}
    ]);
    let messages = messages(&input);
    assert_eq!(messages[0]["content"], json!([{"type": "text", "text": "look"}, shown]));
    assert_eq!(messages[2], json!({"role": "tool", "tool_call_id": "a", "content": ""}));
    assert_eq!(messages[3], json!({"role": "user", "content": [shown]}));
}

#[test]
fn text_after_a_picture_joins_its_message() {
    let picture = json!({"type": "input_image", "image_url": "u"});
    let input = json!([
        message("user", "a"),
        {"type": "message", "role": "user", "content": [picture]},
        message("user", "b")
    ]);
    let expected = json!([{"role": "user", "content": [
        {"type": "text", "text": "a"},
        {"type": "image_url", "image_url": {"url": "u"}},
        {"type": "text", "text": "b"}
    ]}]);
    assert_eq!(messages(&input), expected);
}

#[test]
fn reasoning_and_unknown_items_are_left_out_and_an_orphan_output_is_told() {
    let input = json!([
        {"type": "reasoning", "summary": [], "encrypted_content": "x"},
        {"type": "web_search_call", "id": "w"},
        {"type": "function_call_output", "output": "by itself"},
        output("nobody", "lost")
    ]);
    assert_eq!(messages(&input), json!([{"role": "user", "content": "by itself\n\nlost"}]));
}

#[test]
fn tools_in_the_input_are_found() {
    let tools = json!([{"type": "function", "name": "exec", "parameters": {}}]);
    let body =
        chat(&json!({"model": "m", "input": [{"type": "additional_tools", "tools": tools}]}));
    assert_eq!(body["tools"][0]["function"]["name"], "exec");
}

#[test]
fn what_is_no_request_is_refused() {
    assert!(from_responses(b"{}").is_err());
    assert!(from_responses(b"").is_err());
}
