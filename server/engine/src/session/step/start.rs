//! `turn/start`: a turn begins, or its input goes to the one that runs.

use std::sync::Arc;

use spindle_schema::event::{EventMsg, ItemsView, TurnSnapshot, TurnStatus};
use spindle_schema::ids::TurnId;
use spindle_schema::op::TurnInput;
use tokio_util::sync::CancellationToken;

use super::super::effect::{Effect, Reply};
use super::super::state::{ActiveTurn, Caller, Kind, Phase, QueuedTurn, State};
use super::settings::{allowed, apply};
use crate::threads::StartedTurn;
use crate::turn::{Mailbox, Offer, Task, TurnPlan};
use crate::{Answer, Error};

/// Turns that may wait for the running one to end.
pub(super) const MOST_QUEUED: usize = 64;

/// Starts a turn, or steers the one that runs (SPEC S5, start or steer).
pub(super) fn start(
    state: &mut State,
    id: TurnId,
    input: Box<TurnInput>,
    answer: Answer<StartedTurn>,
    now_ms: i64,
) -> Vec<Effect> {
    if let Err(error) = allowed(state, &input.settings) {
        return vec![Effect::Reply(Reply::Started(answer, Err(error)))];
    }
    match &state.phase {
        Phase::Closing(..) => vec![Effect::Reply(Reply::Started(answer, Err(Error::Draining)))],
        Phase::Running(_) => give_to_running(state, id, input, answer),
        Phase::Idle { .. } => begin(state, regular(id, input, Caller::Turn(answer)), now_ms),
    }
}

fn regular(id: TurnId, input: Box<TurnInput>, caller: Caller) -> QueuedTurn {
    QueuedTurn { id, task: Task::Regular, input, caller }
}

/// Begins a turn on an idle thread.
pub(super) fn begin(state: &mut State, turn: QueuedTurn, now_ms: i64) -> Vec<Effect> {
    let QueuedTurn { id, task, input, caller } = turn;
    let changed = apply(state, &input.settings);
    let root = root_of(&id, &input);
    let mailbox = Mailbox::default();
    let cancel = CancellationToken::new();
    let active = ActiveTurn {
        id: id.clone(),
        root: root.clone(),
        started_at_ms: now_ms,
        kind: match task {
            Task::Regular => Kind::Regular(mailbox.clone()),
            Task::Shell(_) => Kind::Shell(mailbox.clone()),
            Task::Compact => Kind::Compact,
        },
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
        task,
        input: *input,
        settings: state.settings.clone(),
        record_settings: std::mem::take(&mut state.settings_unrecorded),
        mailbox,
        cancel,
        started_at_ms: now_ms,
    };
    let answered = fresh_turn(&active.id, &active.root, None);
    let told = fresh_turn(&active.id, &active.root, Some(now_ms / 1000));
    state.phase = Phase::Running(Box::new(active));

    let mut effects = Vec::with_capacity(4);
    effects.extend(caller.answer(Ok(answered)).map(Effect::Reply));
    let mut events = vec![EventMsg::StatusChanged(state.status())];
    if changed {
        events.insert(0, EventMsg::SettingsUpdated(Box::new(state.settings.clone())));
    }
    events.push(EventMsg::TurnStarted(told));
    effects.push(Effect::Say(events));
    effects.push(Effect::StartTurn(Box::new(plan)));
    effects
}

/// The turn at the root of the tree that a turn belongs to: itself, if nobody says otherwise.
fn root_of(id: &TurnId, input: &TurnInput) -> Box<str> {
    input.root_turn_id.clone().unwrap_or_else(|| id.as_str().into())
}

/// A turn in which nothing has happened yet.
fn fresh_turn(id: &TurnId, root: &str, started_at: Option<i64>) -> Arc<TurnSnapshot> {
    Arc::new(TurnSnapshot {
        id: id.clone(),
        root_turn_id: Some(root.into()),
        status: TurnStatus::InProgress,
        error: None,
        started_at,
        completed_at: None,
        duration_ms: None,
        items: Vec::new(),
        view: ItemsView::NotLoaded,
    })
}

impl Caller {
    /// The answer to whoever waits.
    pub(super) fn answer(self, result: Result<Arc<TurnSnapshot>, Error>) -> Option<Reply> {
        match self {
            Self::Turn(answer) => {
                Some(Reply::Started(answer, result.map(|turn| StartedTurn { turn })))
            }
            Self::Plain(answer) => Some(Reply::Done(answer, result.map(drop))),
            Self::Answered => None,
        }
    }
}

fn give_to_running(
    state: &mut State,
    id: TurnId,
    input: Box<TurnInput>,
    answer: Answer<StartedTurn>,
) -> Vec<Effect> {
    let Some(active) = state.active() else { return Vec::new() };
    let Ok(mailbox) = active.mailbox() else { return put_behind(state, id, input, answer) };
    let mailbox = mailbox.clone();
    let running = fresh_turn(&active.id, &active.root, None);
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
            state.queue.push_back(regular(id, input, Caller::Turn(answer)));
            Vec::new()
        }
        Offer::Closed | Offer::Full => {
            vec![Effect::Reply(Reply::Started(answer, Err(Error::Overloaded)))]
        }
    }
}

/// Lets a turn wait for one that cannot be steered. Its caller is told which turn it will be at
/// once, so that a wish to interrupt the running one need not wait behind the answer.
fn put_behind(
    state: &mut State,
    id: TurnId,
    input: Box<TurnInput>,
    answer: Answer<StartedTurn>,
) -> Vec<Effect> {
    let result = if state.queue.len() < MOST_QUEUED {
        let turn = fresh_turn(&id, &root_of(&id, &input), None);
        state.queue.push_back(regular(id, input, Caller::Answered));
        Ok(StartedTurn { turn })
    } else {
        Err(Error::Overloaded)
    };
    vec![Effect::Reply(Reply::Started(answer, result))]
}
