//! `spindle demo`: a whole story with a real daemon, told by what two frontends saw.
//!
//! [`story`] is the course, [`frontend`] one of the two clients, [`board`] what is printed,
//! [`verdict`] what is checked in the end.

mod board;
mod daemon;
mod frontend;
mod story;
mod verdict;

pub(crate) use story::{DemoArgs, run};
