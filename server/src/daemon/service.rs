//! What the daemon and its service manager tell each other: systemd's protocol.
//!
//! Sockets that the manager listens on come as files from number 3 on. What the daemon says goes
//! as a datagram to a Unix socket.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{OwnedFd, RawFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use super::error::StartError;

/// What the manager says, in the daemon's environment. Commands are not told.
pub(super) const VARIABLES: [&str; 6] = [
    "NOTIFY_SOCKET",
    "WATCHDOG_USEC",
    "WATCHDOG_PID",
    "LISTEN_FDS",
    "LISTEN_PID",
    "LISTEN_FDNAMES",
];
/// The number of the first socket that is handed over.
const FIRST_SOCKET: RawFd = 3;

/// A service manager, or none.
#[derive(Debug, Default)]
pub(crate) struct Service {
    /// Where it listens.
    manager: Option<SocketAddr>,
    /// How often it wants to hear that all is well.
    watchdog: Option<Duration>,
    /// How many sockets it hands over.
    promised: usize,
    /// Those that were taken.
    sockets: Vec<OwnedFd>,
}

impl Service {
    /// The manager of this process. To be called once, and before anything opens files: sockets
    /// that are handed over are known by their numbers.
    ///
    /// # Errors
    /// When fewer sockets came than were promised.
    pub(crate) fn of_process() -> Result<Self, StartError> {
        let mut service = Self::of(|name| std::env::var_os(name));
        let sockets = (FIRST_SOCKET..).take(service.promised).map(spindle_engine::take_inherited);
        service.sockets = sockets.collect::<io::Result<_>>().map_err(StartError::Handed)?;
        Ok(service)
    }

    /// Reads what the environment says; to this process, where it names one.
    fn of(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let number = |name| variable(name).and_then(|text| text.to_str()?.trim().parse().ok());
        let is_ours =
            |name| number(name).is_none_or(|pid: u64| pid == u64::from(std::process::id()));
        let manager = variable("NOTIFY_SOCKET").and_then(|name| address(&name));
        let watchdog = number("WATCHDOG_USEC").filter(|&micros| micros > 0);
        // Without a process to name, sockets may be meant for whoever started us.
        let has_sockets = variable("LISTEN_PID").is_some() && is_ours("LISTEN_PID");
        Self {
            watchdog: watchdog
                .filter(|_| manager.is_some() && is_ours("WATCHDOG_PID"))
                .map(Duration::from_micros),
            manager,
            promised: number("LISTEN_FDS").filter(|_| has_sockets).unwrap_or(0) as usize,
            sockets: Vec::new(),
        }
    }

    /// The sockets that were handed over.
    pub(super) fn take_sockets(&mut self) -> Vec<OwnedFd> {
        std::mem::take(&mut self.sockets)
    }

    /// Clients can come.
    pub(super) fn ready(&self) {
        self.tell("READY=1");
    }

    /// The end has begun.
    pub(super) fn stopping(&self) {
        self.tell("STOPPING=1");
    }

    /// Says that all is well, twice as often as is asked for; never comes back. Nothing ticks
    /// unless it is asked for.
    pub(super) async fn watch(&self) {
        let Some(interval) = self.watchdog else { return std::future::pending().await };
        loop {
            tokio::time::sleep(interval / 2).await;
            self.tell("WATCHDOG=1");
        }
    }

    fn tell(&self, text: &str) {
        let Some(manager) = &self.manager else { return };
        let sent = UnixDatagram::unbound()
            .and_then(|socket| socket.send_to_addr(text.as_bytes(), manager));
        if let Err(error) = sent {
            tracing::debug!(%error, text, "the service manager was not told");
        }
    }
}

/// A socket by its name: a path, or a name outside the file system that begins with `@`.
fn address(name: &OsStr) -> Option<SocketAddr> {
    match name.as_bytes() {
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name).ok(),
        [b'/', ..] => SocketAddr::from_pathname(name).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
