use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::Client;
use crate::error::{ErrorKind, ModelError};
use crate::event::ModelEvent;
use crate::provider::{Auth, Provider, WireApi};
use crate::request::Request;
use crate::scripted::{Scripted, Step, provider, sse};
use crate::secret::Secret;

async fn collect(provider: &Provider) -> (Vec<ModelEvent>, Option<ModelError>) {
    let mut events = Vec::new();
    let client = Client::new();
    let mut stream =
        match client.stream(provider, Request::default(), CancellationToken::new()).await {
            Ok(stream) => stream,
            Err(error) => return (events, Some(error)),
        };
    while let Some(batch) = stream.next_batch().await {
        match batch {
            Ok(batch) => events.extend(batch),
            Err(error) => {
                assert_eq!(stream.next_batch().await, None, "an error is the end");
                return (events, Some(error));
            }
        }
    }
    (events, None)
}

async fn failure(step: Step) -> ModelError {
    let server = Scripted::start(vec![step]).await;
    collect(&server.provider).await.1.expect("the step is a failure")
}

/// A refusal that asks for a short wait.
fn soon(status: u16) -> Step {
    Step::Status(status, vec![("retry-after-ms", "1")], "boom".into())
}

fn created() -> Value {
    json!({"type": "response.created", "response": {"id": "r"}})
}

fn delta(text: &str) -> Value {
    json!({"type": "response.output_text.delta", "item_id": "m", "delta": text})
}

fn completed() -> Value {
    json!({"type": "response.completed", "response": {"id": "r"}})
}

fn texts<'a>(events: &'a [ModelEvent]) -> Vec<&'a str> {
    let text = |event: &'a ModelEvent| match event {
        ModelEvent::TextDelta { delta, .. } => Some(&**delta),
        _ => None,
    };
    events.iter().filter_map(text).collect()
}

#[tokio::test]
async fn an_answer_arrives_with_its_limits_first() {
    let server = Scripted::start(vec![Step::events(&[created(), delta("hi"), completed()])]).await;
    let (events, error) = collect(&server.provider).await;
    assert_eq!(error, None);
    let [
        ModelEvent::RateLimits(limits),
        ModelEvent::Created { .. },
        ModelEvent::TextDelta { .. },
        ModelEvent::Completed { .. },
    ] = &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!(limits.limit_id.as_deref(), Some("codex"));
}

#[tokio::test]
async fn a_request_carries_headers_query_and_body() {
    let mut server = Scripted::start(vec![Step::events(&[completed()])]).await;
    let provider = &mut server.provider;
    provider.auth = Auth::Bearer(Secret::new("tok"));
    provider.headers = vec![("x-static".into(), "static".into()), ("x-both".into(), "a".into())];
    provider.query = vec![("api-version".into(), "2 3".into())];
    let headers = vec![("x-both".into(), "b".into()), ("thread-id".into(), "t".into())];
    let request = Request { headers, body: "{\"model\":\"m\"}".into() };
    let client = Client::new();
    client.stream(&server.provider, request, CancellationToken::new()).await.expect("is answered");
    let seen = server.seen().pop().expect("one request");
    assert_eq!(seen.uri, "/v1/responses?api-version=2+3");
    assert_eq!(&seen.body[..], b"{\"model\":\"m\"}");
    let expected = [
        ("accept", "text/event-stream"),
        ("content-type", "application/json"),
        ("authorization", "Bearer tok"),
        ("x-static", "static"),
        ("x-both", "b"),
        ("thread-id", "t"),
    ];
    for (name, value) in expected {
        assert_eq!(seen.headers[name], value, "{name}");
    }
}

#[tokio::test]
async fn each_wire_form_has_its_path_and_its_place_for_the_key() {
    let chat =
        Step::Chunks(vec![b"data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n".to_vec()]);
    let messages = Step::events(&[json!({"type": "message_stop"})]);
    let mut server = Scripted::start(vec![chat, messages]).await;
    server.provider.auth = Auth::Bearer(Secret::new("tok"));
    for wire in [WireApi::Chat, WireApi::Messages] {
        server.provider.wire = wire;
        let request =
            Request { headers: Vec::new(), body: "{\"model\":\"m\",\"input\":[]}".into() };
        let client = Client::new();
        let stream = client.stream(&server.provider, request, CancellationToken::new()).await;
        let mut stream = stream.expect("is answered");
        while let Some(batch) = stream.next_batch().await {
            batch.expect("the answer is whole");
        }
    }
    let [chat, messages] = &server.seen()[..] else { panic!("two requests") };
    assert_eq!(
        (chat.uri.as_str(), messages.uri.as_str()),
        ("/v1/chat/completions", "/v1/messages")
    );
    assert_eq!(chat.headers["authorization"], "Bearer tok");
    assert_eq!(messages.headers["x-api-key"], "tok");
    assert_eq!(messages.headers["anthropic-version"], "2023-06-01");
    assert!(!messages.headers.contains_key("authorization"));
}

#[tokio::test]
async fn a_missing_key_sends_nothing() {
    let mut server = Scripted::start(vec![]).await;
    server.provider.auth = Auth::EnvKey { var: "K".into(), instructions: None };
    let error = collect(&server.provider).await.1.expect("cannot be sent");
    assert!(matches!(error.kind, ErrorKind::MissingKey { .. }));
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_bad_header_is_named_without_its_value() {
    let mut bad = provider("http://127.0.0.1:9/v1");
    bad.auth = Auth::Bearer(Secret::new("top\nsecret"));
    let error = collect(&bad).await.1.expect("cannot be sent");
    assert_eq!(
        error.to_string(),
        "invalid request to provider: the value of header `authorization` has characters that no header may have"
    );
}

#[tokio::test]
async fn a_refusal_is_told_with_the_address_but_not_its_query() {
    let mut server = Scripted::start(vec![Step::status(403, "forbidden page")]).await;
    server.provider.query = vec![("key".into(), "private".into())];
    let error = collect(&server.provider).await.1.expect("is refused");
    let expected = format!(
        "unexpected status 403 Forbidden: forbidden page, url: {}/responses",
        server.provider.base_url
    );
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn a_refusal_says_how_long_to_wait() {
    let step = |headers| Step::Status(429, headers, "{}".into());
    let error = failure(step(vec![("retry-after", "1")])).await;
    assert_eq!(error.retry_after(), Some(Duration::from_secs(1)));
    let error = failure(step(vec![("retry-after", "1"), ("retry-after-ms", "250")])).await;
    assert_eq!(error.retry_after(), Some(Duration::from_millis(250)));
    let error = failure(step(vec![("retry-after", "-5")])).await;
    assert_eq!(error.retry_after(), None);
}

#[tokio::test]
async fn a_huge_refusal_is_read_in_part() {
    let ModelError { kind: ErrorKind::BadRequest(text), .. } =
        failure(Step::status(400, &"x".repeat(1 << 20))).await
    else {
        panic!("a bad request")
    };
    assert_eq!(text.len(), super::MAX_REFUSAL_BYTES);
}

#[tokio::test]
async fn a_web_page_instead_of_a_stream_is_told_as_such() {
    let page = Step::Status(200, vec![("content-type", "text/html; charset=utf-8")], "<p>".into());
    let error = failure(page).await;
    assert!(error.to_string().starts_with("the provider answered with text/html instead of"));
    assert!(!error.is_retryable());
}

#[tokio::test]
async fn a_failing_server_is_asked_again_silently_and_others_are_not() {
    let steps = vec![soon(500), soon(502), Step::events(&[completed()]), Step::status(429, "{}")];
    let mut server = Scripted::start(steps).await;
    server.provider.retry.request_max_retries = 2;
    assert_eq!(collect(&server.provider).await.1, None);
    assert_eq!(server.seen().len(), 3);
    let error = collect(&server.provider).await.1.expect("429 is not sent again here");
    assert_eq!(error.status(), Some(429));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_server_that_keeps_failing_is_left() {
    let steps = (0..3).map(|_| soon(500)).collect();
    let mut server = Scripted::start(steps).await;
    server.provider.retry.request_max_retries = 2;
    let error = collect(&server.provider).await.1.expect("fails to the end");
    assert_eq!(error.kind, ErrorKind::ProviderFailed);
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn a_cut_stream_gives_what_came_and_then_the_error() {
    let server = Scripted::start(vec![Step::Cut(vec![sse(&[created(), delta("one ")])])]).await;
    let (events, error) = collect(&server.provider).await;
    assert_eq!(texts(&events), ["one "]);
    assert_eq!(
        error.expect("the stream broke").to_string(),
        "stream disconnected before completion: Transport error: network error: error decoding response body"
    );
}

#[tokio::test]
async fn a_stream_that_ends_early_is_an_error() {
    let server = Scripted::start(vec![Step::events(&[created(), delta("partial")])]).await;
    let (events, error) = collect(&server.provider).await;
    assert_eq!(texts(&events), ["partial"]);
    assert_eq!(
        error.expect("nothing completed it").to_string(),
        "stream disconnected before completion: stream closed before response.completed"
    );
}

#[tokio::test]
async fn events_before_a_failure_in_one_chunk_are_given_first() {
    let failed = json!({"type": "response.failed", "response": {"error": {"code": "invalid_prompt", "message": "no"}}});
    let server = Scripted::start(vec![Step::events(&[delta("a"), failed, delta("b")])]).await;
    let (events, error) = collect(&server.provider).await;
    assert_eq!(texts(&events), ["a"]);
    assert_eq!(error.map(|error| error.kind), Some(ErrorKind::Refused("no".into())));
}

#[tokio::test]
async fn nothing_is_heard_after_the_completion() {
    let server = Scripted::start(vec![Step::events(&[completed(), delta("late")])]).await;
    let (events, error) = collect(&server.provider).await;
    assert_eq!((texts(&events), error), (vec![], None));
}

#[tokio::test]
async fn a_silent_stream_ends_after_the_idle_time() {
    let (gone, went) = oneshot::channel();
    let mut server = Scripted::start(vec![Step::Silent(vec![sse(&[delta("one ")])], gone)]).await;
    server.provider.retry.stream_idle_timeout = Duration::from_millis(500);
    let (events, error) = collect(&server.provider).await;
    assert_eq!(texts(&events), ["one "]);
    assert_eq!(error.map(|error| error.kind), Some(ErrorKind::Idle));
    went.await.expect("the connection was dropped");
}

#[tokio::test]
async fn a_server_that_never_answers_is_left_after_the_idle_time() {
    let mut server = Scripted::start(vec![Step::Hang]).await;
    server.provider.retry.stream_idle_timeout = Duration::from_millis(500);
    assert_eq!(collect(&server.provider).await.1.map(|error| error.kind), Some(ErrorKind::Idle));
}

#[tokio::test]
async fn cancelling_a_stream_drops_its_connection_at_once() {
    let (gone, went) = oneshot::channel();
    let server = Scripted::start(vec![Step::Silent(vec![sse(&[delta("one ")])], gone)]).await;
    let cancel = CancellationToken::new();
    let client = Client::new();
    let mut stream = client
        .stream(&server.provider, Request::default(), cancel.clone())
        .await
        .expect("is answered");
    while !matches!(stream.next_batch().await, Some(Ok(batch)) if !texts(&batch).is_empty()) {}
    cancel.cancel();
    assert_eq!(stream.next_batch().await, Some(Err(ErrorKind::Cancelled.into())));
    went.await.expect("the connection was dropped");
    assert_eq!(stream.next_batch().await, None);
}

#[tokio::test]
async fn cancelling_ends_the_wait_for_an_answer() {
    let server = Scripted::start(vec![Step::Hang]).await;
    let cancel = CancellationToken::new();
    cancel.cancel();
    let client = Client::new();
    let result = client.stream(&server.provider, Request::default(), cancel).await;
    assert!(result.expect_err("was cancelled").is_cancelled());
}

#[tokio::test]
async fn a_refused_connection_is_a_lost_network() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("a bound socket has an address");
    drop(listener);
    let error = collect(&provider(&format!("http://{address}/v1"))).await.1.expect("is refused");
    assert_eq!(error.to_string(), "Connection failed: error sending request");
    assert!(error.is_lost_network());
}

#[tokio::test]
async fn a_server_without_tls_is_no_lost_network() {
    let server = Scripted::start(vec![]).await;
    let address = server.provider.base_url.replace("http://", "https://");
    let error = collect(&provider(&address)).await.1.expect("speaks no TLS");
    assert!(!error.is_lost_network(), "{error:?}");
}

#[tokio::test]
async fn many_small_chunks_come_in_few_batches() {
    let chunks = (0..2_000).map(|_| sse(&[delta("x")])).chain([sse(&[completed()])]).collect();
    let server = Scripted::start(vec![Step::Chunks(chunks)]).await;
    let client = Client::new();
    let mut stream = client
        .stream(&server.provider, Request::default(), CancellationToken::new())
        .await
        .expect("is answered");
    let (mut batches, mut deltas) = (0, 0);
    while let Some(batch) = stream.next_batch().await {
        batches += 1;
        deltas += texts(&batch.expect("the stream is whole")).len();
    }
    assert_eq!(deltas, 2_000);
    assert!(batches < 500, "{batches} batches");
}

#[tokio::test]
async fn a_connection_is_used_again_after_a_whole_response() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound socket has an address");
    let body = String::from_utf8(sse(&[completed()])).expect("text");
    let answer = move || ([("content-type", "text/event-stream")], body.clone());
    let peers = |peer: axum::extract::ConnectInfo<std::net::SocketAddr>| peer.0;
    let (sender, mut seen) = tokio::sync::mpsc::channel(8);
    let router = axum::Router::new().fallback(move |peer| async move {
        sender.send(peers(peer)).await.expect("the test keeps the other end");
        answer()
    });
    let service = router.into_make_service_with_connect_info::<std::net::SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });
    let provider = provider(&format!("http://{address}/v1"));
    let client = Client::new();
    for _ in 0..2 {
        let mut stream = client
            .stream(&provider, Request::default(), CancellationToken::new())
            .await
            .expect("is answered");
        while stream.next_batch().await.is_some() {}
    }
    assert_eq!(seen.recv().await, seen.recv().await);
}
