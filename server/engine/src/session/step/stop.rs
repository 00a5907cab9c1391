//! The session is to end, or to hold less.

use super::super::effect::Effect;
use super::super::state::{Phase, State};
use crate::{Answer, Error};

/// Ends an idle session at once, a busy one after its turn was interrupted.
pub(super) fn stop(state: &mut State, answer: Answer<()>) -> Vec<Effect> {
    let mut effects: Vec<Effect> = state
        .queue
        .drain(..)
        .filter_map(|turn| turn.caller.answer(Err(Error::Draining)))
        .map(Effect::Reply)
        .collect();
    match std::mem::replace(&mut state.phase, Phase::Closing(None, Vec::new())) {
        Phase::Idle { .. } | Phase::Closing(None, _) => effects.push(Effect::Finish(answer)),
        Phase::Running(turn) => {
            effects.push(Effect::CancelTurn(turn.cancel.clone()));
            state.phase = Phase::Closing(Some(turn), vec![answer]);
        }
        Phase::Closing(turn, mut waiting) => {
            waiting.push(answer);
            state.phase = Phase::Closing(turn, waiting);
        }
    }
    effects
}

/// Ends a session that rests and that nobody follows. Any other goes on, and drops the answer.
pub(super) fn retire(state: &mut State, answer: Answer<()>) -> Vec<Effect> {
    let rests = matches!(state.phase, Phase::Idle { .. }) && state.queue.is_empty();
    if rests && state.subscribers.is_empty() { stop(state, answer) } else { Vec::new() }
}

/// Lets go of what was said before, unless a turn runs: its followers may come back.
pub(super) fn forget(state: &State) -> Vec<Effect> {
    if state.active().is_none() { vec![Effect::Forget] } else { Vec::new() }
}
