//! The way to a thread's rollout.

use std::sync::Arc;

use spindle_schema::rollout::RolloutItem;
use spindle_store::{Error, Log};

/// Where lines go: to the rollout, or nowhere for an ephemeral thread.
///
/// Cloned by everyone who records: the turn, and commands that outlive it.
#[derive(Clone)]
pub(crate) enum Recorder {
    /// The thread's own file.
    Log(Arc<Log>),
    /// An ephemeral thread.
    Nowhere,
}

impl Recorder {
    /// Writes lines, in order, and comes back when they would survive a kill of the process.
    pub(crate) async fn append(&self, lines: Vec<RolloutItem>) -> Result<(), Error> {
        match self {
            Self::Log(log) if !lines.is_empty() => log.append(lines).await.map(drop),
            Self::Log(_) | Self::Nowhere => Ok(()),
        }
    }
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Log(_) => "Recorder::Log",
            Self::Nowhere => "Recorder::Nowhere",
        })
    }
}
