//! `exec` for people: progress on stderr, the answer on stdout.

use std::io::{self, Write};

use spindle_schema::methods::ServerNotification;
use spindle_schema::v2::{
    ConfigWarningNotification, MessagePhase, ThreadItem, ThreadItemBody,
    TurnPlanUpdatedNotification,
};

use super::event::Usage;
use super::outcome::Outcome;
use super::report::{Report, ThreadFacts};
use crate::client::{item_id, render_item, render_plan};
use crate::paint::{Paint, Style};

/// Text for a person.
pub(crate) struct TextReport<P, A> {
    /// Where progress goes.
    progress: P,
    /// Where the answer goes.
    answer: A,
    paint: Paint,
    /// The last message of the agent: the answer, unless something follows it.
    held: Option<String>,
    /// The item whose start was the last thing shown; its result needs no repetition.
    begun: Option<String>,
    usage: Usage,
}

impl<P: Write, A: Write> TextReport<P, A> {
    /// Progress goes to `progress`, in colours when `paint` says so, the answer to `answer`.
    pub(crate) fn new(progress: P, answer: A, paint: Paint) -> Self {
        Self { progress, answer, paint, held: None, begun: None, usage: Usage::default() }
    }

    fn line(&mut self, who: &str, style: Style, text: &str) -> io::Result<()> {
        self.begun = None;
        let label = self.paint.label(who, style);
        let mut lines = text.lines();
        writeln!(self.progress, "{label}{}", lines.next().unwrap_or_default())?;
        lines.try_for_each(|line| writeln!(self.progress, "{}{line}", Paint::INDENT))
    }

    /// A message that something follows was not the answer.
    fn release(&mut self) -> io::Result<()> {
        match self.held.take() {
            Some(text) => self.line("agent", Style::Strong, text.trim_end()),
            None => Ok(()),
        }
    }

    /// Commands are shown when they begin, so that a person sees what takes so long.
    fn started(&mut self, item: &ThreadItem) -> io::Result<()> {
        if !matches!(&item.body, ThreadItemBody::CommandExecution(_)) {
            return Ok(());
        }
        if let Some(shown) = render_item(item) {
            self.release()?;
            self.line(shown.who, Style::Plain, &shown.text)?;
            self.begun = Some(item_id(item).to_owned());
        }
        Ok(())
    }

    fn result(&mut self, item: &ThreadItem) -> io::Result<()> {
        let Some(shown) = render_item(item) else { return Ok(()) };
        self.release()?;
        if self.begun.as_deref() == Some(item_id(item)) {
            self.begun = None;
            let mut lines = shown.result.lines();
            return lines.try_for_each(|line| writeln!(self.progress, "{}{line}", Paint::INDENT));
        }
        self.line(shown.who, Style::Plain, &shown.whole())
    }

    fn completed(&mut self, item: &ThreadItem) -> io::Result<()> {
        match &item.body {
            ThreadItemBody::UserMessage(_) => Ok(()),
            ThreadItemBody::AgentMessage(message) => {
                self.release()?;
                if message.phase == Some(MessagePhase::Commentary) {
                    return self.line("agent", Style::Strong, message.text.trim_end());
                }
                self.held = Some(message.text.clone());
                Ok(())
            }
            _ => self.result(item),
        }
    }

    fn plan(&mut self, update: &TurnPlanUpdatedNotification) -> io::Result<()> {
        self.release()?;
        self.line("plan", Style::Plain, &render_plan(&update.plan))
    }

    fn config_warning(&mut self, warning: &ConfigWarningNotification) -> io::Result<()> {
        let mut text = warning.summary.clone();
        if let Some(details) = &warning.details {
            text = format!("{text}\n{details}");
        }
        self.line("warning", Style::Warning, &text)
    }
}

impl<P: Write, A: Write> Report for TextReport<P, A> {
    fn thread(&mut self, about: &ThreadFacts) -> io::Result<()> {
        let facts = format!(
            "{}\nmodel {} ({}), sandbox {}, approvals {}\n{}",
            about.id, about.model, about.provider, about.sandbox, about.approval, about.cwd
        );
        self.line("thread", Style::Faint, &facts)
    }

    fn hear(&mut self, said: &ServerNotification) -> io::Result<()> {
        match said {
            ServerNotification::ItemStarted(started) => self.started(&started.item),
            ServerNotification::ItemCompleted(completed) => self.completed(&completed.item),
            ServerNotification::TurnPlanUpdated(plan) => self.plan(plan),
            ServerNotification::ThreadTokenUsageUpdated(update) => {
                self.usage = Usage::from(&update.token_usage.total);
                Ok(())
            }
            // The last one comes again with the end of the turn.
            ServerNotification::Error(error) if error.will_retry => {
                self.line("retry", Style::Warning, &error.error.message)
            }
            ServerNotification::Warning(warning) => {
                self.line("warning", Style::Warning, &warning.message)
            }
            ServerNotification::ConfigWarning(warning) => self.config_warning(warning),
            _ => Ok(()),
        }
    }

    fn end(&mut self, outcome: &Outcome) -> io::Result<()> {
        match outcome {
            Outcome::Completed => {
                let used = format!("{} tokens used", self.usage.worked());
                self.line("done", Style::Faint, &used)?;
                self.progress.flush()?;
                if let Some(text) = self.held.take() {
                    writeln!(self.answer, "{}", text.trim_end_matches('\n'))?;
                }
                self.answer.flush()
            }
            Outcome::Failed(message) => {
                self.release()?;
                self.line("error", Style::Error, message)
            }
            Outcome::Interrupted => {
                self.release()?;
                self.line("stopped", Style::Warning, "interrupted; the thread can be resumed")
            }
        }
    }
}

#[cfg(test)]
mod tests;
