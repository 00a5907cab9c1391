//! `turn/interrupt`: the running turn is to end.

use spindle_schema::op::Interrupt;

use super::super::effect::{Effect, Reply};
use super::super::state::State;
use crate::error::ActiveTurnAction;
use crate::{Answer, Error};

/// Answers at once and asks the turn to end; its end is told when it has cleaned up.
pub(super) fn interrupt(state: &State, interrupt: &Interrupt, answer: Answer<()>) -> Vec<Effect> {
    let Some(active) = state.active() else {
        let error = Error::NoActiveTurn(ActiveTurnAction::Interrupt);
        return vec![Effect::Reply(Reply::Done(answer, Err(error)))];
    };
    if active.id != interrupt.turn {
        let error = Error::TurnMismatch {
            action: ActiveTurnAction::Interrupt,
            expected: interrupt.turn.clone(),
            actual: active.id.clone(),
        };
        return vec![Effect::Reply(Reply::Done(answer, Err(error)))];
    }
    vec![Effect::Reply(Reply::Done(answer, Ok(()))), Effect::CancelTurn(active.cancel.clone())]
}
