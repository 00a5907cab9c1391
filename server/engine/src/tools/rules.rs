//! Rule files that do not count, as people are told.

use spindle_exec::policy::{LoadError, Position};
use spindle_schema::event::{ConfigNotice, TextPlace};

/// What people are told of a rule file that cannot be used. The rules of other files count.
pub(crate) fn rules_notice(fault: &LoadError) -> ConfigNotice {
    let place = |at: Position| TextPlace { line: at.line, column: at.column };
    let range = match fault {
        LoadError::Rules(error) => Some((place(error.start), place(error.end))),
        LoadError::Read { .. } => None,
    };
    ConfigNotice {
        summary: "Error parsing rules; the rules of this file are not applied.".to_owned(),
        details: Some(fault.to_string()),
        path: Some(fault.path().display().to_string()),
        range,
    }
}
