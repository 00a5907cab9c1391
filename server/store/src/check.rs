//! Looking after a home: what is damaged, and making the index again.

use std::fs::File;
use std::path::{Path, PathBuf};

use spindle_schema::ids::ThreadId;
use spindle_schema::rollout::RolloutItem;

use crate::damage::{Damage, DamageKind};
use crate::error::{Context as _, Error};
use crate::find;
use crate::rollout::history::Once;
use crate::rollout::parse;
use crate::rollout::path::FileName;
use crate::rollout::scan::{Forward, Line};
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
            Ok(files.iter().map(|path| report(path)).collect())
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

fn report(path: &Path) -> Report {
    let mut report = Report {
        path: path.to_owned(),
        id: FileName::parse(path).map(|name| name.id),
        size_bytes: 0,
        records: 0,
        damage: Vec::new(),
    };
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
