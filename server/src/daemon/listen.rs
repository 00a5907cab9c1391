//! Opens the doors and waits for a reason to close them.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::args::{Listen, ServerOptions};
use super::build::Daemon;
use super::error::StartError;
use super::guard;
use super::home;
use super::shutdown;
use super::signals::Signals;
use crate::rpc::Limits;
use crate::transport::auth::Guard;
use crate::transport::stdio;
use crate::transport::unix::UnixDoor;
use crate::transport::ws::{self, TcpDoor, Visitors};

/// Runs the daemon until a signal or the end of its input ends it.
///
/// # Errors
/// When a place to listen cannot be had; then nothing was served.
pub(crate) async fn run(options: ServerOptions) -> Result<(), StartError> {
    let mut signals = Signals::of_process()?;
    let daemon = Daemon::build(&options);
    let mut doors = Doors::open(&daemon, &options).await?;
    let end = doors.wait(&daemon, &mut signals).await;
    shutdown::run(&daemon, &doors, end, &mut signals).await;
    Ok(())
}

/// Why the daemon ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// A signal with this name.
    Signal(&'static str),
    /// Standard input has ended, or standard output is broken, and nobody else is there.
    Input,
}

/// The places where clients come in.
pub(super) struct Doors {
    /// The connection over standard input and output.
    stdio: Option<tokio::task::JoinHandle<()>>,
    /// How many listeners there are.
    pub(super) listeners: usize,
    /// Cancelled to accept no more connections.
    pub(super) accepting: CancellationToken,
}

impl Doors {
    async fn open(daemon: &Daemon, options: &ServerOptions) -> Result<Self, StartError> {
        let guard = guard::of(&options.auth)?.map(Arc::new);
        let mut doors = Self { stdio: None, listeners: 0, accepting: CancellationToken::new() };
        let listen = match options.listen.as_slice() {
            [] => &[Listen::Stdio],
            some => some,
        };
        for place in listen {
            match place {
                Listen::Stdio if doors.stdio.is_none() => doors.open_stdio(daemon)?,
                Listen::Stdio | Listen::Off => {}
                Listen::WebSocket(address) => {
                    doors.open_tcp(daemon, *address, guard.clone()).await?;
                }
                Listen::Unix(path) => {
                    let path = path
                        .clone()
                        .unwrap_or_else(|| home::control_socket(daemon.engine().home()));
                    doors.open_unix(daemon, &path)?;
                }
            }
        }
        if doors.stdio.is_none() && doors.listeners == 0 {
            return Err(StartError::NoTransport);
        }
        Ok(doors)
    }

    fn open_stdio(&mut self, daemon: &Daemon) -> Result<(), StartError> {
        let (inlet, outlet) = stdio::open().map_err(StartError::Stdio)?;
        self.stdio = Some(daemon.host(inlet, outlet, Limits::SOLE));
        Ok(())
    }

    async fn open_tcp(
        &mut self,
        daemon: &Daemon,
        address: SocketAddr,
        guard: Option<Arc<Guard>>,
    ) -> Result<(), StartError> {
        if guard.is_none() && !address.ip().is_loopback() {
            return Err(StartError::Unprotected(address));
        }
        let failed = |source| StartError::WebSocket { address, source };
        let door = TcpDoor::bind(address).await.map_err(failed)?;
        let real = door.address().map_err(failed)?;
        spindle_engine::hide_address_from_commands(real);
        let reach = if address.ip().is_loopback() {
            "binds localhost only (use SSH port-forwarding for remote access)"
        } else {
            "reachable from the network, not encrypted"
        };
        announce(&format!(
            "spindle app-server (WebSockets)\n  listening on: ws://{real}\n  readyz: http://{real}/readyz\n  \
             healthz: http://{real}/healthz\n  \
             note: {reach}\n"
        ));
        self.listen(ws::serve(
            door,
            Visitors::Programs { guard },
            daemon.clone(),
            self.accepting.clone(),
        ));
        Ok(())
    }

    fn open_unix(&mut self, daemon: &Daemon, path: &std::path::Path) -> Result<(), StartError> {
        let door = UnixDoor::bind(path)?;
        spindle_engine::hide_from_commands(path.to_owned());
        announce(&format!(
            "spindle app-server (Unix socket)\n  listening on: unix://{}\n",
            path.display()
        ));
        self.listen(ws::serve(door, Visitors::All, daemon.clone(), self.accepting.clone()));
        Ok(())
    }

    fn listen(&mut self, serving: impl Future<Output = io::Result<()>> + Send + 'static) {
        self.listeners += 1;
        tokio::spawn(async move {
            if let Err(error) = serving.await {
                tracing::error!(%error, "a listener failed");
            }
        });
    }

    /// Waits for a reason to end.
    async fn wait(&mut self, daemon: &Daemon, signals: &mut Signals) -> End {
        let input_ended = async {
            match &mut self.stdio {
                // How the connection ended was told where it ended.
                Some(connection) => drop(connection.await),
                None => std::future::pending().await,
            }
            if self.listeners > 0 {
                daemon.clients().all_gone().await;
            }
        };
        tokio::select! {
            () = input_ended => End::Input,
            name = signals.next() => End::Signal(name),
        }
    }
}

/// Tells whoever started the daemon where it listens. Standard output belongs to the protocol.
fn announce(text: &str) {
    // Nobody has to read it.
    let _ = io::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests;
