//! What a step wants done.

use spindle_schema::event::EventMsg;
use spindle_schema::ids::{ConnectionId, QuestionId, TurnId};
use tokio_util::sync::CancellationToken;

use super::input::Look;
use crate::threads::{Resumed, Started, StartedTurn};
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
    /// Answer a client that follows from now on, and tell it how things stand.
    Welcome(Box<Welcome>),
    /// Begin a turn with the conversation that is at rest.
    StartTurn(Box<TurnPlan>),
    /// Run a command of the person's beside what the turn does.
    RunCommand(Box<SideCommand>),
    /// Ask the running turn to end.
    CancelTurn(CancellationToken),
    /// Take open questions back; late answers are then ignored.
    Withdraw(Vec<QuestionId>),
    /// Let go of what is kept for those who lost their connection.
    Forget,
    /// End the session.
    Finish(Answer<()>),
}

/// What a client gets that follows from now on, in this order.
#[derive(Debug)]
pub(crate) struct Welcome {
    /// Who.
    pub(crate) connection: ConnectionId,
    /// Its answer.
    pub(crate) answer: Answer<Resumed>,
    /// The thread as it stands.
    pub(crate) resumed: Resumed,
    /// The number of what it saw last: what came after it is said again, if that is kept.
    pub(crate) seen: Option<u64>,
    /// What it is told when nothing is said again.
    pub(crate) usage: Option<EventMsg>,
    /// The questions that are open.
    pub(crate) open: Vec<EventMsg>,
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
    /// To whoever made the thread.
    Made(Answer<Started>, Box<Started>),
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
            Self::Made(answer, started) => answer.ok(*started),
            Self::Look(answer, look) => answer.ok(look),
        }
    }
}
