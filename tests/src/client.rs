//! A client of the protocol, in plain JSON.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::model::PATIENCE;
use crate::wire::Wire;

/// A connection that is initialised. Messages are kept in the order they came until a test takes
/// them.
#[derive(Debug)]
pub struct Client {
    wire: Wire,
    seen: VecDeque<Value>,
    next_id: i64,
}

/// An error answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// JSON-RPC code.
    pub code: i64,
    /// For a person.
    pub message: String,
    /// For a program.
    pub data: Value,
}

impl Client {
    /// Speaks `initialize` over a connection, with the experimental API.
    pub async fn initialise(wire: Wire, name: &str) -> Self {
        let mut client = Self { wire, seen: VecDeque::new(), next_id: 0 };
        let params = json!({
            "clientInfo": {"name": name, "version": "1"},
            "capabilities": {"experimentalApi": true},
        });
        client.call("initialize", params).await.expect("the daemon is fresh");
        client.send(&json!({"method": "initialized"})).await;
        client
    }

    /// Sends a message as it is.
    pub async fn send(&mut self, message: &Value) {
        self.wire.send(message.to_string()).await;
    }

    /// Asks and waits for the answer. What comes before it is kept.
    ///
    /// # Errors
    /// The error answer.
    pub async fn call(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        let id = self.ask(method, params).await;
        self.answer(id).await
    }

    /// Asks without waiting; gives the id.
    pub async fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"id": id, "method": method, "params": params})).await;
        id
    }

    /// Waits for the answer to a request.
    ///
    /// # Errors
    /// The error answer.
    pub async fn answer(&mut self, id: i64) -> Result<Value, Failure> {
        let answer = self
            .take(&format!("the answer to request {id}"), |message| {
                message.get("method").is_none() && message["id"] == id
            })
            .await;
        match answer.get("error") {
            None => Ok(answer["result"].clone()),
            Some(error) => Err(Failure {
                code: error["code"].as_i64().unwrap_or_default(),
                message: error["message"].as_str().unwrap_or_default().to_owned(),
                data: error.get("data").cloned().unwrap_or_default(),
            }),
        }
    }

    /// Waits for a notification or request with this method, and gives its whole message.
    pub async fn wait(&mut self, method: &str) -> Value {
        self.wait_where(method, |_| true).await
    }

    /// The same, for one whose params fit.
    pub async fn wait_where(&mut self, method: &str, fits: impl Fn(&Value) -> bool) -> Value {
        self.take(method, |message| message["method"] == method && fits(&message["params"])).await
    }

    /// Waits for the end of a turn and gives it.
    pub async fn turn_end(&mut self) -> Value {
        self.wait("turn/completed").await["params"]["turn"].clone()
    }

    /// What has come and was not taken, in order: methods only.
    pub fn methods(&self) -> Vec<String> {
        let method = |message: &Value| message["method"].as_str().map(str::to_owned);
        self.seen.iter().filter_map(method).collect()
    }

    /// What has come and was not taken, in order.
    pub fn messages(&self) -> impl Iterator<Item = &Value> {
        self.seen.iter()
    }

    /// The next message of any kind, in the order they came.
    ///
    /// # Panics
    /// When none comes.
    pub async fn next(&mut self) -> Value {
        self.take("any message", |_| true).await
    }

    /// Forgets what was not taken.
    pub fn forget(&mut self) {
        self.seen.clear();
    }

    /// Takes the first message that fits, waiting for it. Others are kept in their order.
    async fn take(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(place) = self.seen.iter().position(&fits) {
            return self.seen.remove(place).unwrap_or_default();
        }
        loop {
            let next = tokio::time::timeout(PATIENCE, self.wire.next()).await;
            let Ok(Some(bytes)) = next else {
                panic!("waited for {what}; what came: {:#?}", self.seen);
            };
            let message: Value = serde_json::from_slice(&bytes).expect("the daemon speaks JSON");
            if fits(&message) {
                return message;
            }
            self.seen.push_back(message);
        }
    }
}
