//! What the daemon says, line by line.

use std::collections::HashSet;
use std::io::{self, Write};

use spindle_schema::methods::ServerNotification as Said;
use spindle_schema::v2::{
    ThreadItem, ThreadItemBody, Turn, TurnPlanUpdatedNotification, TurnStatus,
};

use crate::client::{item_id, render_item, render_plan};
use crate::paint::{Paint, Style};

/// Where a thread is shown as it goes on.
pub(crate) struct Screen<W> {
    out: W,
    paint: Paint,
    /// The item whose text is being written, with its line still open.
    open: Option<String>,
    /// Line ends of that text that are written only when more of it comes.
    due_lines: usize,
    /// Items of which some text was shown as it came.
    streamed: HashSet<String>,
    /// Items whose beginning was shown.
    begun: HashSet<String>,
}

impl<W: Write> Screen<W> {
    /// A screen that writes to `out`.
    pub(crate) fn new(out: W, paint: Paint) -> Self {
        let (streamed, begun) = (HashSet::new(), HashSet::new());
        Self { out, paint, open: None, due_lines: 0, streamed, begun }
    }

    /// Shows a turn that is known already, with the text that its open items have so far.
    pub(crate) fn known_turn(&mut self, turn: &Turn) -> io::Result<()> {
        let is_running = turn.status == TurnStatus::InProgress;
        for item in &turn.items {
            if is_running && item.completed_at_ms.is_none() {
                self.begin(item)?;
            } else {
                self.whole(item)?;
            }
        }
        if is_running { Ok(()) } else { self.turn_end(turn) }
    }

    /// Shows what the daemon said; much of it is nothing to show.
    pub(crate) fn hear(&mut self, said: &Said) -> io::Result<()> {
        match said {
            Said::ItemStarted(started) => self.begin(&started.item),
            Said::ItemCompleted(completed) => self.complete(&completed.item),
            Said::ItemAgentMessageDelta(more) => self.stream("agent", &more.item_id, &more.delta),
            Said::ItemPlanDelta(more) => self.stream("plan", &more.item_id, &more.delta),
            Said::ItemReasoningSummaryTextDelta(more) => {
                self.stream("think", &more.item_id, &more.delta)
            }
            Said::ItemCommandExecutionOutputDelta(more) => {
                self.stream("output", &more.item_id, &more.delta)
            }
            Said::TurnPlanUpdated(plan) => self.plan(plan),
            Said::TurnCompleted(end) => self.turn_end(&end.turn),
            Said::Error(error) if error.will_retry => {
                self.note("retry", Style::Warning, &error.error.message)
            }
            Said::Warning(warning) => self.note("warning", Style::Warning, &warning.message),
            Said::ConfigWarning(warning) => self.note("warning", Style::Warning, &warning.summary),
            Said::ThreadNameUpdated(update) => {
                self.note("name", Style::Faint, update.thread_name.as_deref().unwrap_or("-"))
            }
            _ => Ok(()),
        }
    }

    /// Shows a labelled text.
    pub(crate) fn note(&mut self, label: &str, style: Style, text: &str) -> io::Result<()> {
        self.close_line()?;
        if text.is_empty() {
            writeln!(self.out, "{}", self.paint.paint(label, style))?;
            return self.out.flush();
        }
        let label = self.paint.label(label, style);
        let mut lines = text.lines();
        writeln!(self.out, "{label}{}", lines.next().unwrap_or_default())?;
        lines.try_for_each(|line| writeln!(self.out, "{}{line}", Paint::INDENT))?;
        self.out.flush()
    }

    fn begin(&mut self, item: &ThreadItem) -> io::Result<()> {
        let id = item_id(item).to_owned();
        match &item.body {
            ThreadItemBody::AgentMessage(message) if !message.text.is_empty() => {
                self.stream("agent", &id, &message.text)
            }
            ThreadItemBody::CommandExecution(command) => {
                self.begun.insert(id.clone());
                self.note("run", Style::Plain, &command.command)?;
                match command.aggregated_output.as_deref() {
                    Some(output) if !output.is_empty() => self.stream("output", &id, output),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn complete(&mut self, item: &ThreadItem) -> io::Result<()> {
        let was_begun = self.begun.remove(item_id(item));
        if self.streamed.remove(item_id(item)) {
            self.close_line()?;
            let Some(shown) = render_item(item).filter(|_| was_begun) else { return Ok(()) };
            // The output was shown as it came; how the command ended was not.
            return self.note("", Style::Plain, shown.result.lines().next().unwrap_or_default());
        }
        match render_item(item) {
            Some(shown) if was_begun => self.note("", Style::Plain, &shown.result),
            _ => self.whole(item),
        }
    }

    fn whole(&mut self, item: &ThreadItem) -> io::Result<()> {
        match render_item(item) {
            Some(shown) => {
                let style = if shown.who == "agent" { Style::Strong } else { Style::Plain };
                self.note(shown.who, style, &shown.whole())
            }
            None => Ok(()),
        }
    }

    /// Writes a piece of text after what came before it.
    fn stream(&mut self, label: &str, id: &str, piece: &str) -> io::Result<()> {
        if self.open.as_deref() != Some(id) {
            self.close_line()?;
            let style = if label == "agent" { Style::Strong } else { Style::Faint };
            write!(self.out, "{}", self.paint.label(label, style))?;
            self.open = Some(id.to_owned());
            self.streamed.insert(id.to_owned());
        }
        let text = piece.trim_end_matches('\n');
        let due = piece.len() - text.len();
        if text.is_empty() {
            self.due_lines += due;
            return self.out.flush();
        }
        let line_end = format!("\n{}", Paint::INDENT);
        let before = line_end.repeat(std::mem::replace(&mut self.due_lines, due));
        write!(self.out, "{before}{}", text.replace('\n', &line_end))?;
        self.out.flush()
    }

    fn close_line(&mut self) -> io::Result<()> {
        self.due_lines = 0;
        match self.open.take() {
            Some(_) => writeln!(self.out),
            None => Ok(()),
        }
    }

    fn plan(&mut self, update: &TurnPlanUpdatedNotification) -> io::Result<()> {
        self.note("plan", Style::Plain, &render_plan(&update.plan))
    }

    fn turn_end(&mut self, turn: &Turn) -> io::Result<()> {
        self.streamed.clear();
        self.begun.clear();
        match (turn.status, &turn.error) {
            (TurnStatus::Completed | TurnStatus::InProgress, _) => {
                self.note("done", Style::Faint, "")
            }
            (TurnStatus::Interrupted, _) => self.note("stopped", Style::Warning, "interrupted"),
            (TurnStatus::Failed, Some(error)) => self.note("failed", Style::Error, &error.message),
            (TurnStatus::Failed, None) => self.note("failed", Style::Error, ""),
        }
    }
}

#[cfg(test)]
mod tests;
