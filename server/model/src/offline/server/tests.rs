use std::time::Duration;

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{Pace, events, pieces, serve};
use crate::client::Client;
use crate::error::ErrorKind;
use crate::event::ModelEvent;
use crate::offline::reply::Reply;
use crate::provider::Provider;
use crate::request::Request;
use spindle_schema::model::ResponseItem;

fn request(text: &str) -> Request {
    let content = json!([{"type": "input_text", "text": text}]);
    let body = json!({
        "model": "spindle-offline",
        "input": [{"type": "message", "role": "user", "content": content}],
        "tools": [{"type": "function", "name": "exec_command"}]
    });
    Request { headers: Vec::new(), body: body.to_string().into() }
}

async fn answer(provider: &Provider, request: Request) -> Vec<ModelEvent> {
    let client = Client::new();
    let mut stream = client
        .stream(provider, request, CancellationToken::new())
        .await
        .expect("the stand-in answers");
    let mut events = Vec::new();
    while let Some(batch) = stream.next_batch().await {
        events.extend(batch.expect("the answer is whole"));
    }
    events
}

fn spoken(events: &[ModelEvent]) -> Vec<&str> {
    let mut deltas = Vec::new();
    for event in events {
        if let ModelEvent::TextDelta { delta, .. } = event {
            deltas.push(&**delta);
        }
    }
    deltas
}

#[tokio::test]
async fn the_built_in_provider_answers_without_key_and_network() {
    let events = answer(&Provider::offline(), request("hello")).await;
    let deltas = spoken(&events);
    assert!(deltas.len() > 5, "the text comes in pieces");
    assert!(deltas.concat().contains("not a language model"));
    let Some(ModelEvent::Completed { usage: Some(usage), .. }) = events.last() else {
        panic!("the answer is completed")
    };
    assert!(usage.input_tokens > 0 && usage.total_tokens > usage.input_tokens);
}

#[tokio::test]
async fn a_request_becomes_a_function_call() {
    let events = answer(&Provider::offline(), request("run `ls`")).await;
    let calls: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            ModelEvent::ItemDone(item) => Some(item),
            _ => None,
        })
        .collect();
    let [item] = calls[..] else { panic!("one item") };
    let ResponseItem::FunctionCall(call) = &**item else { panic!("a call") };
    assert_eq!((&*call.name, call.arguments.as_str()), ("exec_command", "{\"cmd\":\"ls\"}"));
}

#[tokio::test]
async fn it_can_be_served_on_an_address_and_stopped() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound socket has an address");
    let cancel = CancellationToken::new();
    let server = tokio::spawn(serve(listener, Pace::default(), cancel.clone()));
    let base_url = format!("http://{address}/v1");
    let provider = Provider { base_url, ..Provider::offline() };
    assert!(!spoken(&answer(&provider, request("hello")).await).is_empty());
    cancel.cancel();
    server.await.expect("does not panic").expect("ends in order");
}

#[tokio::test]
async fn a_pause_lies_between_the_pieces_when_asked_for() {
    let query = vec![("pause_ms".to_owned(), "1".to_owned())];
    let provider = Provider { query, ..Provider::offline() };
    let client = Client::new();
    let mut stream = client
        .stream(&provider, request("hello"), CancellationToken::new())
        .await
        .expect("the stand-in answers");
    let mut batches = 0;
    while let Some(batch) = stream.next_batch().await {
        batch.expect("the answer is whole");
        batches += 1;
    }
    assert!(batches > 5, "{batches} batches");
}

#[tokio::test]
async fn a_body_it_cannot_read_is_a_bad_request() {
    let client = Client::new();
    let request = Request { headers: Vec::new(), body: "{}".into() };
    let result = client.stream(&Provider::offline(), request, CancellationToken::new()).await;
    let error = result.expect_err("there is no input");
    let ErrorKind::BadRequest(text) = &error.kind else { panic!("{error:?}") };
    assert!(text.contains("missing field `input`"), "{text}");
}

#[test]
fn ids_differ_between_requests_and_not_between_tries() {
    let reply = Reply::Text("x".into());
    assert_eq!(events(&reply, b"a"), events(&reply, b"a"));
    assert_ne!(events(&reply, b"a"), events(&reply, b"b"));
}

#[test]
fn pieces_make_up_the_text() {
    for text in [
        "",
        "short",
        &"long words in a row ".repeat(9),
        &"很长的一句话".repeat(9),
        &"x".repeat(200),
    ] {
        let pieces = pieces(text);
        assert_eq!(pieces.concat(), text);
        assert!(pieces.iter().all(|piece| !piece.is_empty() && piece.chars().count() <= 48));
    }
}

#[test]
fn a_pause_is_read_from_the_query() {
    assert_eq!(super::wanted_pause("a=b&pause_ms=20"), Some(Duration::from_millis(20)));
    assert_eq!(super::wanted_pause("pause_ms=soon"), None);
}
