//! What the model may ask for.
//!
//! [`registry`] is the set of one turn: what is offered and who handles it. A handler gets a
//! [`CallContext`] and gives a [`ToolOutput`], whatever happens (SPEC C2, C7). Commands pass the
//! [`orchestrator`] first, which asks rules and people; [`processes`] keeps those that go on.
//!
//! This room must not know how history is kept or a turn goes on.

mod call;
mod changes;
mod gate;
mod handler;
mod orchestrator;
mod output;
mod processes;
mod registry;
mod rules;
mod spec;
mod truncate;

pub(crate) use call::{CallContext, ToolCall};
pub(crate) use changes::Changes;
pub(crate) use gate::Gate;
pub(crate) use output::ToolOutput;
pub(crate) use processes::Processes;
pub(crate) use registry::{Offer, Registry};
pub(crate) use rules::rules_notice;
