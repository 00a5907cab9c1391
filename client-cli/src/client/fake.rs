//! A daemon played by a test, at the other end of a wire in memory.

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{Client, Session, Wire};

/// How clients of tests introduce themselves.
pub(crate) const CLIENT: Client = Client { name: "test", title: "Test" };

/// The daemon's end of a session.
pub(crate) struct FakeDaemon {
    from_client: mpsc::Receiver<Bytes>,
    to_client: mpsc::Sender<Bytes>,
}

/// A request that the client made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) id: Value,
    pub(crate) method: String,
    pub(crate) params: Value,
}

impl FakeDaemon {
    /// Both ends of a wire.
    pub(crate) fn pair() -> (Wire, Self) {
        let (sender, from_client) = mpsc::channel(64);
        let (to_client, receiver) = mpsc::channel(64);
        (Wire::Memory { sender, receiver }, Self { from_client, to_client })
    }

    /// An open session; the greeting is over.
    pub(crate) async fn session() -> (Session, Self) {
        let (wire, mut daemon) = Self::pair();
        let (session, ()) = tokio::join!(Session::open(wire, CLIENT), daemon.greet());
        (session.unwrap(), daemon)
    }

    /// Answers the greeting of a client.
    pub(crate) async fn greet(&mut self) {
        let hello = self.call().await;
        assert_eq!(hello.method, "initialize");
        assert_eq!(hello.params["clientInfo"]["name"], "test");
        assert_eq!(hello.params["capabilities"]["experimentalApi"], true);
        let about = json!({
            "userAgent": "test/1", "codexHome": "/h", "platformFamily": "unix",
            "platformOs": "linux",
        });
        self.answer(&hello, about).await;
        assert_eq!(self.hears().await, json!({"method": "initialized"}));
    }

    /// The next text of the client.
    pub(crate) async fn hears(&mut self) -> Value {
        serde_json::from_slice(&self.from_client.recv().await.expect("the client is there"))
            .unwrap()
    }

    /// The next request of the client.
    pub(crate) async fn call(&mut self) -> Call {
        let mut call = self.hears().await;
        Call {
            id: call["id"].take(),
            method: call["method"].as_str().expect("the client asks something").to_owned(),
            params: call["params"].take(),
        }
    }

    /// The next request, which must be for this method.
    pub(crate) async fn expect(&mut self, method: &str) -> Call {
        let call = self.call().await;
        assert_eq!(call.method, method, "{}", call.params);
        call
    }

    /// Answers a request.
    pub(crate) async fn answer(&self, call: &Call, result: Value) {
        self.says(json!({"id": call.id, "result": result})).await;
    }

    /// Refuses a request.
    pub(crate) async fn refuse(&self, call: &Call, message: &str) {
        let error = json!({"code": -32600, "message": message});
        self.says(json!({"id": call.id, "error": error})).await;
    }

    /// Says something unasked.
    pub(crate) async fn tells(&self, method: &str, params: Value) {
        self.says(json!({"method": method, "params": params})).await;
    }

    /// Waits until the client has dealt with all that it was told: a question that no client
    /// knows is refused in its turn.
    pub(crate) async fn is_heard_out(&mut self) {
        self.says(json!({"id": "last", "method": "test/last", "params": {}})).await;
        let refusal = self.hears().await;
        assert_eq!(refusal["id"], "last", "{refusal}");
    }

    /// Sends any message.
    pub(crate) async fn says(&self, message: Value) {
        self.says_text(message.to_string()).await;
    }

    /// Sends any text.
    pub(crate) async fn says_text(&self, text: impl Into<Bytes>) {
        self.to_client.send(text.into()).await.expect("the client listens");
    }
}

/// A thread as daemons describe it.
pub(crate) fn thread(id: &str, name: Option<&str>) -> Value {
    json!({
        "id": id, "sessionId": id, "preview": "first words", "ephemeral": false,
        "projectId": null, "modelProvider": "p", "createdAt": 1, "updatedAt": 1,
        "status": {"type": "idle"}, "cwd": "/w", "cliVersion": "1", "source": "cli",
        "name": name, "turns": [],
    })
}

/// What a daemon answers when a thread is started or resumed.
pub(crate) fn opened(id: &str) -> Value {
    json!({
        "thread": thread(id, None), "model": "m", "modelProvider": "p", "cwd": "/w",
        "approvalPolicy": "never", "approvalsReviewer": "user",
        "sandbox": {"type": "dangerFullAccess"},
    })
}

/// A turn without items.
pub(crate) fn turn(id: &str, status: &str) -> Value {
    json!({"id": id, "items": [], "status": status, "error": null})
}
