//! The one place that reads the wall clock.

use jiff::Timestamp;

/// This moment.
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

/// This moment in Unix milliseconds.
pub(crate) fn now_ms() -> i64 {
    now().as_millisecond()
}
