//! Chat completions: the form that most local servers speak.

pub(crate) mod body;
pub(crate) mod decode;
