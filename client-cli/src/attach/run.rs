//! The course of `attach`: join the thread, then listen to both sides until one leaves.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use spindle_schema::methods::ServerNotification as Said;
use spindle_schema::v2::{
    SortDirection, ThreadItem, ThreadItemBody, ThreadResumeInitialTurnsPageParams,
    ThreadResumeParams, ThreadUnsubscribeParams, TurnInterruptParams, TurnItemsView, TurnStatus,
};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::dialog::{Action, Dialog, Source};
use super::question::Question;
use super::screen::Screen;
use crate::args::Shared;
use crate::client::{Client, Error, Heard, Session};
use crate::paint::{Paint, Style};
use crate::reach::{self, Remote};
use crate::{find, thread_of, turn};

const CLIENT: Client = Client { name: "spindle_attach", title: "Spindle terminal" };

/// Typed lines that wait. The reader waits when they are not taken.
const WAITING_LINES: usize = 16;

/// Follow a thread and talk in it.
#[derive(Debug, Args)]
pub(crate) struct AttachArgs {
    #[command(flatten)]
    shared: Shared,
    #[command(flatten)]
    remote: Remote,
    /// The thread's id, the beginning or end of it, or its name.
    thread: String,
    /// How many earlier turns are shown.
    #[arg(short = 'n', long, value_name = "NUMBER", default_value_t = 3)]
    history: u32,
}

/// Runs `attach`.
pub(crate) async fn run(shared: Shared, args: AttachArgs) -> anyhow::Result<ExitCode> {
    let shared = shared.then(args.shared);
    let mut reached = reach::named_or_local(&args.remote, &shared, CLIENT).await?;
    let result = follow(&mut reached.session, &args.thread, args.history).await;
    reached.leave().await;
    result
}

async fn follow(session: &mut Session, thread: &str, history: u32) -> anyhow::Result<ExitCode> {
    let source = if io::stdin().is_terminal() { Source::Terminal } else { Source::Pipe };
    let screen = Screen::new(io::stdout(), Paint::for_stream(&io::stdout()));
    let thread_id = find::thread(session, thread).await?;
    let mut attached = Attached::new(session, thread_id, source, screen);
    attached.join(history).await?;
    attached.talk(read_lines()).await?;
    attached.unsubscribe().await;
    let failed = attached.has_failed && source == Source::Pipe;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Reads stdin on a thread of its own: a read of a terminal cannot be given up.
fn read_lines() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(WAITING_LINES);
    std::thread::spawn(move || {
        for line in io::stdin().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// A thread that is followed.
struct Attached<'a, W> {
    session: &'a mut Session,
    thread_id: String,
    source: Source,
    screen: Screen<W>,
    dialog: Dialog,
    /// A line that waits for a question.
    held: Option<String>,
    /// The ids of what was typed here.
    typed_ids: HashSet<String>,
    /// Whether the last turn failed.
    has_failed: bool,
}

impl<'a, W: Write> Attached<'a, W> {
    fn new(session: &'a mut Session, thread_id: String, source: Source, screen: Screen<W>) -> Self {
        Self {
            session,
            thread_id,
            source,
            screen,
            dialog: Dialog::new(source),
            held: None,
            typed_ids: HashSet::new(),
            has_failed: false,
        }
    }

    /// Subscribes to the thread and shows how far it is.
    async fn join(&mut self, history: u32) -> anyhow::Result<()> {
        let resumed = self.session.call(&resume(&self.thread_id, history)).await?;
        let name = resumed.thread.name.as_deref().unwrap_or(&resumed.thread.preview);
        let head = format!("{} {name}\n{} in {}", self.thread_id, resumed.model, resumed.cwd.0);
        self.screen.note("thread", Style::Faint, &head)?;
        let mut turns = resumed.initial_turns_page.map(|page| page.data).unwrap_or_default();
        turns.reverse();
        for turn in &turns {
            self.screen.known_turn(turn)?;
            if turn.status == TurnStatus::InProgress {
                self.dialog.turn_started(&turn.id);
            }
        }
        Ok(())
    }

    /// Listens to the daemon, to the person and to Ctrl-C, until one of them ends it.
    async fn talk(&mut self, mut lines: mpsc::Receiver<String>) -> anyhow::Result<()> {
        let mut is_open = true;
        loop {
            if !is_open && self.held.is_none() && self.dialog.is_idle() {
                return Ok(());
            }
            let may_read = is_open && self.held.is_none();
            let action = tokio::select! {
                heard = self.session.next() => match heard? {
                    Some(heard) => self.hear(heard)?,
                    None => bail!("the daemon closed the connection"),
                },
                line = lines.recv(), if may_read => match line {
                    Some(line) => self.typed(line),
                    // A person who ends the input leaves; a pipe waits for what it started.
                    None if self.source == Source::Terminal => return Ok(()),
                    None => {
                        is_open = false;
                        Action::Nothing
                    }
                },
                signal = tokio::signal::ctrl_c() => {
                    signal.context("failed to listen for Ctrl-C")?;
                    self.dialog.interrupted()
                }
            };
            if self.perform(action).await? == Next::Leave {
                return Ok(());
            }
            if let Some(line) = self.take_held() {
                let action = self.typed(line);
                self.perform(action).await?;
            }
        }
    }

    /// The held line, once something is asked or the turn has ended.
    fn take_held(&mut self) -> Option<String> {
        let is_due = self.dialog.question().is_some() || self.dialog.is_idle();
        if is_due { self.held.take() } else { None }
    }

    fn typed(&mut self, line: String) -> Action {
        let action = self.dialog.typed(&line);
        if action == Action::Hold {
            self.held = Some(line);
        }
        action
    }

    /// Shows what the daemon said, and keeps in mind what matters for the next line.
    fn hear(&mut self, heard: Heard) -> io::Result<Action> {
        let said = match heard {
            Heard::Said(said) => said,
            Heard::Asked(id, request) => {
                let question = Question { id, request };
                if question.is_for_people() {
                    let text = self.dialog.asked(question);
                    self.screen.note("asks", Style::Warning, &text)?;
                }
                return Ok(Action::Nothing);
            }
        };
        if thread_of::thread_of(&said).is_some_and(|thread| thread != self.thread_id) {
            return Ok(Action::Nothing);
        }
        match &said {
            Said::TurnStarted(started) => self.dialog.turn_started(&started.turn.id),
            Said::TurnCompleted(end) => {
                self.dialog.turn_ended(&end.turn.id);
                self.has_failed = end.turn.status == TurnStatus::Failed;
            }
            Said::ServerRequestResolved(resolved) if self.dialog.resolved(&resolved.request_id) => {
                self.screen.note("asks", Style::Faint, "answered elsewhere")?;
            }
            Said::ItemStarted(started) if self.is_own(&started.item) => return Ok(Action::Nothing),
            Said::ItemCompleted(item) if self.is_own(&item.item) => return Ok(Action::Nothing),
            _ => {}
        }
        self.screen.hear(&said).map(|()| Action::Nothing)
    }

    /// Whether the item is what the person at this terminal typed, and so has on the screen.
    fn is_own(&self, item: &ThreadItem) -> bool {
        match &item.body {
            ThreadItemBody::UserMessage(message) => {
                let id = message.client_id.as_ref();
                self.source == Source::Terminal && id.is_some_and(|id| self.typed_ids.contains(id))
            }
            _ => false,
        }
    }

    async fn perform(&mut self, action: Action) -> anyhow::Result<Next> {
        match action {
            Action::Start(text) => self.start(&text).await?,
            Action::Steer(turn, text) => self.steer(&turn, &text).await?,
            Action::Answer(id, answer) => self.session.answer(id, &answer).await?,
            Action::Interrupt(turn_id) => {
                let params = TurnInterruptParams { thread_id: self.thread_id.clone(), turn_id };
                match self.session.call(&params).await {
                    // A turn that has just ended is told by its end.
                    Ok(_) | Err(Error::Call(_)) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Action::Tell(text) => self.screen.note("", Style::Faint, &text)?,
            Action::Leave => return Ok(Next::Leave),
            Action::Hold | Action::Nothing => {}
        }
        Ok(Next::Stay)
    }

    async fn start(&mut self, text: &str) -> anyhow::Result<()> {
        let mut params = turn::start(&self.thread_id, vec![turn::words(text)]);
        params.client_user_message_id = Some(self.new_id());
        match self.session.call(&params).await {
            Ok(started) => self.dialog.turn_started(&started.turn.id),
            Err(Error::Call(refused)) => {
                self.has_failed = true;
                self.screen.note("error", Style::Error, &refused.to_string())?;
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    async fn steer(&mut self, turn: &str, text: &str) -> anyhow::Result<()> {
        let mut params = turn::steer(&self.thread_id, turn, text);
        params.client_user_message_id = Some(self.new_id());
        match self.session.call(&params).await {
            Ok(_) => Ok(()),
            // The turn has just ended, so the words begin the next one.
            Err(Error::Call(_)) => self.start(text).await,
            Err(error) => Err(error.into()),
        }
    }

    /// An id for what is typed here, so that its echo is known.
    fn new_id(&mut self) -> String {
        let id = Uuid::now_v7().to_string();
        self.typed_ids.insert(id.clone());
        id
    }

    /// Gives the thread back. What goes wrong here changes nothing.
    async fn unsubscribe(&mut self) {
        let params = ThreadUnsubscribeParams { thread_id: self.thread_id.clone() };
        let _ = self.session.call(&params).await;
    }
}

/// Whether the conversation goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Stay,
    Leave,
}

/// Params that join a thread with its last turns.
fn resume(thread_id: &str, history: u32) -> ThreadResumeParams {
    let mut params = turn::resume(thread_id);
    params.initial_turns_page = Some(ThreadResumeInitialTurnsPageParams {
        items_view: Some(TurnItemsView::Full),
        limit: Some(history.max(1)),
        sort_direction: Some(SortDirection::Desc),
    });
    params
}

#[cfg(test)]
mod tests;
