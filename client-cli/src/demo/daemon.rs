//! The daemon of the story: a real process, with a home of its own.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use parking_lot::Mutex;
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::ChildStderr;

use crate::client::{Address, Launch, Wire};

/// How long a daemon may take to say where it listens.
const PATIENCE: Duration = Duration::from_secs(20);

/// The end of the daemon's log, for when something goes wrong.
pub(super) type LogTail = Arc<Mutex<Vec<String>>>;

/// A daemon that serves its standard streams and a WebSocket at once.
pub(super) struct Started {
    /// The connection over its standard streams.
    pub(super) wire: Wire,
    /// Where its WebSocket is.
    pub(super) address: Address,
    /// Its process.
    pub(super) pid: Pid,
    /// What it logged.
    pub(super) log: LogTail,
}

/// Starts this very program as a daemon on a home folder, with the offline stand-in as its
/// provider.
pub(super) async fn start(folder: &Path) -> anyhow::Result<Started> {
    let launch = Launch {
        program: std::env::current_exe().context("failed to find this program")?,
        arguments: [
            "--stdio",
            "--listen",
            "ws://127.0.0.1:0",
            "-c",
            "model_provider=\"offline\"",
            "-c",
            "model=\"spindle-offline\"",
        ]
        .map(str::to_owned)
        .to_vec(),
        environment: vec![
            ("SPINDLE_HOME".to_owned(), folder.join("home").display().to_string()),
            // A login profile may be slow, and is nobody's business here.
            ("HOME".to_owned(), folder.join("user").display().to_string()),
        ],
    };
    let (wire, stderr) = launch.start()?;
    let pid = wire.child_id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    let pid = pid.ok_or_else(|| anyhow!("the daemon ended at once"))?;
    let log = LogTail::default();
    let mut lines = BufReader::new(stderr).lines();
    let address = tokio::time::timeout(PATIENCE, find_address(&mut lines, &log))
        .await
        .context("the daemon does not say where it listens")??;
    tokio::spawn(keep(lines, Arc::clone(&log)));
    Ok(Started { wire, address, pid, log })
}

/// Reads the log up to the line that names the WebSocket.
async fn find_address(
    lines: &mut Lines<BufReader<ChildStderr>>,
    log: &LogTail,
) -> anyhow::Result<Address> {
    while let Some(line) = lines.next_line().await? {
        if let Some((_, address)) = line.split_once("listening on: ") {
            return Ok(Address::parse(address.trim())?);
        }
        log.lock().push(line);
    }
    bail!("the daemon ended before it listened:\n{}", log.lock().join("\n"))
}

/// Reads the log to its end, so that the daemon never waits for a reader.
async fn keep(mut lines: Lines<BufReader<ChildStderr>>, log: LogTail) {
    /// More is not of use in a report.
    const MOST_LINES: usize = 200;
    while let Ok(Some(line)) = lines.next_line().await {
        let mut log = log.lock();
        if log.len() == MOST_LINES {
            log.remove(0);
        }
        log.push(line);
    }
}

/// Ends the daemon as a crash would: it has no chance to write or say anything.
pub(super) fn kill(pid: Pid) -> anyhow::Result<()> {
    kill_process(pid, Signal::KILL).context("failed to kill the daemon")
}

/// Whether a process of this machine was started with these words.
pub(super) fn runs(words: &str) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    processes.flatten().any(|process| {
        let Ok(line) = std::fs::read(process.path().join("cmdline")) else { return false };
        String::from_utf8_lossy(&line).replace('\0', " ").contains(words)
    })
}
