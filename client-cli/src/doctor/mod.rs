//! `spindle doctor`: what is in order on this machine, and what is not.
//!
//! [`machine`] looks at files, [`daemon`] asks a daemon in this process, [`sandbox`] tries what
//! can hold commands here; each gives [`Finding`](finding::Finding)s. Nothing is changed.

mod daemon;
mod finding;
mod machine;
mod run;
mod sandbox;

pub(crate) use run::{DoctorArgs, run};
