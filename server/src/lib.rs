//! The door: process life, transports, JSON-RPC and handlers.
//!
//! Read in this order: [`run()`] (the entry points), `daemon` (the life of the process),
//! [`transport`] (bytes to messages), [`rpc`] (messages to typed requests, and back), `api`
//! (one thin handler per method, and the projection of events). What is behind the handlers is
//! the engine's.

mod api;
mod clock;
mod daemon;
mod rpc;
mod run;
mod transport;

pub use daemon::{AuthMode, AuthOptions, InvalidListen, Listen, ServerOptions, StartError};
pub use run::{Hosted, in_process, run, workbench};
pub use spindle_engine::config::SandboxMode;
pub use spindle_engine::{Terms, Wanted, Workbench, WorkbenchError};
pub use transport::memory::MemoryClient;
