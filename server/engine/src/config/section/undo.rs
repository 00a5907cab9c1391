//! `[undo]`: what is kept of files, so that a turn's changes can be taken back.

use std::time::Duration;

use crate::config::reader::Reader;

/// `[undo]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UndoSettings {
    /// Whether anything is kept.
    pub enabled: bool,
    /// The most that is kept of all threads, in bytes. The oldest goes first.
    pub max_bytes: u64,
    /// How long it is kept.
    pub max_age: Duration,
}

/// A gibibyte.
const MAX_BYTES: u64 = 1 << 30;
const MAX_AGE_DAYS: u64 = 30;
const DAY: u64 = 24 * 60 * 60;

impl UndoSettings {
    pub(crate) fn read(table: &Reader<'_>) -> Self {
        let days = table.get("max_age_days").unwrap_or(MAX_AGE_DAYS);
        Self {
            enabled: table.get("enabled").unwrap_or(true),
            max_bytes: table.get("max_bytes").unwrap_or(MAX_BYTES),
            max_age: Duration::from_secs(days.saturating_mul(DAY)),
        }
    }
}
