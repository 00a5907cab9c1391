//! One of the two clients of the story: it notes all that it sees.

use spindle_schema::ids::RequestId;
use spindle_schema::methods::{ServerNotification as Said, ServerRequest};
use spindle_schema::v2::{ThreadItem, ThreadItemBody, Turn, TurnStatus};

use super::board::{Board, Side};
use crate::client::{Client, Error, Heard, Session, Wire, item_id, render_item};

/// A client and what it saw.
pub(super) struct Frontend {
    side: Side,
    /// Its connection.
    pub(super) session: Session,
    /// Whole items, in the order in which they came.
    pub(super) items: Vec<ThreadItem>,
    /// Commands that have begun.
    pub(super) begun: Vec<String>,
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
        Ok(Self {
            side,
            session: Session::open(wire, client).await?,
            items: Vec::new(),
            begun: Vec::new(),
            ended: Vec::new(),
            questions: Vec::new(),
            settled: 0,
        })
    }

    /// Notes what was heard, for the checks and on the board.
    pub(super) fn note(&mut self, heard: Heard, board: &mut Board) {
        let Some((key, text)) = self.keep(heard) else { return };
        board.saw(self.side, &key, &text);
    }

    /// Keeps what the checks need. Gives what the board shows, and what makes it the same
    /// thing on both sides.
    fn keep(&mut self, heard: Heard) -> Option<(String, String)> {
        match heard {
            Heard::Asked(id, question) => {
                let text = format!("asks   may it run? {}", command_of(&question));
                let key = format!("ask {id}");
                self.questions.push(id);
                Some((key, text))
            }
            Heard::Said(Said::ServerRequestResolved(resolved)) => {
                let id = &resolved.request_id;
                self.questions.retain(|open| open != id);
                self.settled += 1;
                Some((format!("settled {id}"), "asks   settled".to_owned()))
            }
            Heard::Said(Said::TurnStarted(started)) => {
                Some((format!("turn {}", started.turn.id), "turn   begins".to_owned()))
            }
            Heard::Said(Said::TurnCompleted(end)) => {
                let text = format!("turn   {}", status(end.turn.status));
                let key = format!("end {}", end.turn.id);
                self.ended.push(end.turn);
                Some((key, text))
            }
            Heard::Said(Said::ItemStarted(started)) => {
                let ThreadItemBody::CommandExecution(command) = &started.item.body else {
                    return None;
                };
                self.begun.push(command.id.clone());
                Some((format!("begin {}", command.id), format!("run    {}", command.command)))
            }
            Heard::Said(Said::ItemCompleted(completed)) => {
                let key = format!("item {}", item_id(&completed.item));
                let text = item_text(&completed.item);
                self.items.push(completed.item);
                text.map(|text| (key, text))
            }
            Heard::Said(_) => None,
        }
    }
}

/// An item as the board shows it. What a command is was shown when it began.
fn item_text(item: &ThreadItem) -> Option<String> {
    let shown = render_item(item)?;
    let text = match &item.body {
        ThreadItemBody::CommandExecution(_) => &shown.result,
        _ => &shown.text,
    };
    Some(format!("{:<6} {}", shown.who, text.replace('\n', "\n       ")))
}

fn command_of(question: &ServerRequest) -> &str {
    match question {
        ServerRequest::ItemCommandExecutionRequestApproval(params) => {
            params.command.as_deref().unwrap_or_default()
        }
        other => other.method(),
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
