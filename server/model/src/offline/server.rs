//! The stand-in as a server of the Responses API.

use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::conversation::Conversation;
use super::reply::{self, Reply};
use crate::provider::OFFLINE_MODEL;

/// The most bytes of a request: histories with pictures are large.
const MAX_BODY_BYTES: usize = 256 << 20;
/// How many characters a delta has at least.
const DELTA_CHARACTERS: usize = 12;
/// The longest pause between two deltas.
const MAX_PAUSE: Duration = Duration::from_secs(5);

/// How fast the stand-in speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pace {
    /// The pause between two pieces of text. Without one the answer comes at once. A request
    /// can choose its own with the query parameter `pause_ms`.
    pub pause: Duration,
}

/// Returns the routes: `POST /v1/responses`, `GET /v1/models`, and both without `/v1`.
pub fn router(pace: Pace) -> Router {
    let api = Router::new().route("/responses", post(respond)).route("/models", get(models));
    Router::new()
        .nest("/v1", api.clone())
        .merge(api)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .with_state(pace)
}

/// Answers requests on `listener` until `cancel` is cancelled. Open answers are finished.
pub async fn serve(
    listener: TcpListener,
    pace: Pace,
    cancel: CancellationToken,
) -> std::io::Result<()> {
    axum::serve(listener, router(pace)).with_graceful_shutdown(cancel.cancelled_owned()).await
}

async fn models() -> Response {
    json_answer(
        StatusCode::OK,
        &json!({
            "object": "list",
            "data": [{"id": OFFLINE_MODEL, "object": "model", "owned_by": "spindle"}]
        }),
    )
}

async fn respond(State(pace): State<Pace>, RawQuery(query): RawQuery, body: Bytes) -> Response {
    let conversation = match Conversation::read(&body) {
        Ok(conversation) => conversation,
        Err(error) => return refusal(&error.to_string()),
    };
    let events = events(&reply::next(&conversation), &body);
    let pause = query.as_deref().and_then(wanted_pause).unwrap_or(pace.pause).min(MAX_PAUSE);
    ([("content-type", "text/event-stream")], streamed(events, pause)).into_response()
}

fn wanted_pause(query: &str) -> Option<Duration> {
    let value = query.split('&').find_map(|pair| pair.strip_prefix("pause_ms="))?;
    value.parse().ok().map(Duration::from_millis)
}

fn refusal(message: &str) -> Response {
    let error =
        json!({"error": {"message": message, "type": "invalid_request_error", "code": null}});
    json_answer(StatusCode::BAD_REQUEST, &error)
}

fn json_answer(status: StatusCode, body: &Value) -> Response {
    (status, [("content-type", "application/json")], body.to_string()).into_response()
}

/// One chunk without a pause; a chunk per event with one.
fn streamed(events: Vec<Value>, pause: Duration) -> Body {
    let text = |event: &Value| {
        format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
    };
    if pause.is_zero() {
        return Body::from(events.iter().map(text).collect::<String>());
    }
    let steps = futures_util::stream::unfold(events.into_iter(), move |mut events| async move {
        let event = events.next()?;
        if event["type"] == "response.output_text.delta" {
            tokio::time::sleep(pause).await;
        }
        Some((Ok::<_, Infallible>(text(&event)), events))
    });
    Body::from_stream(steps)
}

/// The events of a reply. Ids are made of the request, so that the same request gets the same
/// answer and two requests of a thread get different ids.
fn events(reply: &Reply, body: &[u8]) -> Vec<Value> {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    let mark = format!("{:016x}", hasher.finish());
    let id = format!("resp_{mark}");
    let mut events = vec![json!({"type": "response.created", "response": {"id": id}})];
    let said = match reply {
        Reply::Text(text) => text_events(text, &mark, &mut events),
        Reply::Call { tool, arguments } => {
            let arguments = arguments.to_string();
            let size = arguments.len();
            events.push(json!({"type": "response.output_item.done", "item": {
                "type": "function_call", "id": format!("fc_{mark}"), "call_id": format!("call_{mark}"),
                "name": tool, "arguments": arguments, "status": "completed"
            }}));
            size
        }
    };
    let (input, output) = (tokens(body.len()), tokens(said));
    events.push(json!({"type": "response.completed", "response": {"id": id, "usage": {
        "input_tokens": input, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": output, "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": input + output
    }}}));
    events
}

fn text_events(text: &str, mark: &str, events: &mut Vec<Value>) -> usize {
    let id = format!("msg_{mark}");
    let item = |content: Value| json!({"type": "message", "role": "assistant", "id": id, "content": content});
    events.push(json!({"type": "response.output_item.added", "item": item(json!([]))}));
    for piece in pieces(text) {
        events.push(json!({
            "type": "response.output_text.delta", "item_id": id, "output_index": 0,
            "content_index": 0, "delta": piece
        }));
    }
    let content = json!([{"type": "output_text", "text": text}]);
    events.push(json!({"type": "response.output_item.done", "item": item(content)}));
    text.len()
}

/// Cuts a text into deltas: after a blank where there is one, and not much longer than
/// [`DELTA_CHARACTERS`] where there is none.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut from, mut length) = (0, 0);
    for (at, c) in text.char_indices() {
        length += 1;
        let end = at + c.len_utf8();
        let enough = length >= DELTA_CHARACTERS && (c.is_whitespace() || !c.is_ascii());
        if enough || length >= 4 * DELTA_CHARACTERS {
            pieces.push(&text[from..end]);
            (from, length) = (end, 0);
        }
    }
    if from < text.len() {
        pieces.push(&text[from..]);
    }
    pieces
}

/// The usual estimate.
fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

#[cfg(test)]
mod tests;
