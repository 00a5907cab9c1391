//! One turn, written as a story.
//!
//! A turn does one thing after another, so it is an async function that reads top to bottom:
//! start at [`run`]. It talks to its session only by [`report`]s, and hears from it only
//! through its [`mailbox`] and its cancellation token.
//!
//! This room must not know who listens.

mod begin;
mod calls;
mod compact;
mod mailbox;
mod outcome;
mod plan;
mod prompt;
mod report;
mod run;
mod sample;
mod streaming;
mod usage;

pub(crate) use mailbox::{Expected, Expecting, Mailbox, Offer};
pub(crate) use outcome::Outcome;
pub(crate) use plan::{SideCommand, Task, TurnPlan};
pub(crate) use report::{Report, ReportMsg, Speaker};
pub(crate) use run::Turn;
