//! What was said in threads, kept so that it can be searched.
//!
//! The words come from the files and are brought in step when somebody searches: a turn costs
//! nothing more, and whoever never searches pays nothing. A file that only grew is read from
//! where it was read to.

use std::fs::File;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rusqlite::types::Value;
use rusqlite::{Connection, Transaction, params, params_from_iter};

use super::Index;
use super::db::{COLUMNS, below, read};
use super::query::Plan;
use super::row::ThreadRow;
use crate::error::Error;
use crate::index::{ListQuery, Page};
use crate::rollout::said::said;

/// Files per transaction.
const CHUNK: usize = 64;
/// Shorter words than this many characters lead nowhere; all passages are looked at for them.
const SHORTEST: usize = 3;

/// A file whose words are not in step.
#[derive(Debug)]
struct Stale {
    path: PathBuf,
    size: i64,
    changed: i64,
    known: Option<Known>,
}

/// How far a file was read.
#[derive(Debug, Clone, Copy)]
struct Known {
    key: i64,
    inode: i64,
    end: i64,
}

/// What was read of a file.
#[derive(Debug)]
struct Read {
    inode: i64,
    end: i64,
    /// Whether what was known of it before still stands.
    goes_on: bool,
    words: Vec<String>,
}

impl Index {
    /// Reads what was said since the last time, newest threads first. Between two portions
    /// `go_on` is asked; at its no the rest stays unread.
    pub(crate) fn catch_up_words(
        &self,
        go_on: &mut dyn FnMut() -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let _alone = self.reading_words.lock();
        for chunk in self.stale()?.chunks(CHUNK) {
            if !go_on()? {
                return Ok(());
            }
            let read = read_all(chunk);
            self.change(|transaction| {
                for (stale, read) in chunk.iter().zip(&read) {
                    if let Some(read) = read {
                        self.put_words(transaction, stale, read)?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn stale(&self) -> Result<Vec<Stale>, Error> {
        self.query(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT thread.path, thread.size, thread.changed, searched.key, searched.inode,
                        searched.read_to
                 FROM thread LEFT JOIN searched ON searched.path = thread.path
                 WHERE searched.size IS NOT thread.size OR searched.changed IS NOT thread.changed
                 ORDER BY thread.created_at DESC",
            )?;
            let rows = statement.query_map([], |row| {
                let known = match row.get(3)? {
                    Some(key) => Some(Known { key, inode: row.get(4)?, end: row.get(5)? }),
                    None => None,
                };
                let path = self.home.join(row.get_ref(0)?.as_str()?);
                Ok(Stale { path, size: row.get(1)?, changed: row.get(2)?, known })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    fn put_words(
        &self,
        transaction: &Transaction<'_>,
        stale: &Stale,
        read: &Read,
    ) -> Result<(), Error> {
        let path = below(&self.home, &stale.path);
        let key = match stale.known.filter(|_| read.goes_on) {
            Some(known) => {
                transaction
                    .prepare_cached(
                        "UPDATE searched SET read_to = ?2, size = ?3, changed = ?4 WHERE key = ?1",
                    )?
                    .execute(params![known.key, read.end, stale.size, stale.changed])?;
                known.key
            }
            None => {
                transaction
                    .prepare_cached("DELETE FROM searched WHERE path = ?")?
                    .execute([&path])?;
                transaction
                    .prepare_cached(
                        "INSERT INTO searched (path, inode, read_to, size, changed)
                         VALUES (?, ?, ?, ?, ?)",
                    )?
                    .execute(params![path, read.inode, read.end, stale.size, stale.changed])?;
                transaction.last_insert_rowid()
            }
        };
        let mut insert =
            transaction.prepare_cached("INSERT INTO passage (file, words) VALUES (?, ?)")?;
        for words in &read.words {
            insert.execute(params![key, words])?;
        }
        Ok(())
    }

    /// Threads in which a text was said, or whose name holds it, with the first passage that
    /// does. The filters and the order are those of lists.
    pub(crate) fn find(
        &self,
        term: &str,
        list: &ListQuery,
    ) -> Result<Page<(ThreadRow, Box<str>)>, Error> {
        let plan = Plan::of(list)?;
        let (condition, wanted) = match term.chars().count() {
            0..SHORTEST => ("passage.words LIKE ? ESCAPE '\\'", like(term)),
            _ => (
                "passage.key IN (SELECT rowid FROM passage_words WHERE passage_words MATCH ?)",
                format!("\"{}\"", term.replace('"', "\"\"")),
            ),
        };
        let sql = format!(
            "WITH hit (hit_path, first) AS MATERIALIZED (
                 SELECT searched.path, min(passage.key)
                 FROM passage JOIN searched ON searched.key = passage.file
                 WHERE {condition} GROUP BY searched.key)
             SELECT {COLUMNS}, (SELECT words FROM passage WHERE key = first)
             FROM thread LEFT JOIN hit ON hit_path = path
             WHERE (first IS NOT NULL OR name LIKE ? ESCAPE '\\') AND {}",
            plan.conditions(),
        );
        let mut values = vec![Value::from(wanted), Value::from(like(term))];
        values.extend(plan.values().iter().cloned());
        self.query(|connection| run(connection, &self.home, &sql, &values, &plan))
    }
}

fn run(
    connection: &Connection,
    home: &Path,
    sql: &str,
    values: &[Value],
    plan: &Plan,
) -> Result<Page<(ThreadRow, Box<str>)>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params_from_iter(values), |row| {
        let thread = read(home, row)?;
        let said: Option<Box<str>> = row.get(17)?;
        let name = || thread.name.clone().unwrap_or_default();
        let passage = said.unwrap_or_else(name);
        Ok((thread, passage))
    })?;
    let mut items = rows.collect::<Result<Vec<_>, _>>()?;
    let (next, back) = plan.cursors(&mut items, |(row, _)| row);
    Ok(Page { items, next, back })
}

/// A text as a pattern that finds it anywhere.
fn like(term: &str) -> String {
    let mut pattern = String::with_capacity(term.len() + 2);
    pattern.push('%');
    for char in term.chars() {
        if matches!(char, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(char);
    }
    pattern.push('%');
    pattern
}

/// Reads files, on as many threads as there are processors, up to four.
fn read_all(files: &[Stale]) -> Vec<Option<Read>> {
    let workers = thread::available_parallelism().map_or(1, |n| n.get().min(4)).min(files.len());
    if workers < 2 || files.len() < 16 {
        return files.iter().map(read_words).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let at = next.fetch_add(1, Ordering::Relaxed);
        files.get(at).map(|file| (at, read_words(file)))
    };
    let mut all: Vec<_> = files.iter().map(|_| None).collect();
    thread::scope(|scope| {
        let work = || std::iter::from_fn(take).collect::<Vec<_>>();
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        for (at, read) in threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()) {
            all[at] = read;
        }
    });
    all
}

/// A file that cannot be read is tried again by the next search.
fn read_words(stale: &Stale) -> Option<Read> {
    let read = || {
        let file = File::open(&stale.path)?;
        let meta = file.metadata()?;
        let inode = i64::from_ne_bytes(meta.ino().to_ne_bytes());
        let known = stale.known.filter(|known| {
            known.inode == inode && u64::try_from(known.end).is_ok_and(|end| end <= meta.len())
        });
        let from = known.map_or(0, |known| u64::try_from(known.end).unwrap_or(0));
        let (words, end) = said(&file, from, meta.len())?;
        let end = i64::try_from(end).unwrap_or(i64::MAX);
        Ok::<_, std::io::Error>(Read { inode, end, goes_on: known.is_some(), words })
    };
    read()
        .inspect_err(|error| {
            tracing::debug!(path = %stale.path.display(), %error, "a rollout cannot be searched");
        })
        .ok()
}

#[cfg(test)]
mod tests;
