//! What turns did to files is taken back, or made again.

use std::path::PathBuf;

use spindle_schema::event::EventMsg;
use spindle_schema::ids::ThreadId;

use super::audience::Recipients;
use super::manager::ThreadManager;
use crate::undo::{self, Asked, Report, Wanted};
use crate::{Answer, Error};

impl ThreadManager {
    /// Says what an undo would do. Changes nothing.
    pub fn preview_undo(&self, thread: ThreadId, wanted: Wanted, answer: Answer<Report>) {
        self.manage(thread, answer, move |manager| async move {
            let (asked, _) = manager.ask_undo(thread, wanted).await?;
            let keeper = manager.inner.rooms.undo.clone();
            let report = on_files(move || keeper.preview(&asked)).await?;
            Ok((report, |_| ()))
        });
    }

    /// Takes back what turns did to files, or makes it again: all of it or nothing. Order: no
    /// turn of the thread may be started meanwhile. Its followers are told.
    pub fn undo(&self, thread: ThreadId, wanted: Wanted, answer: Answer<Report>) {
        self.manage(thread, answer, move |manager| async move {
            let (asked, hold) = manager.ask_undo(thread, wanted).await?;
            let keeper = manager.inner.rooms.undo.clone();
            let report = on_files(move || keeper.apply(&asked)).await?;
            drop(hold);
            let text = told(&report);
            let followers = manager.handle(thread).map(|handle| handle.subscribers.list());
            let after = move |manager: Self| {
                let warning = EventMsg::Warning(text.into());
                manager.announce(thread, warning, Recipients::Only(&followers.unwrap_or_default()));
            };
            Ok((report, after))
        });
    }

    /// Removes what is kept of a thread's files.
    pub(super) async fn forget_undo(&self, thread: ThreadId) {
        let keeper = self.inner.rooms.undo.clone();
        let gone = tokio::task::spawn_blocking(move || keeper.forget(thread)).await;
        if let Ok(Err(error)) = gone {
            tracing::error!(%thread, %error, "what is kept for undo could not be removed");
        }
    }

    /// Makes sure that nobody works in the thread, here or in another process.
    async fn ask_undo(
        &self,
        thread: ThreadId,
        wanted: Wanted,
    ) -> Result<(Asked, Option<spindle_store::Hold>), Error> {
        let store = &self.inner.rooms.store;
        let (snapshot, hold) = match self.look(thread).await {
            Ok(look) => {
                if let Some(turn) = look.active_turn {
                    return Err(undo::Error::TurnRuns(turn.id.clone()).into());
                }
                (look.thread, None)
            }
            Err(_) => (self.snapshot(thread).await?, Some(store.hold(thread).await?)),
        };
        let cwd = PathBuf::from(&*snapshot.cwd);
        let settings = self.inner.rooms.config.load(Some(&cwd), None)?.undo;
        Ok((Asked { thread, wanted, cwd, settings }, hold))
    }
}

fn told(report: &Report) -> String {
    let files = report.files.len() + report.omitted;
    let plural = if files == 1 { "file" } else { "files" };
    let done = if report.again { "made again" } else { "undone" };
    let turns = if report.turns.len() == 1 { "a turn was" } else { "several turns were" };
    format!("What {turns} doing to {files} {plural} was {done}.")
}

/// Runs work on files apart from the runtime's workers.
async fn on_files<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, undo::Error> + Send + 'static,
) -> Result<T, Error> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => Ok(done?),
        Err(error) => {
            tracing::error!(%error, "an undo broke down");
            Err(Error::Dropped)
        }
    }
}
