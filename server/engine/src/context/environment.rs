//! The environment context: folder, shell, date, permissions, as the model reads them.

use std::fmt::Write as _;

use spindle_schema::settings::{SandboxPolicy, ThreadSettings};

use super::permissions::{Access, Entry, Place, entries};
use crate::clock;

/// What the environment message says. Two equal values need no second message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Environment {
    /// Working folder.
    pub(crate) cwd: Box<str>,
    /// The shell's short name.
    pub(crate) shell: Box<str>,
    /// The local date, `YYYY-MM-DD`.
    pub(crate) current_date: Box<str>,
    /// The IANA name of the local time zone.
    pub(crate) timezone: Box<str>,
    /// The `<filesystem>` element.
    pub(crate) filesystem: Box<str>,
}

impl Environment {
    /// The environment that the settings give, at this moment.
    pub(crate) fn of(settings: &ThreadSettings, shell: &str) -> Self {
        let zone = jiff::tz::TimeZone::system();
        let name = zone.iana_name().unwrap_or("Etc/UTC");
        let timezone = if name == "UTC" { "Etc/UTC" } else { name };
        Self {
            cwd: settings.cwd.clone(),
            shell: shell.into(),
            current_date: clock::now().to_zoned_datetime(zone.clone()).date().to_string().into(),
            timezone: timezone.into(),
            filesystem: filesystem(settings).into(),
        }
    }

    /// The message's text.
    pub(crate) fn render(&self) -> String {
        format!(
            "<environment_context>\n  <cwd>{}</cwd>\n  <shell>{}</shell>\n  \
             <current_date>{}</current_date>\n  <timezone>{}</timezone>\n  {}\n\
             </environment_context>",
            self.cwd, self.shell, self.current_date, self.timezone, self.filesystem
        )
    }
}

fn filesystem(settings: &ThreadSettings) -> String {
    let mut text = String::from("<filesystem><workspace_roots>");
    for root in &settings.workspace_roots {
        let _ = write!(text, "<root>{root}</root>");
    }
    text.push_str("</workspace_roots>");
    match &settings.sandbox_policy {
        SandboxPolicy::DangerFullAccess => text.push_str(
            "<permission_profile type=\"disabled\"><file_system type=\"unrestricted\" />",
        ),
        SandboxPolicy::ExternalSandbox { .. } => {
            text.push_str(
                "<permission_profile type=\"external\"><file_system type=\"external\" />",
            );
        }
        SandboxPolicy::ReadOnly { .. } | SandboxPolicy::WorkspaceWrite { .. } => {
            text.push_str("<permission_profile type=\"managed\"><file_system type=\"restricted\">");
            entries(settings).iter().for_each(|entry| write_entry(&mut text, entry));
            text.push_str("</file_system>");
        }
    }
    text.push_str("</permission_profile></filesystem>");
    text
}

fn write_entry(text: &mut String, entry: &Entry) {
    let access = match entry.access {
        Access::Read => "read",
        Access::Write => "write",
    };
    let _ = match &entry.place {
        Place::Special(kind) => {
            write!(text, "<entry access=\"{access}\"><special>:{kind}</special></entry>")
        }
        Place::Path(path) => write!(text, "<entry access=\"{access}\"><path>{path}</path></entry>"),
    };
}
