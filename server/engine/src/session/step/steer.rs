//! `turn/steer`: input for the turn that runs.

use spindle_schema::ids::TurnId;
use spindle_schema::op::Steer;

use super::super::effect::{Effect, Reply};
use super::super::state::State;
use crate::error::ActiveTurnAction;
use crate::turn::Offer;
use crate::{Answer, Error};

/// Steers the running turn, if it is the one the caller thinks (SPEC S5, T4).
pub(super) fn steer(state: &State, steer: Steer, answer: Answer<TurnId>) -> Vec<Effect> {
    vec![Effect::Reply(Reply::Steered(answer, offer(state, steer)))]
}

fn offer(state: &State, steer: Steer) -> Result<TurnId, Error> {
    let none = Error::NoActiveTurn(ActiveTurnAction::Steer);
    let Some(active) = state.active() else { return Err(none) };
    if active.id != steer.expected_turn {
        return Err(Error::TurnMismatch {
            action: ActiveTurnAction::Steer,
            expected: steer.expected_turn,
            actual: active.id.clone(),
        });
    }
    if steer.input.is_empty() {
        return Err(Error::EmptyInput);
    }
    match active.mailbox()?.offer(steer.input, steer.client_id) {
        Offer::Taken => Ok(active.id.clone()),
        Offer::Closed => Err(none),
        Offer::Full => Err(Error::Overloaded),
    }
}
