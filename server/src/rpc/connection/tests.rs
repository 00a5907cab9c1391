use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use serde_json::{Value, json};
use spindle_schema::methods::ServerNotification;
use spindle_schema::v2::{AbsolutePathBuf, ThreadArchivedNotification};
use tokio::task::JoinHandle;

use super::*;
use crate::rpc::{Packet, To};
use crate::transport::memory::{self, MemoryClient};

/// Answers `mock/experimentalMethod`, holds what asks for it, and remembers what it saw.
#[derive(Default)]
struct Echo {
    held: Mutex<Vec<Responder>>,
    answers: Mutex<Vec<String>>,
    is_closed: AtomicBool,
}

impl Service for Echo {
    fn initialize(
        &self,
        params: InitializeParams,
    ) -> Result<(InitializeResponse, Identity), RpcError> {
        let capabilities = params.capabilities.unwrap_or_default();
        let unwanted = capabilities.opt_out_notification_methods.unwrap_or_default();
        let identity = Identity {
            name: params.client_info.name.into(),
            user_agent: "agent".into(),
            is_experimental: true,
            unwanted: unwanted.into_iter().map(Into::into).collect(),
        };
        let result = InitializeResponse {
            user_agent: "agent".into(),
            codex_home: AbsolutePathBuf("/home".into()),
            platform_family: "unix".into(),
            platform_os: "linux".into(),
        };
        Ok((result, identity))
    }

    fn welcome(&self, client: &Arc<Client>) {
        client.tell(&archived("welcome"));
    }

    fn request(&self, _: &Arc<Client>, request: ClientRequest, responder: Responder) {
        match request {
            ClientRequest::MockExperimentalMethod(params) => match params.value.as_deref() {
                Some("drop") => drop(responder),
                Some("hold") => self.held.lock().push(responder),
                _ => responder.ok(&json!({ "echoed": params.value })),
            },
            _ => self.held.lock().push(responder),
        }
    }

    fn answer(&self, _: &Arc<Client>, id: &RequestId, answer: Result<&RawValue, &RawValue>) {
        let text = answer.map_or_else(|e| format!("error {e}"), |r| format!("result {r}"));
        self.answers.lock().push(format!("{id}: {text}"));
    }

    fn closed(&self, _: ConnectionId) {
        self.is_closed.store(true, Ordering::Relaxed);
    }
}

fn archived(thread: &str) -> ServerNotification {
    ServerNotification::ThreadArchived(Box::new(ThreadArchivedNotification {
        thread_id: thread.into(),
    }))
}

struct Wire {
    client: MemoryClient,
    echo: Arc<Echo>,
    clients: Arc<Clients>,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl Wire {
    fn new() -> Self {
        let echo = Arc::new(Echo::default());
        let clients = Arc::new(Clients::default());
        let stop = CancellationToken::new();
        let (client, inlet, outlet) = memory::pair();
        let shared = Shared {
            service: echo.clone(),
            clients: clients.clone(),
            order: Order::new(),
            stop: stop.clone(),
        };
        let way = Way { via: Via::Memory, limits: Limits::SHARED };
        let serving = tokio::spawn(serve(inlet, outlet, way, shared));
        Self { client, echo, clients, stop, serving }
    }

    /// A connection whose client has introduced itself.
    async fn ready(extra: Value) -> Self {
        let mut wire = Self::new();
        let mut hello = json!({
            "id": 0,
            "method": "initialize",
            "params": { "clientInfo": { "name": "n", "version": "1" } },
        });
        for (key, value) in extra.as_object().into_iter().flatten() {
            hello[key] = value.clone();
        }
        wire.send(&hello).await;
        assert_eq!(wire.next().await["id"], 0);
        assert_eq!(wire.next().await["params"]["threadId"], "welcome");
        wire
    }

    async fn send(&self, message: &Value) {
        self.client.send(message.to_string()).await.expect("the connection is open");
    }

    async fn call(&self, id: i64, value: &str) {
        let params = json!({ "value": value });
        self.send(&json!({ "id": id, "method": "mock/experimentalMethod", "params": params }))
            .await;
    }

    async fn next(&mut self) -> Value {
        let message = self.client.next().await.expect("the connection is open");
        serde_json::from_slice(&message).expect("messages are JSON")
    }
}

#[tokio::test]
async fn nothing_but_initialize_passes_before_initialize() {
    let mut wire = Wire::new();
    wire.call(1, "x").await;
    let refusal = wire.next().await;
    assert_eq!(refusal["error"]["code"], -32600);
    assert_eq!(refusal["error"]["message"], "Not initialized");
    assert_eq!(refusal["error"]["data"]["type"], "notInitialized");
    wire.send(&json!({ "id": 2, "method": "no/such" })).await;
    assert_eq!(wire.next().await["error"]["code"], -32601);
    wire.send(&json!({ "id": 3, "method": "initialize", "params": {} })).await;
    assert_eq!(
        wire.next().await["error"]["message"],
        "Invalid request: missing field `clientInfo`"
    );
}

#[tokio::test]
async fn a_second_initialize_is_refused() {
    let mut wire = Wire::ready(json!({})).await;
    let params = json!({ "clientInfo": { "name": "n", "version": "1" } });
    wire.send(&json!({ "id": "again", "method": "initialize", "params": params })).await;
    let refusal = wire.next().await;
    assert_eq!(refusal["id"], "again");
    assert_eq!(refusal["error"]["message"], "Already initialized");
}

#[tokio::test]
async fn undecodable_messages_are_answered_and_the_connection_lives_on() {
    let mut wire = Wire::ready(json!({})).await;
    for (text, code, id) in [
        ("{not json", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        ("42", -32600, Value::Null),
        ("{}", -32600, Value::Null),
        ("{\"id\":1.5,\"method\":\"thread/list\",\"params\":{}}", -32600, Value::Null),
        ("{\"id\":7,\"method\":5}", -32600, json!(7)),
    ] {
        wire.client.send(text).await.expect("the connection is open");
        let refusal = wire.next().await;
        assert_eq!((&refusal["error"]["code"], &refusal["id"]), (&json!(code), &id), "{text}");
        assert!(refusal["error"]["data"]["type"].is_string(), "{refusal}");
    }
    wire.client.send(&b"\xff\xfe"[..]).await.expect("the connection is open");
    assert_eq!(wire.next().await["error"]["code"], -32700);
    wire.client.send(" \n").await.expect("the connection is open");
    wire.call(8, "alive").await;
    assert_eq!(wire.next().await["result"]["echoed"], "alive");
}

#[tokio::test]
async fn an_unknown_method_is_named_alone() {
    let mut wire = Wire::ready(json!({})).await;
    wire.send(&json!({ "id": 1, "method": "no/such", "params": {} })).await;
    let error = wire.next().await["error"].clone();
    assert_eq!(error["code"], -32601);
    assert_eq!(error["data"], json!({ "type": "unknownMethod", "method": "no/such" }));
    assert!(error["message"].as_str().is_some_and(|m| m.len() < 60 && m.contains("no/such")));
}

#[tokio::test]
async fn unknown_notifications_are_ignored_and_answers_handed_on() {
    let mut wire = Wire::ready(json!({})).await;
    wire.send(&json!({ "method": "no/such", "params": {} })).await;
    wire.send(&json!({ "id": 5, "result": { "decision": "accept" } })).await;
    wire.send(&json!({ "id": "zz", "error": { "code": -1, "message": "no" } })).await;
    wire.call(1, "x").await;
    assert_eq!(wire.next().await["id"], 1);
    let answers = wire.echo.answers.lock().clone();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0].replace(' ', ""), "5:result{\"decision\":\"accept\"}");
    assert!(answers[1].starts_with("zz: error"), "{answers:?}");
}

#[tokio::test]
async fn a_strict_client_gets_the_member_on_everything() {
    let mut wire = Wire::ready(json!({ "jsonrpc": "2.0" })).await;
    wire.call(1, "x").await;
    assert_eq!(wire.next().await["jsonrpc"], "2.0");
    wire.send(&json!({ "id": 2, "method": "no/such" })).await;
    assert_eq!(wire.next().await["jsonrpc"], "2.0");
    wire.clients.tell(&Packet::notification(&archived("t"), 1), To::Everyone);
    assert_eq!(wire.next().await["jsonrpc"], "2.0");
}

#[tokio::test]
async fn other_clients_never_get_the_member() {
    let mut wire = Wire::ready(json!({})).await;
    wire.call(1, "x").await;
    assert!(wire.next().await.get("jsonrpc").is_none());
    wire.clients.tell(&Packet::notification(&archived("t"), 1), To::Everyone);
    assert!(wire.next().await.get("jsonrpc").is_none());
}

#[tokio::test]
async fn a_request_dropped_unanswered_is_refused() {
    let mut wire = Wire::ready(json!({})).await;
    wire.call(1, "drop").await;
    let refusal = wire.next().await;
    assert_eq!(refusal["error"]["code"], -32603);
    assert_eq!(refusal["error"]["data"]["type"], "internal");
}

#[tokio::test]
async fn too_many_unanswered_requests_are_refused_and_later_ones_served() {
    let mut wire = Wire::ready(json!({})).await;
    for id in 0..1024 {
        wire.call(id, "hold").await;
    }
    wire.call(2000, "x").await;
    let refusal = wire.next().await;
    assert_eq!(refusal["id"], 2000);
    assert_eq!(refusal["error"]["code"], -32001);
    assert_eq!(refusal["error"]["message"], "Server overloaded; retry later.");
    let held = wire.echo.held.lock().pop().expect("1024 are held");
    held.ok(&json!({}));
    assert_eq!(wire.next().await["id"], 1023);
    wire.call(2001, "x").await;
    assert_eq!(wire.next().await["result"]["echoed"], "x");
}

#[tokio::test]
async fn requests_of_one_thread_wait_for_each_other_and_reads_do_not() {
    let mut wire = Wire::ready(json!({})).await;
    let archive = |id, thread| json!({ "id": id, "method": "thread/archive", "params": { "threadId": thread } });
    wire.send(&archive(1, "a")).await;
    wire.send(&archive(2, "a")).await;
    wire.send(&archive(3, "b")).await;
    wire.call(4, "x").await;
    assert_eq!(wire.next().await["id"], 4, "a read overtakes");
    let mut held = std::mem::take(&mut *wire.echo.held.lock());
    assert_eq!(held.len(), 2, "the second of thread a waits");
    held.remove(0).ok(&json!({}));
    assert_eq!(wire.next().await["id"], 1);
    while wire.echo.held.lock().is_empty() {
        tokio::task::yield_now().await;
    }
    let second = wire.echo.held.lock().pop().expect("it came");
    second.ok(&json!({}));
    assert_eq!(wire.next().await["id"], 2);
}

#[tokio::test]
async fn notifications_a_client_does_not_want_are_left_out_from_the_first_on() {
    let mut wire = Wire::new();
    let capabilities = json!({ "optOutNotificationMethods": ["thread/archived"] });
    let params =
        json!({ "clientInfo": { "name": "n", "version": "1" }, "capabilities": capabilities });
    wire.send(&json!({ "id": 0, "method": "initialize", "params": params })).await;
    assert_eq!(wire.next().await["id"], 0);
    wire.clients.tell(&Packet::notification(&archived("t"), 1), To::Everyone);
    wire.call(1, "x").await;
    assert_eq!(wire.next().await["id"], 1);
}

#[tokio::test]
async fn the_end_of_the_input_waits_for_answers_that_are_due() {
    let wire = Wire::ready(json!({})).await;
    wire.call(1, "hold").await;
    while wire.echo.held.lock().is_empty() {
        tokio::task::yield_now().await;
    }
    let (sender, mut receiver) = wire.client.split();
    drop(sender);
    let held = wire.echo.held.lock().pop().expect("it came");
    held.ok(&json!({ "late": true }));
    assert!(receiver.recv().await.is_some_and(|message| message.ends_with(b"{\"late\":true}}")));
    assert_eq!(receiver.recv().await, None);
    wire.serving.await.expect("serving does not panic");
    assert!(wire.echo.is_closed.load(Ordering::Relaxed));
}

#[tokio::test]
async fn a_stop_ends_the_connection_after_what_was_said() {
    let mut wire = Wire::ready(json!({})).await;
    wire.clients.tell(&Packet::notification(&archived("last"), 1), To::Everyone);
    wire.stop.cancel();
    assert_eq!(wire.next().await["params"]["threadId"], "last");
    assert_eq!(wire.client.next().await, None);
    wire.serving.await.expect("serving does not panic");
}

#[tokio::test]
async fn a_client_that_is_gone_is_told_nothing_more() {
    let wire = Wire::ready(json!({})).await;
    drop(wire.client);
    wire.clients.all_gone().await;
    wire.clients.tell(&Packet::notification(&archived("t"), 1), To::Everyone);
    wire.serving.await.expect("serving does not panic");
}

#[tokio::test]
async fn a_client_that_stops_reading_is_cut_off_and_others_are_not() {
    let mut slow = Wire::ready(json!({})).await;
    let large = Packet::notification(&archived(&"x".repeat(1 << 20)), 1);
    for _ in 0..140 {
        slow.clients.tell(&large, To::Everyone);
    }
    slow.clients.all_gone().await;
    let mut seen = 0;
    while slow.client.next().await.is_some() {
        seen += 1;
    }
    assert!(seen < 140, "{seen} of 140");
}
