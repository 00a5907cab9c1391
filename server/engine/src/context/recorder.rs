//! The way to a thread's rollout.

use std::sync::Arc;

use spindle_schema::ids::TurnId;
use spindle_schema::note::ReadState;
use spindle_schema::rollout::RolloutItem;
use spindle_store::{Appended, Error, Log};

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
    /// Makes sure that the thread is on disk, even when nothing was said in it.
    pub(crate) async fn establish(&self) -> Result<(), Error> {
        match self {
            Self::Log(log) => kept(log.append(Vec::new()).await),
            Self::Nowhere => Ok(()),
        }
    }

    /// Writes lines, in order, and comes back when they would survive a kill of the process.
    pub(crate) async fn append(&self, lines: Vec<RolloutItem>) -> Result<(), Error> {
        match self {
            Self::Log(log) if !lines.is_empty() => kept(log.append(lines).await),
            Self::Log(_) | Self::Nowhere => Ok(()),
        }
    }
}

impl Recorder {
    /// Notes that a turn has ended that nobody has read; gives what is unread then. A note that
    /// cannot be made costs the turn nothing.
    pub(crate) async fn note_unread(&self, turn: &TurnId) -> Option<ReadState> {
        let Self::Log(log) = self else { return None };
        match log.note_unread(turn.clone()).await {
            Ok(state) => Some(state),
            Err(error) => {
                tracing::warn!(%error, "it could not be noted that a turn is unread");
                None
            }
        }
    }
}

/// Lines that the disk does not take at the moment are kept and go first next time: the turn
/// goes on.
fn kept(outcome: Result<Appended, Error>) -> Result<(), Error> {
    match outcome {
        Ok(appended) => {
            if let Some(notice) = appended.notice {
                tracing::warn!(?notice, "a rollout is not as it was left");
            }
            Ok(())
        }
        Err(error @ Error::Unwritten { kept: true, .. }) => {
            tracing::error!(%error, "the disk does not take a rollout; its lines are kept for now");
            Ok(())
        }
        Err(error) => Err(error),
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
