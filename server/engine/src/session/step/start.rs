//! `turn/start`: a turn begins, or its input goes to the one that runs.

use std::sync::Arc;

use spindle_schema::event::{EventMsg, ItemsView, TurnSnapshot, TurnStatus};
use spindle_schema::ids::TurnId;
use spindle_schema::op::TurnInput;
use tokio_util::sync::CancellationToken;

use super::super::effect::{Effect, Reply};
use super::super::state::{ActiveTurn, Phase, QueuedTurn, State};
use super::settings::apply;
use crate::threads::StartedTurn;
use crate::turn::{Mailbox, Offer, TurnPlan};
use crate::{Answer, Error};

/// Turns that may wait for the running one to end.
const MOST_QUEUED: usize = 64;

/// Starts a turn, or steers the one that runs (SPEC S5, start or steer).
pub(super) fn start(
    state: &mut State,
    id: TurnId,
    input: Box<TurnInput>,
    answer: Answer<StartedTurn>,
    now_ms: i64,
) -> Vec<Effect> {
    match &state.phase {
        Phase::Closing(..) => vec![Effect::Reply(Reply::Started(answer, Err(Error::Draining)))],
        Phase::Running(_) => give_to_running(state, id, input, answer),
        Phase::Idle { .. } => begin(state, QueuedTurn { id, input, answer }, now_ms),
    }
}

/// Begins a turn on an idle thread.
pub(super) fn begin(state: &mut State, turn: QueuedTurn, now_ms: i64) -> Vec<Effect> {
    let QueuedTurn { id, input, answer } = turn;
    let changed = apply(state, &input.settings);
    let root: Box<str> =
        input.root_turn_id.clone().unwrap_or_else(|| id.as_str().to_owned().into_boxed_str());
    let mailbox = Mailbox::default();
    let cancel = CancellationToken::new();
    let active = ActiveTurn {
        id: id.clone(),
        root: root.clone(),
        started_at_ms: now_ms,
        mailbox: mailbox.clone(),
        cancel: cancel.clone(),
        items: Vec::new(),
        questions: Vec::new(),
        unread: None,
    };
    state.facts.base.updated_at = now_ms / 1000;
    state.facts.base.recency_at = Some(now_ms / 1000);
    let plan = TurnPlan {
        id,
        root,
        input: *input,
        settings: state.settings.clone(),
        record_settings: std::mem::take(&mut state.settings_unrecorded),
        mailbox,
        cancel,
        started_at_ms: now_ms,
    };
    let answered = fresh_turn(&active, None);
    let told = fresh_turn(&active, Some(now_ms / 1000));
    state.phase = Phase::Running(Box::new(active));

    let mut effects = Vec::with_capacity(4);
    effects.push(Effect::Reply(Reply::Started(answer, Ok(StartedTurn { turn: answered }))));
    let mut events = vec![EventMsg::StatusChanged(state.status())];
    if changed {
        events.insert(0, EventMsg::SettingsUpdated(Box::new(state.settings.clone())));
    }
    events.push(EventMsg::TurnStarted(told));
    effects.push(Effect::Say(events));
    effects.push(Effect::StartTurn(Box::new(plan)));
    effects
}

fn fresh_turn(turn: &ActiveTurn, started_at: Option<i64>) -> Arc<TurnSnapshot> {
    Arc::new(TurnSnapshot {
        items: Vec::new(),
        view: ItemsView::NotLoaded,
        status: TurnStatus::InProgress,
        started_at,
        ..turn.snapshot()
    })
}

fn give_to_running(
    state: &mut State,
    id: TurnId,
    input: Box<TurnInput>,
    answer: Answer<StartedTurn>,
) -> Vec<Effect> {
    let Some(active) = state.active() else { return Vec::new() };
    let mailbox = active.mailbox.clone();
    let running = fresh_turn(active, None);
    match mailbox.offer(input.input.clone(), input.client_id.clone()) {
        Offer::Taken => {
            let changed = apply(state, &input.settings);
            let mut effects =
                vec![Effect::Reply(Reply::Started(answer, Ok(StartedTurn { turn: running })))];
            if changed {
                let settings = Box::new(state.settings.clone());
                effects.push(Effect::Say(vec![EventMsg::SettingsUpdated(settings)]));
            }
            effects
        }
        // The turn has looked at its mailbox for the last time: the input becomes the next turn.
        Offer::Closed if state.queue.len() < MOST_QUEUED => {
            state.queue.push_back(QueuedTurn { id, input, answer });
            Vec::new()
        }
        Offer::Closed | Offer::Full => {
            vec![Effect::Reply(Reply::Started(answer, Err(Error::Overloaded)))]
        }
    }
}
