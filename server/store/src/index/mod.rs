//! The index: which threads there are, in what order. A cache in SQLite; the rollouts are the
//! truth, and nothing is lost when the database is.
//!
//! Start with [`Index::list`]. `facts` and `row` say what a row is, `sync` keeps rows and files
//! together by the times that `folders` tells, `db` knows the tables, `query` asks them. `words`
//! keeps what was said in threads, for searches.

mod db;
pub(crate) mod facts;
mod folders;
mod query;
pub(crate) mod row;
mod source;
pub(crate) mod sync;
mod words;

pub use query::{Direction, ListQuery, Page, SortKey};
pub use row::ThreadRow;
pub use source::SourceKind;
pub use sync::Progress;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rusqlite::{Connection, Transaction, params};
use spindle_schema::ids::ThreadId;

use crate::error::Error;
use crate::index::row::Stamp;
use crate::names::{Map, Names};

/// How long an index in memory serves before the file is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(30);

/// The index of one home folder. Opened when it is first needed.
#[derive(Debug)]
pub(crate) struct Index {
    home: PathBuf,
    path: PathBuf,
    writer: Mutex<Option<Opened>>,
    reader: Mutex<Reader>,
    /// Grows when another database takes the place of the one before: what was in step with the
    /// files no longer is.
    generation: AtomicU64,
    synced: Mutex<sync::Synced>,
    /// One more than the generation that has been compared with the files; 0 for none.
    in_step: AtomicU64,
    progress: sync::Counters,
    /// Words are read by one search at a time; the others find them read.
    reading_words: Mutex<()>,
    pub(crate) names: Names,
}

#[derive(Debug)]
struct Opened {
    connection: Connection,
    /// Since when it is one in memory.
    memory: Option<Instant>,
}

#[derive(Debug, Default)]
enum Reader {
    #[default]
    Closed,
    File(Connection),
    /// Queries go to the one connection that there is.
    Memory,
}

impl Index {
    pub(crate) fn new(home: &Path) -> Self {
        Self {
            home: home.to_owned(),
            path: home.join("spindle.sqlite"),
            writer: Mutex::default(),
            reader: Mutex::default(),
            generation: AtomicU64::new(0),
            synced: Mutex::default(),
            in_step: AtomicU64::new(0),
            progress: sync::Counters::default(),
            reading_words: Mutex::default(),
            names: Names::new(home),
        }
    }

    /// How far a rebuild is, while one runs.
    pub(crate) fn progress(&self) -> Option<Progress> {
        self.progress.read()
    }

    /// Which database serves. Another number: what was in step with the files no longer is.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Puts rows in. A database that cannot be used is replaced.
    pub(crate) fn put(&self, rows: &[(ThreadRow, Stamp)]) -> Result<(), Error> {
        let names = self.names.all();
        self.change(|transaction| self.put_into(transaction, rows, &names))
    }

    /// Puts rows in unless the database is in somebody else's hands.
    pub(crate) fn try_put(&self, rows: &[(ThreadRow, Stamp)]) -> Result<(), Error> {
        let names = self.names.all();
        let mut writer = self.writer.lock();
        let opened = self.ready(&mut writer)?;
        in_transaction(&mut opened.connection, &mut |transaction| {
            self.put_into(transaction, rows, &names)
        })
    }

    fn put_into(
        &self,
        transaction: &Transaction<'_>,
        rows: &[(ThreadRow, Stamp)],
        names: &Map,
    ) -> Result<(), Error> {
        for (row, stamp) in rows {
            let mut row = row.clone();
            row.name = names.get(&row.id).cloned();
            db::upsert(transaction, &self.home, &row, *stamp)?;
        }
        Ok(())
    }

    /// Runs a change in one transaction. A ruined file is replaced by a new one, a file that
    /// cannot be written by an index in memory.
    fn change<T>(
        &self,
        mut run: impl FnMut(&Transaction<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut writer = self.writer.lock();
        let opened = self.ready(&mut writer)?;
        match in_transaction(&mut opened.connection, &mut run) {
            Err(error @ (Error::Index(_) | Error::Migration(_))) if opened.memory.is_none() => {
                let opened = writer.insert(self.replacement(&error)?);
                in_transaction(&mut opened.connection, &mut run)
            }
            other => other,
        }
    }

    /// Runs a query. The same rules for a database that cannot be used.
    fn query<T>(&self, run: impl Fn(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        match self.query_once(&run) {
            Err(error @ (Error::Index(_) | Error::Migration(_))) => {
                *self.writer.lock() = Some(self.replacement(&error)?);
                self.query_once(&run)
            }
            other => other,
        }
    }

    fn query_once<T>(&self, run: &impl Fn(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        if matches!(*self.reader.lock(), Reader::Closed) {
            // The tables must be there before anybody asks them. The lock of the writer is never
            // taken while that of the reader is held.
            self.ready(&mut self.writer.lock())?;
            let mut reader = self.reader.lock();
            if matches!(*reader, Reader::Closed) {
                *reader = Reader::File(db::open_reader(&self.path)?);
            }
        }
        let reader = self.reader.lock();
        if let Reader::File(connection) = &*reader {
            return run(connection);
        }
        drop(reader);
        run(&self.ready(&mut self.writer.lock())?.connection)
    }

    fn ready<'a>(&self, writer: &'a mut Option<Opened>) -> Result<&'a mut Opened, Error> {
        let opened = match writer.take() {
            Some(opened) => opened,
            None => match db::open_file(&self.path) {
                Ok(connection) => Opened { connection, memory: None },
                Err(error) => self.replacement(&error)?,
            },
        };
        Ok(writer.insert(opened))
    }

    /// A database in place of one that failed.
    fn replacement(&self, error: &Error) -> Result<Opened, Error> {
        self.generation.fetch_add(1, Ordering::AcqRel);
        *self.reader.lock() = Reader::Closed;
        let path = self.path.display();
        if db::is_ruined(error) {
            tracing::warn!(%path, %error, "the index is damaged; it is set aside and made again");
            self.set_aside();
            if let Ok(connection) = db::open_file(&self.path) {
                return Ok(Opened { connection, memory: None });
            }
        }
        tracing::warn!(%path, %error, "the index cannot be used; one in memory serves for a while");
        let connection = db::open_memory()?;
        *self.reader.lock() = Reader::Memory;
        Ok(Opened { connection, memory: Some(Instant::now()) })
    }

    /// Moves a damaged database out of the way; an older one that lies there goes.
    fn set_aside(&self) {
        let aside = aside(&self.path);
        for (from, to) in db::files(&self.path).iter().zip(db::files(&aside)) {
            if let Err(error) = fs::rename(from, &to)
                && error.kind() != std::io::ErrorKind::NotFound
            {
                tracing::warn!(path = %from.display(), %error, "could not set the index aside");
            }
        }
    }

    /// Goes back to the file when one in memory has served long enough.
    pub(crate) fn try_file_again(&self) {
        let mut writer = self.writer.lock();
        let due = |opened: &Opened| opened.memory.is_some_and(|since| since.elapsed() > TRY_AGAIN);
        if writer.as_ref().is_some_and(due) {
            match db::open_file(&self.path) {
                Ok(connection) => {
                    self.generation.fetch_add(1, Ordering::AcqRel);
                    *self.reader.lock() = Reader::Closed;
                    *writer = Some(Opened { connection, memory: None });
                }
                Err(_) => {
                    if let Some(opened) = &mut *writer {
                        opened.memory = Some(Instant::now());
                    }
                }
            }
        }
    }

    /// The row of a thread, as the index has it.
    pub(crate) fn row(&self, id: ThreadId) -> Result<Option<ThreadRow>, Error> {
        self.query(|connection| query::by_id(connection, &self.home, id))
    }

    /// A page of the list, as the index has it.
    pub(crate) fn list(&self, query: &ListQuery) -> Result<Page<ThreadRow>, Error> {
        let plan = query::Plan::of(query)?;
        self.query(|connection| plan.run(connection, &self.home))
    }

    /// A thread whose file needs that of this one.
    pub(crate) fn continued_by(&self, id: ThreadId) -> Result<Option<ThreadId>, Error> {
        self.query(|connection| query::continued_by(connection, &self.home, id))
    }

    /// Follows a file to its new place.
    pub(crate) fn moved(&self, from: &Path, to: &Path) -> Result<(), Error> {
        let (from, new) = (db::below(&self.home, from), db::below(&self.home, to));
        self.change(|transaction| {
            transaction.execute("DELETE FROM thread WHERE path = ?", [&new])?;
            transaction.execute(
                "UPDATE thread SET path = ?2, archived = ?3 WHERE path = ?1",
                params![from, new, row::is_archived(to)],
            )?;
            Ok(())
        })
    }

    /// Takes a thread out, and its text out of the file.
    pub(crate) fn forget(&self, id: ThreadId, files: &[PathBuf]) -> Result<(), Error> {
        self.change(|transaction| {
            transaction.execute("DELETE FROM thread WHERE id = ?", [db::key(id)])?;
            for file in files {
                let path = db::below(&self.home, file);
                transaction.execute("DELETE FROM unreadable WHERE path = ?", [path])?;
            }
            Ok(())
        })?;
        for file in db::files(&aside(&self.path)) {
            drop(fs::remove_file(file));
        }
        // Freed pages are overwritten, but the log beside the file still has their old form.
        self.query_writer(|connection| {
            Ok(connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?)
        })
    }

    /// Runs something outside of a transaction on the connection that writes.
    fn query_writer<T>(&self, run: impl Fn(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        run(&self.ready(&mut self.writer.lock())?.connection)
    }

    /// Closes the database. It is opened again when it is needed.
    pub(crate) fn close(&self) {
        *self.reader.lock() = Reader::Closed;
        *self.writer.lock() = None;
    }
}

fn in_transaction<T>(
    connection: &mut Connection,
    run: &mut impl FnMut(&Transaction<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let transaction = connection.transaction()?;
    let value = run(&transaction)?;
    transaction.commit()?;
    Ok(value)
}

/// Where a damaged database goes.
fn aside(path: &Path) -> PathBuf {
    path.with_extension("sqlite.damaged")
}

#[cfg(test)]
mod tests;
