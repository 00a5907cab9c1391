//! The Messages API of Anthropic, which some other servers speak too.

pub(crate) mod body;
pub(crate) mod decode;

/// The version of the API that is spoken.
pub(crate) const VERSION: &str = "2023-06-01";
