//! Threads that are listed, read, named and put away: asks the store.

use std::sync::Arc;

use spindle_schema::event::{
    EventMsg, ItemsView, ThreadSnapshot, ThreadStatus, TimedItem, TurnSnapshot,
};
use spindle_schema::ids::{ThreadId, TurnId};
use spindle_schema::item::TurnItem;
use spindle_store::{
    ItemsQuery, ListQuery, Occurrence, Page, ThreadRow, TimelineEntry, TurnsQuery,
};

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

/// A page of turns.
#[derive(Debug, Clone)]
pub struct TurnsPage {
    /// The turns, in the order asked for.
    pub data: Vec<TurnSnapshot>,
    /// Where the next page begins.
    pub next_cursor: Option<Box<str>>,
    /// Where the page before this one begins, read the other way.
    pub backwards_cursor: Option<Box<str>>,
}

/// A page of items.
#[derive(Debug, Clone)]
pub struct ItemsPage {
    /// The items and the turns they belong to, in the order asked for.
    pub data: Vec<(TurnId, TimedItem)>,
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

    /// A page of a thread's turns. The one that runs is told as it stands at this moment.
    pub async fn turns(&self, thread: ThreadId, query: TurnsQuery) -> Result<TurnsPage, Error> {
        let look = self.look(thread).await.ok();
        let view = query.view;
        let page = self.inner.rooms.store.turns_page(thread, query).await;
        let Page { mut items, next, back } = page.map_err(|error| unread(error, thread))?;
        if let Some(active) = look.and_then(|look| look.active_turn) {
            let stored = items.iter_mut().find(|turn| turn.id == active.id);
            if let Some(turn) = stored {
                *turn = at_this_moment(&active, view);
            }
        }
        Ok(TurnsPage { data: items, next_cursor: next, backwards_cursor: back })
    }

    /// A page of a thread's items that are whole.
    pub async fn items(&self, thread: ThreadId, query: ItemsQuery) -> Result<ItemsPage, Error> {
        let page = self.inner.rooms.store.items_page(thread, query).await;
        let Page { items, next, back } = page.map_err(|error| unread(error, thread))?;
        let data = items.into_iter().map(|placed| (placed.turn_id, placed.item)).collect();
        Ok(ItemsPage { data, next_cursor: next, backwards_cursor: back })
    }

    /// Those of some items of a turn that are whole, in the order of the thread.
    pub async fn items_of(
        &self,
        thread: ThreadId,
        turn: TurnId,
        wanted: &[String],
    ) -> Result<Vec<(TurnId, TimedItem)>, Error> {
        let query = ItemsQuery { turn: Some(turn), ..ItemsQuery::default() };
        let mut items = self.items(thread, query).await?.data;
        items.retain(|(_, item)| wanted.iter().any(|id| id == item.item.id()));
        Ok(items)
    }

    /// A page of what happened in a thread, the first entry first.
    pub async fn timeline(
        &self,
        thread: ThreadId,
        cursor: Option<Box<str>>,
        limit: usize,
    ) -> Result<Page<TimelineEntry>, Error> {
        let page = self.inner.rooms.store.timeline(thread, cursor, limit).await;
        page.map_err(|error| unread(error, thread))
    }

    /// The places in a thread at which a text was said.
    pub async fn occurrences(
        &self,
        thread: ThreadId,
        term: Box<str>,
        cursor: Option<Box<str>>,
        limit: usize,
    ) -> Result<Page<Occurrence>, Error> {
        let page = self.inner.rooms.store.occurrences(thread, term, cursor, limit).await;
        page.map_err(|error| unread(error, thread))
    }

    /// Names a thread, loaded or not. Blanks around the name do not count.
    pub fn set_name(&self, thread: ThreadId, name: &str, answer: Answer<()>) {
        let name = name.trim().to_owned();
        if name.is_empty() {
            return answer.err(Invalid::EmptyName.into());
        }
        self.manage(thread, answer, move |manager| async move {
            let store = &manager.inner.rooms.store;
            store.set_name(thread, &name).await.map_err(|error| missing(error, thread))?;
            let handle = manager.handle(thread);
            let after = move |manager: Self| match handle {
                Some(handle) => handle.submit(Submission::SetName(Some(name.into()))),
                None => manager.say(thread, EventMsg::NameUpdated(Some(name.into()))),
            };
            Ok(((), after))
        });
    }

    /// Puts a thread away. A loaded one is interrupted and unloaded first.
    pub fn archive(&self, thread: ThreadId, answer: Answer<()>) {
        self.manage(thread, answer, move |manager| async move {
            manager.unload(thread).await;
            let store = &manager.inner.rooms.store;
            store.archive(thread).await.map_err(|error| missing(error, thread))?;
            Ok(((), move |manager: Self| manager.say(thread, EventMsg::Archived)))
        });
    }

    /// Brings an archived thread back.
    pub fn unarchive(&self, thread: ThreadId, answer: Answer<Arc<ThreadSnapshot>>) {
        self.manage(thread, answer, move |manager| async move {
            let store = &manager.inner.rooms.store;
            store.unarchive(thread).await.map_err(|error| missing(error, thread))?;
            let snapshot = manager.snapshot(thread).await?;
            Ok((snapshot, move |manager: Self| manager.say(thread, EventMsg::Unarchived)))
        });
    }

    /// Removes a thread and all that is kept of it.
    pub fn delete(&self, thread: ThreadId, answer: Answer<()>) {
        self.manage(thread, answer, move |manager| async move {
            manager.unload(thread).await;
            let store = &manager.inner.rooms.store;
            store.delete(thread).await.map_err(|error| missing(error, thread))?;
            manager.forget_undo(thread).await;
            Ok(((), move |manager: Self| manager.say(thread, EventMsg::Deleted)))
        });
    }

    /// Does one thing to a thread while nothing else is done to it: the answer first, then what
    /// is to be said.
    pub(super) fn manage<T, F, After>(
        &self,
        thread: ThreadId,
        answer: Answer<T>,
        work: impl FnOnce(Self) -> F + Send + 'static,
    ) where
        T: Send + 'static,
        F: Future<Output = Result<(T, After), Error>> + Send,
        After: FnOnce(Self) + Send,
    {
        let manager = self.clone();
        tokio::spawn(async move {
            let lock = manager.busy(thread);
            let _busy = lock.lock().await;
            match work(manager.clone()).await {
                Ok((value, after)) => {
                    answer.ok(value);
                    after(manager);
                }
                Err(error) => answer.err(error),
            }
        });
    }

    /// Ends a thread's session, if it has one, and says that it is not loaded any more.
    pub(super) async fn unload(&self, thread: ThreadId) {
        if let Some(handle) = self.handle(thread) {
            handle.stop().await;
            self.inner.threads.lock().remove(&thread);
            self.say(thread, EventMsg::StatusChanged(ThreadStatus::NotLoaded));
        }
    }

    /// Tells everybody about a thread that has no session.
    pub(super) fn say(&self, thread: ThreadId, msg: EventMsg) {
        self.announce(thread, msg, Recipients::Everyone);
    }
}

/// The running turn as a page shows it.
fn at_this_moment(active: &TurnSnapshot, view: ItemsView) -> TurnSnapshot {
    let is_user = |item: &&TimedItem| matches!(item.item, TurnItem::UserMessage(_));
    let is_agent = |item: &&TimedItem| matches!(item.item, TurnItem::AgentMessage(_));
    let items = match view {
        ItemsView::NotLoaded => Vec::new(),
        ItemsView::Full => active.items.clone(),
        ItemsView::Summary => {
            let first = active.items.iter().find(is_user);
            let last = active.items.iter().rev().find(is_agent);
            first.into_iter().chain(last).cloned().collect()
        }
    };
    TurnSnapshot { items, view, ..active.clone() }
}

/// What clients are told about a thread that cannot be read.
fn unread(error: spindle_store::Error, thread: ThreadId) -> Error {
    match error {
        spindle_store::Error::NoThread(_) => Error::NotLoaded(thread),
        other => Error::Store(other),
    }
}

/// What clients are told about a thread that is not there.
pub(super) fn missing(error: spindle_store::Error, thread: ThreadId) -> Error {
    match error {
        spindle_store::Error::NoThread(_) => Error::NoRollout(thread),
        other => Error::Store(other),
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
        notes: row.notes,
    }
}
