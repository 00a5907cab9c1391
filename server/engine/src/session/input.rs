//! What a session hears.

use std::sync::Arc;

use spindle_schema::event::{EventMsg, ThreadSnapshot, TurnSnapshot};
use spindle_schema::ids::{ConnectionId, TurnId};
use spindle_schema::note::ThreadNotes;
use spindle_schema::op::{Interrupt, SettingsUpdate, ShellCommand, Steer, TurnInput};

use crate::threads::{Resumed, Started, StartedTurn};
use crate::turn::Report;
use crate::{Answer, Error};

/// Something a session hears, from whomever.
#[derive(Debug)]
pub(crate) enum Input {
    /// A client wants something.
    Submission(Submission),
    /// The running turn, or a command that outlived its turn, says something.
    Report(Report),
    /// The daemon or the manager wants the session to end.
    Stop(Answer<()>),
    /// The session is to end if nobody uses it; one that is used drops the answer.
    Retire(Answer<()>),
    /// What is kept for those who lost their connection may go, unless a turn runs.
    Forget,
}

/// What a client wants. A started turn's id is the id of its submission (SPEC S3).
#[derive(Debug)]
pub(crate) enum Submission {
    /// Start a turn, or steer the one that runs.
    StartTurn { id: TurnId, input: Box<TurnInput>, answer: Answer<StartedTurn> },
    /// Give input to the turn that runs.
    Steer(Steer, Answer<TurnId>),
    /// End the turn that runs.
    Interrupt(Interrupt, Answer<()>),
    /// Put a summary in the place of the history.
    Compact { id: TurnId, answer: Answer<()> },
    /// Run a command of the person's.
    Shell { id: TurnId, command: ShellCommand, answer: Answer<()> },
    /// Change settings for later turns.
    UpdateSettings(Box<SettingsUpdate>, Answer<()>),
    /// The thread has another name.
    SetName(Option<Box<str>>),
    /// Something was noted about the thread, and what is told of it.
    SetNotes(Box<ThreadNotes>, Option<EventMsg>),
    /// Answer whoever made the thread, and tell that it exists.
    Announce(Answer<Started>, Box<Started>),
    /// Follow the thread.
    Join(Join),
    /// Tell how the thread stands.
    Look(Answer<Look>),
}

impl Submission {
    /// Answers a submission that nobody will take.
    pub(crate) fn refuse(self, error: Error) {
        match self {
            Self::StartTurn { answer, .. } => answer.err(error),
            Self::Steer(_, answer) => answer.err(error),
            Self::Interrupt(_, answer)
            | Self::UpdateSettings(_, answer)
            | Self::Compact { answer, .. }
            | Self::Shell { answer, .. } => answer.err(error),
            Self::Announce(answer, _) => answer.err(error),
            Self::Join(join) => join.answer.err(error),
            Self::Look(answer) => answer.err(error),
            Self::SetName(_) | Self::SetNotes(..) => {}
        }
    }
}

/// A connection follows the thread.
#[derive(Debug)]
pub(crate) struct Join {
    /// Who.
    pub(crate) connection: ConnectionId,
    /// Where the thread's state at that moment goes.
    pub(crate) answer: Answer<Resumed>,
    /// The number of what it saw last.
    pub(crate) seen: Option<u64>,
    /// Whether the thread was loaded before; one that was not says first that it is there.
    pub(crate) was_loaded: bool,
}

/// How a thread stands.
#[derive(Debug, Clone)]
pub(crate) struct Look {
    /// The thread.
    pub(crate) thread: Arc<ThreadSnapshot>,
    /// The turn that runs, with its items so far.
    pub(crate) active_turn: Option<Arc<TurnSnapshot>>,
}
