//! Judges commands: what a script runs, which rule says what about it, and whether to ask.
//!
//! Everything here but `load` and `append` is pure: text in, verdict out. It must not know
//! processes, sandboxes, models or clients. Start reading at `judge.rs`, then `command.rs`.

mod command;
mod command_action;
mod script;
mod word;
mod wrap;

pub use command::{Found, ParsedCommand, join, shell_script};
pub use command_action::{CommandAction, classify};
pub use script::Script;
pub use word::{Known, Word};
