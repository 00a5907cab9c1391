//! The time of day, the only place that reads it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time since 1970.
#[expect(clippy::disallowed_methods, reason = "this is the room's clock")]
fn since_epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Now, in Unix milliseconds.
pub(crate) fn unix_ms() -> i64 {
    i64::try_from(since_epoch().as_millis()).unwrap_or(i64::MAX)
}

/// Now, in Unix microseconds.
pub(crate) fn unix_us() -> u64 {
    u64::try_from(since_epoch().as_micros()).unwrap_or(u64::MAX)
}
