//! A small provider for tests: answers each request with the next step of a script.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, mpsc, oneshot};

use crate::provider::{Auth, Provider, WireApi};
use crate::retry::RetrySettings;

/// One answer.
pub(crate) enum Step {
    /// A status with headers and a body.
    Status(u16, Vec<(&'static str, &'static str)>, String),
    /// Chunks of an event stream, then its end.
    Chunks(Vec<Vec<u8>>),
    /// Chunks, then a connection that breaks.
    Cut(Vec<Vec<u8>>),
    /// Chunks, then silence. The sender tells when the client went away.
    Silent(Vec<Vec<u8>>, oneshot::Sender<()>),
    /// Not even a head.
    Hang,
}

impl Step {
    pub(crate) fn status(status: u16, body: &str) -> Self {
        Self::Status(status, Vec::new(), body.into())
    }

    pub(crate) fn events(events: &[serde_json::Value]) -> Self {
        Self::Chunks(vec![sse(events)])
    }
}

/// Events as a server writes them.
pub(crate) fn sse(events: &[serde_json::Value]) -> Vec<u8> {
    let event = |event: &serde_json::Value| {
        format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or(""))
    };
    events.iter().map(event).collect::<String>().into_bytes()
}

/// A request as it arrived.
pub(crate) struct Seen {
    pub(crate) uri: String,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) body: Bytes,
}

/// The provider and what it saw.
pub(crate) struct Scripted {
    pub(crate) provider: Provider,
    seen: mpsc::Receiver<Seen>,
}

struct Script {
    steps: Mutex<VecDeque<Step>>,
    seen: mpsc::Sender<Seen>,
}

impl Scripted {
    pub(crate) async fn start(steps: Vec<Step>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let (sender, seen) = mpsc::channel(64);
        let script = Arc::new(Script { steps: Mutex::new(steps.into()), seen: sender });
        let router = axum::Router::new().fallback(answer).with_state(script);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { provider: provider(&format!("http://{address}/v1")), seen }
    }

    /// The requests so far.
    pub(crate) fn seen(&mut self) -> Vec<Seen> {
        std::iter::from_fn(|| self.seen.try_recv().ok()).collect()
    }
}

/// A provider without retries.
pub(crate) fn provider(base_url: &str) -> Provider {
    Provider {
        id: "mock".into(),
        name: "Mock".into(),
        base_url: base_url.into(),
        wire: WireApi::Responses,
        auth: Auth::None,
        headers: Vec::new(),
        query: Vec::new(),
        retry: RetrySettings {
            request_max_retries: 0,
            stream_max_retries: 0,
            ..RetrySettings::default()
        },
        supports_websockets: false,
        requires_openai_auth: false,
    }
}

async fn answer(State(script): State<Arc<Script>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 24).await.expect("the client sends its body");
    let seen = Seen { uri: head.uri.to_string(), headers: head.headers, body };
    script.seen.send(seen).await.expect("the test keeps the other end");
    let step = script.steps.lock().await.pop_front().expect("the script covers every request");
    match step {
        Step::Status(status, headers, body) => plain(status, &headers, body),
        Step::Chunks(chunks) => streamed(chunks, Ending::Whole),
        Step::Cut(chunks) => streamed(chunks, Ending::Broken),
        Step::Silent(chunks, gone) => streamed(chunks, Ending::Silent(gone)),
        Step::Hang => std::future::pending().await,
    }
}

fn plain(status: u16, headers: &[(&'static str, &'static str)], body: String) -> Response {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(Body::from(body)).expect("the head of a test is well formed")
}

enum Ending {
    Whole,
    Broken,
    Silent(oneshot::Sender<()>),
}

fn streamed(chunks: Vec<Vec<u8>>, ending: Ending) -> Response {
    let (sender, receiver) = mpsc::channel::<Result<Bytes, std::io::Error>>(1);
    tokio::spawn(async move {
        for chunk in chunks {
            if sender.send(Ok(chunk.into())).await.is_err() {
                return;
            }
        }
        match ending {
            Ending::Whole => {}
            Ending::Broken => {
                let broken = std::io::Error::other("cut");
                let _ = sender.send(Err(broken)).await;
            }
            Ending::Silent(gone) => {
                sender.closed().await;
                let _ = gone.send(());
            }
        }
    });
    let stream = futures_util::stream::unfold(receiver, |mut receiver| async {
        receiver.recv().await.map(|chunk| (chunk, receiver))
    });
    let response = Response::builder().header("content-type", "text/event-stream");
    response.body(Body::from_stream(stream)).expect("the head is well formed")
}
