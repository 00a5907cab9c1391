//! What the system tells the process to do.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that end the daemon.
#[derive(Debug)]
pub(super) struct Signals {
    /// `kill`, service managers.
    term: Signal,
    /// Ctrl-C.
    int: Signal,
    /// The terminal is gone.
    hup: Signal,
}

impl Signals {
    /// Takes the signals over from the system's default, which would end the process at once.
    pub(super) fn of_process() -> io::Result<Self> {
        Ok(Self {
            term: signal(SignalKind::terminate())?,
            int: signal(SignalKind::interrupt())?,
            hup: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next one; gives its name.
    ///
    /// Cancel safety: a dropped wait loses nothing.
    pub(super) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.term.recv() => "SIGTERM",
            _ = self.int.recv() => "SIGINT",
            _ = self.hup.recv() => "SIGHUP",
        }
    }
}
