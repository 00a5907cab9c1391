//! What a client wants run, and how a command is named.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use spindle_schema::ids::ConnectionId;
use spindle_schema::settings::SandboxPolicy;

/// The two kinds of a client's command. Each has names of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommandKind {
    /// Its request is answered when it has ended.
    Exec,
    /// Its request is answered when it runs; its end is an event.
    Process,
}

impl CommandKind {
    /// The word for one of this kind in a sentence.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Exec => "command",
            Self::Process => "process",
        }
    }

    pub(super) fn how_it_is_named(self) -> &'static str {
        match self {
            Self::Exec => "process id",
            Self::Process => "process handle",
        }
    }

    pub(super) fn what_names_it(self) -> &'static str {
        match self {
            Self::Exec => "command/exec process id",
            Self::Process => "process handle",
        }
    }
}

impl fmt::Display for CommandKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exec => "command/exec",
            Self::Process => "process",
        })
    }
}

/// Which command.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CommandKey {
    /// Whose.
    pub connection: ConnectionId,
    /// Of which kind.
    pub kind: CommandKind,
    /// How its client names it.
    pub name: CommandName,
}

/// How a client names a command.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CommandName {
    /// By this text.
    Given(Box<str>),
    /// Not at all: it can only be waited for. The number tells such commands apart.
    Nameless(u64),
}

impl CommandName {
    /// The client's text; empty when there is none.
    pub fn text(&self) -> &str {
        match self {
            Self::Given(name) => name,
            Self::Nameless(_) => "",
        }
    }
}

/// A command as its client wants it.
#[derive(Debug, Clone)]
pub struct CommandRequest {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The folder it starts in; a relative one starts at the server's, and that is it for `None`.
    pub cwd: Option<String>,
    /// Changes to the environment that the configuration allows: a value sets a variable, `None`
    /// takes it out.
    pub env: BTreeMap<String, Option<String>>,
    /// What holds it.
    pub held: Held,
    /// Where its input comes from.
    pub input: Input,
    /// Its output is told while it runs, and then not again with its end. Otherwise it is kept for
    /// the end.
    pub streams: bool,
    /// Bytes of each output that are told or kept, counted from its beginning; `None` for all. What
    /// is printed beyond is thrown away.
    pub cap_bytes: Option<u64>,
    /// How long it may run before it is killed; `None` for as long as it likes.
    pub timeout: Option<Duration>,
}

/// What holds a client's command.
#[derive(Debug, Clone)]
pub enum Held {
    /// Nothing: it may do what the user may.
    Free,
    /// The sandbox of the configuration.
    Configured,
    /// This policy.
    Policy(SandboxPolicy),
    /// The permission profile of this name.
    Profile(Box<str>),
}

/// Where a command's input comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// There is none.
    Empty,
    /// From its client.
    Written,
    /// From its client, through a terminal. Standard error then is the same as standard output.
    Terminal(TerminalSize),
}

/// The size of a terminal, in characters; above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalSize {
    /// Lines.
    pub rows: u16,
    /// Characters a line.
    pub cols: u16,
}

impl Default for TerminalSize {
    fn default() -> Self {
        Self { rows: 24, cols: 80 }
    }
}
