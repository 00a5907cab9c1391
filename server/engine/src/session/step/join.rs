//! A client follows the thread, or only looks.

use std::sync::Arc;

use spindle_schema::event::{EventMsg, Question};

use super::super::effect::{Effect, Reply};
use super::super::input::{Join, Look};
use super::super::state::State;
use crate::Answer;
use crate::threads::{Resumed, Started};

/// Adds a follower. It gets the state of this moment, then every later event, and no earlier one;
/// open questions are put to it again under their ids.
pub(super) fn join(state: &mut State, request: Join) -> Vec<Effect> {
    state.subscribers.add(request.connection);
    let resumed = Resumed {
        started: Started {
            thread: state.snapshot(),
            settings: Box::new(state.settings.clone()),
            instruction_sources: state.facts.instruction_sources.clone(),
        },
        active_turn: state.active().map(|turn| Arc::new(turn.snapshot())),
        was_loaded: true,
    };
    let mut effects = vec![Effect::Reply(Reply::Resumed(request.answer, Box::new(resumed)))];
    let usage = state.usage.iter().map(|usage| EventMsg::TokenUsageUpdated(usage.clone().into()));
    let is_asked = |question: &&Arc<Question>| {
        let another = question.only.filter(|&client| client != request.connection);
        another.is_none_or(|client| !state.subscribers.has(client))
    };
    let open = state.active().into_iter().flat_map(|turn| &turn.questions).filter(is_asked);
    let told: Vec<_> = usage.chain(open.map(|q| EventMsg::Question(q.clone()))).collect();
    if !told.is_empty() {
        effects.push(Effect::Tell(request.connection, told));
    }
    effects
}

/// Tells how the thread stands.
pub(super) fn look(state: &State, answer: Answer<Look>) -> Vec<Effect> {
    let look = Look {
        thread: state.snapshot(),
        active_turn: state.active().map(|turn| Arc::new(turn.snapshot())),
    };
    vec![Effect::Reply(Reply::Look(answer, look))]
}
