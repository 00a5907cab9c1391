//! A client follows the thread, or only looks.

use std::sync::Arc;

use spindle_schema::event::{EventMsg, Question, ThreadStatus};

use super::super::effect::{Effect, Reply, Welcome};
use super::super::input::{Join, Look};
use super::super::state::State;
use crate::Answer;
use crate::threads::{Resumed, Started};

/// Answers whoever made the thread, then tells everybody that it exists.
pub(super) fn announce(answer: Answer<Started>, started: Box<Started>) -> Vec<Effect> {
    let told = vec![EventMsg::ThreadStarted(started.thread.clone())];
    vec![Effect::Reply(Reply::Made(answer, started)), Effect::Say(told)]
}

/// Adds a follower. It gets the state of this moment, then every later event, and no earlier one
/// unless it asks for what it missed; open questions are put to it again under their ids.
pub(super) fn join(state: &mut State, request: Join, now_ms: i64) -> Vec<Effect> {
    let Join { connection, answer, seen, was_loaded } = request;
    state.subscribers.add(connection, now_ms);
    let resumed = Resumed {
        started: Started {
            thread: state.snapshot(),
            settings: Box::new(state.settings.clone()),
            instruction_sources: state.facts.instruction_sources.clone(),
        },
        active_turn: state.active().map(|turn| Arc::new(turn.snapshot())),
        was_loaded,
        position: 0,
        is_replayed: None,
    };
    let usage = state.usage.as_ref();
    let usage = usage.map(|usage| EventMsg::TokenUsageUpdated(Box::new(usage.clone())));
    let is_asked = |question: &&Arc<Question>| {
        let another = question.only.filter(|&client| client != connection);
        another.is_none_or(|client| !state.subscribers.has(client))
    };
    let open = state.active().into_iter().flat_map(|turn| &turn.questions).filter(is_asked);
    let open = open.map(|question| EventMsg::Question(question.clone())).collect();
    let welcome = Welcome { connection, answer, resumed, seen, usage, open };
    let mut effects = Vec::with_capacity(2);
    if !was_loaded {
        effects.push(Effect::Say(vec![EventMsg::StatusChanged(ThreadStatus::Idle)]));
    }
    effects.push(Effect::Welcome(Box::new(welcome)));
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
