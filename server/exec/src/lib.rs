//! Hands: runs processes, terminals and sandboxes; applies patches; judges commands by rule;
//! remembers what folders held.
//!
//! A [`Command`] says what to run, a [`Cleared`] one may run, a [`Process`] runs. This room knows
//! no model, no client and no thread. Everything that needs `unsafe` is here, in few files:
//! `sandbox/`, the life of a child before its program, and what the daemon asks of the system.
//!
//! Start reading at [`Process::spawn`].

mod clearance;
mod command;
pub mod env;
mod error;
#[cfg(test)]
mod generated;
mod group;
mod guard;
mod host;
mod input;
pub mod network;
mod output;
pub mod patch;
mod pipe;
pub mod policy;
mod pty;
mod running;
pub mod sandbox;
pub mod shell;
pub mod snapshot;
mod spawn;
mod warden;
mod watched;

pub use clearance::{Approval, By, Clearance, Cleared};
pub use command::{Command, Limits, Stdio, WhenFull};
pub use error::{SpawnError, WriteError};
pub use group::ExitStatus;
pub use host::{give_memory_back, take_inherited};
pub use output::{CHUNK_BYTES, Collected, OutputBuffer, OutputReader};
pub use running::{Process, ProtocolPipes};
