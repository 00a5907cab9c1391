//! What this system can enforce.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use tokio::io::Interest;
use tokio::sync::OnceCell;

use super::bwrap::{self, Wrapper};
use super::confine::{Confinement, Strength, Walls};
use super::error::SandboxError;
use super::files::Files;
use super::landlock;
use super::link::{self, Link};
use super::mode::Mode;
use super::plan::{Plan, Surroundings};
use crate::command::Command;
use crate::error::SpawnError;
use crate::spawn::{self, Image};
use crate::watched::watch;

#[cfg(test)]
mod tests;

/// The way in which commands are held, strongest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Strategy {
    /// Namespaces of our own, file rules and a filter of system calls. With `processes`, a command
    /// sees only its own processes, and all of them end with it.
    Namespaces {
        /// Whether there is a namespace of processes too.
        processes: bool,
    },
    /// Namespaces by way of bubblewrap, and a filter of system calls.
    Bubblewrap {
        /// The program.
        program: PathBuf,
    },
    /// File rules and a filter of system calls, without mounts.
    Rules,
    /// Nothing can be enforced.
    None,
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Namespaces { processes: true } => f.write_str("namespaces"),
            Self::Namespaces { processes: false } => f.write_str("namespaces, without processes"),
            Self::Bubblewrap { program } => write!(f, "bubblewrap ({})", program.display()),
            Self::Rules => f.write_str("file rules and a filter of system calls"),
            Self::None => f.write_str("nothing"),
        }
    }
}

/// Something that a strategy does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// `.git` and other protected paths below a writable root can be written.
    ProtectedPaths,
    /// Modes, times and attributes of files can be changed where the user may.
    Metadata,
    /// Other terminals and shared memory of the user can be written to.
    Terminals,
    /// Other processes of the user are seen.
    Processes,
    /// Sockets with a path can be connected to when the network is on.
    PathSockets,
    /// Signals reach other processes of the user.
    Signals,
    /// Abstract sockets can be connected to when the network is on.
    AbstractSockets,
    /// Files can be cut off where the user may write.
    Truncation,
    /// Nothing is held at all.
    Everything,
}

impl Gap {
    /// Returns the gap as a part of a sentence, as in "does not protect …".
    pub fn describe(self) -> &'static str {
        match self {
            Self::ProtectedPaths => ".git and other protected paths in writable folders",
            Self::Metadata => "modes, times and attributes of files",
            Self::Terminals => "other terminals and shared memory",
            Self::Processes => "the list of other processes",
            Self::PathSockets => "sockets with a path while the network is on",
            Self::Signals => "other processes from signals",
            Self::AbstractSockets => "abstract sockets while the network is on",
            Self::Truncation => "files from being cut off",
            Self::Everything => "anything",
        }
    }
}

/// What this system can enforce, and how that was found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Support {
    strategy: Strategy,
    landlock: i32,
    refused: Vec<(Strategy, String)>,
}

impl Support {
    /// Finds out once what works here, by trying it, strongest first. Takes some milliseconds.
    pub async fn detect() -> &'static Self {
        static FOUND: OnceCell<Support> = OnceCell::const_new();
        FOUND.get_or_init(Self::find).await
    }

    async fn find() -> Self {
        let mut refused = Vec::new();
        let bubblewrap = bwrap::find().map(|program| Strategy::Bubblewrap { program });
        let strongest =
            [Strategy::Namespaces { processes: true }, Strategy::Namespaces { processes: false }];
        for strategy in strongest.into_iter().chain(bubblewrap).chain([Strategy::Rules]) {
            match Self::using(strategy.clone()).probe(None).await {
                Ok(()) => return Self { refused, ..Self::using(strategy) },
                Err(error) => refused.push((strategy, chain(&error))),
            }
        }
        Self { refused, ..Self::using(Strategy::None) }
    }

    /// Uses `strategy` without finding out whether it works: then commands do not start.
    pub fn using(strategy: Strategy) -> Self {
        Self { strategy, landlock: landlock::version(), refused: Vec::new() }
    }

    /// Returns the way in which commands are held.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// Returns the stronger ways that do not work here, and why not.
    pub fn refused(&self) -> &[(Strategy, String)] {
        &self.refused
    }

    /// Returns the version of the kernel's file rules; 0 when it has none.
    pub fn landlock_version(&self) -> i32 {
        self.landlock
    }

    /// Returns what is not held here, worst first. Commands run with these gaps; whether they
    /// should is for the user to say.
    pub fn gaps(&self) -> Vec<Gap> {
        let (rules, mounts, processes) = match self.strategy {
            Strategy::None => return vec![Gap::Everything],
            Strategy::Namespaces { processes } => (self.landlock, true, processes),
            Strategy::Bubblewrap { .. } => (0, true, true),
            Strategy::Rules => (self.landlock, false, false),
        };
        let mut gaps = Vec::new();
        let mut gap = |open: bool, gap| {
            if open {
                gaps.push(gap);
            }
        };
        gap(!mounts, Gap::ProtectedPaths);
        gap(!mounts, Gap::Metadata);
        gap(!mounts, Gap::Terminals);
        gap(!mounts && rules < 3, Gap::Truncation);
        gap(!processes && rules < 6, Gap::Signals);
        gap(rules < 6, Gap::AbstractSockets);
        gap(!processes, Gap::Processes);
        gap(rules < 9, Gap::PathSockets);
        gaps
    }

    /// Returns what users are to be told when the strongest means do not work here: what holds
    /// commands instead, what that leaves open, and why the others do not work.
    pub fn warning(&self) -> Option<String> {
        use std::fmt::Write;
        if self.strategy == (Strategy::Namespaces { processes: true }) {
            return None;
        }
        let open: Vec<&str> = self.gaps().into_iter().map(Gap::describe).collect();
        let mut text = format!(
            "commands in the sandbox are held by {}, which does not protect {}",
            self.strategy,
            open.join("; ")
        );
        for (strategy, why) in &self.refused {
            let _ = write!(text, "; {strategy} cannot be used: {why}"); // Writing to text works.
        }
        Some(text)
    }

    /// Says whether commands of `mode` are held at all. If not, each needs a yes of the user.
    pub fn can_enforce(&self, mode: &Mode) -> bool {
        !mode.is_sandboxed() || self.strategy != Strategy::None
    }

    /// Finds out once whether commands can have a network of their own here, by trying it.
    ///
    /// # Errors
    /// Why they cannot.
    pub async fn own_network() -> Result<(), &'static str> {
        static FOUND: OnceCell<Result<(), String>> = OnceCell::const_new();
        let found = FOUND.get_or_init(|| async {
            let (_awaited, link) = link::pair().map_err(|error| error.to_string())?;
            Self::detect().await.probe(Some(link)).await.map_err(|error| chain(&error))
        });
        found.await.as_ref().map_err(String::as_str).copied()
    }

    /// Makes the walls for `command`; `None` when its mode takes none. Asks the file system. With
    /// `link`, the command gets a network of its own.
    pub(crate) fn confine(
        &self,
        command: &Command,
        link: Option<Link>,
    ) -> Result<Option<Walls>, SandboxError> {
        let hidden = super::hidden();
        let value = |name: &str| variable(&command.env, name);
        let user = rustix::process::getuid().as_raw();
        let runtime = value("XDG_RUNTIME_DIR").map(PathBuf::from);
        let runtime = runtime.unwrap_or_else(|| PathBuf::from(format!("/run/user/{user}")));
        let around = Surroundings {
            tmpdir: value("TMPDIR"),
            home: value("HOME"),
            runtime: Some(&runtime),
            user,
            hidden: &hidden,
        };
        let plan = Plan::new(&command.sandbox, &around, &Files);
        plan.map(|plan| self.walls(plan, &command.cwd, link)).transpose()
    }

    fn walls(&self, plan: Plan, cwd: &Path, link: Option<Link>) -> Result<Walls, SandboxError> {
        let strength = match &self.strategy {
            Strategy::Namespaces { processes } => Strength::Namespaces { processes: *processes },
            Strategy::Rules => Strength::Rules,
            Strategy::Bubblewrap { .. } if link.is_some() => {
                return Err(SandboxError::NoOwnNetwork);
            }
            Strategy::Bubblewrap { program } => {
                return Wrapper::new(program, plan, cwd).map(Walls::Wrapper);
            }
            Strategy::None => return Err(SandboxError::Unavailable),
        };
        Confinement::prepare(plan, strength, link).map(Walls::Own)
    }

    /// Has a command that does nothing start behind walls and waits until it ends.
    async fn probe(&self, link: Option<Link>) -> Result<(), SpawnError> {
        let image = Image::probe(self.walls(probe_plan(), Path::new("/"), link)?)?;
        let group = spawn::start(image).await?;
        let made = SandboxError::prepare("a probe");
        let pidfd = group.as_fd().try_clone_to_owned().map_err(&made)?;
        let end = watch(pidfd, Interest::READABLE).map_err(&made)?;
        end.readable().await.map_err(&made)?.retain_ready();
        match group.try_reap() {
            Some(status) if status.is_success() => Ok(()),
            Some(status) => Err(SandboxError::Probe { code: status.code }.into()),
            None => Err(made(io::ErrorKind::TimedOut.into()).into()),
        }
    }
}

/// Returns a plan that takes every means: writable and read-only mounts, rules and a filter.
fn probe_plan() -> Plan {
    let mode = Mode::WorkspaceWrite {
        roots: Vec::new(),
        exclude_tmp: true,
        exclude_slash_tmp: false,
        network: false,
        protected: vec![PathBuf::from("/tmp")],
    };
    Plan::new(&mode, &Surroundings::default(), &Files).unwrap_or_default()
}

fn variable<'a>(env: &'a [(OsString, OsString)], name: &str) -> Option<&'a Path> {
    let found = env.iter().find(|(own, value)| own == name && !value.is_empty());
    found.map(|(_, value)| Path::new(value))
}

/// Writes an error with its sources in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(": ");
        text.push_str(&error.to_string());
        source = error.source();
    }
    text
}
