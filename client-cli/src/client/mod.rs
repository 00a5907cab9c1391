//! A client of a daemon: how to reach one, how to talk to it, how to show what it says.
//!
//! Knows the words of the protocol and nothing of the server. Start reading at [`Session`].

mod address;
mod connect;
mod error;
#[cfg(test)]
pub(crate) mod fake;
mod render;
mod session;
mod wire;

pub(crate) use address::Address;
pub(crate) use connect::{Launch, connect};
pub(crate) use error::{CallError, Error};
pub(crate) use render::{item_id, render_item, render_plan};
pub(crate) use session::{Client, Heard, Session};
pub(crate) use wire::Wire;
