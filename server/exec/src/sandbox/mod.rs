//! What a command may touch, and how the system is made to hold it to that.
//!
//! A [`Mode`] is the promise. [`Support`] finds out what the system can enforce. For each command
//! a plan says what has to be mounted, allowed and refused (`plan.rs`, pure); `confine.rs` opens
//! and lays out what that takes, and puts it up in the child, which `clone.rs` starts. There are
//! three walls, because none is complete: mounts (`mounts.rs`) for protected paths and metadata,
//! file rules (`landlock.rs`) for signals, abstract sockets and `/proc`, and a filter of system
//! calls (`seccomp.rs`) for the network and for what could take the others down. A command may
//! also get a network of its own with one way out (`link.rs`).

use std::path::PathBuf;

use parking_lot::RwLock;

pub(crate) mod bwrap;
pub(crate) mod clone;
mod confine;
mod error;
#[cfg(test)]
mod escape;
mod files;
mod landlock;
pub(crate) mod link;
mod mode;
mod mounts;
mod placeholder;
mod plan;
#[cfg(any(test, target_os = "macos"))]
mod seatbelt;
mod seccomp;
mod support;

pub(crate) use confine::{Confinement, Walls};
pub use error::SandboxError;
pub use mode::Mode;
pub(crate) use placeholder::Placeholder;
pub use placeholder::clear;
pub use support::{Gap, Strategy, Support};

static HIDDEN: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// Hides a folder or a socket of the server from every sandboxed command that starts from now on:
/// a command that reached it could ask the server for one without a sandbox.
pub fn hide(path: PathBuf) {
    let mut hidden = HIDDEN.write();
    if !hidden.contains(&path) {
        hidden.push(path);
    }
}

fn hidden() -> Vec<PathBuf> {
    HIDDEN.read().clone()
}
