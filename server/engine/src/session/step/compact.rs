//! `thread/compact/start`: a turn that puts a summary in the place of the history.

use spindle_schema::ids::TurnId;

use super::super::effect::{Effect, Reply};
use super::super::state::{Caller, Phase, QueuedTurn, State};
use super::start::begin;
use crate::turn::Task;
use crate::{Answer, Error};

/// Begins a compaction. A turn that runs is ended for it, since its history is what is replaced;
/// a compaction that runs, or is about to, is the one that was asked for (SPEC S7).
pub(super) fn compact(
    state: &mut State,
    id: TurnId,
    answer: Answer<()>,
    now_ms: i64,
) -> Vec<Effect> {
    let turn = |caller| QueuedTurn { id, task: Task::Compact, input: Box::default(), caller };
    match &state.phase {
        Phase::Closing(..) => vec![Effect::Reply(Reply::Done(answer, Err(Error::Draining)))],
        Phase::Idle { .. } => begin(state, turn(Caller::Plain(answer)), now_ms),
        Phase::Running(active) => {
            let waits = state.queue.front().is_some_and(|next| next.task == Task::Compact);
            let mut effects = vec![Effect::Reply(Reply::Done(answer, Ok(())))];
            if let Some(mailbox) = active.mailbox().ok().filter(|_| !waits) {
                mailbox.replace();
                effects.push(Effect::CancelTurn(active.cancel.clone()));
                state.queue.push_front(turn(Caller::Answered));
            }
            effects
        }
    }
}
