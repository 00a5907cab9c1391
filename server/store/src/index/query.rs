//! Questions to the index.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};
use spindle_schema::ids::ThreadId;

use super::db::{COLUMNS, key, read};
use super::facts::stamp;
use super::row::ThreadRow;
use super::source::SourceKind;
use crate::error::Error;
use crate::rollout::envelope::to_ms;

/// What a list is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortKey {
    /// When the thread was made.
    #[default]
    CreatedAt,
    /// When something was last said.
    UpdatedAt,
    /// When a turn was last asked for.
    RecencyAt,
    /// Where people put it in its section. Counts only in lists of one section.
    SectionPosition,
}

/// Which end of a list comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// The newest.
    #[default]
    Descending,
    /// The oldest.
    Ascending,
}

/// Which threads to list, and in what order. The default: all live ones, newest first.
#[derive(Debug, Clone, Default)]
pub struct ListQuery {
    /// The order.
    pub sort: SortKey,
    /// Which end comes first.
    pub direction: Direction,
    /// Where the page before ended: `<time>|<thread id>`, or a time alone.
    pub cursor: Option<Box<str>>,
    /// At most so many; 0 counts as 1.
    pub limit: usize,
    /// Archived ones instead of live ones.
    pub archived: bool,
    /// Only threads of these folders. An empty list matches none. A slash at the end is ignored.
    pub cwds: Option<Vec<Box<str>>>,
    /// Only threads of these providers; empty: all.
    pub model_providers: Vec<Box<str>>,
    /// Only threads from these kinds of source; empty: all.
    pub sources: Vec<SourceKind>,
    /// Only threads with this text in the preview or the name. Case counts.
    pub search: Option<Box<str>>,
    /// Only threads that this one spawned.
    pub parent: Option<ThreadId>,
    /// Only threads that this one, or one below it, spawned.
    pub ancestor: Option<ThreadId>,
    /// Only these.
    pub included: Option<Vec<ThreadId>>,
    /// Not these.
    pub excluded: Vec<ThreadId>,
    /// Only those of this section.
    pub section: Option<Box<str>>,
    /// Only those of this project.
    pub project: Option<Box<str>>,
    /// Does not look whether files changed since.
    pub index_only: bool,
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The entries.
    pub items: Vec<T>,
    /// Gives the entries behind these; `None` at the end.
    pub next: Option<Box<str>>,
    /// In the other direction gives the entries before these; `None` for an empty page.
    pub back: Option<Box<str>>,
}

/// The row of a thread.
pub(super) fn by_id(
    connection: &Connection,
    home: &Path,
    id: ThreadId,
) -> Result<Option<ThreadRow>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM thread WHERE id = ? AND shadowed = 0 LIMIT 1");
    let mut statement = connection.prepare_cached(&sql)?;
    Ok(statement.query_row([key(id)], |row| read(home, row)).optional()?)
}

/// A thread that continues this one by reference.
pub(super) fn continued_by(
    connection: &Connection,
    home: &Path,
    id: ThreadId,
) -> Result<Option<ThreadId>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM thread WHERE base = ?1 AND id <> ?1 LIMIT 1");
    let mut statement = connection.prepare_cached(&sql)?;
    let row = statement.query_row([key(id)], |row| read(home, row)).optional()?;
    Ok(row.map(|row| row.id))
}

/// A list as SQL.
#[derive(Debug)]
pub(super) struct Plan {
    /// All that follows `WHERE`.
    sql: String,
    values: Vec<Value>,
    limit: usize,
    sort: SortKey,
}

impl Plan {
    pub(super) fn of(query: &ListQuery) -> Result<Self, Error> {
        let mut plan = Self {
            sql: "preview IS NOT NULL AND shadowed = 0".to_owned(),
            values: Vec::new(),
            limit: query.limit.max(1),
            sort: query.sort,
        };
        plan.only(" AND archived = ?", Value::from(i64::from(query.archived)));
        plan.filter_by_text(query);
        plan.filter_by_relation(query);
        plan.order(query)?;
        Ok(plan)
    }

    fn only(&mut self, condition: &str, value: impl Into<Value>) {
        self.sql.push_str(condition);
        self.values.push(value.into());
    }

    fn any_of<V: Into<Value>>(&mut self, start: &str, values: impl IntoIterator<Item = V>) {
        self.sql.push_str(start);
        for (at, value) in values.into_iter().enumerate() {
            self.sql.push_str(if at == 0 { "?" } else { ", ?" });
            self.values.push(value.into());
        }
        self.sql.push(')');
    }

    fn filter_by_text(&mut self, query: &ListQuery) {
        if let Some(cwds) = &query.cwds {
            self.any_of(" AND cwd IN (", cwds.iter().map(|cwd| plain_folder(cwd)));
        }
        if !query.model_providers.is_empty() {
            let providers = query.model_providers.iter().map(ToString::to_string);
            self.any_of(" AND provider IN (", providers);
        }
        if !query.sources.is_empty() {
            let mut kinds: Vec<_> = query.sources.iter().map(|kind| kind.as_str()).collect();
            if query.sources.contains(&SourceKind::SubAgent) {
                kinds.extend(SUB_AGENTS.map(SourceKind::as_str));
            }
            self.any_of(" AND source IN (", kinds.into_iter().map(str::to_owned));
        }
        if let Some(text) = query.search.as_deref().filter(|text| !text.is_empty()) {
            self.only(" AND (instr(preview, ?) > 0", text.to_owned());
            self.only(" OR instr(name, ?) > 0)", text.to_owned());
        }
    }

    fn filter_by_relation(&mut self, query: &ListQuery) {
        if let Some(parent) = query.parent {
            self.only(" AND parent = ?", key(parent).to_vec());
        }
        if let Some(ancestor) = query.ancestor {
            self.only(
                " AND id IN (WITH RECURSIVE below (id) AS (SELECT id FROM thread WHERE parent = ?
                  UNION SELECT thread.id FROM thread JOIN below ON thread.parent = below.id)
                  SELECT id FROM below)",
                key(ancestor).to_vec(),
            );
        }
        if let Some(included) = &query.included {
            self.only(" AND id IN (SELECT unhex(value) FROM json_each(?))", texts(included));
        }
        if !query.excluded.is_empty() {
            self.only(
                " AND id NOT IN (SELECT unhex(value) FROM json_each(?))",
                texts(&query.excluded),
            );
        }
    }

    fn order(&mut self, query: &ListQuery) -> Result<(), Error> {
        let column = match query.sort {
            SortKey::CreatedAt | SortKey::SectionPosition => "created_at",
            SortKey::UpdatedAt => "updated_at",
            SortKey::RecencyAt => "recency_at",
        };
        let (beyond, order) = match query.direction {
            Direction::Descending => ("<", "DESC"),
            Direction::Ascending => (">", "ASC"),
        };
        if let Some(cursor) = &query.cursor {
            let (at, id) = parse_cursor(cursor).ok_or_else(|| Error::BadCursor(cursor.clone()))?;
            match id {
                Some(id) => {
                    self.only(&format!(" AND ({column}, id) {beyond} (?, "), at);
                    self.only("?)", key(id).to_vec());
                }
                None => self.only(&format!(" AND {column} {beyond} ?"), at),
            }
        }
        let limit = self.limit.saturating_add(1);
        let order = format!(" ORDER BY {column} {order}, id {order} LIMIT {limit}");
        self.sql.push_str(&order);
        Ok(())
    }

    /// Asks. One row more than wanted tells whether there is another page.
    pub(super) fn run(
        &self,
        connection: &Connection,
        home: &Path,
    ) -> Result<Page<ThreadRow>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM thread WHERE {}", self.sql);
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params_from_iter(&self.values), |row| read(home, row))?;
        let mut items = rows.collect::<Result<Vec<_>, _>>()?;
        let (next, back) = self.cursors(&mut items, |row| row);
        Ok(Page { items, next, back })
    }

    /// All that follows `WHERE`, for a query of its own.
    pub(super) fn conditions(&self) -> &str {
        &self.sql
    }

    /// The values of the conditions, in their order.
    pub(super) fn values(&self) -> &[Value] {
        &self.values
    }

    /// Takes off what is more than was asked for; gives the cursors of what is left.
    pub(super) fn cursors<T>(
        &self,
        items: &mut Vec<T>,
        row: impl Fn(&T) -> &ThreadRow,
    ) -> (Option<Box<str>>, Option<Box<str>>) {
        let more = items.len() > self.limit;
        items.truncate(self.limit);
        let next = items.last().filter(|_| more).map(|last| self.cursor(row(last)));
        let back = items.first().map(|first| stamp(self.at(row(first))));
        (next, back)
    }

    fn at(&self, row: &ThreadRow) -> i64 {
        match self.sort {
            SortKey::CreatedAt | SortKey::SectionPosition => row.created_ms,
            SortKey::UpdatedAt => row.updated_ms,
            SortKey::RecencyAt => row.recency_ms,
        }
    }

    fn cursor(&self, row: &ThreadRow) -> Box<str> {
        format!("{}|{}", stamp(self.at(row)), row.id).into()
    }
}

const SUB_AGENTS: [SourceKind; 4] = [
    SourceKind::SubAgentReview,
    SourceKind::SubAgentCompact,
    SourceKind::SubAgentThreadSpawn,
    SourceKind::SubAgentOther,
];

fn parse_cursor(text: &str) -> Option<(i64, Option<ThreadId>)> {
    match text.split_once('|') {
        Some((at, id)) => Some((to_ms(at)?, Some(ThreadId::parse(id).ok()?))),
        None => Some((to_ms(text)?, None)),
    }
}

/// Ids as one value, however many there are.
fn texts(ids: &[ThreadId]) -> String {
    let texts: Vec<_> = ids.iter().map(|id| id.as_uuid().simple().to_string()).collect();
    serde_json::to_string(&texts).unwrap_or_default()
}

fn plain_folder(cwd: &str) -> String {
    match cwd.trim_end_matches('/') {
        "" => cwd.to_owned(),
        plain => plain.to_owned(),
    }
}
