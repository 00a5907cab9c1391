//! What sessions say, as notifications and requests. Pure, and the only place that makes
//! notifications about a thread.

use spindle_engine::commands::CommandEvent;
use spindle_schema::event::{
    DeltaKind, Deltas, Event, EventMsg, ItemEvent, PatchUpdated, PlanStatus, PlanUpdated,
    RateLimitWindow as CoreWindow, RateLimits, TokenUsageUpdate,
};
use spindle_schema::ids::{RequestId, ThreadId};
use spindle_schema::methods::ServerNotification as Told;
use spindle_schema::model::TokenUsage;
use spindle_schema::note::AttachmentChange;
use spindle_schema::v2;

use super::convert::{item, notice, question, settings, thread, turn};
use crate::rpc::{Builder, Packet};

mod command;

/// All that clients are told of these events, in order, as a fresh builder puts it together;
/// `None` when that is nothing.
pub(super) fn project(events: &[Event], mut builder: Builder) -> Option<Packet> {
    for event in events {
        add(&mut builder, event);
    }
    builder.build()
}

/// What a client is told of a command of its own.
pub(super) fn command(event: &CommandEvent<'_>, at_ms: i64) -> Packet {
    Packet::notification(&command::told(event), at_ms)
}

fn add(builder: &mut Builder, event: &Event) {
    let id = event.thread_id;
    match &event.msg {
        EventMsg::Deltas(deltas) => add_deltas(builder, id, deltas, event.at_ms),
        EventMsg::Question(asked) => {
            if let Some(request) = question::of(id, asked) {
                builder.request(&RequestId::Integer(asked.id.0), &request);
            }
        }
        msg => {
            if let Some(told) = notification(id, msg) {
                builder.notification(&told, event.at_ms);
            }
        }
    }
}

/// What is told of an event that is neither text nor a question.
fn notification(id: ThreadId, msg: &EventMsg) -> Option<Told> {
    let thread_id = id.to_string();
    Some(match msg {
        EventMsg::SessionConfigured(_) | EventMsg::Deltas(_) | EventMsg::Question(_) => {
            return None;
        }
        EventMsg::ThreadStarted(snapshot) => {
            let params = v2::ThreadStartedNotification { thread: thread::of(snapshot) };
            Told::ThreadStarted(Box::new(params))
        }
        EventMsg::StatusChanged(status) => {
            let status = thread::status(*status);
            let params = v2::ThreadStatusChangedNotification { thread_id, status };
            Told::ThreadStatusChanged(Box::new(params))
        }
        EventMsg::ReadStateChanged(state) => {
            let read_state = thread::read_state(state);
            let params = v2::ThreadReadStateChangedNotification { thread_id, read_state };
            Told::ThreadReadStateChanged(Box::new(params))
        }
        EventMsg::NameUpdated(name) => {
            let thread_name = name.as_deref().map(str::to_owned);
            let params = v2::ThreadNameUpdatedNotification { thread_id, thread_name };
            Told::ThreadNameUpdated(Box::new(params))
        }
        EventMsg::SettingsUpdated(updated) => {
            let thread_settings = settings::of(updated);
            let params = v2::ThreadSettingsUpdatedNotification { thread_id, thread_settings };
            Told::ThreadSettingsUpdated(Box::new(params))
        }
        EventMsg::Warning(message) => {
            let message = message.to_string();
            let params = v2::WarningNotification { thread_id: Some(thread_id), message };
            Told::Warning(Box::new(params))
        }
        EventMsg::ConfigWarning(notice) => Told::ConfigWarning(Box::new(notice::of(notice))),
        EventMsg::QuestionResolved(asked, by) => {
            let request_id = RequestId::Integer(asked.0);
            let answered_by = by
                .as_deref()
                .map(|by| v2::AnsweringClient { id: by.connection.0, name: by.name.to_string() });
            let params =
                v2::ServerRequestResolvedNotification { thread_id, request_id, answered_by };
            Told::ServerRequestResolved(Box::new(params))
        }
        EventMsg::RateLimitsUpdated(limits) => {
            let rate_limits = rate_limits(limits);
            let params = v2::AccountRateLimitsUpdatedNotification { rate_limits };
            Told::AccountRateLimitsUpdated(Box::new(params))
        }
        other => return about_life(&thread_id, other).or_else(|| about_turn(thread_id, other)),
    })
}

/// What is told when a thread goes or comes back, or is put somewhere.
fn about_life(thread_id: &str, msg: &EventMsg) -> Option<Told> {
    let thread_id = thread_id.to_owned();
    Some(match msg {
        EventMsg::SectionChanged(section) => {
            let section_id = section.as_deref().map(str::to_owned);
            let params = v2::ThreadSectionChangedNotification { thread_id, section_id };
            Told::ThreadSectionChanged(Box::new(params))
        }
        EventMsg::ProjectChanged(project) => {
            let project_id = project.as_deref().map(str::to_owned);
            let params = v2::ThreadProjectUpdatedNotification { thread_id, project_id };
            Told::ThreadProjectUpdated(Box::new(params))
        }
        EventMsg::AttachmentChanged(change) => attachment_changed(thread_id, change),
        EventMsg::Archived => {
            Told::ThreadArchived(Box::new(v2::ThreadArchivedNotification { thread_id }))
        }
        EventMsg::Unarchived => {
            Told::ThreadUnarchived(Box::new(v2::ThreadUnarchivedNotification { thread_id }))
        }
        EventMsg::Deleted => {
            Told::ThreadDeleted(Box::new(v2::ThreadDeletedNotification { thread_id }))
        }
        EventMsg::Closed => {
            Told::ThreadClosed(Box::new(v2::ThreadClosedNotification { thread_id }))
        }
        _ => return None,
    })
}

fn attachment_changed(thread_id: String, change: &AttachmentChange) -> Told {
    Told::ThreadAttachmentUpdated(Box::new(v2::ThreadAttachmentUpdatedNotification {
        thread_id,
        attachment_type: change.kind.to_string(),
        identity_key: change.key.to_string(),
        attachment_id: change.id.to_string(),
        operation: if change.is_new {
            v2::ThreadAttachmentOperation::Created
        } else {
            v2::ThreadAttachmentOperation::Deleted
        },
    }))
}

/// What is told of a turn.
fn about_turn(thread_id: String, msg: &EventMsg) -> Option<Told> {
    Some(match msg {
        EventMsg::TurnStarted(started) => {
            let turn = turn::of(started);
            Told::TurnStarted(Box::new(v2::TurnStartedNotification { thread_id, turn }))
        }
        EventMsg::TurnCompleted(completed) => {
            let turn = turn::of(completed);
            Told::TurnCompleted(Box::new(v2::TurnCompletedNotification { thread_id, turn }))
        }
        EventMsg::ItemStarted(started) => return item_started(thread_id, started),
        EventMsg::ItemCompleted(completed) => return item_completed(thread_id, completed),
        EventMsg::TerminalInteraction(keys) => Told::ItemCommandExecutionTerminalInteraction(
            Box::new(v2::TerminalInteractionNotification {
                thread_id,
                turn_id: keys.turn_id.to_string(),
                item_id: keys.item_id.to_string(),
                process_id: keys.process_id.to_string(),
                stdin: keys.stdin.clone(),
            }),
        ),
        EventMsg::PatchUpdated(patch) => patch_updated(thread_id, patch),
        EventMsg::PlanUpdated(plan) => plan_updated(thread_id, plan),
        EventMsg::TurnDiffUpdated(diff) => {
            Told::TurnDiffUpdated(Box::new(v2::TurnDiffUpdatedNotification {
                thread_id,
                turn_id: diff.turn_id.to_string(),
                diff: diff.text.clone(),
            }))
        }
        EventMsg::TokenUsageUpdated(usage) => token_usage(thread_id, usage),
        EventMsg::Error(error) => Told::Error(Box::new(v2::ErrorNotification {
            thread_id,
            turn_id: error.turn_id.to_string(),
            error: turn::error(&error.error),
            will_retry: error.will_retry,
        })),
        EventMsg::SessionConfigured(_)
        | EventMsg::ThreadStarted(_)
        | EventMsg::StatusChanged(_)
        | EventMsg::ReadStateChanged(_)
        | EventMsg::NameUpdated(_)
        | EventMsg::SectionChanged(_)
        | EventMsg::ProjectChanged(_)
        | EventMsg::AttachmentChanged(_)
        | EventMsg::Archived
        | EventMsg::Unarchived
        | EventMsg::Deleted
        | EventMsg::Closed
        | EventMsg::SettingsUpdated(_)
        | EventMsg::Deltas(_)
        | EventMsg::RateLimitsUpdated(_)
        | EventMsg::Warning(_)
        | EventMsg::ConfigWarning(_)
        | EventMsg::Question(_)
        | EventMsg::QuestionResolved(..) => return None,
    })
}

fn item_started(thread_id: String, event: &ItemEvent) -> Option<Told> {
    Some(Told::ItemStarted(Box::new(v2::ItemStartedNotification {
        item: item::of(&event.item)?,
        thread_id,
        turn_id: event.turn_id.to_string(),
        started_at_ms: event.item.started_at_ms.unwrap_or_default(),
    })))
}

fn item_completed(thread_id: String, event: &ItemEvent) -> Option<Told> {
    Some(Told::ItemCompleted(Box::new(v2::ItemCompletedNotification {
        item: item::of(&event.item)?,
        thread_id,
        turn_id: event.turn_id.to_string(),
        content_token_count: None,
        completed_at_ms: event.item.completed_at_ms.unwrap_or_default(),
    })))
}

fn patch_updated(thread_id: String, patch: &PatchUpdated) -> Told {
    let changes = patch.changes.iter().map(|(path, update)| item::file_update(path, update));
    Told::ItemFileChangePatchUpdated(Box::new(v2::FileChangePatchUpdatedNotification {
        thread_id,
        turn_id: patch.turn_id.to_string(),
        item_id: patch.item_id.to_string(),
        changes: changes.collect(),
    }))
}

fn plan_updated(thread_id: String, plan: &PlanUpdated) -> Told {
    let steps = plan.plan.iter().map(|step| v2::TurnPlanStep {
        status: match step.status {
            PlanStatus::Pending => v2::TurnPlanStepStatus::Pending,
            PlanStatus::InProgress => v2::TurnPlanStepStatus::InProgress,
            PlanStatus::Completed => v2::TurnPlanStepStatus::Completed,
        },
        step: step.step.clone(),
    });
    Told::TurnPlanUpdated(Box::new(v2::TurnPlanUpdatedNotification {
        thread_id,
        turn_id: plan.turn_id.to_string(),
        plan: steps.collect(),
        explanation: plan.explanation.clone(),
    }))
}

fn token_usage(thread_id: String, usage: &TokenUsageUpdate) -> Told {
    Told::ThreadTokenUsageUpdated(Box::new(v2::ThreadTokenUsageUpdatedNotification {
        thread_id,
        turn_id: usage.turn_id.to_string(),
        token_usage: v2::ThreadTokenUsage {
            total: breakdown(&usage.total),
            last: breakdown(&usage.last),
            model_context_window: usage.model_context_window,
        },
    }))
}

fn breakdown(usage: &TokenUsage) -> v2::TokenUsageBreakdown {
    v2::TokenUsageBreakdown {
        total_tokens: usage.total_tokens,
        input_tokens: usage.input_tokens,
        cached_input_tokens: usage.cached_input_tokens,
        cache_write_input_tokens: usage.cache_write_input_tokens,
        output_tokens: usage.output_tokens,
        reasoning_output_tokens: usage.reasoning_output_tokens,
    }
}

/// Kinds that no provider's word fits are told as none.
fn rate_limits(limits: &RateLimits) -> v2::RateLimitSnapshot {
    fn read<T: serde::de::DeserializeOwned>(value: Option<&serde_json::Value>) -> Option<T> {
        value.cloned().and_then(|value| serde_json::from_value(value).ok())
    }
    let word = |text: &Option<Box<str>>| text.as_deref().map(serde_json::Value::from);
    v2::RateLimitSnapshot {
        limit_id: limits.limit_id.as_deref().map(str::to_owned),
        limit_name: limits.limit_name.as_deref().map(str::to_owned),
        normal_model_slug: None,
        primary: limits.primary.as_ref().map(window),
        secondary: limits.secondary.as_ref().map(window),
        credits: read(limits.credits.as_ref()),
        individual_limit: read(limits.individual_limit.as_ref()),
        spend_control_reached: limits.spend_control_reached,
        plan_type: read(word(&limits.plan_type).as_ref()),
        rate_limit_reached_type: read(word(&limits.rate_limit_reached_type).as_ref()),
    }
}

fn window(window: &CoreWindow) -> v2::RateLimitWindow {
    v2::RateLimitWindow {
        used_percent: window.used_percent.round() as _,
        window_duration_mins: window.window_minutes,
        resets_at: window.resets_at,
    }
}

/// Pieces of text: encoded from one frame, since all but the piece is the same.
fn add_deltas(builder: &mut Builder, id: ThreadId, deltas: &Deltas, at_ms: i64) {
    let thread_id = id.to_string();
    let turn_id = deltas.turn_id.to_string();
    let item_id = deltas.item_id.to_string();
    let delta = String::new();
    let frame = match deltas.kind {
        DeltaKind::AgentMessage => {
            Told::ItemAgentMessageDelta(Box::new(v2::AgentMessageDeltaNotification {
                thread_id,
                turn_id,
                item_id,
                delta,
            }))
        }
        DeltaKind::Plan => Told::ItemPlanDelta(Box::new(v2::PlanDeltaNotification {
            thread_id,
            turn_id,
            item_id,
            delta,
        })),
        DeltaKind::CommandOutput => Told::ItemCommandExecutionOutputDelta(Box::new(
            v2::CommandExecutionOutputDeltaNotification { thread_id, turn_id, item_id, delta },
        )),
        DeltaKind::ReasoningSummary(summary_index) => Told::ItemReasoningSummaryTextDelta(
            Box::new(v2::ReasoningSummaryTextDeltaNotification {
                thread_id,
                turn_id,
                item_id,
                delta,
                summary_index,
            }),
        ),
        DeltaKind::ReasoningText(content_index) => {
            Told::ItemReasoningTextDelta(Box::new(v2::ReasoningTextDeltaNotification {
                thread_id,
                turn_id,
                item_id,
                content_index,
                delta,
            }))
        }
        DeltaKind::SummaryPartAdded(summary_index) => {
            let params = v2::ReasoningSummaryPartAddedNotification {
                thread_id,
                turn_id,
                item_id,
                summary_index,
            };
            return builder
                .notification(&Told::ItemReasoningSummaryPartAdded(Box::new(params)), at_ms);
        }
    };
    builder.pieces(&frame, &deltas.pieces, at_ms);
}

#[cfg(test)]
mod tests;
