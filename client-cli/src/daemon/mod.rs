//! `spindle app-server daemon`: the daemon of this home, in the background.
//!
//! Start reading at [`run()`], which does what is asked; [`background`] starts and ends the
//! process. Each subcommand writes one line of JSON. The daemon is this very program, started
//! as `app-server --listen unix://`; nothing else stays behind.

mod background;
mod run;

pub(crate) use run::{DaemonCommand, run};
