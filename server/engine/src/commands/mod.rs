//! The commands that clients run for themselves, outside any thread.
//!
//! Start reading at [`Commands`], the door; `run` tells the life of one command. A command belongs
//! to the connection that started it and ends with it. What it prints is handed to a [`Listener`]
//! no faster than its client reads, so that nothing is lost and nothing piles up: a client that
//! does not read holds up its own command and nobody else. This room must not know threads, turns
//! or models.

mod cap;
mod error;
mod event;
mod request;
mod run;
mod table;

pub use error::CommandError;
pub use event::{CommandEvent, CommandMsg, Finished, Listener, OutputStream, Printed};
pub use request::{
    CommandKey, CommandKind, CommandName, CommandRequest, Held, Input, TerminalSize,
};
pub use table::Commands;

#[cfg(test)]
mod tests;
