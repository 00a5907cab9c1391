//! Bytes to messages, and back.
//!
//! Each transport gives an [`Inlet`], where messages come from, and an [`Outlet`], where they
//! go to. Start reading at [`frame`], which says what a message is; then one file per
//! transport. A transport must not know what a message means: neither methods nor JSON.

pub mod auth;
pub mod frame;
mod linger;
pub mod memory;
pub mod stdio;
pub mod unix;
pub mod ws;

pub use frame::{Closing, Fault, Host, Inbound, Inlet, Outlet};
