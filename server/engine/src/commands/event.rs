//! What a client is told of its commands while they run, and who tells it.

use futures_util::future::BoxFuture;

use super::request::CommandKey;

/// One connection, as the commands that it runs speak to it. Implemented by the door.
pub trait Listener: Send + Sync + 'static {
    /// Hands an event over, in order, before any answer that is given later. Does not wait.
    fn hear(&self, event: CommandEvent<'_>);

    /// Waits until the client has read most of what it was told. Cancel safe. May wait for ever
    /// when the connection has ended.
    fn has_room(&self) -> BoxFuture<'_, ()>;
}

/// Something about a command.
#[derive(Debug, Clone, Copy)]
pub struct CommandEvent<'a> {
    /// Which command.
    pub key: &'a CommandKey,
    /// What.
    pub msg: CommandMsg<'a>,
}

/// What happened to a command.
#[derive(Debug, Clone, Copy)]
pub enum CommandMsg<'a> {
    /// It printed something.
    Output {
        /// Where.
        stream: OutputStream,
        /// What, at most 45 KiB: the text of a message stays below 64 KiB.
        bytes: &'a [u8],
        /// Nothing more is told of this output, whatever is printed.
        is_cap_reached: bool,
    },
    /// It has ended.
    Exited(&'a Finished),
}

/// The two outputs of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputStream {
    /// Standard output, or the terminal.
    Stdout,
    /// Standard error.
    Stderr,
}

/// How a command ended, and what it printed if that was kept for the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The exit code; 128 and the signal's number for a signal, 124 when the time was up.
    pub exit_code: i32,
    /// Something that it left behind still held its output, so that there may have been more.
    pub output_was_held_open: bool,
    /// Standard output, or the terminal.
    pub stdout: Printed,
    /// Standard error.
    pub stderr: Printed,
}

/// What of one output was kept for the end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// The text, with U+FFFD for what is not UTF-8. Empty when it was told already.
    pub text: String,
    /// As much was printed as is told or kept at most.
    pub is_cap_reached: bool,
}
