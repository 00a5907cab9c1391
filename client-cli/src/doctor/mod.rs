//! `spindle doctor`: what is in order on this machine, and what is not.
//!
//! [`machine`] looks at files and the kernel, [`daemon`] asks a daemon in this process, each
//! gives [`Finding`](finding::Finding)s. Nothing is changed.

mod daemon;
mod finding;
mod machine;
mod run;

pub(crate) use run::{DoctorArgs, run};
