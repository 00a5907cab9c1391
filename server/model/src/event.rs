//! What a provider says while it answers.

use std::sync::Arc;

use spindle_schema::event::RateLimits;
use spindle_schema::model::{ResponseItem, TokenUsage};

/// One thing a provider said.
///
/// Order: [`ModelEvent::RateLimits`] comes first when the provider sent it with the
/// response's head. Deltas of an item lie between its `ItemAdded` (which some providers leave
/// out) and its `ItemDone`. `Completed` is the last event; a stream that ends without it ends
/// with an error.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelEvent {
    /// The provider began to answer.
    Created {
        /// The provider's id of the response.
        response_id: Box<str>,
    },
    /// An item begins. Its content is empty or partial.
    ItemAdded(Box<ResponseItem>),
    /// A piece of a message's text.
    TextDelta {
        /// The message.
        item_id: Arc<str>,
        /// The piece.
        delta: Box<str>,
    },
    /// A new part of a reasoning summary begins.
    SummaryPartAdded {
        /// The reasoning item.
        item_id: Arc<str>,
        /// The part's number, from 0.
        index: i64,
    },
    /// A piece of a reasoning summary.
    SummaryDelta {
        /// The reasoning item.
        item_id: Arc<str>,
        /// The part's number, from 0.
        index: i64,
        /// The piece.
        delta: Box<str>,
    },
    /// A piece of raw reasoning.
    ReasoningDelta {
        /// The reasoning item.
        item_id: Arc<str>,
        /// The part's number, from 0.
        index: i64,
        /// The piece.
        delta: Box<str>,
    },
    /// A piece of a custom call's input.
    CustomInputDelta {
        /// The call's item.
        item_id: Arc<str>,
        /// The call, where the provider names it.
        call_id: Option<Box<str>>,
        /// The piece.
        delta: Box<str>,
    },
    /// An item is whole.
    ItemDone(Box<ResponseItem>),
    /// What the account may still use.
    RateLimits(Box<RateLimits>),
    /// The response is whole.
    Completed {
        /// The provider's id of the response.
        response_id: Box<str>,
        /// What it took, if the provider tells.
        usage: Option<TokenUsage>,
        /// `Some(false)` when the provider wants to be asked again in the same turn.
        end_turn: Option<bool>,
    },
}
