//! The harness of the end-to-end suite: a scripted model, a home of its own, and clients that
//! speak the protocol.
//!
//! Start reading at [`Rig`]: a model, a home and a daemon inside the test's process.

mod binary;
mod client;
mod home;
mod model;
mod process;
mod rig;
mod wire;

pub use binary::{Binary, Served, spindle};
pub use client::{Client, Failure};
pub use home::Home;
pub use model::{Model, Step, exec, message};
pub use process::{is_alive, line_of, until};
pub use rig::Rig;
pub use wire::Wire;
