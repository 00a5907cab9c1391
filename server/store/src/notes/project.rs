//! Projects, and which threads belong to them.

use std::collections::BTreeMap;

use spindle_schema::ids::ThreadId;
use spindle_schema::note::Project;
use uuid::Uuid;

use super::book::{Thread, between, fresh_ranks, thread_key};
use super::{Book, Lines, NoteError};
use crate::error::Error;
use crate::store::Store;

/// A project that is to be made.
#[derive(Debug, Clone)]
pub struct NewProject {
    /// The caller's word for this request: said again, it makes no second project.
    pub key: Box<str>,
    /// Its name.
    pub name: Box<str>,
    /// Its folders. Absolute.
    pub roots: Vec<Box<str>>,
    /// What the client keeps with it.
    pub metadata: BTreeMap<String, String>,
    /// The threads that belong to it from the start; those that are not there are passed over.
    pub threads: Vec<ThreadId>,
}

/// A change of a project. What is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct ProjectUpdate {
    /// The project.
    pub id: Box<str>,
    /// Its name.
    pub name: Option<Box<str>>,
    /// Its folders.
    pub roots: Option<Vec<Box<str>>>,
    /// What the client keeps with it.
    pub metadata: Option<BTreeMap<String, String>>,
}

impl Store {
    /// All projects, in the order that people gave them.
    pub async fn projects(&self) -> Result<Vec<Project>, Error> {
        self.noted(|book| ordered(book).into_iter().cloned().collect()).await
    }

    /// When a turn was last asked for in each project that has threads. Unix milliseconds.
    pub async fn project_recency(&self) -> Result<BTreeMap<Box<str>, i64>, Error> {
        let members = self.noted(|book| {
            let of = |(id, thread): (_, &Thread)| thread.project.clone().map(|p| (p, id));
            book.threads().filter_map(of).collect::<Vec<_>>()
        });
        let members = members.await?;
        self.blocking(move |shared| {
            shared.flush_rows()?;
            let mut latest = BTreeMap::new();
            for (project, thread) in members {
                if let Some(row) = shared.index.row(thread)? {
                    let at = latest.entry(project).or_insert(row.recency_ms);
                    *at = row.recency_ms.max(*at);
                }
            }
            Ok(latest)
        })
        .await
    }

    /// A project.
    ///
    /// # Errors
    /// [`NoteError::NoProject`].
    pub async fn project(&self, id: Box<str>) -> Result<Project, Error> {
        let found = self.noted(move |book| book.projects.get(&id).cloned().ok_or(id)).await?;
        found.map_err(|id| NoteError::NoProject(id).into())
    }

    /// Makes a project, or gives the one that was made with the same key; tells which, and the
    /// threads that have come to belong to it.
    ///
    /// # Errors
    /// Those of writing.
    pub async fn create_project(
        &self,
        new: NewProject,
    ) -> Result<(Project, bool, Vec<ThreadId>), Error> {
        let mut threads = Vec::new();
        for thread in &new.threads {
            if self.row(*thread).await?.is_some() {
                threads.push(*thread);
            }
        }
        self.note(move |book, lines| {
            if let Some(known) = book.projects.values().find(|known| known.key == new.key) {
                return Ok((known.clone(), false, Vec::new()));
            }
            let last = book.projects.values().map(|project| project.rank).max();
            let project = Project {
                id: Uuid::now_v7().to_string().into(),
                key: new.key,
                name: new.name,
                roots: new.roots,
                metadata: new.metadata,
                created_at_ms: lines.now_ms(),
                updated_at_ms: lines.now_ms(),
                rank: between(last, None).unwrap_or(i64::MAX),
            };
            put(lines, &project)?;
            for thread in &threads {
                lines.put(&thread_key(*thread, "project"), Some(&project.id))?;
            }
            Ok((project, true, threads))
        })
        .await
    }

    /// Changes a project.
    ///
    /// # Errors
    /// [`NoteError::NoProject`], and those of writing.
    pub async fn update_project(&self, update: ProjectUpdate) -> Result<Project, Error> {
        self.note(move |book, lines| {
            let ProjectUpdate { id, name, roots, metadata } = update;
            let known = book.projects.get(&id).ok_or(NoteError::NoProject(id))?;
            let project = Project {
                name: name.unwrap_or_else(|| known.name.clone()),
                roots: roots.unwrap_or_else(|| known.roots.clone()),
                metadata: metadata.unwrap_or_else(|| known.metadata.clone()),
                updated_at_ms: lines.now_ms(),
                ..known.clone()
            };
            put(lines, &project)?;
            Ok(project)
        })
        .await
    }

    /// Moves a project before another one, or to the end. Tells whether anything moved.
    ///
    /// # Errors
    /// [`NoteError::NoProject`], and those of writing.
    pub async fn move_project(
        &self,
        id: Box<str>,
        before: Option<Box<str>>,
    ) -> Result<bool, Error> {
        self.note(move |book, lines| {
            let known = book.projects.get(&id).ok_or(NoteError::NoProject(id))?;
            let order = ordered(book);
            let mut others: Vec<_> = order.iter().filter(|other| other.id != known.id).collect();
            let at = match before {
                None => others.len(),
                Some(before) if before == known.id => return Ok(false),
                Some(before) => {
                    let at = others.iter().position(|other| other.id == before);
                    at.ok_or(NoteError::NoProject(before))?
                }
            };
            if order.get(at).is_some_and(|there| there.id == known.id) {
                return Ok(false);
            }
            let rank_at = |at: usize| others.get(at).map(|other| other.rank);
            if let Some(rank) = between(at.checked_sub(1).and_then(rank_at), rank_at(at)) {
                put(lines, &Project { rank, ..known.clone() })?;
                return Ok(true);
            }
            others.insert(at, &known);
            for (project, rank) in others.iter().zip(fresh_ranks(others.len())) {
                put(lines, &Project { rank, ..(**project).clone() })?;
            }
            Ok(true)
        })
        .await
    }

    /// Removes a project; its threads belong to none then. Gives them.
    ///
    /// # Errors
    /// [`NoteError::NoProject`], and those of writing.
    pub async fn delete_project(&self, id: Box<str>) -> Result<Vec<ThreadId>, Error> {
        self.note(move |book, lines| {
            if !book.projects.contains_key(&id) {
                return Err(NoteError::NoProject(id).into());
            }
            let threads = book.threads_of_project(&id);
            for thread in &threads {
                lines.put(&thread_key(*thread, "project"), None::<&Box<str>>)?;
            }
            lines.put(&format!("project/{id}"), None::<&Project>)?;
            Ok(threads)
        })
        .await
    }
}

fn put(lines: &mut Lines, project: &Project) -> Result<(), Error> {
    lines.put(&format!("project/{}", project.id), Some(project))
}

fn ordered(book: &Book) -> Vec<&Project> {
    let mut projects: Vec<_> = book.projects.values().collect();
    projects.sort_by(|a, b| (a.rank, &a.id).cmp(&(b.rank, &b.id)));
    projects
}
