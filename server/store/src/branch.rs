//! Forks and reverts. Both are files that stand alone, so that they outlive their source.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use spindle_schema::ids::{ThreadId, TurnId};
use spindle_schema::rollout::{RolloutItem, RolloutLine, SessionMeta};

use crate::error::{Context as _, Error};
use crate::lock::WriterLock;
use crate::log::Log;
use crate::rollout::append::End;
use crate::rollout::copy::{Cut, ForkPoint, is_numbered, write};
use crate::rollout::history::History;
use crate::rollout::lineage::Lineage;
use crate::shared::Shared;
use crate::store::{Loaded, Store, open_locked, timestamp};

impl Store {
    /// Makes a new thread that begins with a part of another one. Its file is a full copy, headed
    /// by `meta`; the source may be in use, archived or itself a fork.
    ///
    /// Order: what was appended to the source before the call is in the copy. A turn of the
    /// source that is going on reads as interrupted in the copy.
    ///
    /// # Errors
    /// [`Error::NoThread`], [`Error::NoTurn`], [`Error::Exists`], [`Error::Busy`].
    pub async fn fork(
        &self,
        source: ThreadId,
        until: ForkPoint,
        meta: SessionMeta,
    ) -> Result<Loaded, Error> {
        self.shared.writer.barrier(&self.shared).await;
        self.blocking(move |shared| {
            let path = shared.locate(source)?;
            fork(shared, &path, &until, meta)
        })
        .await
    }

    /// The same, by the place of the source.
    ///
    /// # Errors
    /// Those of [`Store::fork`].
    pub async fn fork_path(
        &self,
        source: &Path,
        until: ForkPoint,
        meta: SessionMeta,
    ) -> Result<Loaded, Error> {
        self.shared.writer.barrier(&self.shared).await;
        let source = source.to_owned();
        self.blocking(move |shared| fork(shared, &source, &until, meta)).await
    }
}

impl Log {
    /// Takes a thread back to where it was before a turn; gives what is left. The file is replaced
    /// as a whole and holds nothing of the turns that went.
    ///
    /// # Errors
    /// [`Error::NoTurn`]; then, and after any other error, nothing has changed.
    pub async fn revert(&self, before: TurnId) -> Result<History, Error> {
        let store = Store { shared: Arc::clone(self.shared()) };
        store.shared.writer.barrier(&store.shared).await;
        let tail = Arc::clone(self.tail());
        store
            .blocking(move |shared| {
                tail.replace(shared, |path| {
                    let lineage = Lineage::open(&shared.home, path)?;
                    let cut = Cut::find(&lineage, &ForkPoint::BeforeTurn(before))?;
                    let mut meta = lineage.meta.clone();
                    meta.history_base = None;
                    copy(shared, path, &lineage, cut, &meta)?;
                    History::read(&shared.home, path)
                })
            })
            .await
    }
}

fn fork(
    shared: &Arc<Shared>,
    source: &Path,
    until: &ForkPoint,
    mut meta: SessionMeta,
) -> Result<Loaded, Error> {
    let lineage = Lineage::open(&shared.home, source)?;
    let cut = Cut::find(&lineage, until)?;
    // Turns of old rollouts cannot be found by readers of the later form.
    if !is_numbered(&lineage.meta) {
        meta.history_mode = None;
    }
    let path = shared.new_path(&meta);
    let lock = WriterLock::take_patiently(&*shared.disk, &shared.home, meta.id)?;
    if path.exists() {
        return Err(Error::Exists { path });
    }
    if let Some(folder) = path.parent() {
        shared.disk.create_folders(folder).context("create", folder)?;
    }
    copy(shared, &path, &lineage, cut, &meta)?;
    shared.note(&path)?;
    open_locked(shared, &path, lock)
}

/// Writes a copy beside its place and moves it there.
pub(crate) fn copy(
    shared: &Shared,
    path: &Path,
    lineage: &Lineage,
    cut: Cut,
    meta: &SessionMeta,
) -> Result<(), Error> {
    let item = RolloutItem::SessionMeta(Box::new(meta.clone()));
    let ordinal = is_numbered(meta).then_some(0);
    let header = RolloutLine { timestamp: timestamp((shared.now)()), ordinal, item };
    let beside = beside(path);
    write(&*shared.disk, &beside, &header, lineage, cut)?;
    shared
        .disk
        .rename(&beside, path)
        .inspect_err(|_| drop(shared.disk.remove(&beside)))
        .context("move", &beside)
}

/// A name that no reader takes for a rollout.
pub(crate) fn beside(path: &Path) -> PathBuf {
    path.with_extension("jsonl.tmp")
}

/// What a replaced file is like.
pub(crate) type Replaced = (History, End);

#[cfg(test)]
mod tests;
