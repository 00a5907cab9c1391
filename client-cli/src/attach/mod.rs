//! `spindle attach`: follow a thread live, start and steer turns, answer questions.
//!
//! Line by line, so that it works in a pipe too. [`dialog`] decides what a typed line means,
//! [`screen`] shows what the daemon says; both are pure. Start reading at [`run()`].

mod dialog;
mod question;
mod run;
mod screen;

pub(crate) use run::{AttachArgs, run};
