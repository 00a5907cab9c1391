//! Opens the doors and waits for a reason to close them.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::net::AddressFamily;
use tokio_util::sync::CancellationToken;

use super::args::{AuthOptions, Listen, ServerOptions};
use super::build::Daemon;
use super::error::StartError;
use super::guard;
use super::home;
use super::service::Service;
use super::shutdown;
use super::signals::Signals;
use crate::transport::Via;
use crate::transport::auth::Guard;
use crate::transport::stdio;
use crate::transport::unix::UnixDoor;
use crate::transport::ws::{self, TcpDoor, Visitors};

/// Runs the daemon until a signal, the end of its input or the lack of clients ends it.
///
/// # Errors
/// When a place to listen cannot be had; then nothing was served.
pub(crate) async fn run(options: ServerOptions, mut service: Service) -> Result<(), StartError> {
    let mut signals = Signals::of_process()?;
    let daemon = Daemon::build(&options);
    let mut doors = Doors::open(&daemon, &options, service.take_sockets()).await?;
    service.ready();
    let life = async {
        let end = tokio::select! {
            end = doors.wait(&daemon, &mut signals) => end,
            () = is_unused(&daemon, options.idle_exit) => End::Unused,
        };
        service.stopping();
        shutdown::run(&daemon, &doors, end, &mut signals).await;
    };
    // Turns may take their time to end: signs of life go on until all is over.
    tokio::select! {
        () = life => {}
        () = service.watch() => {}
    }
    Ok(())
}

/// Why the daemon ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// A signal with this name.
    Signal(&'static str),
    /// Standard input has ended, or standard output is broken, and nobody else is there.
    Input,
    /// There was no client and no turn for long enough.
    Unused,
}

/// Waits until there was no client and no turn for this long; for ever when nobody says how long.
async fn is_unused(daemon: &Daemon, after: Option<Duration>) {
    let Some(after) = after else { return std::future::pending().await };
    loop {
        daemon.clients().all_gone().await;
        daemon.engine().quiet().await;
        tokio::select! {
            () = tokio::time::sleep(after) => {
                if daemon.engine().running_turns() == 0 {
                    return;
                }
            }
            () = daemon.clients().any_came() => {}
        }
    }
}

/// The places where clients come in.
pub(crate) struct Doors {
    /// The connection over standard input and output.
    stdio: Option<tokio::task::JoinHandle<()>>,
    /// How many listeners there are.
    pub(super) listeners: usize,
    /// Cancelled to accept no more connections.
    pub(crate) accepting: CancellationToken,
    /// Looks at the tokens of those who come over TCP.
    guard: Option<Arc<Guard>>,
    /// The sockets that a service manager listens on for us.
    handed: Vec<PathBuf>,
}

impl Doors {
    /// No places yet.
    ///
    /// # Errors
    /// When the options about tokens do not fit.
    pub(crate) fn new(auth: &AuthOptions) -> Result<Self, StartError> {
        Ok(Self {
            stdio: None,
            listeners: 0,
            accepting: CancellationToken::new(),
            guard: guard::of(auth)?.map(Arc::new),
            handed: Vec::new(),
        })
    }

    async fn open(
        daemon: &Daemon,
        options: &ServerOptions,
        handed: Vec<OwnedFd>,
    ) -> Result<Self, StartError> {
        let mut doors = Self::new(&options.auth)?;
        let listen = match options.listen.as_slice() {
            [] if handed.is_empty() => &[Listen::Stdio],
            some => some,
        };
        for socket in handed {
            doors.take_over(daemon, socket)?;
        }
        for place in listen {
            match place {
                Listen::Stdio if doors.stdio.is_none() => doors.open_stdio(daemon)?,
                Listen::Stdio | Listen::Off => {}
                place => drop(doors.open_place(daemon, place).await?),
            }
        }
        if doors.stdio.is_none() && doors.listeners == 0 {
            return Err(StartError::NoTransport);
        }
        Ok(doors)
    }

    /// Listens at a place and gives the address that clients use; none for places that are no
    /// sockets, and for one that is listened on already.
    pub(crate) async fn open_place(
        &mut self,
        daemon: &Daemon,
        place: &Listen,
    ) -> Result<Option<String>, StartError> {
        match place {
            Listen::Stdio | Listen::Off => Ok(None),
            Listen::WebSocket(address) => {
                self.admit(*address)?;
                let door = TcpDoor::bind(*address).await;
                let door = door.map_err(StartError::web_socket(*address))?;
                self.serve_tcp(daemon, door, *address).map(Some)
            }
            Listen::Unix(path) => {
                let usual = || home::control_socket(daemon.engine().home());
                let path = path.clone().unwrap_or_else(usual);
                if self.handed.contains(&path) {
                    return Ok(None);
                }
                let door = UnixDoor::bind(&path)?;
                Ok(Some(self.serve_unix(daemon, door, &path)))
            }
        }
    }

    fn open_stdio(&mut self, daemon: &Daemon) -> Result<(), StartError> {
        let (inlet, outlet) = stdio::open().map_err(StartError::Stdio)?;
        self.stdio = Some(daemon.host(inlet, outlet, Via::Stdio));
        Ok(())
    }

    /// Serves a socket that somebody else listens on for us.
    fn take_over(&mut self, daemon: &Daemon, socket: OwnedFd) -> Result<(), StartError> {
        let name = rustix::net::getsockname(&socket).map_err(|e| StartError::Handed(e.into()))?;
        if name.address_family() == AddressFamily::UNIX {
            let (door, path) = UnixDoor::of(socket)?;
            self.serve_unix(daemon, door, &path);
            self.handed.push(path);
        } else {
            let door = TcpDoor::of(socket).map_err(StartError::Handed)?;
            let address = door.address().map_err(StartError::Handed)?;
            self.admit(address)?;
            self.serve_tcp(daemon, door, address)?;
        }
        Ok(())
    }

    /// Refuses an address at which everybody on the network could come in.
    fn admit(&self, address: SocketAddr) -> Result<(), StartError> {
        if self.guard.is_none() && !address.ip().is_loopback() {
            return Err(StartError::Unprotected(address));
        }
        Ok(())
    }

    fn serve_tcp(
        &mut self,
        daemon: &Daemon,
        door: TcpDoor,
        address: SocketAddr,
    ) -> Result<String, StartError> {
        let real = door.address().map_err(StartError::web_socket(address))?;
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
        let visitors = Visitors::Programs { guard: self.guard.clone() };
        self.listen(ws::serve(door, visitors, daemon.clone(), self.accepting.clone()));
        Ok(format!("ws://{real}"))
    }

    fn serve_unix(&mut self, daemon: &Daemon, door: UnixDoor, path: &Path) -> String {
        spindle_engine::hide_from_commands(path.to_owned());
        let place = format!("unix://{}", path.display());
        announce(&format!("spindle app-server (Unix socket)\n  listening on: {place}\n"));
        self.listen(ws::serve(door, Visitors::All, daemon.clone(), self.accepting.clone()));
        place
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
