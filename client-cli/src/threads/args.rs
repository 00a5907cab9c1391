//! The options of `threads`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::args::Shared;
use crate::reach::Remote;

/// List, show, find and tidy threads.
#[derive(Debug, Args)]
pub(crate) struct ThreadsArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: ThreadsCommand,
}

/// Options that may stand before and after the command.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Common {
    #[command(flatten)]
    pub(crate) shared: Shared,
    #[command(flatten)]
    pub(crate) remote: Remote,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Common {
    /// Adds what stood further right.
    pub(crate) fn then(self, later: Self) -> Self {
        Self {
            shared: self.shared.then(later.shared),
            remote: self.remote.then(later.remote),
            json: self.json || later.json,
        }
    }
}

/// What can be done with threads.
#[derive(Debug, Subcommand)]
pub(crate) enum ThreadsCommand {
    /// List threads, the one used last first.
    List {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        filter: Filter,
    },
    /// List threads whose name or first words contain a text.
    Search {
        #[command(flatten)]
        common: Common,
        /// The text.
        text: String,
        #[command(flatten)]
        filter: Filter,
    },
    /// Show one thread with all its turns.
    Show {
        #[command(flatten)]
        common: Common,
        /// The thread's id, the beginning or end of it, or its name.
        thread: String,
    },
    /// Put a thread away.
    Archive {
        #[command(flatten)]
        common: Common,
        /// The thread's id, the beginning or end of it, or its name.
        thread: String,
    },
    /// Bring a thread back.
    Unarchive {
        #[command(flatten)]
        common: Common,
        /// The thread's id, the beginning or end of it, or its name.
        thread: String,
    },
    /// Give a thread a name.
    Name {
        #[command(flatten)]
        common: Common,
        /// The thread's id, the beginning or end of it, or its name.
        thread: String,
        /// The name.
        name: String,
    },
}

/// Which threads are listed.
#[derive(Debug, Clone, Args)]
pub(crate) struct Filter {
    /// Those that were put away.
    #[arg(long)]
    pub(crate) archived: bool,
    /// Only those of this folder.
    #[arg(short = 'C', long, value_name = "DIR")]
    pub(crate) cd: Option<PathBuf>,
    /// How many at most.
    #[arg(short = 'n', long, value_name = "NUMBER", default_value_t = 50)]
    pub(crate) limit: usize,
}
