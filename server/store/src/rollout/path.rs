//! Names of rollout files.
//!
//! Shape: `sessions/2026/11/30/rollout-2026-11-30T13-45-18-<thread id>.jsonl` in local time; a
//! file that a revert of the peer made has `_<segment id>` behind the thread id.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use spindle_schema::ids::ThreadId;

/// The folder of live threads, by year, month and day.
pub(crate) const SESSIONS: &str = "sessions";
/// The folder of archived threads, flat.
pub(crate) const ARCHIVED: &str = "archived_sessions";

/// What a file name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileName {
    /// When the file was made, in the local time of then.
    pub(crate) made: DateTime,
    /// The thread.
    pub(crate) id: ThreadId,
}

impl FileName {
    /// Reads the last part of a path.
    pub(crate) fn parse(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let name = name.strip_prefix("rollout-")?.strip_suffix(".jsonl")?;
        let (made, id) = name.split_at_checked(19)?;
        let id = id.strip_prefix('-')?;
        let id = id.split_once('_').map_or(id, |(id, _)| id);
        let made = DateTime::strptime("%Y-%m-%dT%H-%M-%S", made).ok()?;
        Some(Self { made, id: ThreadId::parse(id).ok()? })
    }

    /// The moment, if the clock was set as it is today.
    pub(crate) fn made_ms(self) -> i64 {
        self.made
            .to_zoned_datetime(TimeZone::system())
            .map_or(0, |zoned| zoned.timestamp().as_millisecond())
    }
}

/// Whether a name is one of a rollout at all.
pub(crate) fn is_rollout(name: &str) -> bool {
    name.strip_prefix("rollout-").is_some_and(|rest| rest.strip_suffix(".jsonl").is_some())
}

/// Where the file of a new thread goes, below `home`.
pub(crate) fn live(home: &Path, id: ThreadId, created: Timestamp) -> PathBuf {
    let made = created.to_zoned_datetime(TimeZone::system()).datetime();
    let name = format!("rollout-{}-{id}.jsonl", made.strftime("%Y-%m-%dT%H-%M-%S"));
    day_folder(home, made).join(name)
}

/// Where an archived file goes when it is brought back; the root of the live folder if its name
/// tells no date.
pub(crate) fn unarchived(home: &Path, path: &Path) -> PathBuf {
    let folder = FileName::parse(path)
        .map_or_else(|| home.join(SESSIONS), |name| day_folder(home, name.made));
    folder.join(path.file_name().unwrap_or_default())
}

/// Where a file goes when it is archived.
pub(crate) fn archived(home: &Path, path: &Path) -> PathBuf {
    home.join(ARCHIVED).join(path.file_name().unwrap_or_default())
}

fn day_folder(home: &Path, made: DateTime) -> PathBuf {
    home.join(SESSIONS).join(made.strftime("%Y/%m/%d").to_string())
}

#[cfg(test)]
mod tests;
