//! `spindle threads`: what conversations there are, and what to do with them.

mod args;
mod run;
mod table;

pub(crate) use args::ThreadsArgs;
pub(crate) use run::run;
pub(crate) use table::terminal_columns;
