//! A running command: following, writing, resizing, waiting, ending.
//!
//! Each has one task, the pump, which reads what is printed and collects the end. Handles only
//! look at what the pump left for them.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use rustix::process::Signal;
use tokio::io::Interest;
use tokio::net::unix::pipe;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::clearance::{By, Cleared};
use crate::command::{Command, Limits, Stdio};
use crate::error::{SpawnError, WriteError};
use crate::group::{ExitStatus, Group};
use crate::input::Input;
use crate::network::Entrance;
use crate::output::{Capture, Collected, OutputReader};
use crate::pipe::{Pipe, empty_input};
use crate::pty::{self, Pty};
use crate::sandbox::link::{self, Link};
use crate::sandbox::{Mode, SandboxError, Support, Walls};
use crate::spawn::{self, Image};
use crate::watched::{Watched, watch};

mod pump;
#[cfg(test)]
mod tests;

/// A handle to one running command. Clones are cheap and mean the same command.
///
/// When the last one is dropped, the command and all of its process group are killed.
#[derive(Debug, Clone)]
pub struct Process {
    handle: Arc<Handle>,
}

/// What all clones share and the pump does not hold.
#[derive(Debug)]
struct Handle {
    shared: Arc<Shared>,
    /// Tells the pump that nobody is interested any more.
    abandoned: CancellationToken,
    pipes: Mutex<Option<ProtocolPipes>>,
}

/// What the handles and the pump share.
#[derive(Debug)]
struct Shared {
    group: Arc<Group>,
    out: Arc<Capture>,
    /// Standard error, when it is a stream of its own.
    err: Option<Arc<Capture>>,
    input: Input,
    /// Our end of the terminal, when there is one.
    terminal: Option<Arc<Watched>>,
    /// The end, once output was drained.
    status: watch::Sender<Option<ExitStatus>>,
    /// Whether the command is being ended: what is left of its group then goes with it.
    ending: AtomicBool,
    /// Whether somebody still held the output when the command had ended.
    held_open: AtomicBool,
}

/// Standard input and output of a program that speaks a protocol.
#[derive(Debug)]
pub struct ProtocolPipes {
    /// Its standard input. Dropping it closes it.
    pub stdin: pipe::Sender,
    /// Its standard output. It waits for its reader and loses nothing.
    pub stdout: pipe::Receiver,
}

impl Process {
    /// Starts a command.
    ///
    /// Cancel safe: when the future is dropped, the command either never starts or is killed.
    ///
    /// Order: called inside a runtime, which the command does not outlive.
    pub async fn spawn(command: Cleared<Command>) -> Result<Self, SpawnError> {
        if command.value().sandbox.is_sandboxed() {
            let support = Support::detect().await.clone();
            Self::spawn_held(command.into_value(), support, None).await
        } else {
            Self::spawn_free(command).await
        }
    }

    /// Starts a command, held by the means of `support` if its mode wants that.
    ///
    /// Cancel safe and to be called as `spawn`.
    pub async fn spawn_in(
        command: Cleared<Command>,
        support: &Support,
    ) -> Result<Self, SpawnError> {
        if command.value().sandbox.is_sandboxed() {
            Self::spawn_held(command.into_value(), support.clone(), None).await
        } else {
            Self::spawn_free(command).await
        }
    }

    /// Starts a command in a network of its own, and gives the way by which its connections come
    /// out. Whether the mode of the command opens the network does not count: there is no other
    /// way than this one.
    ///
    /// Cancel safe and to be called as `spawn`.
    ///
    /// # Errors
    /// As `spawn`, and [`SandboxError::NotHeld`] for a command that no sandbox holds, and
    /// [`SandboxError::NoOwnNetwork`] where [`Support::own_network`] says that it cannot be.
    pub async fn spawn_apart(command: Cleared<Command>) -> Result<(Self, Entrance), SpawnError> {
        if !command.value().sandbox.is_sandboxed() {
            return Err(SandboxError::NotHeld.into());
        }
        let listener = |source| SpawnError::Resource { what: "a way out of the network", source };
        let (awaited, link) = link::pair().map_err(listener)?;
        let support = Support::detect().await.clone();
        let process = Self::spawn_held(command.into_value(), support, Some(link)).await?;
        let entrance = awaited.take().and_then(Entrance::new).map_err(listener)?;
        Ok((process, entrance))
    }

    async fn spawn_free(command: Cleared<Command>) -> Result<Self, SpawnError> {
        if command.by() == By::Sandbox && command.value().sandbox == Mode::FullAccess {
            return Err(SandboxError::NotHeld.into());
        }
        Self::begin(command.into_value(), None).await
    }

    async fn spawn_held(
        command: Command,
        support: Support,
        link: Option<Link>,
    ) -> Result<Self, SpawnError> {
        // Looks at many paths, some of which may be far away.
        let planned = tokio::task::spawn_blocking(move || {
            let walls = support.confine(&command, link)?;
            Ok::<_, SpawnError>((command, walls))
        });
        let (command, walls) = planned.await.map_err(|stopped| SpawnError::Resource {
            what: "a plan of the sandbox",
            source: stopped.into(),
        })??;
        Self::begin(command, walls).await
    }

    async fn begin(command: Command, walls: Option<Walls>) -> Result<Self, SpawnError> {
        let ends = Ends::open(command.stdio)
            .map_err(|source| SpawnError::Resource { what: "the standard streams", source })?;
        let image = Image::new(&command, ends.childs, walls)?;
        let group = spawn::start(image).await?;
        ends.ours
            .attach(group, command.limits)
            .map_err(|source| SpawnError::Resource { what: "the standard streams", source })
    }

    /// Returns the process id of the command, or of the process that guards it in a sandbox.
    pub fn pid(&self) -> u32 {
        self.handle.shared.group.pid()
    }

    /// Returns a reader of the output: standard output, together with standard error unless that
    /// is a stream of its own.
    ///
    /// The first reader begins with the first byte, later ones with what is printed from then on.
    pub fn output(&self) -> OutputReader {
        self.handle.shared.out.reader()
    }

    /// Returns a reader of standard error, when it is a stream of its own.
    pub fn errors(&self) -> Option<OutputReader> {
        self.handle.shared.err.as_ref().map(Capture::reader)
    }

    /// Returns what is kept of the output so far.
    pub fn collected(&self) -> Collected {
        self.handle.shared.out.collected()
    }

    /// Returns what is kept of standard error so far, when it is a stream of its own.
    pub fn collected_errors(&self) -> Option<Collected> {
        self.handle.shared.err.as_ref().map(|err| err.collected())
    }

    /// Returns the pipes of a command started with [`Stdio::Protocol`], once.
    pub fn take_pipes(&self) -> Option<ProtocolPipes> {
        self.handle.pipes.lock().take()
    }

    /// Writes to standard input, all of `bytes`, after what others are writing.
    ///
    /// Not cancel safe: a part may have been written.
    pub async fn write(&self, bytes: &[u8]) -> Result<(), WriteError> {
        self.handle.shared.input.write(bytes).await
    }

    /// Closes standard input; for a terminal, says that the input ends (`Ctrl-D`).
    pub fn close_stdin(&self) {
        self.handle.shared.input.close();
    }

    /// Changes the size of the terminal. Fails when there is none.
    pub fn resize(&self, rows: u16, cols: u16) -> io::Result<()> {
        match &self.handle.shared.terminal {
            Some(terminal) => pty::resize(terminal.get_ref(), rows, cols),
            None => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Waits for the end: the command itself has ended and what it printed was read.
    ///
    /// A child of it that still holds the output does not hold this up for long. A reader that the
    /// command waits for does, until it has taken what was printed.
    ///
    /// Cancel safe; may be called often and from several tasks.
    pub async fn wait(&self) -> ExitStatus {
        let mut status = self.handle.shared.status.subscribe();
        let ended = status.wait_for(Option::is_some).await;
        ended.ok().and_then(|status| *status).unwrap_or(ExitStatus { code: -1, signal: None })
    }

    /// Waits for the end until `deadline`; `None` when the command still runs then.
    pub async fn wait_until(&self, deadline: Instant) -> Option<ExitStatus> {
        tokio::time::timeout_at(deadline, self.wait()).await.ok()
    }

    /// Returns the end if it is there.
    pub fn try_status(&self) -> Option<ExitStatus> {
        *self.handle.shared.status.borrow()
    }

    /// Says whether the command itself has ended, even if its output is still being read.
    pub fn has_ended(&self) -> bool {
        self.handle.shared.group.has_ended()
    }

    /// Says, once the end is there, whether something that the command left behind still held its
    /// output then, so that there may have been more.
    pub fn output_was_held_open(&self) -> bool {
        self.handle.shared.held_open.load(Ordering::Relaxed)
    }

    /// Ends the command and its whole group: asks politely, keeps reading for `grace`, then kills.
    ///
    /// Cancel safe, but the command then may have only been asked.
    pub async fn terminate(&self, grace: Duration) -> ExitStatus {
        let shared = &self.handle.shared;
        shared.ending.store(true, Ordering::Relaxed);
        if self.try_status().is_none() {
            shared.group.ask_to_end();
            let _ = tokio::time::timeout(grace, self.wait()).await;
        }
        shared.group.kill();
        self.wait().await
    }

    /// Sends a signal to the command and its whole group; to nobody when they have ended.
    pub fn signal(&self, signal: Signal) {
        self.handle.shared.group.signal(signal);
    }

    /// Kills the command and its whole group without a word; `wait` tells the end.
    pub fn kill_now(&self) {
        self.handle.shared.ending.store(true, Ordering::Relaxed);
        self.handle.shared.group.kill();
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.group.kill();
        self.abandoned.cancel();
    }
}

/// Both sides of a command's standard streams.
struct Ends {
    childs: [OwnedFd; 3],
    ours: OurEnds,
}

/// Our side.
#[derive(Default)]
struct OurEnds {
    input: Option<OwnedFd>,
    output: Option<OwnedFd>,
    errors: Option<OwnedFd>,
    terminal: Option<OwnedFd>,
    protocol: Option<(OwnedFd, OwnedFd)>,
}

impl Ends {
    fn open(stdio: Stdio) -> io::Result<Self> {
        let mut ours = OurEnds::default();
        if let Stdio::Pty { rows, cols } = stdio {
            let Pty { ours: terminal, childs } = Pty::open(rows, cols)?;
            ours.terminal = Some(terminal);
            let childs = [childs.try_clone()?, childs.try_clone()?, childs];
            return Ok(Self { childs, ours });
        }
        if stdio == Stdio::Inherit {
            let standard =
                [rustix::stdio::stdin(), rustix::stdio::stdout(), rustix::stdio::stderr()];
            let [input, output, errors] = standard.map(|fd| rustix::io::fcntl_dupfd_cloexec(fd, 3));
            return Ok(Self { childs: [input?, output?, errors?], ours });
        }
        let output = Pipe::from_child()?;
        let input = match stdio {
            Stdio::Pipes | Stdio::Separate => empty_input()?,
            _ => {
                let Pipe { ours: input, childs } = Pipe::to_child()?;
                ours.input = Some(input);
                childs
            }
        };
        let errors = match stdio {
            Stdio::Pipes | Stdio::PipesWithStdin => output.childs.try_clone()?,
            _ => {
                let Pipe { ours: errors, childs } = Pipe::from_child()?;
                ours.errors = Some(errors);
                childs
            }
        };
        if stdio == Stdio::Protocol {
            ours.protocol = ours.input.take().zip(Some(output.ours));
            ours.output = ours.errors.take();
        } else {
            ours.output = Some(output.ours);
        }
        Ok(Self { childs: [input, output.childs, errors], ours })
    }
}

impl OurEnds {
    /// Starts the pump of a process that has just begun.
    fn attach(self, group: Arc<Group>, limits: Limits) -> io::Result<Process> {
        let readable = |fd| watch(fd, Interest::READABLE).map(Arc::new);
        let both = Interest::READABLE | Interest::WRITABLE;
        let terminal = self.terminal.map(|fd| watch(fd, both).map(Arc::new)).transpose()?;
        let output = match &terminal {
            Some(terminal) => Some(Arc::clone(terminal)),
            None => self.output.map(readable).transpose()?,
        };
        let errors = self.errors.map(readable).transpose()?;
        let input = match (&terminal, self.input) {
            (Some(terminal), _) => Input::terminal(Arc::clone(terminal)),
            (None, Some(fd)) => Input::pipe(fd)?,
            (None, None) => Input::none(),
        };
        let pipes = self.protocol.map(|(stdin, stdout)| {
            Ok::<_, io::Error>(ProtocolPipes {
                stdin: pipe::Sender::from_owned_fd(stdin)?,
                stdout: pipe::Receiver::from_owned_fd(stdout)?,
            })
        });
        let shared = Arc::new(Shared {
            group,
            out: Capture::new(limits),
            err: errors.is_some().then(|| Capture::new(limits)),
            input,
            terminal,
            status: watch::Sender::new(None),
            ending: AtomicBool::new(false),
            held_open: AtomicBool::new(false),
        });
        let abandoned = CancellationToken::new();
        pump::start(Arc::clone(&shared), output, errors, abandoned.clone())?;
        let pipes = Mutex::new(pipes.transpose()?);
        Ok(Process { handle: Arc::new(Handle { shared, abandoned, pipes }) })
    }
}
