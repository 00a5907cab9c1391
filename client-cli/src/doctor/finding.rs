//! What a check found.

use std::fmt::Write;

use serde::Serialize;

use crate::columns::fit;
use crate::paint::{Paint, Style};

/// How a thing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// In order.
    Ok,
    /// Works, but not as well as it could.
    Warn,
    /// Does not work.
    Fail,
}

/// What a check found.
///
/// Shape: `{"check":"settings","status":"fail","detail":"…/config.toml:3: …"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// What was looked at; one word.
    pub(crate) check: &'static str,
    /// How it stands.
    pub(crate) status: Status,
    /// What was seen, and what to do when it is not in order.
    pub(crate) detail: String,
}

impl Finding {
    /// All is well.
    pub(crate) fn ok(check: &'static str, detail: impl Into<String>) -> Self {
        Self { check, status: Status::Ok, detail: detail.into() }
    }

    /// Something could be better.
    pub(crate) fn warn(check: &'static str, detail: impl Into<String>) -> Self {
        Self { check, status: Status::Warn, detail: detail.into() }
    }

    /// Something does not work.
    pub(crate) fn fail(check: &'static str, detail: impl Into<String>) -> Self {
        Self { check, status: Status::Fail, detail: detail.into() }
    }
}

/// The findings as text for people.
pub(crate) fn table(findings: &[Finding], paint: Paint) -> String {
    let mut text = String::new();
    for finding in findings {
        let (mark, style) = match finding.status {
            Status::Ok => ("ok  ", Style::Plain),
            Status::Warn => ("warn", Style::Warning),
            Status::Fail => ("FAIL", Style::Error),
        };
        let mut lines = finding.detail.lines();
        let first = lines.next().unwrap_or_default();
        let check = fit(finding.check, 9);
        let _ = writeln!(text, "{}  {check} {first}", paint.paint(mark, style));
        for line in lines {
            let _ = writeln!(text, "{:16}{line}", "");
        }
    }
    text
}

/// The worst of all.
pub(crate) fn worst(findings: &[Finding]) -> Status {
    findings.iter().map(|finding| finding.status).max().unwrap_or(Status::Ok)
}

#[cfg(test)]
mod tests;
