//! A daemon in this process, for clients that were told of no other.

use spindle_server::{Hosted, ServerOptions};

use crate::args::Shared;
use crate::client::Wire;

/// What the daemon is for. It is written into the threads it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// One prompt.
    Exec,
    /// A person at a terminal.
    Terminal,
}

/// A daemon that runs in this process.
pub(crate) struct Host(Hosted);

/// Starts a daemon and gives the client's end of a connection to it.
pub(crate) async fn start(shared: &Shared, purpose: Purpose) -> (Wire, Host) {
    let options = ServerOptions {
        config_overrides: shared.config.clone(),
        features: shared.features(),
        is_exec: purpose == Purpose::Exec,
        ..ServerOptions::default()
    };
    let (client, hosted) = spindle_server::in_process(options).await;
    let (sender, receiver) = client.split();
    (Wire::Memory { sender, receiver }, Host(hosted))
}

impl Host {
    /// Ends the daemon: turns are interrupted, what is open is written, processes end.
    pub(crate) async fn stop(self) {
        self.0.stop().await;
    }
}
