//! What responses cost.

use spindle_schema::event::{EventMsg, RateLimits, TokenUsageUpdate};
use spindle_schema::model::TokenUsage;
use spindle_schema::rollout::{
    RecordedEvent, RolloutItem, TokenCount, TokenInfo, TokenUsageRecord,
};

use super::run::Turn;

impl Turn {
    /// Adds a response to the sums and gives the line that says so.
    pub(super) fn count(&mut self, response_id: &str, usage: TokenUsage) -> RolloutItem {
        self.usage += usage;
        self.conversation.total_usage += usage;
        self.conversation.last_usage = usage;
        RolloutItem::TokenUsage(Box::new(TokenUsageRecord {
            thread_id: self.rooms.thread_id,
            turn_id: self.plan.id.clone(),
            session_id: self.rooms.thread_id.to_string().into(),
            root_turn_id: Some(self.plan.root.clone()),
            response_id: response_id.into(),
            usage,
            turn_token_usage: self.usage,
            thread_token_usage: self.conversation.total_usage,
        }))
    }

    /// The line that keeps the sums, once there are any, and the limits.
    pub(super) fn limits_line(&self, limits: &RateLimits) -> RecordedEvent {
        let used = self.conversation.total_usage != TokenUsage::default();
        RecordedEvent::TokenCount(TokenCount {
            info: used.then(|| TokenInfo {
                total_token_usage: self.conversation.total_usage,
                last_token_usage: self.conversation.last_usage,
                last_usage_includes_reasoning: false,
                model_context_window: self.model.effective_context_window(),
            }),
            rate_limits: Some(limits.clone()),
        })
    }

    /// The line and the events that tell the sums, after the calls of a response are done.
    pub(super) fn tell_usage(&self, limits: Option<&RateLimits>) -> (RecordedEvent, Vec<EventMsg>) {
        let window = self.model.effective_context_window();
        let limits = limits.cloned().unwrap_or_else(no_limits);
        let line = self.limits_line(&limits);
        let update = TokenUsageUpdate {
            turn_id: self.plan.id.clone(),
            total: self.conversation.total_usage,
            last: self.conversation.last_usage,
            model_context_window: window,
        };
        let events = vec![
            EventMsg::TokenUsageUpdated(Box::new(update)),
            EventMsg::RateLimitsUpdated(Box::new(limits)),
        ];
        (line, events)
    }
}

/// What is told when the provider says nothing of limits.
pub(super) fn no_limits() -> RateLimits {
    RateLimits { limit_id: Some("codex".into()), ..RateLimits::default() }
}
