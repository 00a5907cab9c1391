//! What responses cost.

use spindle_schema::event::{EventMsg, RateLimits, TokenUsageUpdate};
use spindle_schema::model::TokenUsage;
use spindle_schema::rollout::{RecordedEvent, TokenCount, TokenInfo, TokenUsageRecord};

use super::outcome::Stop;
use super::run::Turn;
use crate::context::Draft;

impl Turn {
    /// Adds a response to the sums and gives the line that says so.
    pub(super) fn count(&mut self, response_id: &str, usage: TokenUsage) -> TokenUsageRecord {
        self.usage += usage;
        self.conversation.total_usage += usage;
        self.conversation.last_usage = usage;
        self.conversation.measure();
        TokenUsageRecord {
            thread_id: self.rooms.thread_id,
            turn_id: self.plan.id.clone(),
            session_id: self.rooms.thread_id.to_string().into(),
            root_turn_id: Some(self.plan.root.clone()),
            response_id: response_id.into(),
            usage,
            turn_token_usage: self.usage,
            thread_token_usage: self.conversation.total_usage,
        }
    }

    /// Whether there are figures to tell.
    pub(super) fn has_figures(&self) -> bool {
        let none = TokenUsage::default();
        self.conversation.total_usage != none || self.conversation.last_usage != none
    }

    /// The line that keeps the sums, once there are any, and the limits.
    pub(super) fn limits_line(&self, limits: &RateLimits) -> RecordedEvent {
        let includes_reasoning = self.conversation.figures_include_reasoning();
        self.line_of(limits, self.conversation.last_usage, includes_reasoning)
    }

    fn line_of(
        &self,
        limits: &RateLimits,
        last: TokenUsage,
        includes_reasoning: Option<bool>,
    ) -> RecordedEvent {
        let total = self.conversation.total_usage;
        let has_figures = total != TokenUsage::default() || last != TokenUsage::default();
        RecordedEvent::TokenCount(TokenCount {
            info: has_figures.then(|| TokenInfo {
                total_token_usage: total,
                last_token_usage: last,
                last_usage_includes_reasoning: includes_reasoning,
                model_context_window: self.model.effective_context_window(),
            }),
            rate_limits: Some(limits.clone()),
        })
    }

    /// Records and tells that there is no room for another request (SPEC T5).
    pub(super) async fn note_full(&mut self) -> Result<(), Stop> {
        let window = self.model.effective_context_window();
        self.conversation.note_full(window);
        let limits = no_limits();
        let mut draft = Draft::default();
        let last = self.conversation.last_usage;
        draft.event(self.limits_line(&limits));
        self.conversation.record(draft).await?;
        self.speaker.say(self.usage_events(limits, last)).await;
        Ok(())
    }

    /// The line and the events that tell the sums, after the calls of a response are done.
    pub(super) fn tell_usage(&self, limits: Option<&RateLimits>) -> (RecordedEvent, Vec<EventMsg>) {
        let limits = limits.cloned().unwrap_or_else(no_limits);
        (self.limits_line(&limits), self.usage_events(limits, self.conversation.last_usage))
    }

    /// The line and the events that tell what a history takes that was just made shorter.
    pub(super) fn tell_shorter(&self, tokens: i64) -> (RecordedEvent, Vec<EventMsg>) {
        let last = TokenUsage { total_tokens: tokens, ..TokenUsage::default() };
        let limits = no_limits();
        (self.line_of(&limits, last, Some(true)), self.usage_events(limits, last))
    }

    fn usage_events(&self, limits: RateLimits, last: TokenUsage) -> Vec<EventMsg> {
        let update = TokenUsageUpdate {
            turn_id: self.plan.id.clone(),
            total: self.conversation.total_usage,
            last,
            model_context_window: self.model.effective_context_window(),
        };
        vec![
            EventMsg::TokenUsageUpdated(Box::new(update)),
            EventMsg::RateLimitsUpdated(Box::new(limits)),
        ]
    }
}

/// What is told when the provider says nothing of limits.
pub(super) fn no_limits() -> RateLimits {
    RateLimits { limit_id: Some("codex".into()), ..RateLimits::default() }
}
