//! What a step wants done.

use spindle_schema::event::EventMsg;
use spindle_schema::ids::{ConnectionId, QuestionId, TurnId};
use tokio_util::sync::CancellationToken;

use super::input::Look;
use crate::threads::{Resumed, StartedTurn};
use crate::turn::{SideCommand, TurnPlan};
use crate::{Answer, Error};

/// Something to be done, in the order given.
#[derive(Debug)]
pub(crate) enum Effect {
    /// Answer a request.
    Reply(Reply),
    /// Tell the clients.
    Say(Vec<EventMsg>),
    /// Tell one client.
    Tell(ConnectionId, Vec<EventMsg>),
    /// Begin a turn with the conversation that is at rest.
    StartTurn(Box<TurnPlan>),
    /// Run a command of the person's beside what the turn does.
    RunCommand(Box<SideCommand>),
    /// Ask the running turn to end.
    CancelTurn(CancellationToken),
    /// Take open questions back; late answers are then ignored.
    Withdraw(Vec<QuestionId>),
    /// End the session.
    Finish(Answer<()>),
}

/// An answer and its result.
#[derive(Debug)]
pub(crate) enum Reply {
    /// To `turn/start`.
    Started(Answer<StartedTurn>, Result<StartedTurn, Error>),
    /// To `turn/steer`.
    Steered(Answer<TurnId>, Result<TurnId, Error>),
    /// To requests without a result.
    Done(Answer<()>, Result<(), Error>),
    /// To a resume.
    Resumed(Answer<Resumed>, Box<Resumed>),
    /// To a look.
    Look(Answer<Look>, Look),
}

impl Reply {
    /// Hands the result over.
    pub(crate) fn send(self) {
        match self {
            Self::Started(answer, result) => answer.settle(result),
            Self::Steered(answer, result) => answer.settle(result),
            Self::Done(answer, result) => answer.settle(result),
            Self::Resumed(answer, resumed) => answer.ok(*resumed),
            Self::Look(answer, look) => answer.ok(look),
        }
    }
}
