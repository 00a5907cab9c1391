//! What a command may touch, and how the system is made to hold it to that.

pub(crate) mod clone;
mod mode;

pub use mode::Mode;
