//! Chat completions: the form that most local servers speak.
//!
//! The engine knows the Responses API only. [`body`] turns its requests into chat requests,
//! [`decode`] turns the chunks that come back into the same events, and [`tools`] remembers
//! what a flat function name stood for.

pub(crate) mod body;
pub(crate) mod decode;
pub(crate) mod tools;
