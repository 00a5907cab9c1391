//! Asking people, and remembering what they said.
//!
//! The [`broker`] owns every open question of the process; the first answer counts. A tool asks
//! through [`ask`], which tells the session and waits for the answer or the end of the turn.
//! [`memory`] holds what was allowed for the rest of a session.

mod ask;
mod broker;
mod memory;

pub(crate) use ask::{About, Asked};
pub(crate) use broker::Broker;
pub use broker::QuestionTag;
pub(crate) use memory::{Approved, Memory};
