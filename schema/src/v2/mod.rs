//! Params, results and notifications of the protocol, one file per method family.
//!
//! All types are flat in this module: `v2::ThreadStartParams`. Names are the protocol's own.
//! A field that a client may leave out is an `Option`; in what the server writes, `None` is
//! `null`, except for the members that peers expect to be absent. Where absent and null mean
//! different things, the field is a [`Maybe`](crate::maybe::Maybe).

#![expect(missing_docs, reason = "field and variant names are the protocol's own")]

mod account;
mod app;
mod approval;
mod attached;
mod basic;
mod client_call;
mod collaboration;
mod command;
mod config;
mod elicitation;
mod environment;
mod error;
mod external_agent;
mod fallback;
mod feature;
mod fs;
mod fuzzy;
mod guardian;
mod hook;
mod initialize;
mod input;
mod item;
mod legacy;
mod mcp;
mod mcp_resource;
mod model;
mod model_provider;
mod permission;
mod plugin;
mod process;
mod project;
mod remote_control;
mod response_item;
mod response_part;
mod review;
mod rpc;
mod skill;
mod thread;
mod turn;
mod undo;
mod verification;
mod windows;

pub use account::*;
pub use app::*;
pub use approval::*;
pub use attached::*;
pub use basic::*;
pub use client_call::*;
pub use collaboration::*;
pub use command::*;
pub use config::*;
pub use elicitation::*;
pub use environment::*;
pub use error::*;
pub use external_agent::*;
pub use feature::*;
pub use fs::*;
pub use fuzzy::*;
pub use guardian::*;
pub use hook::*;
pub use initialize::*;
pub use input::*;
pub use item::*;
pub use legacy::*;
pub use mcp::*;
pub use mcp_resource::*;
pub use model::*;
pub use model_provider::*;
pub use permission::*;
pub use plugin::*;
pub use process::*;
pub use project::*;
pub use remote_control::*;
pub use response_item::*;
pub use response_part::*;
pub use review::*;
pub use rpc::*;
pub use skill::*;
pub use thread::*;
pub use turn::*;
pub use undo::*;
pub use verification::*;
pub use windows::*;

#[cfg(test)]
mod tests;
