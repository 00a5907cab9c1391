//! What the model may ask for.
//!
//! [`registry`] is the set of one turn: what is offered and who handles it. A handler gets a
//! [`CallContext`] and gives a [`ToolOutput`], whatever happens (SPEC C2, C7). Commands pass the
//! [`orchestrator`] first, which asks rules and people; [`processes`] keeps those that go on,
//! and [`network`] lets them connect to where they may.
//!
//! This room must not know how history is kept or a turn goes on.

mod call;
mod client_tool;
mod gate;
mod handler;
mod network;
mod orchestrator;
mod output;
mod processes;
mod registry;
mod spec;
mod truncate;
mod user_command;

pub(crate) use call::{CallContext, ToolCall};
pub(crate) use client_tool::ClientTools;
pub(crate) use gate::Gate;
pub(crate) use network::Network;
pub(crate) use output::ToolOutput;
pub use processes::BackgroundCommand;
pub(crate) use processes::Processes;
pub(crate) use registry::{BUILT_IN, Offer, Registry};
pub(crate) use user_command::UserCommand;
