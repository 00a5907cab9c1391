//! One thin file per family of methods.
//!
//! Start reading at [`dispatch`], the table of methods, then any handler. A handler checks and
//! converts, calls the engine once, and converts back. Events go the other way through
//! [`projection`], the only place that makes notifications about a thread. This room keeps no
//! state between calls.

mod absent;
mod account;
mod audience;
mod clients;
mod command;
mod config;
mod context;
mod convert;
mod diagnostics;
mod dispatch;
mod door;
mod errors;
mod initialize;
mod model;
mod page;
mod platform;
mod process;
mod project;
mod projection;
mod thread;
mod turn;
mod undo;

pub(crate) use audience::Listeners;
pub(crate) use door::Door;

/// The version of the protocol that clients are told. They decide by it what they may use.
pub(crate) const PROTOCOL_VERSION: &str = "0.171.0";
