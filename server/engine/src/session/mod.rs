//! One thread's loaded life.
//!
//! A session hears from clients, from its turn and from shutdown in any order, so it is a
//! pure [`step`] over inputs that gives back effects, and the `submission_loop` around it
//! that carries them out. Start reading at [`input`], then [`state`], then [`step`].
//!
//! A session must not know how a connection speaks, nor what a turn does between its reports.

mod effect;
mod input;
mod state;
mod step;
mod submission_loop;
#[cfg(test)]
mod tests;

pub(crate) use input::{Join, Look, Submission};
pub(crate) use state::{Phase, State, ThreadFacts};
pub(crate) use submission_loop::{Handle, Session};
