//! What can go wrong between a client and a daemon.

use std::io;
use std::path::PathBuf;

use serde_json::Value;

/// Why a daemon could not be reached or talked to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The text names no place where a daemon can be.
    #[error("`{text}` is no address: use ws://HOST:PORT, unix://PATH or unix://")]
    BadAddress {
        /// The text as it was given.
        text: String,
    },
    /// Nobody answers there.
    #[error("failed to connect to {place}")]
    Connect {
        /// The address.
        place: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Somebody answers, but not as a daemon does.
    #[error("{place} refused the websocket")]
    Upgrade {
        /// The address.
        place: String,
        /// Why.
        #[source]
        source: Box<tokio_tungstenite::tungstenite::Error>,
    },
    /// The daemon's program did not start.
    #[error("failed to start {}", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The connection broke.
    #[error("the connection to the daemon broke")]
    Broken(#[source] io::Error),
    /// The daemon ended the connection.
    #[error("the daemon closed the connection")]
    Closed,
    /// The daemon refused a request.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The daemon's answer has another form than the method promises.
    #[error("{method}: the answer cannot be read")]
    BadAnswer {
        /// The method.
        method: &'static str,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
}

/// A request that the daemon refused.
///
/// Shape: `thread/resume: no rollout found for thread id … (code -32600)`.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{method}: {message} (code {code})")]
pub(crate) struct CallError {
    /// The method that was asked for.
    pub(crate) method: &'static str,
    /// The code of JSON-RPC.
    pub(crate) code: i64,
    /// For a person.
    pub(crate) message: String,
    /// For a program.
    pub(crate) data: Option<Value>,
}
