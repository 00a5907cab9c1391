//! A command of the person's (SPEC X5).
//!
//! Nobody is asked and no sandbox holds it: the person could have typed it in a terminal. Clients
//! see it as an item of the turn it belongs to, the model reads of it with the next request.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use spindle_exec::policy::classify;
use spindle_exec::sandbox::Mode;
use spindle_exec::{Clearance, Command, ExitStatus, Limits, Process, SpawnError, Stdio};
use spindle_schema::event::{DeltaKind, Deltas, EventMsg};
use spindle_schema::ids::ItemId;
use spindle_schema::item::{CommandExecution, CommandSource, CommandStatus, TurnItem};
use spindle_schema::op::ShellCommand;
use spindle_schema::rollout::{ItemCompleted, RecordedEvent, RolloutItem};
use spindle_schema::settings::ThreadSettings;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::call::environment;
use super::handler::exec::DEFAULT_OUTPUT_TOKENS;
use super::processes::{GRACE, MAX_ITEM_OUTPUT, MAX_STREAMED};
use super::truncate::{Kept, fit, middle_out};
use crate::clock;
use crate::context::Recorder;
use crate::rooms::SessionRooms;
use crate::turn::{Expected, Speaker};

/// A command of the person's that can be started.
pub(crate) struct UserCommand {
    /// What the session's turns share.
    pub(crate) rooms: Arc<SessionRooms>,
    /// The way to the session.
    pub(crate) speaker: Speaker,
    /// The way to the rollout.
    pub(crate) recorder: Recorder,
    /// The thread's settings.
    pub(crate) settings: Arc<ThreadSettings>,
    /// The turn's end, which is the command's too.
    pub(crate) cancel: CancellationToken,
    /// The command.
    pub(crate) command: ShellCommand,
    /// Where what the model reads of it goes.
    pub(crate) ticket: Expected,
}

/// How a command came to its end.
enum End {
    /// By itself.
    Own(ExitStatus),
    /// The person ended the turn.
    Stopped(ExitStatus),
    /// It took longer than the person allows.
    TimedOut(ExitStatus),
    /// It was never started.
    NotStarted(SpawnError),
}

impl UserCommand {
    /// Starts the command. It ends with its turn at the latest.
    pub(crate) fn start(self) {
        tokio::spawn(self.run());
    }

    async fn run(self) {
        let item = self.item();
        let since = Instant::now();
        let started = self.speaker.started(TurnItem::CommandExecution(Box::new(item.clone())));
        let started_at_ms = started.item.started_at_ms.unwrap_or_default();
        self.speaker.say(vec![EventMsg::ItemStarted(started)]).await;
        let (end, kept) = match Process::spawn(Clearance::by_user(self.process(&item))).await {
            Ok(process) => {
                let end = self.follow(&process, &item.id).await;
                (end, process.collected())
            }
            Err(error) => (End::NotStarted(error), spindle_exec::Collected::default()),
        };
        let took = since.elapsed();
        let text = end.output(&kept.text());
        let whole = TurnItem::CommandExecution(Box::new(end.whole(item, &text, took)));
        if let Err(error) = self.record(&whole, started_at_ms).await {
            tracing::error!(%error, "the end of a person's command could not be recorded");
        }
        let completed = self.speaker.completed(whole, started_at_ms);
        self.speaker.say(vec![EventMsg::ItemCompleted(completed)]).await;
        let shown = Kept {
            text: &text,
            total_bytes: kept.total_bytes.max(text.len() as u64),
            omitted_bytes: kept.omitted_bytes,
        };
        let note = note(&self.command.command, &end.words(), took, &shown);
        self.ticket.deliver(note);
    }

    fn item(&self) -> CommandExecution {
        let login = self.rooms.config.permission.allow_login_shell;
        let argv = self.rooms.shell.argv(&self.command.command, login);
        CommandExecution {
            id: ItemId::unique(),
            process_id: None,
            parsed_cmd: classify(&argv),
            command: argv,
            cwd: format!("file://{}", self.settings.cwd),
            source: CommandSource::UserShell,
            status: CommandStatus::InProgress,
            aggregated_output: None,
            exit_code: None,
            duration: None,
        }
    }

    fn process(&self, item: &CommandExecution) -> Command {
        Command {
            argv: item.command.iter().map(OsString::from).collect(),
            cwd: PathBuf::from(&*self.settings.cwd),
            env: environment(&self.rooms, None),
            stdio: Stdio::Pipes,
            limits: Limits::default(),
            sandbox: Mode::FullAccess,
        }
    }

    /// Streams what the command prints until it ends or is ended.
    async fn follow(&self, process: &Process, item_id: &ItemId) -> End {
        let mut output = process.output();
        let mut streamed = 0;
        let limit = self.command.timeout_ms.map(Duration::from_millis);
        let too_long = too_long(limit);
        tokio::pin!(too_long);
        let end = loop {
            tokio::select! {
                biased;
                () = self.cancel.cancelled() => break End::Stopped(process.terminate(GRACE).await),
                () = &mut too_long => break End::TimedOut(process.terminate(GRACE).await),
                chunk = output.next() => match chunk {
                    Some(chunk) => self.stream(item_id, &chunk, &mut streamed).await,
                    None => break End::Own(process.wait().await),
                },
                status = process.wait() => break End::Own(status),
            }
        };
        while let Some(chunk) = output.try_next() {
            self.stream(item_id, &chunk, &mut streamed).await;
        }
        end
    }

    async fn stream(&self, item_id: &ItemId, chunk: &[u8], streamed: &mut u64) {
        if *streamed >= MAX_STREAMED {
            return;
        }
        *streamed += chunk.len() as u64;
        let deltas = Deltas {
            turn_id: self.speaker.turn_id().clone(),
            item_id: item_id.clone(),
            kind: DeltaKind::CommandOutput,
            pieces: vec![String::from_utf8_lossy(chunk).into()],
        };
        self.speaker.say(vec![EventMsg::Deltas(Box::new(deltas))]).await;
    }

    async fn record(
        &self,
        item: &TurnItem,
        started_at_ms: i64,
    ) -> Result<(), spindle_store::Error> {
        let event = RecordedEvent::ItemCompleted(ItemCompleted {
            thread_id: self.rooms.thread_id,
            turn_id: self.speaker.turn_id().clone(),
            item: item.clone(),
            started_at_ms: Some(started_at_ms),
            completed_at_ms: Some(clock::now_ms()),
        });
        self.recorder.append(vec![RolloutItem::event(event)]).await
    }
}

async fn too_long(limit: Option<Duration>) {
    match limit {
        Some(limit) => tokio::time::sleep(limit).await,
        None => std::future::pending().await,
    }
}

impl End {
    fn code(&self) -> i32 {
        match self {
            Self::Own(status) | Self::Stopped(status) | Self::TimedOut(status) => status.code,
            Self::NotStarted(_) => -1,
        }
    }

    /// What the command printed, or why it printed nothing.
    fn output(&self, printed: &str) -> String {
        match self {
            Self::NotStarted(error) => format!("the command could not be started: {error}"),
            Self::Own(_) | Self::Stopped(_) | Self::TimedOut(_) => printed.to_owned(),
        }
    }

    /// The end in the model's words.
    fn words(&self) -> String {
        let code = self.code();
        match self {
            Self::Own(_) | Self::NotStarted(_) => code.to_string(),
            Self::Stopped(_) => format!("{code} (ended by the person)"),
            Self::TimedOut(_) => format!("{code} (ended because it took too long)"),
        }
    }

    fn whole(&self, mut item: CommandExecution, text: &str, took: Duration) -> CommandExecution {
        let well = matches!(self, Self::Own(status) if status.code == 0);
        item.status = if well { CommandStatus::Completed } else { CommandStatus::Failed };
        item.aggregated_output = Some(middle_out(text, MAX_ITEM_OUTPUT));
        item.exit_code = Some(self.code());
        item.duration = Some(took.into());
        item
    }
}

/// What the model reads of a command.
fn note(command: &str, code: &str, took: Duration, output: &Kept<'_>) -> String {
    format!(
        "<user_shell_command>\n<command>\n{command}\n</command>\n<result>\nExit code: {code}\n\
         Duration: {:.4} seconds\nOutput:\n{}\n</result>\n</user_shell_command>",
        took.as_secs_f64(),
        fit(output, DEFAULT_OUTPUT_TOKENS),
    )
}

#[cfg(test)]
mod tests;
