//! What the turn says.

use std::sync::Arc;

use spindle_schema::event::{
    ErrorEvent, EventMsg, ItemsView, Question, TimedItem, TokenUsageUpdate, TurnError,
    TurnSnapshot, TurnStatus,
};
use spindle_schema::ids::QuestionId;
use spindle_schema::item::TurnItem;

use super::super::effect::Effect;
use super::super::state::{ActiveTurn, Phase, State};
use super::start::begin;
use crate::turn::{Outcome, Report, ReportMsg};

/// Passes on what a turn says, and ends it when it says so.
pub(super) fn report(state: &mut State, report: Report, now_ms: i64) -> Vec<Effect> {
    let Report { turn_id, msg } = report;
    let current = state.active().is_some_and(|turn| turn.id == turn_id);
    match msg {
        ReportMsg::Say(events) => say(state, current, events),
        ReportMsg::Asked(question) if current => asked(state, question, Vec::new()),
        ReportMsg::AskedAbout(started, question) if current => {
            asked(state, question, vec![EventMsg::ItemStarted(started)])
        }
        ReportMsg::Settled { question, also } if current => settled(state, question, also),
        ReportMsg::Unread(unread) if current => {
            if let Some(turn) = state.active_mut() {
                turn.unread = Some(unread);
            }
            Vec::new()
        }
        ReportMsg::Ended(outcome) if current => ended(state, outcome, now_ms),
        // A turn that is over asks nothing and ends once. Whoever asked for it need not wait.
        ReportMsg::Asked(question) | ReportMsg::AskedAbout(_, question) => {
            vec![Effect::Withdraw(vec![question.id])]
        }
        ReportMsg::Settled { .. } | ReportMsg::Unread(_) | ReportMsg::Ended(_) => Vec::new(),
    }
}

fn say(state: &mut State, current: bool, events: Vec<EventMsg>) -> Vec<Effect> {
    if current && let Some(turn) = state.active_mut() {
        events.iter().for_each(|event| note(turn, event));
    }
    if let Some(usage) = last_usage(&events) {
        state.usage = Some(usage.clone());
    }
    if let Some(text) = state.facts.base.preview.is_empty().then(|| preview(&events)).flatten() {
        state.facts.base.preview = text;
    }
    vec![Effect::Say(events)]
}

fn last_usage(events: &[EventMsg]) -> Option<&TokenUsageUpdate> {
    events.iter().rev().find_map(|event| match event {
        EventMsg::TokenUsageUpdated(usage) => Some(&**usage),
        _ => None,
    })
}

fn note(turn: &mut ActiveTurn, event: &EventMsg) {
    match event {
        EventMsg::ItemStarted(item) | EventMsg::ItemCompleted(item) => turn.note_item(&item.item),
        EventMsg::Deltas(deltas) => turn.note_deltas(deltas),
        _ => {}
    }
}

/// The first words of the person, which stand for the thread in lists.
fn preview(events: &[EventMsg]) -> Option<String> {
    events.iter().find_map(|event| match event {
        EventMsg::ItemCompleted(item) => match &item.item.item {
            TurnItem::UserMessage(message) => crate::context::preview_of(&message.content),
            _ => None,
        },
        _ => None,
    })
}

/// A question: the status tells that the turn waits, then the item, then the question.
fn asked(state: &mut State, mut question: Arc<Question>, before: Vec<EventMsg>) -> Vec<Effect> {
    let status = state.status();
    let only = question.only.filter(|&client| state.subscribers.has(client));
    if only != question.only {
        question = Arc::new(Question { only, ..(*question).clone() });
    }
    if let Some(turn) = state.active_mut() {
        before.iter().for_each(|event| note(turn, event));
        turn.questions.push(question.clone());
    }
    let mut events = Vec::with_capacity(2 + before.len());
    if state.status() != status || only.is_none() {
        events.push(EventMsg::StatusChanged(state.status()));
    }
    events.extend(before);
    match only {
        Some(client) => {
            vec![Effect::Say(events), Effect::Tell(client, vec![EventMsg::Question(question)])]
        }
        None => {
            events.push(EventMsg::Question(question));
            vec![Effect::Say(events)]
        }
    }
}

fn settled(state: &mut State, question: QuestionId, also: Vec<EventMsg>) -> Vec<Effect> {
    let before = state.status();
    let mut events = Vec::with_capacity(2 + also.len());
    if let Some(turn) = state.active_mut() {
        if let Some(at) = turn.questions.iter().position(|open| open.id == question) {
            events.extend(resolved(&turn.questions.remove(at)));
        }
        also.iter().for_each(|event| note(turn, event));
    }
    if state.status() != before {
        events.push(EventMsg::StatusChanged(state.status()));
    }
    events.extend(also);
    vec![Effect::Say(events)]
}

/// What is told when a question needs no answer any more: nothing to the one client that alone
/// was asked, for it answered, or the turn's end says it.
fn resolved(question: &Question) -> Option<EventMsg> {
    question.only.is_none().then_some(EventMsg::QuestionResolved(question.id, None))
}

fn ended(state: &mut State, outcome: Outcome, now_ms: i64) -> Vec<Effect> {
    let (turn, waiting) = match std::mem::replace(&mut state.phase, Phase::Idle { failed: false }) {
        Phase::Running(turn) => (turn, None),
        Phase::Closing(Some(turn), waiting) => (turn, Some(waiting)),
        other @ (Phase::Idle { .. } | Phase::Closing(None, _)) => {
            state.phase = other;
            return Vec::new();
        }
    };
    if let Outcome::Failed(_) = outcome {
        state.phase = Phase::Idle { failed: true };
    }
    state.facts.base.updated_at = now_ms / 1000;
    state.facts.base.recency_at = Some(now_ms / 1000);

    let mut events = Vec::new();
    if let Outcome::Failed(error) = &outcome {
        events.push(EventMsg::StatusChanged(state.status()));
        let error =
            ErrorEvent { turn_id: turn.id.clone(), error: error.clone(), will_retry: false };
        events.push(EventMsg::Error(Box::new(error)));
    }
    if !matches!(outcome, Outcome::Interrupted) {
        events.extend(turn.unread.clone().map(EventMsg::ReadStateChanged));
    }
    if !matches!(outcome, Outcome::Failed(_)) {
        events.push(EventMsg::StatusChanged(state.status()));
    }
    events.push(EventMsg::TurnCompleted(Arc::new(finished(&turn, outcome, now_ms))));
    let open: Vec<_> = turn.questions.iter().map(|question| question.id).collect();
    events.extend(turn.questions.iter().filter_map(|question| resolved(question)));

    let mut effects = Vec::new();
    if !open.is_empty() {
        effects.push(Effect::Withdraw(open));
    }
    effects.push(Effect::Say(events));
    match waiting {
        Some(waiting) => {
            state.phase = Phase::Closing(None, Vec::new());
            effects.extend(waiting.into_iter().map(Effect::Finish));
        }
        None => {
            if let Some(next) = state.queue.pop_front() {
                effects.extend(begin(state, next, now_ms));
            }
        }
    }
    effects
}

fn finished(turn: &ActiveTurn, outcome: Outcome, now_ms: i64) -> TurnSnapshot {
    let (status, error): (_, Option<TurnError>) = match outcome {
        Outcome::Completed => (TurnStatus::Completed, None),
        Outcome::Interrupted => (TurnStatus::Interrupted, None),
        Outcome::Failed(error) => (TurnStatus::Failed, Some(error)),
    };
    let last: Vec<TimedItem> = turn
        .items
        .iter()
        .rev()
        .filter(|_| status == TurnStatus::Completed)
        .find(|item| matches!(item.item, TurnItem::AgentMessage(_)))
        .cloned()
        .into_iter()
        .collect();
    TurnSnapshot {
        status,
        error,
        completed_at: Some(now_ms / 1000),
        duration_ms: Some(now_ms - turn.started_at_ms),
        view: if last.is_empty() { ItemsView::NotLoaded } else { ItemsView::Summary },
        items: last,
        ..turn.snapshot()
    }
}
