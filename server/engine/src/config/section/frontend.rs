//! Clients of a thread: whose answers count, and how long it waits for them.

use std::time::Duration;

use serde::Deserialize;

use crate::config::reader::Reader;

/// How long a thread that nobody uses stays loaded when nobody says.
const UNLOAD_AFTER_SECS: u64 = 30 * 60;

/// Whose answers to a thread's questions count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answers {
    /// The first one, from anybody who follows the thread.
    #[default]
    First,
    /// Those of the client that has followed the thread longest.
    Owner,
    /// Those of clients over standard streams or the Unix socket.
    Local,
}

/// Clients of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontendSettings {
    /// `spindle.approval_answers`
    pub answers: Answers,
    /// `thread_unload_delay_secs`: after how long a thread is unloaded that no turn runs in and
    /// that nobody follows; `None`, which is written 0, keeps it.
    pub unload_after: Option<Duration>,
}

impl FrontendSettings {
    pub(crate) fn read(top: &Reader<'_>) -> Self {
        let secs = top.get("thread_unload_delay_secs").unwrap_or(UNLOAD_AFTER_SECS);
        Self {
            answers: top.table("spindle").get("approval_answers").unwrap_or_default(),
            unload_after: (secs > 0).then(|| Duration::from_secs(secs)),
        }
    }
}
