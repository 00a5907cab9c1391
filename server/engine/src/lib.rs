//! The mind: threads, sessions, turns, tools, approvals and configuration.
//!
//! Read in this order: [`threads`] (which threads exist, the door to everything), `session`
//! (one thread's life), `turn` (one exchange, as a story), then what a turn uses: `context`,
//! `tools`, `approvals`, [`undo`]. [`commands`] are those that clients run beside all threads. [`config`] is
//! used by all and uses none.
//!
//! The engine does not know JSON-RPC. A connection is a number to it; it hears [`schema`
//! ops](spindle_schema::op) and says [`schema` events](spindle_schema::event).

mod answer;
mod approvals;
pub mod auth;
mod clock;
pub mod commands;
pub mod config;
mod confinement;
mod context;
mod error;
mod rooms;
mod session;
pub mod threads;
mod tools;
mod turn;
pub mod undo;
mod workbench;

pub use answer::Answer;
pub use approvals::QuestionTag;
pub use error::{ActiveTurnAction, Error, Invalid};
pub use spindle_exec::network::hide as hide_address_from_commands;
pub use spindle_exec::sandbox::hide as hide_from_commands;
pub use spindle_exec::take_inherited;
pub use spindle_model::catalog;
pub use spindle_store as store;
pub use workbench::{Terms, Wanted, Workbench, WorkbenchError};
