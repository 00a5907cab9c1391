//! The life of one command of a client.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use spindle_exec::sandbox::Mode;
use spindle_exec::{Clearance, Command, Limits, OutputReader, Process, Stdio, WriteError, env};
use spindle_schema::op::SettingsUpdate;
use tokio::sync::mpsc;

use super::cap::Cap;
use super::error::CommandError;
use super::event::{CommandEvent, CommandMsg, Finished, Listener, OutputStream, Printed};
use super::request::{CommandKey, CommandKind, CommandRequest, Held, Input};
use super::table::{Commands, Running, Write};
use crate::confinement::mode_of;
use crate::{Answer, Error};

/// The exit code of a command whose time was up.
const TIMED_OUT: i32 = 124;
/// Bytes that are told at once: the text of a message stays below 64 KiB.
const PIECE_BYTES: usize = 45 * 1024;
/// Bytes of one output that are kept for the end, whatever cap was asked for.
const MAX_KEPT_BYTES: u64 = 16 << 20;

/// Who waits for a command.
pub(super) enum Caller {
    /// Somebody who is answered when it has ended.
    AtEnd { answer: Answer<Finished>, until_running: Box<dyn Send> },
    /// Somebody who is answered when it runs and told when it has ended.
    AtStart(Answer<()>),
}

impl Caller {
    /// Says that the command does not run.
    pub(super) fn refuse(self, error: Error) {
        match self {
            Self::AtEnd { answer, .. } => answer.err(error),
            Self::AtStart(answer) => answer.err(error),
        }
    }
}

/// One command and all that it needs.
pub(super) struct Run {
    pub(super) commands: Commands,
    pub(super) key: CommandKey,
    pub(super) running: Arc<Running>,
    pub(super) listener: Arc<dyn Listener>,
    pub(super) request: CommandRequest,
}

impl Run {
    /// Runs the command to its end.
    pub(super) async fn run(self, writes: mpsc::Receiver<Write>, caller: Caller) {
        let started = tokio::select! {
            biased;
            () = self.running.abandoned.cancelled() => Err(Error::Dropped),
            started = self.start() => started,
        };
        let process = match started {
            Ok(process) => process,
            Err(error) => {
                self.commands.remove(&self.key);
                return caller.refuse(error);
            }
        };
        // Nobody else sets it.
        let _ = self.running.process.set(process.clone());
        let answer = match caller {
            Caller::AtEnd { answer, until_running } => {
                drop(until_running);
                Some(answer)
            }
            Caller::AtStart(answer) => {
                answer.ok(());
                None
            }
        };
        let (finished, ()) = tokio::join!(self.live(&process), feed(&process, writes));
        match answer {
            Some(answer) => answer.settle(finished),
            None => self.tell_end(finished).await,
        }
    }

    /// Follows the command to its end. Its name is free then, and its input ends.
    async fn live(&self, process: &Process) -> Result<Finished, Error> {
        let errors = async {
            match process.errors() {
                Some(errors) => self.follow(OutputStream::Stderr, errors).await,
                None => Kept::default(),
            }
        };
        let output = self.follow(OutputStream::Stdout, process.output());
        let (exit_code, stdout, stderr) = tokio::join!(self.end(process), output, errors);
        // What it left behind ends with it.
        process.kill_now();
        self.commands.remove(&self.key);
        let was_cut_by_us = [&stdout, &stderr].into_iter().any(|output| output.was_cut_by_us);
        if was_cut_by_us && self.key.kind == CommandKind::Exec {
            let limit_bytes = MAX_KEPT_BYTES;
            return Err(CommandError::TooMuchOutput { exit_code, limit_bytes }.into());
        }
        let output_was_held_open = process.output_was_held_open();
        let (stdout, stderr) = (stdout.printed, stderr.printed);
        Ok(Finished { exit_code, output_was_held_open, stdout, stderr })
    }

    async fn start(&self) -> Result<Process, Error> {
        let (kind, command) = (self.key.kind, self.command()?);
        let started = Process::spawn(Clearance::by_user(command)).await;
        started.map_err(|source| CommandError::NotStarted { kind, source }.into())
    }

    /// What is run: as the client wants it, within what the configuration says.
    fn command(&self) -> Result<Command, Error> {
        let request = &self.request;
        let rooms = &self.commands.rooms;
        let own = &self.commands.cwd;
        let cwd = request.cwd.as_ref().map_or_else(|| (**own).clone(), |cwd| own.join(cwd));
        let config = rooms.config.load(Some(&cwd), None)?;
        let sandbox = match &request.held {
            Held::Free => Mode::FullAccess,
            held => {
                let policy = match held {
                    Held::Policy(policy) => Some(policy.clone()),
                    Held::Profile(name) => {
                        let mode = config.permission.profile_mode(name);
                        Some(config.permission.policy(mode.map_err(CommandError::Profile)?))
                    }
                    Held::Configured | Held::Free => None,
                };
                let cwd = Some(text(&cwd));
                let update =
                    SettingsUpdate { cwd, sandbox_policy: policy, ..SettingsUpdate::default() };
                mode_of(&config.settings(own, &update), &rooms.home)
            }
        };
        let base = rooms.env.iter();
        let mut variables = config
            .environment
            .apply(base.map(|(name, value)| (OsString::from(name), OsString::from(value))));
        if sandbox.is_offline() {
            env::overlay(&mut variables, [env::NO_NETWORK]);
        }
        change(&mut variables, &request.env);
        Ok(Command {
            argv: request.argv.iter().map(OsString::from).collect(),
            cwd,
            env: variables,
            stdio: match request.input {
                Input::Empty => Stdio::Separate,
                Input::Written => Stdio::SeparateWithStdin,
                Input::Terminal(size) => Stdio::Pty { rows: size.rows, cols: size.cols },
            },
            limits: Limits::lossless(),
            sandbox,
        })
    }

    /// Waits for the end, or brings it about; gives the exit code.
    async fn end(&self, process: &Process) -> i32 {
        let is_timed_out = tokio::select! {
            biased;
            () = self.running.kill.cancelled() => false,
            () = time_is_up(process, self.request.timeout) => true,
            status = process.wait() => return status.code,
        };
        process.kill_now();
        let status = process.wait().await;
        if is_timed_out { TIMED_OUT } else { status.code }
    }

    /// Reads one output to its end: tells it, or keeps it for the end.
    async fn follow(&self, stream: OutputStream, mut reader: OutputReader) -> Kept {
        let wanted = self.request.cap_bytes;
        let allowed = if self.request.streams {
            wanted
        } else {
            Some(wanted.unwrap_or(u64::MAX).min(MAX_KEPT_BYTES))
        };
        let mut cap = Cap::new(allowed);
        let mut kept = Vec::new();
        while let Some(chunk) = reader.next().await {
            let Some(bytes) = cap.pass(&chunk) else { continue };
            if self.request.streams {
                self.tell_output(stream, bytes, cap.is_reached()).await;
            } else {
                kept.extend_from_slice(bytes);
            }
        }
        let printed =
            Printed { text: text_of(&kept, cap.has_cut()), is_cap_reached: cap.is_reached() };
        Kept { printed, was_cut_by_us: cap.has_cut() && allowed != wanted }
    }

    /// Tells the client some output.
    async fn tell_output(&self, stream: OutputStream, bytes: &[u8], is_last: bool) {
        let mut rest = bytes;
        loop {
            let (bytes, after) = rest.split_at(rest.len().min(PIECE_BYTES));
            rest = after;
            let is_cap_reached = is_last && rest.is_empty();
            self.tell(CommandMsg::Output { stream, bytes, is_cap_reached }).await;
            if rest.is_empty() {
                return;
            }
        }
    }

    /// Tells the client, no faster than it reads; nobody when it is gone.
    async fn tell(&self, msg: CommandMsg<'_>) {
        tokio::select! {
            biased;
            () = self.running.abandoned.cancelled() => {}
            () = self.listener.has_room() => {
                self.listener.hear(CommandEvent { key: &self.key, msg });
            }
        }
    }

    async fn tell_end(&self, finished: Result<Finished, Error>) {
        match finished {
            Ok(finished) => self.tell(CommandMsg::Exited(&finished)).await,
            Err(error) => tracing::error!(%error, "the end of a process could not be told"),
        }
    }
}

/// What became of one output.
#[derive(Default)]
struct Kept {
    printed: Printed,
    /// More was wanted than is kept at most, and more was printed.
    was_cut_by_us: bool,
}

/// The text of what was kept, without half a character where it was cut.
fn text_of(bytes: &[u8], is_cut: bool) -> String {
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    if is_cut && text.ends_with(char::REPLACEMENT_CHARACTER) {
        text.pop();
    }
    text
}

/// Comes back when a command has run for as long as it may. One that has ended by itself, and only
/// waits for its client to read, is not interrupted.
async fn time_is_up(process: &Process, timeout: Option<Duration>) {
    let Some(timeout) = timeout else { return std::future::pending().await };
    if timeout.is_zero() {
        return;
    }
    tokio::time::sleep(timeout).await;
    if process.has_ended() {
        std::future::pending::<()>().await;
    }
}

/// Hands what a client writes to the command, one write after the other.
async fn feed(process: &Process, mut writes: mpsc::Receiver<Write>) {
    loop {
        tokio::select! {
            biased;
            Some(write) = writes.recv() => write.take(process).await,
            _ = process.wait() => break,
        }
    }
    writes.close();
    while let Ok(write) = writes.try_recv() {
        write.answer.err(CommandError::StdinClosed.into());
    }
}

impl Write {
    async fn take(self, process: &Process) {
        let written = process.write(&self.bytes).await;
        if self.closes {
            process.close_stdin();
        }
        self.answer.settle(written.map_err(|error| {
            if let WriteError::Io(error) = &error {
                tracing::warn!(%error, "a command's input could not be written");
            }
            CommandError::StdinClosed.into()
        }));
    }
}

/// Makes a client's changes to an environment.
fn change(variables: &mut env::Environment, changes: &BTreeMap<String, Option<String>>) {
    variables.retain(|(name, _)| {
        name.to_str().and_then(|name| changes.get(name)).is_none_or(Option::is_some)
    });
    let set = changes.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
    env::overlay(variables, set);
}

fn text(path: &Path) -> Box<str> {
    path.to_string_lossy().into()
}

#[cfg(test)]
mod tests;
