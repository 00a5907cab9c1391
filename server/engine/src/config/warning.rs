//! What is wrong with the configuration, told in a way that finds the place.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Serialize;
use spindle_schema::event::{ConfigNotice, TextPlace};

/// The summary of every fault in a file.
const SUMMARY: &str = "Invalid configuration; using defaults.";

/// Something in the configuration that is not used as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConfigWarning {
    /// What happened, in one sentence.
    pub summary: String,
    /// The place and the reason: `FILE:LINE:COLUMN: reason`.
    pub details: Option<String>,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<PathBuf>,
    /// The place in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<TextRange>,
}

/// A stretch of text. Both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TextRange {
    /// The first character.
    pub start: TextPosition,
    /// The last character.
    pub end: TextPosition,
}

/// A character's place in a text. Both numbers count from 1; a column is a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TextPosition {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl ConfigWarning {
    /// A sentence about no place in particular.
    pub(crate) fn general(summary: String) -> Self {
        Self { summary, details: None, path: None, range: None }
    }

    /// A fault at a place in a file's text.
    pub(crate) fn at(path: &Path, text: &str, span: Option<Range<usize>>, reason: &str) -> Self {
        let range = span.map(|span| TextRange::of(text, span));
        let details = match range {
            Some(TextRange { start, .. }) => {
                format!("{}:{}:{}: {reason}", path.display(), start.line, start.column)
            }
            None => format!("{}: {reason}", path.display()),
        };
        Self {
            summary: SUMMARY.to_owned(),
            details: Some(details),
            path: Some(path.to_owned()),
            range,
        }
    }

    /// The warning as sessions say it.
    pub fn notice(&self) -> ConfigNotice {
        let place = |at: TextPosition| TextPlace { line: at.line, column: at.column };
        ConfigNotice {
            summary: self.summary.clone(),
            details: self.details.clone(),
            path: self.path.as_ref().map(|path| path.display().to_string()),
            range: self.range.map(|range| (place(range.start), place(range.end))),
        }
    }

    /// The details, or the summary where there are none.
    pub fn reason(&self) -> &str {
        self.details.as_deref().unwrap_or(&self.summary)
    }
}

impl TextRange {
    fn of(text: &str, span: Range<usize>) -> Self {
        let start = TextPosition::of(text, span.start);
        let last = text
            .get(span.clone())
            .and_then(|inside| inside.char_indices().next_back())
            .map_or(span.start, |(offset, _)| span.start + offset);
        Self { start, end: TextPosition::of(text, last) }
    }
}

impl TextPosition {
    fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

#[cfg(test)]
mod tests;
