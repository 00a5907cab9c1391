//! `thread/shellCommand`: a person's own command (SPEC X5).

use std::sync::Arc;

use spindle_schema::ids::TurnId;
use spindle_schema::op::ShellCommand;

use super::super::effect::{Effect, Reply};
use super::super::state::{ActiveTurn, Caller, Phase, QueuedTurn, State};
use super::start::{MOST_QUEUED, begin};
use crate::turn::{Expecting, SideCommand, Task};
use crate::{Answer, Error};

/// What was asked for.
pub(super) struct Wanted {
    /// The turn, if it becomes one.
    pub(super) id: TurnId,
    /// The command.
    pub(super) command: ShellCommand,
    /// Who asked.
    pub(super) answer: Answer<()>,
}

/// Runs a command: as a turn of its own on an idle thread, beside what the turn does on a busy
/// one, and after a turn that takes nothing more.
pub(super) fn shell(state: &mut State, wanted: Wanted, now_ms: i64) -> Vec<Effect> {
    let Wanted { id, command, answer } = wanted;
    let beside = match &state.phase {
        Phase::Closing(..) => {
            return vec![Effect::Reply(Reply::Done(answer, Err(Error::Draining)))];
        }
        Phase::Idle { .. } => {
            let turn = queued(id, command, Caller::Plain(answer));
            return begin(state, turn, now_ms);
        }
        Phase::Running(turn) => beside(turn, state, &command),
    };
    let result = match beside {
        Beside::Runs(effect) => {
            return vec![Effect::Reply(Reply::Done(answer, Ok(()))), effect];
        }
        Beside::Later if state.queue.len() < MOST_QUEUED => {
            state.queue.push_back(queued(id, command, Caller::Answered));
            Ok(())
        }
        Beside::Later | Beside::TooMany => Err(Error::Overloaded),
    };
    vec![Effect::Reply(Reply::Done(answer, result))]
}

/// What becomes of a command when a turn runs.
enum Beside {
    Runs(Effect),
    Later,
    TooMany,
}

fn beside(turn: &ActiveTurn, state: &State, command: &ShellCommand) -> Beside {
    let Ok(mailbox) = turn.mailbox() else { return Beside::Later };
    match mailbox.expect() {
        Expecting::Note(ticket) => Beside::Runs(Effect::RunCommand(Box::new(SideCommand {
            turn_id: turn.id.clone(),
            command: command.clone(),
            settings: Arc::new(state.settings.clone()),
            cancel: turn.cancel.clone(),
            ticket,
        }))),
        Expecting::Closed => Beside::Later,
        Expecting::Full => Beside::TooMany,
    }
}

fn queued(id: TurnId, command: ShellCommand, caller: Caller) -> QueuedTurn {
    QueuedTurn { id, task: Task::Shell(command), input: Box::default(), caller }
}
