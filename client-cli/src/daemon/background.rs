//! The process in the background: who it is, how it starts and how it ends.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::FlockOperation;
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use tokio::net::UnixDatagram;
use tokio::process::{Child, Command};

/// How long a daemon may take until clients can come.
const START: Duration = Duration::from_secs(20);
/// How long it may take to end: running turns may go on for a minute.
const END: Duration = Duration::from_secs(70);
/// How long it may take to end when it was told twice.
const SECOND_END: Duration = Duration::from_secs(10);

/// The files of a daemon of one home.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// Where it listens.
    pub(super) socket: PathBuf,
}

impl Place {
    fn beside(&self, name: &str) -> PathBuf {
        self.socket.with_file_name(name)
    }

    /// What it says of itself.
    pub(super) fn log(&self) -> PathBuf {
        self.beside("daemon.log")
    }

    /// Waits until nobody else starts or ends the daemon; held until the file is dropped.
    pub(super) fn take_turn(&self) -> anyhow::Result<File> {
        if let Some(folder) = self.socket.parent() {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.with_context(|| format!("failed to make {}", folder.display()))?;
        }
        let path = self.beside("daemon.lock");
        let file = open(&path).with_context(|| format!("failed to open {}", path.display()))?;
        rustix::fs::flock(&file, FlockOperation::LockExclusive)
            .with_context(|| format!("failed to lock {}", path.display()))?;
        Ok(file)
    }

    /// The daemon that listens; none when nobody holds the socket's lock.
    ///
    /// # Errors
    /// When somebody holds the lock and does not say who.
    pub(super) fn find(&self) -> anyhow::Result<Option<Daemon>> {
        let mut path = self.socket.clone().into_os_string();
        path.push(".lock");
        let path = PathBuf::from(path);
        let Ok(mut file) = File::open(&path) else { return Ok(None) };
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockShared) {
            Ok(()) => return Ok(None),
            Err(Errno::WOULDBLOCK) => {}
            Err(error) => return Err(error).context("failed to look at the daemon's lock"),
        }
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let pid = text.trim().parse().ok().and_then(Pid::from_raw);
        let Some(pid) = pid else { bail!("{} does not say who holds it", path.display()) };
        let handle = pidfd_open(pid, PidfdFlags::NONBLOCK);
        Ok(handle.ok().map(|handle| Daemon { pid, handle }))
    }

    /// Starts this program as a daemon and waits until clients can come.
    ///
    /// # Errors
    /// When it ends instead or takes too long; then no process is left.
    pub(super) async fn start(&self, arguments: &[String]) -> anyhow::Result<u32> {
        let ready = Ready::listen(&self.beside(&format!("start-{}.sock", std::process::id())))?;
        let log = open(&self.log()).and_then(|log| log.set_len(0).map(|()| log));
        let log = log.context("failed to open the daemon's log")?;
        let mut child = spawn(arguments, &ready.path, log)?;
        let pid = child.id().context("the daemon ended at once")?;
        let fate = tokio::select! {
            fate = ready.wait() => fate.map(|()| None),
            end = child.wait() => end.map(Some),
            () = tokio::time::sleep(START) => Err(io::ErrorKind::TimedOut.into()),
        };
        match fate {
            Ok(None) => Ok(pid),
            Ok(Some(status)) => bail!("{}", self.last_words(status)),
            Err(error) => {
                // It must not come up later, when nobody expects it.
                let _ = child.kill().await;
                Err(error).context("the daemon was not ready in time and was ended")
            }
        }
    }

    fn last_words(&self, status: ExitStatus) -> String {
        let log = fs::read_to_string(self.log()).unwrap_or_default();
        let words = log.trim().trim_start_matches("Error: ");
        format!("the daemon ended with {status}: {words}")
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a frontend starts its daemon; spindle-exec is the daemon's own hands"
)]
fn spawn(arguments: &[String], ready: &Path, log: File) -> anyhow::Result<Child> {
    let program = std::env::current_exe().context("failed to find this program")?;
    let folder = std::env::var_os("HOME").map(PathBuf::from).filter(|folder| folder.is_dir());
    Command::new(&program)
        .args(["app-server", "--detach", "--listen", "unix://"])
        .args(arguments)
        .env("NOTIFY_SOCKET", ready)
        .env_remove("WATCHDOG_USEC")
        .current_dir(folder.unwrap_or_else(|| "/".into()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .with_context(|| format!("failed to start {}", program.display()))
}

/// Where a daemon says that clients can come.
struct Ready {
    socket: UnixDatagram,
    path: PathBuf,
}

impl Ready {
    fn listen(path: &Path) -> anyhow::Result<Self> {
        let path = std::path::absolute(path)?;
        let socket = UnixDatagram::bind(&path);
        let socket = socket.with_context(|| format!("failed to listen on {}", path.display()))?;
        Ok(Self { socket, path })
    }

    async fn wait(&self) -> io::Result<()> {
        let mut text = [0; 256];
        loop {
            let len = self.socket.recv(&mut text).await?;
            if text[..len].starts_with(b"READY=1") {
                return Ok(());
            }
        }
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        // A name that stays harms nobody.
        let _ = fs::remove_file(&self.path);
    }
}

/// A daemon that runs.
#[derive(Debug)]
pub(super) struct Daemon {
    /// Its process.
    pub(super) pid: Pid,
    /// The process itself, whatever becomes of its number.
    handle: OwnedFd,
}

impl Daemon {
    /// Ends it: running turns may end first, unless it is to end now.
    pub(super) fn stop(self, now: bool) -> anyhow::Result<()> {
        let rounds = [
            (Signal::TERM, if now { Duration::ZERO } else { END }),
            (Signal::TERM, SECOND_END),
            (Signal::KILL, SECOND_END),
        ];
        for (signal, patience) in rounds {
            match pidfd_send_signal(&self.handle, signal) {
                Ok(()) => {}
                Err(Errno::SRCH) => return Ok(()),
                Err(error) => return Err(error).context("failed to signal the daemon"),
            }
            if self.has_ended(patience)? {
                return Ok(());
            }
        }
        bail!("process {} does not end", self.pid.as_raw_nonzero())
    }

    /// Waits until the process has ended, this long at most.
    fn has_ended(&self, patience: Duration) -> anyhow::Result<bool> {
        let patience = Timespec::try_from(patience).context("a patience of minutes fits")?;
        let mut ended = [PollFd::new(&self.handle, PollFlags::IN)];
        let count = poll(&mut ended, Some(&patience)).context("failed to wait for the daemon")?;
        Ok(count > 0)
    }
}
