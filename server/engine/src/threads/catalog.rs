//! Threads that are listed, read, named and put away: asks the store.

use std::sync::Arc;

use spindle_schema::event::{EventMsg, ThreadSnapshot, ThreadStatus};
use spindle_schema::ids::ThreadId;
use spindle_store::{ListQuery, ThreadRow};

use super::audience::Recipients;
use super::manager::ThreadManager;
use crate::session::Submission;
use crate::{Answer, Error, Invalid};

/// A page of threads.
#[derive(Debug, Clone)]
pub struct ThreadPage {
    /// The threads, in the order asked for.
    pub data: Vec<ThreadSnapshot>,
    /// Where the next page begins.
    pub next_cursor: Option<Box<str>>,
    /// Where the page before this one begins, read the other way.
    pub backwards_cursor: Option<Box<str>>,
}

impl ThreadManager {
    /// A page of the list of threads. Loaded ones tell how they stand.
    pub async fn list(&self, query: ListQuery) -> Result<ThreadPage, Error> {
        let page = self.inner.rooms.store.list(query).await?;
        let mut data = Vec::with_capacity(page.items.len());
        for row in page.items {
            let mut snapshot = snapshot_of(row);
            if let Ok(look) = self.look(snapshot.id).await {
                snapshot.status = look.thread.status;
            }
            data.push(snapshot);
        }
        Ok(ThreadPage { data, next_cursor: page.next, backwards_cursor: page.back })
    }
}

/// A stored thread as clients see it.
pub(super) fn snapshot_of(row: ThreadRow) -> ThreadSnapshot {
    let cwd = row.cwd;
    ThreadSnapshot {
        id: row.id,
        forked_from: row.forked_from,
        parent: row.parent,
        preview: row.preview.map(Into::into).unwrap_or_default(),
        name: row.name,
        ephemeral: false,
        model_provider: row.model_provider.unwrap_or_default(),
        model: row.model,
        effort: row.effort,
        created_at: row.created_ms / 1000,
        updated_at: row.updated_ms / 1000,
        recency_at: Some(row.recency_ms / 1000),
        status: ThreadStatus::NotLoaded,
        path: Some(row.path.display().to_string().into()),
        workspace_roots: vec![cwd.clone()],
        cwd,
        cli_version: row.cli_version,
        source: row.source,
        thread_source: row.thread_source,
        originator: Some(row.originator),
        history_mode: row.history_mode,
        git: row.git,
        archived: row.archived,
    }
}
