//! One of the two clients of the story: it notes all that it sees.

use spindle_schema::ids::RequestId;
use spindle_schema::methods::{ServerNotification as Said, ServerRequest};
use spindle_schema::v2::{ThreadItem, ThreadItemBody, Turn, TurnStatus};

use super::board::{Board, Seen, Side};
use crate::client::{Client, Error, Heard, Session, Wire, item_id, render_item};

/// What the long command prints before it waits.
pub(super) const BEGUN: &str = "开始";

/// A client and what it saw.
pub(super) struct Frontend {
    side: Side,
    /// Its connection.
    pub(super) session: Session,
    /// Whole items, in the order in which they came.
    pub(super) items: Vec<ThreadItem>,
    /// Whether the long command runs.
    pub(super) has_begun: bool,
    /// Turns that have ended.
    pub(super) ended: Vec<Turn>,
    /// Questions that wait.
    pub(super) questions: Vec<RequestId>,
    /// How many questions it saw settled.
    pub(super) settled: usize,
}

impl Frontend {
    /// Greets the daemon.
    pub(super) async fn open(side: Side, wire: Wire) -> Result<Self, Error> {
        let client = match side {
            Side::Left => Client { name: "demo_editor", title: "Editor" },
            Side::Right => Client { name: "demo_terminal", title: "Terminal" },
        };
        Ok(Self::of(side, Session::open(wire, client).await?))
    }

    /// A client that has seen nothing yet.
    fn of(side: Side, session: Session) -> Self {
        Self {
            side,
            session,
            items: Vec::new(),
            has_begun: false,
            ended: Vec::new(),
            questions: Vec::new(),
            settled: 0,
        }
    }

    /// Notes what was heard, for the checks and on the board.
    pub(super) fn note(&mut self, heard: Heard, board: &mut Board) {
        if let Some((key, who, text)) = self.keep(heard) {
            board.saw(self.side, &key, Seen { who, text });
        }
    }

    /// Keeps what the checks need. Gives what the board shows: what makes it the same thing on
    /// both sides, whose doing it is, and what it is.
    fn keep(&mut self, heard: Heard) -> Option<(String, &'static str, String)> {
        match heard {
            Heard::Asked(id, question) => {
                let key = format!("ask {id}");
                self.questions.push(id);
                Some((key, "asks", question_text(&question)))
            }
            Heard::Said(Said::ServerRequestResolved(resolved)) => {
                let id = &resolved.request_id;
                self.questions.retain(|open| open != id);
                self.settled += 1;
                Some((format!("settled {id}"), "asks", "settled".to_owned()))
            }
            Heard::Said(Said::TurnStarted(started)) => {
                Some((format!("turn {}", started.turn.id), "turn", "begins".to_owned()))
            }
            Heard::Said(Said::TurnCompleted(end)) => {
                let text = status(end.turn.status).to_owned();
                let key = format!("end {}", end.turn.id);
                self.ended.push(end.turn);
                Some((key, "turn", text))
            }
            Heard::Said(Said::ItemStarted(started)) => match started.item.body {
                ThreadItemBody::CommandExecution(command) => {
                    Some((format!("begin {}", command.id), "run", command.command))
                }
                _ => None,
            },
            Heard::Said(Said::ItemCommandExecutionOutputDelta(more)) => {
                // Other output is shown whole, with the end of its command.
                if !more.delta.contains(BEGUN) {
                    return None;
                }
                self.has_begun = true;
                Some((format!("output {}", more.item_id), "run", format!("| {BEGUN}")))
            }
            Heard::Said(Said::ItemCompleted(completed)) => {
                let key = format!("item {}", item_id(&completed.item));
                let shown = item_text(&completed.item);
                self.items.push(completed.item);
                shown.map(|(who, text)| (key, who, text))
            }
            Heard::Said(_) => None,
        }
    }
}

/// An item as the board shows it. What a command is was shown when it began.
fn item_text(item: &ThreadItem) -> Option<(&'static str, String)> {
    let shown = render_item(item)?;
    let text = match &item.body {
        ThreadItemBody::CommandExecution(_) => shown.result,
        _ => shown.text,
    };
    Some((shown.who, text))
}

/// The question; what command it is about was shown when it began.
fn question_text(question: &ServerRequest) -> String {
    match question {
        ServerRequest::ItemCommandExecutionRequestApproval(_) => "may it run?".to_owned(),
        other => other.method().to_owned(),
    }
}

/// The word for how a turn stands.
pub(super) fn status(status: TurnStatus) -> &'static str {
    match status {
        TurnStatus::Completed => "completed",
        TurnStatus::Interrupted => "interrupted",
        TurnStatus::Failed => "failed",
        TurnStatus::InProgress => "in progress",
    }
}

#[cfg(test)]
mod tests;
