//! What is wrong with a rule file, and where.

use std::fmt;
use std::path::PathBuf;

/// A piece of the file, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    pub(super) fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end }
    }
}

/// When the fault was seen; the text shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Before anything ran.
    Reading,
    /// While a call ran.
    Running,
    /// When a rule's examples were tried.
    Examples,
}

/// A fault before it is known in which file it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) stage: Stage,
    pub(super) span: Span,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn reading(span: Span, message: impl Into<String>) -> Self {
        Self { stage: Stage::Reading, span, message: message.into() }
    }

    pub(super) fn syntax(span: Span, message: impl fmt::Display) -> Self {
        Self::reading(span, format!("Parse error: {message}"))
    }

    pub(super) fn running(span: Span, message: impl Into<String>) -> Self {
        Self { stage: Stage::Running, span, message: message.into() }
    }
}

/// A place in a file, both numbers from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A rule file that cannot be read. Its rules do not count; those of other files do.
///
/// Shown, it is the whole `details` text that clients get: message, place and the line itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to parse rules file {}: {}", path.display(), Details(self))]
pub struct RuleError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub message: String,
    /// Where it begins.
    pub start: Position,
    /// Where it ends, not including that column.
    pub end: Position,
    pub(super) stage: Stage,
    /// The line at `start`.
    pub(super) line: String,
}

/// Writes what follows the file's name.
struct Details<'a>(&'a RuleError);

impl RuleError {
    pub(super) fn new(path: PathBuf, text: &str, fault: Fault) -> Self {
        let start = position(text, fault.span.start);
        let end = position(text, fault.span.end.max(fault.span.start));
        let line = text.lines().nth(start.line - 1).unwrap_or_default().to_owned();
        Self { path, message: fault.message, start, end, stage: fault.stage, line }
    }
}

fn position(text: &str, at: usize) -> Position {
    let before = text.get(..at).unwrap_or(text);
    let (above, line) = before.rsplit_once('\n').unwrap_or(("", before));
    let above = if before.contains('\n') { above.matches('\n').count() + 1 } else { 0 };
    Position { line: above + 1, column: line.chars().count() + 1 }
}

impl fmt::Display for Details<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RuleError { path, message, start, end, stage, line } = self.0;
        let path = path.display();
        let Position { line: number, column } = *start;
        match stage {
            Stage::Examples => return f.write_str(message),
            Stage::Reading => write!(f, "starlark error: error: {message}")?,
            Stage::Running => write!(
                f,
                "starlark error: Traceback (most recent call last):\n  * {path}:{number}, in \
                 <module>\n      {line}\nerror: {message}"
            )?,
        }
        let width = if end.line == number { end.column.saturating_sub(column) } else { 0 };
        let marks = "^".repeat(width.max(1));
        let gutter = " ".repeat(number.to_string().len());
        let indent = " ".repeat(column - 1);
        write!(
            f,
            "\n{gutter}--> {path}:{number}:{column}\n{gutter} |\n{number} | {line}\n{gutter} | \
             {indent}{marks}\n{gutter} |\n"
        )
    }
}
