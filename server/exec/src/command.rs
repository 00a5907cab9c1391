//! What to run: program and arguments, folder, environment, connections and limits.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::sandbox::Mode;

/// A command that may be run once it is cleared.
#[derive(Debug, Clone)]
pub struct Command {
    /// Program and arguments. A program without a slash is looked up on `PATH` of `env`; one with
    /// a slash is taken relative to `cwd`.
    pub argv: Vec<OsString>,
    /// The folder it starts in; absolute.
    pub cwd: PathBuf,
    /// The whole environment; nothing is added and nothing is inherited.
    pub env: Vec<(OsString, OsString)>,
    /// How it is connected.
    pub stdio: Stdio,
    /// What is kept of its output.
    pub limits: Limits,
    /// What it may touch.
    pub sandbox: Mode,
}

/// How a command is connected to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdio {
    /// Standard input is empty; standard output and error are one stream, in order of arrival.
    Pipes,
    /// The same, and standard input is written with `Process::write`.
    PipesWithStdin,
    /// Standard output and error are two streams; standard input is empty.
    Separate,
    /// Standard output and error are two streams; standard input is written with `Process::write`.
    SeparateWithStdin,
    /// Standard input and output are handed out as pipes that lose nothing and wait for their
    /// reader, for programs that speak a protocol; see `Process::take_pipes`. Standard error is
    /// collected.
    Protocol,
    /// Our own standard input, output and error, for programs that a person starts by hand: what
    /// is printed goes there and is not collected. The command is in a session of its own, so a
    /// terminal's keys do not reach it as signals; see `Process::signal`.
    Inherit,
    /// A terminal of the given size.
    Pty {
        /// Lines.
        rows: u16,
        /// Characters a line.
        cols: u16,
    },
}

/// What is kept of a command's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes kept of each stream.
    pub keep_bytes: usize,
    /// What happens when more is printed.
    pub when_full: WhenFull,
}

impl Default for Limits {
    fn default() -> Self {
        Self { keep_bytes: 1024 * 1024, when_full: WhenFull::Forget }
    }
}

impl Limits {
    /// For whoever reads all of the output: nothing is lost, and the command waits for its reader.
    pub fn lossless() -> Self {
        Self { keep_bytes: 128 * 1024, when_full: WhenFull::Wait }
    }
}

/// What happens when a command prints more than is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenFull {
    /// Half is kept from the beginning and half from the end, and the middle is forgotten. The
    /// command never waits.
    Forget,
    /// The command waits until its one reader has taken something. Its bytes come as they are,
    /// at once, without regard to characters. Whoever stops reading stops the command.
    Wait,
}
