//! Lists of threads: what the index says, and what people noted about them.

use std::collections::HashMap;
use std::sync::Arc;

use spindle_schema::ids::ThreadId;

use crate::error::Error;
use crate::index::sync::Depth;
use crate::index::{Direction, ListQuery, Page, SortKey, ThreadRow};
use crate::notes::NoteError;
use crate::shared::Shared;

impl Shared {
    /// A page of the list.
    pub(crate) fn list(self: &Arc<Self>, query: &ListQuery) -> Result<Page<ThreadRow>, Error> {
        self.index.try_file_again();
        let mut page = match (&query.section, query.sort) {
            (Some(section), SortKey::SectionPosition) => self.list_in_place(section, query)?,
            _ => self.list_rows(&self.narrowed(query)?)?,
        };
        self.annotate(&mut page.items);
        Ok(page)
    }

    fn list_rows(self: &Arc<Self>, query: &ListQuery) -> Result<Page<ThreadRow>, Error> {
        // A database that fails on the way is replaced by an empty one, and all begins again.
        for _ in 0..3 {
            let generation = self.index.generation();
            self.flush_rows()?;
            if !query.index_only {
                self.index.sync(Depth::Folders)?;
            }
            let page = self.index.list(query)?;
            if self.index.generation() == generation {
                self.look_at_all_files();
                return Ok(page);
            }
        }
        self.index.list(query)
    }

    /// The same list, with the threads of a section or a project named one by one.
    fn narrowed(&self, query: &ListQuery) -> Result<ListQuery, Error> {
        let mut narrowed = query.clone();
        let mut keep = |threads: Vec<ThreadId>| {
            narrowed.included = Some(match narrowed.included.take() {
                None => threads,
                Some(asked) => asked.into_iter().filter(|id| threads.contains(id)).collect(),
            });
        };
        if let Some(section) = &query.section {
            let members = self.notes.look(|book| book.members(section));
            keep(members.into_iter().map(|(_, thread)| thread).collect());
        }
        if let Some(project) = &query.project {
            let threads = self.notes.look(|book| {
                book.projects.contains_key(project).then(|| book.threads_of_project(project))
            });
            keep(threads.ok_or_else(|| NoteError::NoProject(project.clone()))?);
        }
        Ok(narrowed)
    }

    /// A section in the order that people gave it. Sections are short, so all of it is looked at.
    fn list_in_place(
        self: &Arc<Self>,
        section: &str,
        query: &ListQuery,
    ) -> Result<Page<ThreadRow>, Error> {
        let ranks: HashMap<ThreadId, i64> = self.notes.look(|book| {
            book.members(section).into_iter().map(|(rank, thread)| (thread, rank)).collect()
        });
        let all = ListQuery { limit: i32::MAX as usize, cursor: None, ..self.narrowed(query)? };
        let mut items = self.list_rows(&all)?.items;
        let place = |row: &ThreadRow| (ranks.get(&row.id).copied().unwrap_or(i64::MAX), row.id);
        items.sort_by_key(place);
        if query.direction == Direction::Descending {
            items.reverse();
        }
        if let Some(cursor) = &query.cursor {
            let from = parse_place(cursor).ok_or_else(|| Error::BadCursor(cursor.clone()))?;
            items.retain(|row| match query.direction {
                Direction::Ascending => place(row) > from,
                Direction::Descending => place(row) < from,
            });
        }
        let limit = query.limit.max(1);
        let more = items.len() > limit;
        items.truncate(limit);
        let cursor = |(rank, thread)| format!("{rank}|{thread}").into();
        let next = items.last().filter(|_| more).map(|row| cursor(place(row)));
        Ok(Page { items, next, back: None })
    }

    /// Adds what people noted.
    pub(crate) fn annotate(&self, rows: &mut [ThreadRow]) {
        let mut notes = self.notes.of_all(rows.iter().map(|row| row.id));
        for row in rows {
            row.notes = notes.remove(&row.id).unwrap_or_default();
            row.git = row.notes.git_over(row.git.take());
        }
    }
}

fn parse_place(cursor: &str) -> Option<(i64, ThreadId)> {
    let (rank, thread) = cursor.split_once('|')?;
    Some((rank.parse().ok()?, ThreadId::parse(thread).ok()?))
}

#[cfg(test)]
mod tests;
