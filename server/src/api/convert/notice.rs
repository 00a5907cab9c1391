//! What is wrong with the configuration, as clients are told.

use spindle_schema::event::{ConfigNotice, TextPlace};
use spindle_schema::v2::{ConfigWarningNotification, TextPosition, TextRange};

/// A notice as the params of `configWarning`.
pub(in crate::api) fn of(notice: &ConfigNotice) -> ConfigWarningNotification {
    let position =
        |place: TextPlace| TextPosition { line: place.line as u64, column: place.column as u64 };
    ConfigWarningNotification {
        summary: notice.summary.clone(),
        details: notice.details.clone(),
        path: notice.path.clone(),
        range: notice
            .range
            .map(|(start, end)| TextRange { start: position(start), end: position(end) }),
    }
}
