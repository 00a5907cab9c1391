//! What absent members stand for, and which members are left out.

use serde::{Deserialize, Deserializer};

/// The value of a switch that is on unless told otherwise.
pub(crate) fn yes() -> bool {
    true
}

/// Whether a switch is off, and so not written.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
pub(crate) fn is_false(value: &bool) -> bool {
    !*value
}

/// Reads a member that must be there and may be null.
pub(crate) fn nullable<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}
