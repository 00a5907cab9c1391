//! The subcommands and their line of JSON.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde::Serialize;

use super::background::{Daemon, Place};
use crate::args::Shared;
use crate::client::{Address, Client, Session, connect};
use crate::{home, out};

/// How this client introduces itself.
const CLIENT: Client = Client { name: "spindle-daemon", title: "Spindle daemon" };

/// What to do with the daemon of this home.
#[derive(Debug, Subcommand)]
pub(crate) enum DaemonCommand {
    /// Start it in the background, unless it runs.
    Start(StartArgs),
    /// End it; running turns may end first.
    Stop(StopArgs),
    /// End it and start it again.
    Restart {
        #[command(flatten)]
        start: StartArgs,
        /// Interrupt running turns.
        #[arg(long)]
        now: bool,
    },
    /// Tell whether it runs.
    Status,
    /// Tell its version and that of this program; fails when it does not run.
    Version,
}

/// How the daemon is started.
#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    #[command(flatten)]
    shared: Shared,
    /// Let it end when there was no client and no turn for this long.
    #[arg(long, value_name = "SECONDS")]
    idle_exit: Option<u64>,
}

/// How the daemon is ended.
#[derive(Debug, Args)]
pub(crate) struct StopArgs {
    /// Interrupt running turns.
    #[arg(long)]
    now: bool,
}

impl StartArgs {
    fn words(self, shared: Shared) -> Vec<String> {
        let shared = shared.then(self.shared);
        let mut words = Vec::new();
        let mut add = |name: &str, value: String| words.extend([name.to_owned(), value]);
        for (key, value) in shared.config {
            add("-c", format!("{key}={value}"));
        }
        shared.enable.into_iter().for_each(|feature| add("--enable", feature));
        shared.disable.into_iter().for_each(|feature| add("--disable", feature));
        if let Some(seconds) = self.idle_exit {
            add("--idle-exit", seconds.to_string());
        }
        words
    }
}

/// The line that each subcommand writes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    socket_path: PathBuf,
    cli_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    app_server_version: Option<String>,
}

impl Line {
    fn new(status: &'static str, pid: Option<u32>, place: &Place) -> Self {
        Self {
            status,
            pid,
            socket_path: place.socket.clone(),
            cli_version: env!("CARGO_PKG_VERSION"),
            app_server_version: None,
        }
    }

    /// Adds what the daemon says of itself.
    async fn with_version(mut self) -> Self {
        self.app_server_version = version().await;
        self
    }

    fn print(&self, code: ExitCode) -> anyhow::Result<ExitCode> {
        out::print(&format!("{}\n", serde_json::to_string(self)?))?;
        Ok(code)
    }
}

/// Does what is asked and says what came of it.
pub(crate) async fn run(shared: Shared, command: DaemonCommand) -> anyhow::Result<ExitCode> {
    let place = Place { socket: std::path::absolute(home::control_socket())? };
    match command {
        DaemonCommand::Start(args) => {
            let _turn = place.take_turn()?;
            start(&place, &args.words(shared)).await
        }
        DaemonCommand::Stop(args) => {
            let _turn = place.take_turn()?;
            let stopped = stop(&place, args.now)?;
            let status = if stopped.is_some() { "stopped" } else { "notRunning" };
            Line::new(status, stopped, &place).print(ExitCode::SUCCESS)
        }
        DaemonCommand::Restart { start: args, now } => {
            let _turn = place.take_turn()?;
            stop(&place, now)?;
            start(&place, &args.words(shared)).await
        }
        DaemonCommand::Status => look(&place)?.print(ExitCode::SUCCESS),
        DaemonCommand::Version => {
            let line = look(&place)?;
            match line.pid {
                Some(_) => line.with_version().await.print(ExitCode::SUCCESS),
                None => line.print(ExitCode::FAILURE),
            }
        }
    }
}

async fn start(place: &Place, words: &[String]) -> anyhow::Result<ExitCode> {
    let (status, pid) = match place.find()? {
        Some(daemon) => ("alreadyRunning", number(&daemon)),
        None => ("started", place.start(words).await?),
    };
    Line::new(status, Some(pid), place).with_version().await.print(ExitCode::SUCCESS)
}

/// Ends the daemon, if it runs; gives the number of the process that has ended.
fn stop(place: &Place, now: bool) -> anyhow::Result<Option<u32>> {
    let Some(daemon) = place.find()? else { return Ok(None) };
    let pid = number(&daemon);
    daemon.stop(now)?;
    Ok(Some(pid))
}

/// Whether it runs. Whoever asks is no client: looking does not keep a daemon from ending.
fn look(place: &Place) -> anyhow::Result<Line> {
    Ok(match place.find()? {
        Some(daemon) => Line::new("running", Some(number(&daemon)), place),
        None => Line::new("notRunning", None, place),
    })
}

fn number(daemon: &Daemon) -> u32 {
    daemon.pid.as_raw_nonzero().get().unsigned_abs()
}

/// The daemon's own version, as its user agent tells it; none when it does not answer.
async fn version() -> Option<String> {
    let wire = connect(&Address::ControlSocket, None).await.ok()?;
    let session = Session::open(wire, CLIENT).await.ok()?;
    let version = version_in(&session.about().user_agent).map(str::to_owned);
    session.close().await;
    version
}

/// What stands behind the program's name at the end of a user agent.
fn version_in(user_agent: &str) -> Option<&str> {
    let (_, version) = user_agent.rsplit_once("spindle/")?;
    Some(version.split_whitespace().next().unwrap_or(version))
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn the_version_is_read_from_the_end_of_the_user_agent() {
        let agent = "spindle-daemon/0.171.0 (Debian 12; x86_64) dumb (x; 1) spindle/0.1.0";
        assert_eq!(version_in(agent), Some("0.1.0"));
        assert_eq!(version_in("other/1"), None);
    }
}
