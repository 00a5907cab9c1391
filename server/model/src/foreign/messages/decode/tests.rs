use serde_json::{Value, json};
use spindle_schema::model::{ResponseItem, TokenUsage};

use super::Decoder;
use crate::error::{ErrorKind, ModelError};
use crate::event::ModelEvent;
use crate::foreign::names::Names;

fn decode(events: &[Value]) -> (Vec<ModelEvent>, Result<(), ModelError>) {
    let mut decoder = Decoder::new(Names::default());
    let mut out = Vec::new();
    for event in events {
        if let Err(error) = decoder.event(&event.to_string(), &mut out) {
            return (out, Err(error));
        }
    }
    (out, Ok(()))
}

fn delta(delta: &Value) -> Value {
    json!({"type": "content_block_delta", "index": 0, "delta": delta})
}

fn start(block: &Value) -> Value {
    json!({"type": "content_block_start", "index": 0, "content_block": block})
}

fn stop(reason: &str) -> [Value; 2] {
    [
        json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 7}}),
        json!({"type": "message_stop"}),
    ]
}

#[test]
fn thinking_text_and_a_call_become_items() {
    let mut events = vec![
        start(&json!({"type": "thinking", "thinking": ""})),
        delta(&json!({"type": "thinking_delta", "thinking": "hm"})),
        delta(&json!({"type": "signature_delta", "signature": "x"})),
        json!({"type": "content_block_stop", "index": 0}),
        start(&json!({"type": "text", "text": ""})),
        delta(&json!({"type": "text_delta", "text": "hi"})),
        json!({"type": "ping"}),
        json!({"type": "content_block_stop", "index": 1}),
        start(&json!({"type": "tool_use", "id": "toolu_1", "name": "exec", "input": {}})),
        delta(&json!({"type": "input_json_delta", "partial_json": "{\"a\":"})),
        delta(&json!({"type": "input_json_delta", "partial_json": "1}"})),
        json!({"type": "content_block_stop", "index": 2}),
    ];
    events.extend(stop("tool_use"));
    let (events, end) = decode(&events);
    assert_eq!(end, Ok(()));
    let done: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            ModelEvent::ItemDone(item) => Some(&**item),
            _ => None,
        })
        .collect();
    let [
        ResponseItem::Reasoning(thought),
        ResponseItem::Message(message),
        ResponseItem::FunctionCall(call),
    ] = done[..]
    else {
        panic!("{done:?}")
    };
    let thoughts = thought.content.as_deref().expect("reasoning has content");
    assert_eq!(thoughts, [json!({"type": "reasoning_text", "text": "hm"})]);
    assert_eq!(message.content[0].text(), Some("hi"));
    assert_eq!((&*call.call_id, call.arguments.as_str()), ("toolu_1", "{\"a\":1}"));
}

#[test]
fn what_came_from_the_cache_counts_as_input() {
    let usage = json!({"input_tokens": 1, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 300, "output_tokens": 1});
    let mut events =
        vec![json!({"type": "message_start", "message": {"id": "m1", "usage": usage}})];
    events.extend(stop("end_turn"));
    let (events, _) = decode(&events);
    let usage = TokenUsage {
        input_tokens: 321,
        cached_input_tokens: 20,
        cache_write_input_tokens: 300,
        output_tokens: 7,
        reasoning_output_tokens: 0,
        total_tokens: 328,
    };
    let expected = [
        ModelEvent::Created { response_id: "m1".into() },
        ModelEvent::Completed { response_id: "m1".into(), usage: Some(usage), end_turn: None },
    ];
    assert_eq!(events, expected);
}

#[test]
fn the_reason_of_the_end_decides() {
    let end = |reason| decode(&stop(reason)).1.map_err(|error| error.kind);
    assert_eq!(end("max_tokens"), Err(ErrorKind::Incomplete("max_output_tokens".into())));
    assert_eq!(end("model_context_window_exceeded"), Err(ErrorKind::ContextWindow));
    assert!(matches!(end("refusal"), Err(ErrorKind::Refused(_))));
    let (events, _) = decode(&stop("pause_turn"));
    assert!(matches!(events[..], [ModelEvent::Completed { end_turn: Some(false), .. }]));
}

#[test]
fn an_error_in_the_stream_ends_it() {
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}});
    assert_eq!(decode(&[error]).1, Err(ErrorKind::Overloaded.into()));
}

#[test]
fn what_is_unknown_or_broken_is_passed_over() {
    let (events, end) = decode(&[
        json!({"type": "later_invention"}),
        json!([1]),
        start(&json!({"type": "server_tool_use", "id": "x"})),
        delta(&json!({"type": "input_json_delta", "partial_json": "{}"})),
    ]);
    assert_eq!((events, end), (vec![], Ok(())));
}
