//! Threads as text for people.

use std::fmt::Write;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use spindle_schema::v2::{Thread, ThreadStatus, Turn, TurnStatus};

use crate::client::render_item;
use crate::columns::{fit, width};
use crate::paint::Paint;

/// The columns when nobody says how wide the terminal is.
const USUAL_COLUMNS: usize = 100;
/// The columns that a name gets at least.
const LEAST_NAME: usize = 16;
/// The columns of a folder at most.
const MOST_FOLDER: usize = 40;

/// How wide the terminal at stdout is.
pub(crate) fn terminal_columns() -> usize {
    rustix::termios::tcgetwinsize(std::io::stdout())
        .ok()
        .map(|size| usize::from(size.ws_col))
        .filter(|columns| *columns > 0)
        .unwrap_or(USUAL_COLUMNS)
}

/// One line a thread, under a head.
pub(crate) fn threads(threads: &[Thread], columns: usize) -> String {
    if threads.is_empty() {
        return "no threads\n".to_owned();
    }
    let folder = threads.iter().map(|thread| width(&thread.cwd.0)).max().unwrap_or_default();
    let folder = folder.clamp("FOLDER".len(), MOST_FOLDER);
    // Id, time and state have fixed widths; two blanks stand between columns.
    let fixed = 36 + 2 + 16 + 2 + 7 + 2 + folder + 2;
    let name = columns.saturating_sub(fixed).max(LEAST_NAME);
    let mut text = line(["ID", "UPDATED", "STATE", "FOLDER", "NAME"], folder, name);
    for thread in threads {
        let title = thread.name.as_deref().unwrap_or(&thread.preview);
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let updated = local_time(thread.updated_at);
        let cells = [thread.id.as_str(), &updated, state(&thread.status), &thread.cwd.0, &title];
        text.push_str(&line(cells, folder, name));
    }
    text
}

fn line(cells: [&str; 5], folder: usize, name: usize) -> String {
    let [id, updated, state, cwd, title] = cells;
    let line = format!(
        "{}  {}  {}  {}  {}",
        fit(id, 36),
        fit(updated, 16),
        fit(state, 7),
        fit(cwd, folder),
        fit(title, name)
    );
    format!("{}\n", line.trim_end())
}

fn state(status: &ThreadStatus) -> &'static str {
    match status {
        ThreadStatus::NotLoaded => "stored",
        ThreadStatus::Idle => "idle",
        ThreadStatus::SystemError => "failed",
        ThreadStatus::Active { active_flags } if active_flags.is_empty() => "active",
        ThreadStatus::Active { .. } => "asking",
    }
}

/// A time as the people here write it. From Unix seconds.
fn local_time(seconds: i64) -> String {
    Timestamp::from_second(seconds).map_or_else(
        |_| "?".to_owned(),
        |time| time.to_zoned_datetime(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
    )
}

/// A thread and all that was said in it.
pub(crate) fn thread(thread: &Thread, turns: &[Turn]) -> String {
    let mut text = String::new();
    for (label, value) in [
        ("thread", thread.id.as_str()),
        ("name", thread.name.as_deref().unwrap_or("-")),
        ("folder", &thread.cwd.0),
        ("model", thread.model.as_deref().unwrap_or("-")),
        ("state", state(&thread.status)),
        ("created", &local_time(thread.created_at)),
        ("updated", &local_time(thread.updated_at)),
        ("file", thread.path.as_deref().unwrap_or("-")),
    ] {
        labelled(&mut text, label, value);
    }
    for turn in turns {
        text.push('\n');
        for shown in turn.items.iter().filter_map(render_item) {
            labelled(&mut text, shown.who, &shown.whole());
        }
        let end = match (turn.status, &turn.error) {
            (TurnStatus::Completed, _) => continue,
            (TurnStatus::Interrupted, _) => "interrupted".to_owned(),
            (TurnStatus::InProgress, _) => "still running".to_owned(),
            (TurnStatus::Failed, Some(error)) => format!("failed: {}", error.message),
            (TurnStatus::Failed, None) => "failed".to_owned(),
        };
        labelled(&mut text, "turn", &end);
    }
    text
}

/// A label and what it stands for, further lines below the first.
fn labelled(text: &mut String, label: &str, value: &str) {
    let mut lines = value.lines();
    let first = lines.next().unwrap_or_default();
    let indent = Paint::INDENT;
    let _ = writeln!(text, "{}{first}", fit(label, indent.len()));
    for line in lines {
        let _ = writeln!(text, "{indent}{line}");
    }
}

#[cfg(test)]
mod tests;
