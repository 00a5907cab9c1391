use std::sync::Arc;

use serde_json::{Value, json};
use spindle_schema::model::{ResponseItem, TokenUsage};

use super::Decoder;
use crate::error::{ErrorKind, ModelError};
use crate::event::ModelEvent;

fn decode(events: &[Value]) -> (Vec<ModelEvent>, Option<ModelError>) {
    let mut decoder = Decoder::default();
    let mut out = Vec::new();
    for event in events {
        if let Err(error) = decoder.event(&event.to_string(), &mut out) {
            return (out, Some(error));
        }
    }
    (out, None)
}

fn decoded(events: &[Value]) -> Vec<ModelEvent> {
    let (events, error) = decode(events);
    assert_eq!(error, None);
    events
}

fn failure(event: Value) -> ModelError {
    decode(&[event]).1.expect("the event ends the response")
}

#[test]
fn a_message_streams_and_completes() {
    let item = json!({"type": "message", "role": "assistant", "id": "msg_1", "content": []});
    let events = decoded(&[
        json!({"type": "response.created", "response": {"id": "resp_1"}}),
        json!({"type": "response.output_item.added", "item": item}),
        json!({"type": "response.output_text.delta", "item_id": "msg_1", "delta": "Hel\n"}),
        json!({"type": "response.output_item.done", "item": item}),
        json!({"type": "response.completed", "response": {"id": "resp_1", "end_turn": false, "usage": {
            "input_tokens": 100, "input_tokens_details": {"cached_tokens": 10},
            "output_tokens": 20, "output_tokens_details": {"reasoning_tokens": 5}, "total_tokens": 120}}}),
    ]);
    let item: Box<ResponseItem> = Box::new(serde_json::from_value(item).expect("an item"));
    let usage = TokenUsage {
        input_tokens: 100,
        cached_input_tokens: 10,
        cache_write_input_tokens: 0,
        output_tokens: 20,
        reasoning_output_tokens: 5,
        total_tokens: 120,
    };
    let expected = [
        ModelEvent::Created { response_id: "resp_1".into() },
        ModelEvent::ItemAdded(item.clone()),
        ModelEvent::TextDelta { item_id: "msg_1".into(), delta: "Hel\n".into() },
        ModelEvent::ItemDone(item),
        ModelEvent::Completed {
            response_id: "resp_1".into(),
            usage: Some(usage),
            end_turn: Some(false),
        },
    ];
    assert_eq!(events, expected);
}

#[test]
fn reasoning_streams_in_numbered_parts() {
    let events = decoded(&[
        json!({"type": "response.reasoning_summary_part.added", "summary_index": 1, "item_id": "rs"}),
        json!({"type": "response.reasoning_summary_text.delta", "delta": "a", "summary_index": 1, "item_id": "rs"}),
        json!({"type": "response.reasoning_text.delta", "delta": "b", "content_index": 2, "item_id": "rs"}),
    ]);
    let item_id: Arc<str> = "rs".into();
    let expected = [
        ModelEvent::SummaryPartAdded { item_id: item_id.clone(), index: 1 },
        ModelEvent::SummaryDelta { item_id: item_id.clone(), index: 1, delta: "a".into() },
        ModelEvent::ReasoningDelta { item_id, index: 2, delta: "b".into() },
    ];
    assert_eq!(events, expected);
}

#[test]
fn a_custom_calls_input_streams_and_a_functions_arguments_do_not() {
    let events = decoded(&[
        json!({"type": "response.custom_tool_call_input.delta", "delta": "*** Begin", "item_id": "ctc", "call_id": "call_1"}),
        json!({"type": "response.function_call_arguments.delta", "delta": "{", "item_id": "fc"}),
    ]);
    let expected = [ModelEvent::CustomInputDelta {
        item_id: "ctc".into(),
        call_id: Some("call_1".into()),
        delta: "*** Begin".into(),
    }];
    assert_eq!(events, expected);
}

#[test]
fn a_delta_without_an_item_id_belongs_to_the_last_item() {
    let events = decoded(&[
        json!({"type": "response.output_item.added", "item": {"type": "message", "role": "assistant", "id": "msg_9", "content": []}}),
        json!({"type": "response.output_text.delta", "item_id": null, "delta": "x"}),
    ]);
    let expected = ModelEvent::TextDelta { item_id: "msg_9".into(), delta: "x".into() };
    assert_eq!(events[1], expected);
}

#[test]
fn deltas_of_one_item_share_its_id() {
    let delta = json!({"type": "response.output_text.delta", "item_id": "m", "delta": "x"});
    let events = decoded(&[delta.clone(), delta]);
    let [ModelEvent::TextDelta { item_id: a, .. }, ModelEvent::TextDelta { item_id: b, .. }] =
        &events[..]
    else {
        panic!("two deltas")
    };
    assert!(Arc::ptr_eq(a, b));
}

#[test]
fn what_is_unknown_or_broken_is_passed_over() {
    let mut out = Vec::new();
    let mut decoder = Decoder::default();
    for data in [
        "[DONE]",
        "",
        "no json",
        "{\"type\":\"response.unknown_event\",\"x\":1}",
        "[1]",
        "{}",
        "{\"type\":\"response.output_item.done\"}",
    ] {
        decoder.event(data, &mut out).expect("nothing of this ends a response");
    }
    assert_eq!(out, []);
    assert!(!decoder.is_completed());
}

#[test]
fn usage_may_be_missing_or_partial() {
    let usage_of = |response: Value| {
        let events = decoded(&[json!({"type": "response.completed", "response": response})]);
        let [ModelEvent::Completed { usage, end_turn: None, .. }] = events[..] else {
            panic!("{events:?}")
        };
        usage
    };
    assert_eq!(usage_of(json!({"id": "r"})), None);
    let partial = usage_of(json!({"usage": {"input_tokens": 3, "output_tokens": 4}}));
    assert_eq!(partial.map(|usage| usage.total_tokens), Some(7));
}

#[test]
fn a_failed_response_is_an_error() {
    let error = json!({"code": "rate_limit_exceeded", "message": "slow down"});
    let failed =
        failure(json!({"type": "response.failed", "response": {"id": "r", "error": error}}));
    assert_eq!(failed.kind, ErrorKind::RateLimit("slow down".into()));
    assert_eq!(
        failure(json!({"type": "response.failed"})).to_string(),
        "stream disconnected before completion: the provider gave no reason"
    );
}

#[test]
fn an_incomplete_response_is_an_error() {
    let details = json!({"reason": "max_output_tokens"});
    let error = failure(
        json!({"type": "response.incomplete", "response": {"incomplete_details": details}}),
    );
    assert_eq!(error.to_string(), "Incomplete response returned, reason: max_output_tokens");
}

#[test]
fn an_error_in_the_middle_is_an_error_nested_or_flat() {
    for event in [
        json!({"type": "error", "code": "insufficient_quota", "message": "pay"}),
        json!({"type": "error", "error": {"code": "insufficient_quota", "message": "pay"}}),
        json!({"error": {"code": "insufficient_quota", "message": "pay"}}),
    ] {
        assert_eq!(failure(event).kind, ErrorKind::Quota);
    }
}
