//! The life of the process: what it was told, what it is made of, how it ends.
//!
//! Start reading at [`args`], then [`build`], which makes the rooms in order, then
//! [`shutdown`]. Only this room reads the process's environment and its signals.

mod args;
mod build;
mod error;
mod guard;
mod home;
mod listen;
mod log;
mod service;
mod shutdown;
mod signals;

pub use args::{AuthMode, AuthOptions, InvalidListen, Listen, ServerOptions};
pub(crate) use build::{Daemon, workbench};
pub use error::StartError;
pub(crate) use listen::{Doors, run};
pub(crate) use log::install as install_log;
pub(crate) use service::Service;
