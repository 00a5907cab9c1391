use serde_json::{Value, json};
use spindle_schema::model::ResponseItem;

use super::Decoder;
use crate::error::{ErrorKind, ModelError};
use crate::event::ModelEvent;
use crate::foreign::names::Names;

/// What was said, without the ids that are made here.
#[derive(Debug, PartialEq)]
enum Said {
    Text(String),
    Thought(String),
    Added(&'static str),
    Message(String),
    Reasoning(String),
    Call { name: String, call_id: String, arguments: String },
    Completed(Option<i64>),
}

fn said(event: ModelEvent) -> Option<Said> {
    Some(match event {
        ModelEvent::TextDelta { delta, .. } => Said::Text(delta.into()),
        ModelEvent::ReasoningDelta { delta, .. } => Said::Thought(delta.into()),
        ModelEvent::ItemAdded(item) => match *item {
            ResponseItem::Message(_) => Said::Added("message"),
            _ => Said::Added("reasoning"),
        },
        ModelEvent::ItemDone(item) => done(*item),
        ModelEvent::Completed { usage, .. } => {
            Said::Completed(usage.map(|usage| usage.total_tokens))
        }
        _ => return None,
    })
}

fn done(item: ResponseItem) -> Said {
    match item {
        ResponseItem::Message(message) => {
            Said::Message(message.content[0].text().expect("text").to_owned())
        }
        ResponseItem::Reasoning(reasoning) => {
            let content = reasoning.content.expect("reasoning has content");
            Said::Reasoning(content[0]["text"].as_str().expect("text").to_owned())
        }
        ResponseItem::FunctionCall(call) => Said::Call {
            name: call.name.into(),
            call_id: call.call_id.into(),
            arguments: call.arguments,
        },
        other => panic!("{other:?}"),
    }
}

fn decode(chunks: &[Value]) -> (Vec<Said>, Result<(), ModelError>) {
    let mut decoder = Decoder::new(Names::default());
    let mut events = Vec::new();
    for chunk in chunks {
        let data = chunk.as_str().map_or_else(|| chunk.to_string(), str::to_owned);
        if let Err(error) = decoder.event(&data, &mut events) {
            return (events.into_iter().filter_map(said).collect(), Err(error));
        }
    }
    let end = if decoder.is_completed() { Ok(()) } else { decoder.end(&mut events) };
    (events.into_iter().filter_map(said).collect(), end)
}

fn delta(delta: &Value) -> Value {
    json!({"id": "chat-1", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn tool(index: i64, id: Option<&str>, name: Option<&str>, arguments: &str) -> Value {
    delta(&json!({"tool_calls": [{
        "index": index, "id": id, "type": "function",
        "function": {"name": name, "arguments": arguments}
    }]}))
}

fn call(name: &str, call_id: &str, arguments: &str) -> Said {
    Said::Call { name: name.into(), call_id: call_id.into(), arguments: arguments.into() }
}

#[test]
fn text_becomes_one_message() {
    let (said, end) = decode(&[
        delta(&json!({"role": "assistant", "content": null})),
        delta(&json!({"content": "Hel"})),
        delta(&json!({"content": ""})),
        delta(&json!({"content": "lo"})),
        finish("stop"),
        json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}),
        json!("[DONE]"),
    ]);
    assert_eq!(end, Ok(()));
    let expected = [
        Said::Added("message"),
        Said::Text("Hel".into()),
        Said::Text("lo".into()),
        Said::Message("Hello".into()),
        Said::Completed(Some(5)),
    ];
    assert_eq!(said, expected);
}

#[test]
fn reasoning_comes_before_the_message_as_an_item_of_its_own() {
    let (said, _) = decode(&[
        delta(&json!({"reasoning_content": "hm"})),
        delta(&json!({"reasoning": " so"})),
        delta(&json!({"content": "ok"})),
        finish("stop"),
    ]);
    let expected = [
        Said::Added("reasoning"),
        Said::Thought("hm".into()),
        Said::Thought(" so".into()),
        Said::Reasoning("hm so".into()),
        Said::Added("message"),
        Said::Text("ok".into()),
        Said::Message("ok".into()),
        Said::Completed(None),
    ];
    assert_eq!(said, expected);
}

#[test]
fn calls_are_put_together_from_their_pieces() {
    let (said, _) = decode(&[
        tool(0, Some("a"), Some("exec"), ""),
        tool(0, None, None, "{\"cmd\":"),
        tool(0, None, None, "\"ls\"}"),
        tool(1, Some("b"), Some("show"), "{}"),
        finish("tool_calls"),
    ]);
    let expected =
        [call("exec", "a", "{\"cmd\":\"ls\"}"), call("show", "b", "{}"), Said::Completed(None)];
    assert_eq!(said, expected);
}

#[test]
fn calls_that_share_a_number_are_told_apart_by_their_ids() {
    let (said, _) = decode(&[
        tool(0, Some("a"), Some("exec"), "{\"n\":1}"),
        tool(0, Some("b"), Some("exec"), "{\"n\":2}"),
        finish("stop"),
    ]);
    assert_eq!(said[..2], [call("exec", "a", "{\"n\":1}"), call("exec", "b", "{\"n\":2}")]);
}

#[test]
fn an_id_that_is_repeated_does_not_begin_another_call() {
    let (said, _) = decode(&[
        tool(0, Some("a"), Some("exec"), "{"),
        tool(0, Some("a"), Some("exec"), "}"),
        finish("tool_calls"),
    ]);
    assert_eq!(said[0], call("exec", "a", "{}"));
}

#[test]
fn arguments_may_be_an_object_and_an_id_may_be_missing() {
    let arguments =
        json!({"tool_calls": [{"function": {"name": "exec", "arguments": {"cmd": "ls"}}}]});
    let (said, _) = decode(&[delta(&arguments), finish("tool_calls")]);
    let Said::Call { call_id, arguments, .. } = &said[0] else { panic!("a call") };
    assert!(call_id.starts_with("call_"));
    assert_eq!(arguments, "{\"cmd\":\"ls\"}");
}

#[test]
fn text_before_a_call_is_closed_first() {
    let (said, _) = decode(&[
        delta(&json!({"content": "I look."})),
        tool(0, Some("a"), Some("exec"), "{}"),
        finish("tool_calls"),
    ]);
    assert_eq!(said[2], Said::Message("I look.".into()));
    assert_eq!(said[3], call("exec", "a", "{}"));
}

#[test]
fn content_in_parts_is_read() {
    let parts = json!({"content": [{"type": "text", "text": "a"}, {"type": "x"}, {"type": "text", "text": "b"}]});
    let (said, _) = decode(&[delta(&parts), finish("stop")]);
    assert_eq!(said[1], Said::Text("ab".into()));
}

#[test]
fn an_answer_that_was_cut_short_says_why() {
    for (reason, told) in [("length", "max_output_tokens"), ("content_filter", "content_filter")] {
        let (said, end) =
            decode(&[delta(&json!({"content": "a"})), finish(reason), json!("[DONE]")]);
        assert_eq!(said.last(), Some(&Said::Message("a".into())));
        assert_eq!(end, Err(ErrorKind::Incomplete(told.into()).into()));
    }
}

#[test]
fn a_stream_without_a_finish_broke_off() {
    for chunks in [
        vec![delta(&json!({"content": "a"}))],
        vec![delta(&json!({"content": "a"})), json!("[DONE]")],
    ] {
        let (_, end) = decode(&chunks);
        let why = "stream closed before response.completed";
        assert_eq!(end, Err(ErrorKind::Disconnected(why.into()).into()));
    }
}

#[test]
fn an_error_in_the_stream_ends_it() {
    let error = json!({"error": {"code": "insufficient_quota", "message": "pay"}});
    assert_eq!(decode(&[error]).1, Err(ErrorKind::Quota.into()));
}

#[test]
fn what_cannot_be_read_is_passed_over() {
    let (said, end) = decode(&[json!("nonsense"), json!({"x": 1}), finish("stop")]);
    assert_eq!((said, end), (vec![Said::Completed(None)], Ok(())));
}
