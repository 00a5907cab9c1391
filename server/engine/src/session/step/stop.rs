//! The session is to end.

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
