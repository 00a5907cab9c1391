//! `spindle sandbox`: runs a command where commands of a thread run.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use rustix::process::Signal;
use spindle_exec::sandbox::{self, Support};
use spindle_exec::{Clearance, Command, Limits, Process, SpawnError, Stdio};
use tokio::signal::unix::{Signal as Signals, SignalKind, signal};

use crate::args::Shared;
use crate::bench::{self, SandboxMode, Terms, Wanted};

#[cfg(test)]
mod tests;

/// The exit code when we fail ourselves, as `env` and `timeout` have it.
const OURS: u8 = 125;
/// The exit code when the program cannot be run.
const NOT_RUNNABLE: u8 = 126;
/// The exit code when there is no such program.
const NOT_FOUND: u8 = 127;

/// Run a command in the sandbox that commands of a thread run in.
///
/// It has the terminal's own input and output, and its exit code is passed on. 125 means that it
/// could not be held or started, 126 that it is no program, 127 that it was not found.
#[derive(Debug, Args)]
pub(crate) struct SandboxArgs {
    #[command(flatten)]
    shared: Shared,
    /// What the command may touch; the settings decide when nothing is said.
    #[arg(short, long, value_name = "MODE")]
    mode: Option<Mode>,
    /// A folder that may be written in beside the working folder. Repeatable.
    #[arg(short, long, value_name = "DIR")]
    writable: Vec<PathBuf>,
    /// Open the network.
    #[arg(short, long)]
    network: bool,
    /// The folder to work in.
    #[arg(short = 'C', long, visible_alias = "cd", value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// The command and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// Read everything, write nothing.
    ReadOnly,
    /// Write in the working folder and those for temporary files.
    WorkspaceWrite,
    /// No sandbox.
    #[value(alias = "danger-full-access")]
    FullAccess,
}

impl From<Mode> for SandboxMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::ReadOnly => Self::ReadOnly,
            Mode::WorkspaceWrite => Self::WorkspaceWrite,
            Mode::FullAccess => Self::DangerFullAccess,
        }
    }
}

/// Runs the command to its end and gives its exit code.
pub(crate) async fn run(shared: Shared, args: SandboxArgs) -> anyhow::Result<ExitCode> {
    let told = Told::listen()?;
    let code = match start(shared, args).await {
        Ok(process) => {
            let code = follow(&process, told).await?;
            // The next command in this folder must find it as this one did.
            sandbox::clear();
            code as u8
        }
        Err(error) => {
            say(&format!("Error: {error:#}"));
            code_of(&error)
        }
    };
    Ok(ExitCode::from(code))
}

/// The exit code that stands for a failed start.
fn code_of(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<SpawnError>() {
        Some(SpawnError::NotFound(_)) => NOT_FOUND,
        Some(SpawnError::Exec { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            NOT_FOUND
        }
        Some(SpawnError::Exec { .. }) => NOT_RUNNABLE,
        _ => OURS,
    }
}

async fn start(shared: Shared, args: SandboxArgs) -> anyhow::Result<Process> {
    let shared = shared.then(args.shared);
    let wanted = Wanted {
        cwd: args.cwd.as_deref().map(bench::folder).transpose()?,
        mode: args.mode.map(SandboxMode::from),
        writable: args.writable.iter().map(|dir| bench::folder(dir)).collect::<Result<_, _>>()?,
        network: args.network,
    };
    let Terms { cwd, mode, env, warnings, .. } = bench::make(&shared).terms(&wanted)?;
    warnings.iter().for_each(|warning| say(&format!("Warning: {warning}")));
    if mode.is_sandboxed()
        && let Some(warning) = Support::detect().await.warning()
    {
        say(&format!("Warning: {warning}"));
    }
    let command = Command {
        argv: args.command,
        cwd,
        env,
        stdio: Stdio::Inherit,
        limits: Limits::default(),
        sandbox: mode,
    };
    Ok(Process::spawn(Clearance::by_user(command)).await?)
}

/// What a terminal or a person tells a command while it runs.
struct Told {
    interrupt: Signals,
    quit: Signals,
    terminate: Signals,
    hang_up: Signals,
    size: Signals,
    stop: Signals,
}

impl Told {
    /// Listens from now on. Done before the command starts, so that none of it ends us instead.
    fn listen() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            size: signal(SignalKind::window_change())?,
            stop: signal(SignalKind::from_raw(Signal::TSTP.as_raw()))?,
        })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::INT,
            _ = self.quit.recv() => Signal::QUIT,
            _ = self.terminate.recv() => Signal::TERM,
            _ = self.hang_up.recv() => Signal::HUP,
            _ = self.size.recv() => Signal::WINCH,
            // A group without a terminal of its own is deaf to the polite form.
            _ = self.stop.recv() => Signal::STOP,
        }
    }
}

/// Waits for the end, and passes on what is told meanwhile.
async fn follow(process: &Process, mut told: Told) -> anyhow::Result<i32> {
    loop {
        let heard = tokio::select! {
            status = process.wait() => return Ok(status.code),
            heard = told.next() => heard,
        };
        process.signal(heard);
        if heard == Signal::STOP {
            // We sleep with it, and wake it when the shell wakes us.
            rustix::process::kill_process(rustix::process::getpid(), Signal::STOP)?;
            process.signal(Signal::CONT);
        }
    }
}

fn say(text: &str) {
    // A stderr that is gone is no reason not to run the command.
    let _ = writeln!(std::io::stderr(), "{text}");
}
