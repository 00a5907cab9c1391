//! Asking people, and remembering what they said.
//!
//! The [`broker`] owns every open question of the process; the first answer counts. A tool asks
//! through [`ask`], which tells the session and waits for the answer or the end of the turn.
//! [`memory`] holds which commands were allowed for the rest of a session, [`grant`] what was
//! allowed beyond the sandbox.

mod ask;
mod broker;
mod grant;
mod memory;

pub(crate) use ask::{About, Asked};
pub(crate) use broker::Broker;
pub use broker::QuestionTag;
pub(crate) use grant::{Answered, Beyond, Grant, Grants, Lasting, ModelForm};
pub(crate) use memory::{Approved, Memory};
