//! Entry points: the daemon as a process, and within another program.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use spindle_engine::Workbench;

use crate::daemon::{self, AuthOptions, Daemon, Doors, Listen, ServerOptions, Service, StartError};
use crate::transport::memory::MemoryClient;

/// How many threads serve clients. The main thread and the store's writer come on top.
const WORKERS: usize = 2;
/// How long a daemon within another program has for its end.
const GRACE: Duration = Duration::from_millis(1500);

/// Runs the daemon to its end: what `spindle app-server` does.
///
/// Writes logs and faults to standard error, and the protocol alone to standard output.
pub fn run(options: ServerOptions) -> ExitCode {
    daemon::install_log();
    match serve(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let error = anyhow::Error::from(error);
            // There is nowhere else to say it.
            let _ = writeln!(io::stderr(), "Error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn serve(options: ServerOptions) -> Result<(), StartError> {
    let service = Service::of_process()?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(WORKERS).enable_all().build()?;
    let result = runtime.block_on(daemon::run(options, service));
    // What is still going on, a read that nobody waits for any more, must not hold up the end.
    runtime.shutdown_background();
    result
}

/// A daemon within this process.
///
/// Dropping it without [`Hosted::stop`] leaves running turns to be found as interrupted later.
pub struct Hosted {
    daemon: Daemon,
    doors: Doors,
}

impl Hosted {
    /// Connects a further client.
    pub fn connect(&self) -> MemoryClient {
        self.daemon.connect()
    }

    /// Lets further clients in at a place; gives the address that they use, or none when the
    /// place is no socket.
    ///
    /// # Errors
    /// When it cannot be listened on.
    pub async fn listen(&mut self, place: &Listen) -> Result<Option<String>, StartError> {
        self.doors.open_place(&self.daemon, place).await
    }

    /// Ends the daemon: turns are interrupted, what is open is written, processes end.
    pub async fn stop(self) {
        self.doors.accepting.cancel();
        self.daemon.shut_down(GRACE).await;
    }
}

/// Starts a daemon within this process, and connects a client to it.
///
/// Must be called within a tokio runtime. `listen`, `auth` and `idle_exit` of the options do not
/// count; further clients come in by [`Hosted::listen`].
pub async fn in_process(options: ServerOptions) -> (MemoryClient, Hosted) {
    let daemon = Daemon::build(&options);
    let doors = Doors::new(&AuthOptions::default()).expect("no options about tokens always fit");
    (daemon.connect(), Hosted { daemon, doors })
}

/// Makes ready the settings, rules and sandbox of this machine, for commands that a person starts
/// by hand. No daemon is started. `listen` and `auth` of the options do not count.
pub fn workbench(options: &ServerOptions) -> Workbench {
    daemon::workbench(options)
}

#[cfg(test)]
mod tests;
