//! How full the context window is, and when it is time to make room.

use super::conversation::Conversation;

/// What is known of the room in a context window beside the figures of the last response.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Room {
    /// The items that the last response's figures cover.
    measured: usize,
    /// Whether the provider refused a request because it was too long.
    is_full: bool,
    /// What compaction has achieved so far.
    floor: Floor,
}

/// What the context takes directly after a compaction. A limit below it cannot be met, and
/// compacting again and again would only undo what the model does.
#[derive(Debug, Clone, Copy, Default)]
enum Floor {
    /// Nothing was compacted yet.
    #[default]
    Unknown,
    /// The history was compacted and the model has not answered since.
    Unmeasured,
    /// The first response after it took so many tokens.
    Measured(i64),
}

/// When to make room.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    /// Tokens from which on it is time.
    pub(crate) tokens: i64,
    /// Whether what stands at the head of the context is left out of the count.
    pub(crate) without_head: bool,
}

impl Conversation {
    /// Notes that the figures of the last response cover all that is in the history.
    pub(crate) fn measure(&mut self) {
        self.room.measured = self.history.len();
        self.room.is_full = false;
        if let Floor::Unmeasured = self.room.floor {
            self.room.floor = Floor::Measured(self.last_usage.total_tokens);
        }
    }

    /// Notes that there is no room for another request; `window` is what the model can see.
    pub(crate) fn note_full(&mut self, window: Option<i64>) {
        if let Some(window) = window {
            self.last_usage = spindle_schema::model::TokenUsage {
                total_tokens: window,
                ..spindle_schema::model::TokenUsage::default()
            };
        }
        self.room = Room { measured: self.history.len(), is_full: true, floor: Floor::Unknown };
    }

    /// Notes that the history was compacted and takes about so many tokens now.
    pub(super) fn note_compacted(&mut self, tokens: i64) {
        self.last_usage = spindle_schema::model::TokenUsage {
            total_tokens: tokens,
            ..spindle_schema::model::TokenUsage::default()
        };
        let measured = self.history.len();
        self.room = Room { measured, is_full: false, floor: Floor::Unmeasured };
    }

    /// Whether the last figure counts reasoning that the next request does not hold; `None` when
    /// it was not measured.
    pub(crate) fn figures_include_reasoning(&self) -> Option<bool> {
        (!self.room.is_full).then_some(matches!(self.room.floor, Floor::Unmeasured))
    }

    /// Tokens of the next request: what the last response took, and an estimate of what came
    /// since. `base` is an estimate of the base prompt.
    pub(crate) fn tokens_in_use(&self, base: i64) -> i64 {
        match self.last_usage.total_tokens {
            0 => base + tokens(self.history.tokens_from(0)),
            known => known + tokens(self.history.tokens_from(self.room.measured)),
        }
    }

    /// Whether the history is to be compacted before the next request.
    ///
    /// Never twice without an answer of the model between, and only once half the limit was used
    /// again, so that a limit that cannot be met does not keep the model from its work.
    pub(crate) fn needs_room(&self, limit: Option<Limit>, base: i64) -> bool {
        if self.room.is_full {
            return true;
        }
        let Some(limit) = limit.filter(|_| self.history.len() > 0) else { return false };
        let head =
            if limit.without_head { base + tokens(self.history.tokens_of_head()) } else { 0 };
        let used = self.tokens_in_use(base) - head;
        let floor = match self.room.floor {
            Floor::Unknown => 0,
            Floor::Unmeasured => return false,
            Floor::Measured(floor) => floor - head + limit.tokens / 2,
        };
        used >= limit.tokens.max(floor)
    }
}

/// A count as the figures of providers have it.
pub(crate) fn tokens(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
