//! The Responses API: what is sent, what comes back, what the head of an answer tells.
//!
//! Start with [`body`] for the request and [`decode`] for the answer.

pub mod body;
pub(crate) mod decode;
pub(crate) mod limits;
