//! `spindle exec`: one prompt, one turn, one answer.
//!
//! A plain client of a daemon in this process, or of one that runs elsewhere. Start reading
//! at [`run()`].

mod args;
mod event;
mod outcome;
mod prompt;
mod report;
mod run;
mod setup;
mod text;

pub(crate) use args::ExecArgs;
pub(crate) use run::run;
