//! A model that says what the test tells it to.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};

/// What the model does with one request.
#[derive(Debug, Clone)]
pub enum Step {
    /// Answers with these items, whole.
    Items(Vec<Value>),
    /// Says these events of a stream as they are.
    Events(Vec<Value>),
    /// Streams the text of one message in these pieces.
    Stream(Vec<String>),
    /// Streams these pieces and then says nothing until the client goes.
    StreamThenHang(Vec<String>),
    /// Streams these pieces and then cuts the connection.
    StreamThenCut(Vec<String>),
    /// Answers with a status and a body.
    Status(u16, String),
    /// Says nothing until the client goes.
    Hang,
    /// Waits for [`Model::release`], then does the other thing.
    Gate(Box<Step>),
}

/// A message of the model.
pub fn message(text: &str) -> Value {
    json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]})
}

/// A shell command of the model.
pub fn exec(call_id: &str, cmd: &str) -> Value {
    let arguments = json!({ "cmd": cmd }).to_string();
    json!({"type": "function_call", "name": "exec_command", "call_id": call_id, "arguments": arguments})
}

/// A model server on loopback. Ends when dropped.
#[derive(Debug)]
pub struct Model {
    address: std::net::SocketAddr,
    script: Arc<Script>,
    task: tokio::task::JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Script {
    steps: Mutex<VecDeque<Step>>,
    requests: Mutex<Vec<Value>>,
    came: Notify,
    gate: Notify,
}

impl Model {
    /// Starts a model with a script. After its last step it answers `done`.
    pub async fn start(steps: impl IntoIterator<Item = Step>) -> Self {
        let script = Arc::new(Script {
            steps: Mutex::new(steps.into_iter().collect()),
            ..Script::default()
        });
        let listener =
            tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback can be bound");
        let address = listener.local_addr().expect("a bound socket has an address");
        let app = Router::new().route("/v1/responses", post(respond)).with_state(script.clone());
        let task = tokio::spawn(async move {
            // A server that fails is seen by the test as a model that is gone.
            drop(axum::serve(listener, app).await);
        });
        Self { address, script, task }
    }

    /// The address for `base_url`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Adds a step.
    pub fn then(&self, step: Step) {
        self.script.steps.lock().push_back(step);
    }

    /// Forgets the steps that were not taken.
    pub fn forget_script(&self) {
        self.script.steps.lock().clear();
    }

    /// Lets one [`Step::Gate`] go on.
    pub fn release(&self) {
        self.script.gate.notify_one();
    }

    /// The bodies of all requests so far.
    pub fn requests(&self) -> Vec<Value> {
        self.script.requests.lock().clone()
    }

    /// Waits until so many requests have come.
    pub async fn wait_for(&self, count: usize) -> Vec<Value> {
        loop {
            let came = self.script.came.notified();
            let requests = self.requests();
            if requests.len() >= count {
                return requests;
            }
            came.await;
        }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn respond(State(script): State<Arc<Script>>, body: Bytes) -> Response {
    let number = {
        let mut requests = script.requests.lock();
        requests.push(serde_json::from_slice(&body).unwrap_or_default());
        requests.len()
    };
    script.came.notify_waiters();
    let mut step =
        script.steps.lock().pop_front().unwrap_or_else(|| Step::Items(vec![message("done")]));
    if let Step::Gate(inner) = step {
        script.gate.notified().await;
        step = *inner;
    }
    match step {
        Step::Status(status, body) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::IM_A_TEAPOT);
            (status, body).into_response()
        }
        Step::Items(items) => stream(number, items_events(number, items), End::Whole),
        Step::Events(events) => stream(number, events, End::Whole),
        Step::Stream(pieces) => stream(number, piece_events(number, &pieces, true), End::Whole),
        Step::StreamThenHang(pieces) => {
            stream(number, piece_events(number, &pieces, false), End::Hang)
        }
        Step::StreamThenCut(pieces) => {
            stream(number, piece_events(number, &pieces, false), End::Cut)
        }
        Step::Hang => stream(number, Vec::new(), End::Hang),
        Step::Gate(_) => StatusCode::IM_A_TEAPOT.into_response(),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Whole,
    Hang,
    Cut,
}

fn items_events(number: usize, items: Vec<Value>) -> Vec<Value> {
    let mut events = Vec::new();
    for (index, mut item) in items.into_iter().enumerate() {
        if item.get("id").is_none() {
            item["id"] = format!("item_{number}_{index}").into();
        }
        events.push(json!({"type": "response.output_item.done", "item": item}));
    }
    events
}

fn piece_events(number: usize, pieces: &[String], whole: bool) -> Vec<Value> {
    let id = format!("msg_{number}");
    let item = |text: &str| {
        json!({"type": "message", "id": id, "role": "assistant",
               "content": [{"type": "output_text", "text": text}]})
    };
    let mut events = vec![json!({"type": "response.output_item.added", "item": item("")})];
    events.extend(
        pieces.iter().map(
            |piece| json!({"type": "response.output_text.delta", "item_id": id, "delta": piece}),
        ),
    );
    if whole {
        let item = item(&pieces.concat());
        events.push(json!({"type": "response.output_item.done", "item": item}));
    }
    events
}

fn stream(number: usize, events: Vec<Value>, end: End) -> Response {
    let (sender, receiver) = mpsc::channel::<Result<Bytes, std::io::Error>>(16);
    tokio::spawn(async move {
        let response = format!("resp_{number}");
        let created = json!({"type": "response.created", "response": {"id": response}});
        let usage = json!({"input_tokens": 100, "output_tokens": 20, "total_tokens": 120});
        let completed = json!({"type": "response.completed",
                               "response": {"id": response, "usage": usage}});
        let mut all = vec![created];
        all.extend(events);
        if end == End::Whole {
            all.push(completed);
        }
        for event in all {
            let kind = event["type"].as_str().unwrap_or_default().to_owned();
            let text = format!("event: {kind}\ndata: {event}\n\n");
            if sender.send(Ok(text.into())).await.is_err() {
                return;
            }
        }
        match end {
            End::Whole => {}
            End::Hang => sender.closed().await,
            End::Cut => {
                drop(sender.send(Err(std::io::ErrorKind::ConnectionReset.into())).await);
            }
        }
    });
    let chunks = futures_util::stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|chunk| (chunk, receiver))
    });
    let headers = [("content-type", "text/event-stream")];
    (headers, Body::from_stream(chunks)).into_response()
}

/// How long a test waits for anything before it says what it was waiting for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
