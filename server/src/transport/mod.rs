//! Bytes to messages, and back.
//!
//! Each transport gives an [`Inlet`], where messages come from, and an [`Outlet`], where they
//! go to. Start reading at [`frame`], which says what a message is; then one file per
//! transport. A transport must not know what a message means: neither methods nor JSON.

pub(crate) mod auth;
pub(crate) mod frame;
mod headed;
mod linger;
pub(crate) mod memory;
pub(crate) mod stdio;
pub(crate) mod unix;
pub(crate) mod ws;

pub(crate) use frame::{Closing, Fault, Host, Inbound, Inlet, Outlet, Via};
