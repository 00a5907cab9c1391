//! The time of day, the only place that reads it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, in Unix milliseconds.
#[expect(clippy::disallowed_methods, reason = "this is the room's clock")]
pub(crate) fn unix_ms() -> i64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)
}
