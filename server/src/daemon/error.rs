//! Why the daemon does not start.

use std::io;
use std::net::SocketAddr;

use super::guard::GuardError;
use crate::transport::unix;

/// Why the daemon does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no way for a client to come in.
    #[error("no transport configured; use --listen")]
    NoTransport,
    /// Everybody on the network could come in.
    #[error(
        "refusing to start non-loopback websocket listener {0} without auth; configure \
         `--ws-auth capability-token` or `--ws-auth signed-bearer-token`"
    )]
    Unprotected(SocketAddr),
    /// The options about tokens do not fit.
    #[error(transparent)]
    Guard(#[from] GuardError),
    /// The address cannot be listened on.
    #[error("failed to listen on ws://{address}")]
    WebSocket {
        /// The address.
        address: SocketAddr,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// What a service manager handed over cannot be used.
    #[error("a socket that was handed over cannot be used")]
    Handed(#[source] io::Error),
    /// The socket cannot be listened on.
    #[error(transparent)]
    Unix(#[from] unix::Error),
    /// Standard input or output is closed.
    #[error("standard input and output cannot be used")]
    Stdio(#[source] io::Error),
    /// Signals or the event loop are not available.
    #[error("failed to set up the process")]
    System(#[from] io::Error),
}

impl StartError {
    /// Names the address at which listening failed.
    pub(super) fn web_socket(address: SocketAddr) -> impl Fn(io::Error) -> Self {
        move |source| Self::WebSocket { address, source }
    }
}
