//! Keeps the index in step with the files, whoever writes them.
//!
//! A folder whose time of change is the recorded one has the same files as before, so a look at
//! the folders finds new, moved and removed files. Files that only grew are found by their size
//! and time; that costs a call per file and is done less often.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::MutexGuard;
use rusqlite::{Transaction, params};

use super::Index;
use super::db::{below, key};
use super::facts::Facts;
use super::folders::{UNSETTLED, all_folders, hot};
use super::row::{Stamp, ThreadRow, facts_of};
use crate::error::Error;
use crate::find::Finder;
use crate::names::Map;
use crate::rollout::path::is_rollout;

/// Rows per transaction.
const CHUNK: usize = 512;
/// So many files are looked at one by one before the first list is answered.
const FEW: i64 = 2000;
/// How long a look at every file counts.
const FULL_COUNTS: Duration = Duration::from_secs(10);

/// How thoroughly to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// At folders.
    Folders,
    /// At every file.
    Files,
}

/// When the index was last in step.
#[derive(Debug, Default)]
pub(crate) struct Synced {
    /// When every file was last looked at.
    full_at: Option<Instant>,
    /// The folders where files come and go, and their times of change.
    hot: Vec<(PathBuf, i64)>,
    /// The names that the rows have.
    names: Option<Arc<Map>>,
}

impl Synced {
    /// Whether the folders that are likely to change have not.
    fn is_quiet(&self) -> bool {
        let same = |(path, changed): &(PathBuf, i64)| {
            Stamp::of(path).map_or(0, |stamp| stamp.changed_ns) == *changed
        };
        !self.hot.is_empty() && self.hot.iter().all(same)
    }
}

/// How far a rebuild is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Files that have been read.
    pub done: u64,
    /// Files to read.
    pub total: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    done: AtomicU64,
    total: AtomicU64,
    /// All files that have been read since the process began.
    ever: AtomicU64,
}

impl Counters {
    pub(super) fn read(&self) -> Option<Progress> {
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        (done < total).then_some(Progress { done, total })
    }
}

/// What a look found out of step.
#[derive(Debug, Default)]
struct Work {
    read: Vec<(PathBuf, Stamp)>,
    gone: Vec<Box<str>>,
    folders: Vec<(Box<str>, i64)>,
    gone_folders: Vec<Box<str>>,
    hot: Vec<(PathBuf, i64)>,
}

impl Index {
    /// Whether a look at every file is due.
    pub(crate) fn full_is_due(&self) -> bool {
        let synced = self.synced.try_lock();
        synced.is_some_and(|synced| synced.full_at.is_none_or(|at| at.elapsed() > FULL_COUNTS))
    }

    /// Whether the index has been compared with the files since this process began.
    pub(crate) fn is_synced(&self) -> bool {
        self.in_step.load(Ordering::Acquire) == self.generation() + 1
    }

    /// Brings the index in step. Files are read newest first; lists that do not need them are
    /// answered meanwhile.
    pub(crate) fn sync(&self, depth: Depth) -> Result<(), Error> {
        let mut synced = self.synced.lock();
        let generation = self.generation();
        let first = !self.is_synced();
        let depth = if first && self.count()? <= FEW { Depth::Files } else { depth };
        if first || depth == Depth::Files || !synced.is_quiet() {
            let work = self.look(depth)?;
            self.do_work(&work)?;
            synced.hot = work.hot;
        }
        let names = self.names.all();
        if first || !synced.names.as_ref().is_some_and(|applied| Arc::ptr_eq(applied, &names)) {
            self.apply_names(&names)?;
            synced.names = Some(names);
        }
        if depth == Depth::Files {
            synced.full_at = Some(Instant::now());
        } else if first {
            synced.full_at = None;
        }
        self.in_step.store(generation + 1, Ordering::Release);
        Ok(())
    }

    /// Looks at every file, folder by folder, so that lists are held up by one folder at most.
    pub(crate) fn sync_by_and_by(&self) -> Result<(), Error> {
        self.synced.lock().full_at = Some(Instant::now());
        for (folder, _) in all_folders(&self.home) {
            let synced = self.synced.lock();
            let mut work = Work::default();
            self.look_into(&folder, &mut work)?;
            self.do_work(&work)?;
            MutexGuard::unlock_fair(synced);
        }
        Ok(())
    }

    /// Forgets all rows and reads all files.
    pub(crate) fn rebuild(&self) -> Result<(), Error> {
        self.change(|transaction| {
            transaction
                .execute_batch("DELETE FROM thread; DELETE FROM unreadable; DELETE FROM folder;")?;
            Ok(())
        })?;
        self.sync(Depth::Files)
    }

    /// Files that have been read for their rows since the process began.
    #[cfg(test)]
    pub(crate) fn files_read(&self) -> u64 {
        self.progress.ever.load(Ordering::Relaxed)
    }

    fn count(&self) -> Result<i64, Error> {
        self.query(|connection| {
            Ok(connection.query_row("SELECT count(*) FROM thread", [], |row| row.get(0))?)
        })
    }

    fn look(&self, depth: Depth) -> Result<Work, Error> {
        let known = self.known_folders()?;
        let found = all_folders(&self.home);
        let mut work = Work { hot: hot(&self.home, &found), ..Work::default() };
        for (path, changed) in &found {
            let name = below(&self.home, path);
            let same = *changed != UNSETTLED && known.get(&name) == Some(changed);
            if !same || depth == Depth::Files {
                self.look_into(path, &mut work)?;
            }
            if !same {
                work.folders.push((name, *changed));
            }
        }
        for name in known.into_keys() {
            let path = self.home.join(&*name);
            if !found.iter().any(|(found, _)| *found == path) {
                // It took its files with it.
                self.look_into(&path, &mut work)?;
                work.gone_folders.push(name);
            }
        }
        let newest_first =
            |a: &(PathBuf, _), b: &(PathBuf, _)| b.0.file_name().cmp(&a.0.file_name());
        work.read.sort_by(newest_first);
        Ok(work)
    }

    fn known_folders(&self) -> Result<BTreeMap<Box<str>, i64>, Error> {
        self.query(|connection| {
            let mut statement = connection.prepare_cached("SELECT path, changed FROM folder")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// Compares one folder with its rows.
    fn look_into(&self, folder: &Path, work: &mut Work) -> Result<(), Error> {
        let mut known = self.known_below(folder)?;
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        for entry in entries {
            if !entry.file_name().to_str().is_some_and(is_rollout) {
                continue;
            }
            let path = entry.path();
            // A file that went away between the two calls counts as gone.
            let Ok(stamp) = Stamp::of(&path) else { continue };
            if known.remove(&below(&self.home, &path)) != Some(stamp) {
                work.read.push((path, stamp));
            }
        }
        work.gone.extend(known.into_keys());
        Ok(())
    }

    fn known_below(&self, folder: &Path) -> Result<HashMap<Box<str>, Stamp>, Error> {
        let folder = below(&self.home, folder);
        let (from, to) = (format!("{folder}/"), format!("{folder}0"));
        let start = i64::try_from(from.len() + 1).unwrap_or(1);
        self.query(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT path, size, changed FROM thread
                     WHERE path > ?1 AND path < ?2 AND instr(substr(path, ?3), '/') = 0
                 UNION ALL SELECT path, size, changed FROM unreadable
                     WHERE path > ?1 AND path < ?2 AND instr(substr(path, ?3), '/') = 0",
            )?;
            let rows = statement.query_map(params![from, to, start], |row| {
                let size = u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0);
                Ok((row.get(0)?, Stamp { size, changed_ns: row.get(2)? }))
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    fn do_work(&self, work: &Work) -> Result<(), Error> {
        let total = work.read.len() as u64;
        self.progress.done.store(0, Ordering::Relaxed);
        self.progress.total.store(total, Ordering::Relaxed);
        let names = self.names.all();
        for chunk in work.read.chunks(CHUNK) {
            let rows = read_all(&self.home, chunk);
            self.change(|transaction| {
                for (row, (path, stamp)) in rows.iter().zip(chunk) {
                    let path = below(&self.home, path);
                    match row {
                        Some(row) => {
                            self.put_into(transaction, &[(row.clone(), *stamp)], &names)?;
                        }
                        None => note_unreadable(transaction, &path, *stamp)?,
                    }
                    settle_path(transaction, &path, row.is_some())?;
                }
                Ok(())
            })?;
            self.progress.done.fetch_add(chunk.len() as u64, Ordering::Relaxed);
        }
        let ever = self.progress.ever.fetch_add(total, Ordering::Relaxed) + total;
        self.progress.total.store(0, Ordering::Relaxed);
        if total > 0 {
            tracing::debug!(files = total, ever, "the index has read files");
        }
        self.finish(work)
    }

    /// Takes rows of lost files out and notes the folders.
    fn finish(&self, work: &Work) -> Result<(), Error> {
        let rows = !(work.read.is_empty() && work.gone.is_empty());
        if !rows && work.folders.is_empty() && work.gone_folders.is_empty() {
            return Ok(());
        }
        self.change(|transaction| {
            for path in &work.gone_folders {
                transaction.prepare_cached("DELETE FROM folder WHERE path = ?")?.execute([path])?;
            }
            for path in &work.gone {
                transaction.prepare_cached("DELETE FROM thread WHERE path = ?")?.execute([path])?;
                transaction
                    .prepare_cached("DELETE FROM unreadable WHERE path = ?")?
                    .execute([path])?;
            }
            for (path, changed) in &work.folders {
                transaction
                    .prepare_cached("INSERT OR REPLACE INTO folder (path, changed) VALUES (?, ?)")?
                    .execute(params![path, changed])?;
            }
            if rows {
                transaction.execute_batch(SHADOW)?;
            }
            Ok(())
        })
    }

    /// Puts names into rows where the file of names says something else.
    fn apply_names(&self, names: &Map) -> Result<(), Error> {
        let mut wrong: BTreeMap<[u8; 16], Option<Box<str>>> = self.query(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT id, name FROM thread WHERE name IS NOT NULL")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })?;
        let named: BTreeMap<_, _> = names.iter().map(|(id, name)| (key(*id), name)).collect();
        for (id, name) in &named {
            match wrong.get(id) {
                Some(Some(old)) if old == *name => drop(wrong.remove(id)),
                _ => drop(wrong.insert(*id, Some((*name).clone()))),
            }
        }
        for (id, name) in &mut wrong {
            *name = named.get(id).map(|name| (*name).clone());
        }
        if wrong.is_empty() {
            return Ok(());
        }
        self.change(|transaction| {
            let mut statement =
                transaction.prepare_cached("UPDATE thread SET name = ?2 WHERE id = ?1")?;
            for (id, name) in &wrong {
                statement.execute(params![id, name])?;
            }
            Ok(())
        })
    }
}

/// Of several files of one thread the live one with the newest name counts.
const SHADOW: &str = "
    UPDATE thread SET shadowed = 0 WHERE shadowed = 1;
    UPDATE thread SET shadowed = 1 WHERE key IN (
        SELECT a.key FROM thread a JOIN thread b ON a.id = b.id AND a.key <> b.key
        WHERE (b.archived, a.path) < (a.archived, b.path));";

fn note_unreadable(transaction: &Transaction<'_>, path: &str, stamp: Stamp) -> Result<(), Error> {
    transaction
        .prepare_cached("INSERT OR REPLACE INTO unreadable (path, size, changed) VALUES (?, ?, ?)")?
        .execute(params![path, i64::try_from(stamp.size).unwrap_or(i64::MAX), stamp.changed_ns])?;
    Ok(())
}

/// A file is in one of the two tables only.
fn settle_path(transaction: &Transaction<'_>, path: &str, readable: bool) -> Result<(), Error> {
    let other = if readable {
        "DELETE FROM unreadable WHERE path = ?"
    } else {
        "DELETE FROM thread WHERE path = ?"
    };
    transaction.prepare_cached(other)?.execute([path])?;
    Ok(())
}

/// Works out the rows of files, on as many threads as there are processors, up to four.
fn read_all(home: &Path, files: &[(PathBuf, Stamp)]) -> Vec<Option<ThreadRow>> {
    let finder = Finder::new(home);
    let workers = thread::available_parallelism().map_or(1, |n| n.get().min(4)).min(files.len());
    if workers < 2 || files.len() < 16 {
        return files.iter().map(|(path, stamp)| read_row(&finder, path, *stamp)).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let at = next.fetch_add(1, Ordering::Relaxed);
        files.get(at).map(|(path, stamp)| (at, read_row(&finder, path, *stamp)))
    };
    let mut all = vec![None; files.len()];
    thread::scope(|scope| {
        let work = || std::iter::from_fn(take).collect::<Vec<_>>();
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        for (at, row) in threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()) {
            all[at] = row;
        }
    });
    all
}

/// A file that cannot be read is told and shown in no list.
fn read_row(finder: &Finder<'_>, path: &Path, stamp: Stamp) -> Option<ThreadRow> {
    row_of(finder, path, stamp.size).unwrap_or_else(|error| {
        tracing::warn!(path = %path.display(), %error, "a rollout cannot be read");
        None
    })
}

/// Works out the row of one file; `None` when it tells of no thread.
pub(crate) fn row_of(finder: &Finder<'_>, path: &Path, size: u64) -> io::Result<Option<ThreadRow>> {
    let facts = facts_of(finder, path, size)?;
    Ok((facts != Facts::default()).then(|| facts.to_row(path, size)).flatten())
}
