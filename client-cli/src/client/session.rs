//! A conversation with a daemon: requests and answers, and what it says unasked.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use spindle_schema::envelope::{
    self, Dialect, Envelope, ErrorObject, write_error, write_request, write_result,
};
use spindle_schema::ids::RequestId;
use spindle_schema::methods::{Request, ServerNotification, ServerRequest};
use spindle_schema::v2::{
    AbsolutePathBuf, ClientInfo, InitializeCapabilities, InitializeParams, InitializeResponse,
};

use super::{CallError, Error, Wire};

/// The code of JSON-RPC for a method that the other side does not have.
const METHOD_NOT_FOUND: i64 = -32601;

/// How a client introduces itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client {
    /// The name that daemons and providers see.
    pub(crate) name: &'static str,
    /// The name for people.
    pub(crate) title: &'static str,
}

/// Something the daemon said without being asked.
#[derive(Debug, Clone)]
pub(crate) enum Heard {
    /// A notification.
    Said(ServerNotification),
    /// A question, to be answered under its id.
    Asked(RequestId, ServerRequest),
}

/// One initialised connection.
///
/// Whatever arrives while a request waits for its answer is kept, in order, for [`Session::next`].
pub(crate) struct Session {
    wire: Wire,
    next_id: i64,
    /// What was heard while a request waited.
    held: VecDeque<Heard>,
    /// What the daemon said of itself.
    about: InitializeResponse,
}

/// What a text from the daemon turned out to be.
enum Incoming {
    Answer(i64, Result<Box<RawValue>, Refusal>),
    Heard(Heard),
    /// A question that this client does not know, to be refused.
    Unknown(RequestId, String),
    /// Nothing that a client needs.
    Noise,
}

/// The error of an answer.
#[derive(Deserialize)]
struct Refusal {
    code: i64,
    message: String,
    data: Option<Value>,
}

impl Session {
    /// Greets the daemon at the other end of the wire.
    pub(crate) async fn open(wire: Wire, client: Client) -> Result<Self, Error> {
        let about = InitializeResponse {
            user_agent: String::new(),
            codex_home: AbsolutePathBuf(String::new()),
            platform_family: String::new(),
            platform_os: String::new(),
        };
        let mut session = Self { wire, next_id: 1, held: VecDeque::new(), about };
        let params = InitializeParams {
            client_info: ClientInfo {
                name: client.name.to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                title: Some(client.title.to_owned()),
            },
            capabilities: Some(InitializeCapabilities {
                experimental_api: true,
                ..InitializeCapabilities::default()
            }),
        };
        session.about = session.call(&params).await?;
        session.send(br#"{"method":"initialized"}"#.to_vec()).await?;
        Ok(session)
    }

    /// What the daemon said of itself.
    pub(crate) fn about(&self) -> &InitializeResponse {
        &self.about
    }

    /// Asks and waits for the answer.
    ///
    /// # Errors
    /// [`Error::Call`] when the daemon refuses; the other kinds end the session.
    pub(crate) async fn call<R: Request>(&mut self, params: &R) -> Result<R::Result, Error> {
        let id = self.next_id;
        self.next_id += 1;
        let mut text = Vec::new();
        write_request(&mut text, Dialect::Bare, &RequestId::Integer(id), R::METHOD, params);
        self.send(text).await?;
        loop {
            match self.receive().await? {
                Incoming::Answer(answered, result) if answered == id => {
                    let raw = result.map_err(|refusal| refusal.of(R::METHOD))?;
                    return serde_json::from_str(raw.get()).map_err(bad_answer::<R>);
                }
                other => self.keep(other).await?,
            }
        }
    }

    /// Waits for the next thing that the daemon says unasked; nothing when it is gone.
    ///
    /// Cancel safe: what was heard is either given out or kept for the next call.
    pub(crate) async fn next(&mut self) -> Result<Option<Heard>, Error> {
        loop {
            if let Some(heard) = self.held.pop_front() {
                return Ok(Some(heard));
            }
            match self.receive().await {
                Ok(incoming) => self.keep(incoming).await?,
                Err(Error::Closed) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }

    /// What was heard while requests waited, without waiting for more.
    pub(crate) fn take_heard(&mut self) -> Vec<Heard> {
        self.held.drain(..).collect()
    }

    /// Answers a question.
    pub(crate) async fn answer<T: Serialize>(
        &mut self,
        id: RequestId,
        answer: &T,
    ) -> Result<(), Error> {
        let mut text = Vec::new();
        write_result(&mut text, Dialect::Bare, &id, answer);
        self.send(text).await
    }

    /// Refuses a question, so that nobody waits for an answer that will never come.
    pub(crate) async fn refuse(&mut self, id: RequestId, message: &str) -> Result<(), Error> {
        let error = ErrorObject { code: METHOD_NOT_FOUND, message, data: None };
        let mut text = Vec::new();
        write_error(&mut text, Dialect::Bare, Some(&id), error);
        self.send(text).await
    }

    /// Says goodbye.
    pub(crate) async fn close(self) {
        self.wire.close().await;
    }

    async fn keep(&mut self, incoming: Incoming) -> Result<(), Error> {
        match incoming {
            Incoming::Heard(heard) => self.held.push_back(heard),
            Incoming::Unknown(id, method) => {
                self.refuse(id, &format!("this client does not answer `{method}`")).await?;
            }
            Incoming::Answer(..) | Incoming::Noise => {}
        }
        Ok(())
    }

    async fn send(&mut self, text: Vec<u8>) -> Result<(), Error> {
        self.wire.send(text).await.map_err(Error::Broken)
    }

    async fn receive(&mut self) -> Result<Incoming, Error> {
        let text = self.wire.receive().await.map_err(Error::Broken)?.ok_or(Error::Closed)?;
        Ok(read(&text))
    }
}

/// Sorts a text from the daemon. What cannot be read is noise: one odd line ends no session.
fn read(text: &[u8]) -> Incoming {
    let message = match Envelope::parse(text) {
        Ok(envelope) => envelope.message,
        Err(error) => {
            tracing::debug!(%error, "unreadable text from the daemon");
            return Incoming::Noise;
        }
    };
    match message {
        envelope::Incoming::Request { id, method, params, .. } => {
            match ServerRequest::parse(&method, params) {
                Ok(request) => Incoming::Heard(Heard::Asked(id, request)),
                Err(_) => Incoming::Unknown(id, method.into_owned()),
            }
        }
        envelope::Incoming::Notification { method, params } => {
            match ServerNotification::parse(&method, params) {
                Ok(notification) => Incoming::Heard(Heard::Said(notification)),
                Err(error) => {
                    tracing::debug!(%method, %error, "notification ignored");
                    Incoming::Noise
                }
            }
        }
        envelope::Incoming::Response { id: RequestId::Integer(id), result } => {
            Incoming::Answer(id, Ok(result.to_owned()))
        }
        envelope::Incoming::Error { id: RequestId::Integer(id), error } => {
            let refusal = serde_json::from_str(error.get()).unwrap_or_else(|_| Refusal {
                code: 0,
                message: error.get().to_owned(),
                data: None,
            });
            Incoming::Answer(id, Err(refusal))
        }
        envelope::Incoming::Response { .. } | envelope::Incoming::Error { .. } => Incoming::Noise,
    }
}

impl Refusal {
    fn of(self, method: &'static str) -> CallError {
        CallError { method, code: self.code, message: self.message, data: self.data }
    }
}

fn bad_answer<R: Request>(source: serde_json::Error) -> Error {
    Error::BadAnswer { method: R::METHOD, source }
}

#[cfg(test)]
mod tests;
