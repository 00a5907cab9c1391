//! Looking after a home: what is damaged, and making the index again.

use std::fs::File;
use std::path::{Path, PathBuf};

use spindle_schema::ids::ThreadId;
use spindle_schema::rollout::RolloutItem;

use crate::branch::copy;
use crate::damage::{Damage, DamageKind};
use crate::error::{Context as _, Error};
use crate::find;
use crate::lock::WriterLock;
use crate::rollout::copy::{Cut, ForkPoint};
use crate::rollout::history::Once;
use crate::rollout::lineage::Lineage;
use crate::rollout::parse;
use crate::rollout::path::FileName;
use crate::rollout::scan::{Forward, Line};
use crate::shared::Shared;
use crate::store::Store;

/// What a check of one rollout found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The file.
    pub path: PathBuf,
    /// The thread, where the header or the name tells.
    pub id: Option<ThreadId>,
    /// Bytes of the file.
    pub size_bytes: u64,
    /// Records that can be read.
    pub records: u64,
    /// What is wrong, in the order of the file. Empty for a sound one.
    pub damage: Vec<Damage>,
}

impl Store {
    /// Reads every line of every rollout. Reports come sorted by path, sound files included.
    ///
    /// # Errors
    /// [`Error::Closed`]. A file that cannot be read is a report.
    pub async fn check(&self) -> Result<Vec<Report>, Error> {
        self.blocking(|shared| {
            let mut files = find::all(&shared.home);
            files.sort_unstable();
            Ok(files.iter().map(|path| report(&shared.home, path)).collect())
        })
        .await
    }

    /// Makes a damaged file sound: keeps every record that can be read, gives it a header if that
    /// is lost, and makes it stand alone. The file as it was stays beside it, as `….jsonl.damaged`.
    /// Gives what was wrong; a sound file is left as it is.
    ///
    /// Order: the thread must not be in use.
    ///
    /// # Errors
    /// [`Error::Busy`], [`Error::Exists`] when an earlier damaged file lies there, and those of
    /// writing; then the file is as it was.
    pub async fn repair(&self, path: &Path) -> Result<Report, Error> {
        let path = path.to_owned();
        self.blocking(move |shared| {
            let report = report(&shared.home, &path);
            if !report.damage.is_empty() {
                repair(shared, &path)?;
            }
            Ok(report)
        })
        .await
    }

    /// Makes the index again from the files.
    ///
    /// # Errors
    /// [`Error::Index`] when no database can be used, not even one in memory.
    pub async fn reindex(&self) -> Result<(), Error> {
        self.flush().await;
        self.blocking(|shared| shared.index.rebuild()).await
    }
}

fn repair(shared: &Shared, path: &Path) -> Result<(), Error> {
    let aside = aside(path);
    if aside.exists() {
        return Err(Error::Exists { path: aside });
    }
    let lineage = match Lineage::open(&shared.home, path) {
        Ok(lineage) => lineage,
        // Nothing in it can be read, so there is nothing to keep in its place.
        Err(Error::Empty { .. }) => {
            return shared.disk.rename(path, &aside).context("move", path);
        }
        Err(error) => return Err(error),
    };
    let _lock = WriterLock::take_patiently(&*shared.disk, &shared.home, lineage.meta.id)?;
    let mut meta = lineage.meta.clone();
    meta.history_base = None;
    let cut = Cut::find(&lineage, &ForkPoint::End)?;
    shared.disk.link(path, &aside).context("set aside", path)?;
    copy(shared, path, &lineage, cut, &meta).inspect_err(|_| drop(shared.disk.remove(&aside)))?;
    shared.note(path)
}

/// Where a damaged file goes. No reader takes it for a rollout.
pub(crate) fn aside(path: &Path) -> PathBuf {
    path.with_extension("jsonl.damaged")
}

fn report(home: &Path, path: &Path) -> Report {
    let mut report = Report {
        path: path.to_owned(),
        id: FileName::parse(path).map(|name| name.id),
        size_bytes: 0,
        records: 0,
        damage: Vec::new(),
    };
    if let Ok(lineage) = Lineage::open(home, path) {
        let missing = |damage: &Damage| damage.kind == DamageKind::MissingBase;
        report.damage.extend(lineage.damage.into_iter().filter(missing));
    }
    if let Err(error) = report.read() {
        report.note(0, DamageKind::Unreadable { reason: error.to_string().into() });
    }
    report
}

impl Report {
    fn read(&mut self) -> Result<(), Error> {
        let file = File::open(&self.path).context("open", &self.path)?;
        self.size_bytes = file.metadata().context("examine", &self.path)?.len();
        let mut once = Once::default();
        let mut lines = Forward::new(&file, 0, self.size_bytes);
        let mut first = true;
        while let Some(line) = lines.next().context("read", &self.path.clone())? {
            if !line.is_blank() {
                self.look(line, &mut once, first);
                first = false;
            }
        }
        if first {
            self.note(0, DamageKind::Empty);
        }
        Ok(())
    }

    fn look(&mut self, line: Line<'_>, once: &mut Once, first: bool) {
        let read = parse::line(line.bytes);
        if first {
            match &read {
                Ok(read) if let RolloutItem::SessionMeta(meta) = &read.item => {
                    self.id = Some(meta.id);
                }
                _ => self.note(line.offset, DamageKind::NoHeader),
            }
        }
        match read {
            Ok(read) => match read.ordinal {
                Some(ordinal) if !once.is_new(ordinal, line.bytes) => {
                    self.note(line.offset, DamageKind::Duplicate { ordinal });
                }
                _ => self.records += 1,
            },
            Err(_) if !line.ended => self.note(line.offset, DamageKind::Torn),
            Err(reason) => self.note(line.offset, DamageKind::Unreadable { reason }),
        }
    }

    fn note(&mut self, offset: u64, kind: DamageKind) {
        self.damage.push(Damage { path: self.path.clone(), offset, kind });
    }
}

#[cfg(test)]
mod tests;
