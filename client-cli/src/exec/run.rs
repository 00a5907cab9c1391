//! The course of `exec`: connect, take a thread, ask, listen to the end.

use std::io;
use std::process::ExitCode;

use anyhow::{Context, bail};
use spindle_schema::methods::{ServerNotification, ServerRequest};
use spindle_schema::v2::{
    CommandExecutionApprovalDecision, CommandExecutionRequestApprovalResponse,
    FileChangeApprovalDecision, FileChangeRequestApprovalResponse, MessagePhase, ThreadItemBody,
    ThreadUnsubscribeParams, TurnInterruptParams,
};

use super::args::{Color, ExecArgs, ExecCommand};
use super::outcome::Outcome;
use super::prompt;
use super::report::{JsonReport, Report, ThreadFacts};
use super::setup::Setup;
use super::text::TextReport;
use crate::args::Shared;
use crate::client::{Client, Heard, Session};
use crate::paint::Paint;
use crate::{find, reach, thread_of};

/// How `exec` introduces itself. Tools tell its threads by this name.
const CLIENT: Client = Client { name: "codex_exec", title: "Spindle exec" };

/// The thread to ask in.
enum Target {
    New,
    Named(String),
    Last { everywhere: bool },
}

/// Runs `exec` and gives the exit code.
pub(crate) async fn run(shared: Shared, args: ExecArgs) -> anyhow::Result<ExitCode> {
    let (target, words, options) = match args.command {
        None => (Target::New, args.prompt, args.options),
        Some(ExecCommand::Resume(resume)) => {
            let options = args.options.then(resume.options);
            let (target, words) = match (resume.last, resume.thread, resume.prompt) {
                (true, words, None) => (Target::Last { everywhere: resume.all }, words),
                (true, Some(_), Some(_)) => bail!("--last takes no thread"),
                (false, Some(thread), words) => (Target::Named(thread), words),
                (_, None, _) => bail!("name a thread, or use --last"),
            };
            (target, words.or(args.prompt), options)
        }
    };
    let setup = Setup::new(shared, options)?;
    let prompt = prompt::read(words.as_deref())?;
    let mut report = reporter(&setup);
    let mut reached = reach::named_or_own(&setup.options.remote, &setup.shared, CLIENT).await?;
    let result = ask(&setup, &mut reached.session, target, prompt, &mut *report).await;
    reached.leave().await;
    result
}

/// Takes the thread, asks, and listens to the end.
async fn ask(
    setup: &Setup,
    session: &mut Session,
    target: Target,
    prompt: String,
    report: &mut dyn Report,
) -> anyhow::Result<ExitCode> {
    setup.check_folder(session).await?;
    let facts = take_thread(setup, session, target).await?;
    report.thread(&facts)?;
    let turn = session.call(&setup.turn_start(&facts.id, prompt)).await?.turn.id;
    let mut asking = Asking { session, facts, turn, answer: None, interrupts: 0 };
    let outcome = asking.listen(report).await?;
    report.end(&outcome)?;
    if let Some(file) = &setup.options.output_last_message {
        let answer = asking.answer.as_deref().unwrap_or_default();
        std::fs::write(file, answer)
            .with_context(|| format!("failed to write {}", file.display()))?;
    }
    asking.unsubscribe().await;
    Ok(ExitCode::from(outcome.exit_code()))
}

fn reporter(setup: &Setup) -> Box<dyn Report> {
    if setup.options.json {
        return Box::new(JsonReport::new(io::stdout()));
    }
    let paint = match setup.options.color {
        Color::Always => Paint::Colored,
        Color::Never => Paint::Bare,
        Color::Auto => Paint::for_stream(&io::stderr()),
    };
    Box::new(TextReport::new(io::stderr(), io::stdout(), paint))
}

/// Starts the thread, or takes it up again.
async fn take_thread(
    setup: &Setup,
    session: &mut Session,
    target: Target,
) -> anyhow::Result<ThreadFacts> {
    let id = match target {
        Target::New => return Ok(session.call(&setup.thread_start()).await?.into()),
        Target::Named(name) => find::thread(session, &name).await?,
        Target::Last { everywhere } => {
            let folder = (!everywhere).then_some(setup.cwd.as_path());
            find::last_thread(session, folder).await?
        }
    };
    Ok(session.call(&setup.thread_resume(&id)).await?.into())
}

/// A turn that runs.
struct Asking<'a> {
    session: &'a mut Session,
    facts: ThreadFacts,
    /// The turn's id.
    turn: String,
    /// What the agent said last, as far as it can be the answer.
    answer: Option<String>,
    /// How often Ctrl-C was pressed.
    interrupts: u32,
}

impl Asking<'_> {
    /// Listens until the turn has ended.
    async fn listen(&mut self, report: &mut dyn Report) -> anyhow::Result<Outcome> {
        loop {
            tokio::select! {
                heard = self.session.next() => match heard? {
                    Some(Heard::Said(said)) => {
                        if let Some(outcome) = self.hear(&said, report)? {
                            return Ok(outcome);
                        }
                    }
                    Some(Heard::Asked(id, question)) => self.decline(id, &question).await?,
                    None => bail!("the daemon closed the connection before the turn ended"),
                },
                signal = tokio::signal::ctrl_c() => {
                    signal.context("failed to listen for Ctrl-C")?;
                    self.interrupts += 1;
                    if self.interrupts > 1 {
                        return Ok(Outcome::Interrupted);
                    }
                    self.interrupt().await?;
                }
            }
        }
    }

    /// Passes on what concerns the thread; gives the outcome when it ends the turn.
    fn hear(
        &mut self,
        said: &ServerNotification,
        report: &mut dyn Report,
    ) -> io::Result<Option<Outcome>> {
        if thread_of::thread_of(said).is_some_and(|thread| thread != self.facts.id) {
            return Ok(None);
        }
        match said {
            ServerNotification::TurnCompleted(end) if end.turn.id == self.turn => {
                return Ok(Some(Outcome::of(&end.turn, self.interrupts > 0)));
            }
            ServerNotification::ItemCompleted(completed) => {
                if let ThreadItemBody::AgentMessage(message) = &completed.item.body
                    && message.phase != Some(MessagePhase::Commentary)
                {
                    self.answer = Some(message.text.clone());
                }
            }
            _ => {}
        }
        report.hear(said).map(|()| None)
    }

    async fn interrupt(&mut self) -> anyhow::Result<()> {
        let params =
            TurnInterruptParams { thread_id: self.facts.id.clone(), turn_id: self.turn.clone() };
        match self.session.call(&params).await {
            // A turn that has just ended is told by its end.
            Ok(_) | Err(crate::client::Error::Call(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// There is nobody to ask, so the answer is no; the turn goes on.
    async fn decline(
        &mut self,
        id: spindle_schema::ids::RequestId,
        question: &ServerRequest,
    ) -> Result<(), crate::client::Error> {
        match question {
            ServerRequest::ItemCommandExecutionRequestApproval(_) => {
                let decision = CommandExecutionApprovalDecision::Decline;
                let answer = CommandExecutionRequestApprovalResponse { decision };
                self.session.answer(id, &answer).await
            }
            ServerRequest::ItemFileChangeRequestApproval(_) => {
                let decision = FileChangeApprovalDecision::Decline;
                self.session.answer(id, &FileChangeRequestApprovalResponse { decision }).await
            }
            other => {
                let message = format!("exec has nobody to answer `{}`", other.method());
                self.session.refuse(id, &message).await
            }
        }
    }

    /// Gives the thread back. What goes wrong here changes nothing for the caller.
    async fn unsubscribe(&mut self) {
        let params = ThreadUnsubscribeParams { thread_id: self.facts.id.clone() };
        let _ = self.session.call(&params).await;
    }
}

#[cfg(test)]
mod tests;
