//! Threads that are searched, and how a search is given up.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use spindle_schema::event::ThreadSnapshot;
use spindle_schema::ids::ConnectionId;
use spindle_store::{Found, ListQuery, Snippet, Watch};
use tokio::sync::mpsc;

use super::catalog::snapshot_of;
use super::manager::ThreadManager;
use crate::Error;

/// Batches of partial results that may wait to be told.
const PARTIAL: usize = 4;

/// Searches that go on, by who asked and the word for it. Set to give one up.
pub(super) type Searches = BTreeMap<(ConnectionId, Box<str>), Arc<AtomicBool>>;

/// A thread in which something was found.
#[derive(Debug, Clone)]
pub struct FoundThread {
    /// The thread.
    pub thread: ThreadSnapshot,
    /// The first passage that fits.
    pub snippet: Snippet,
}

/// A page of found threads.
#[derive(Debug, Clone)]
pub struct SearchPage {
    /// The threads, in the order asked for.
    pub data: Vec<FoundThread>,
    /// Where the next page begins.
    pub next_cursor: Option<Box<str>>,
    /// Where the page before this one begins, read the other way.
    pub backwards_cursor: Option<Box<str>>,
}

impl ThreadManager {
    /// Searches what was said in threads. What is found while the search goes on is told to
    /// `partial`, each thread once. `by` is what [`ThreadManager::cancel_search`] names.
    pub async fn search(
        &self,
        by: (ConnectionId, Box<str>),
        term: Box<str>,
        list: ListQuery,
        partial: Option<&(dyn Fn(Vec<FoundThread>) + Send + Sync)>,
    ) -> Result<SearchPage, Error> {
        let running = Running::new(self, by);
        let (sender, mut found) = mpsc::channel(PARTIAL);
        let tell: Option<Box<dyn FnMut(Vec<Found>) + Send>> = partial.is_some().then(|| {
            // The search waits until what it found is told; whoever went away is told nothing.
            Box::new(move |found| drop(sender.blocking_send(found))) as _
        });
        let watch = Watch { stop: running.stop.clone(), partial: tell };
        let search = self.store().search(term, list, watch);
        let mut search = std::pin::pin!(search);
        let page = loop {
            tokio::select! {
                page = &mut search => break page?,
                Some(found) = found.recv() => {
                    let found = self.with_status(found).await;
                    partial.inspect(|tell| tell(found));
                }
            }
        };
        Ok(SearchPage {
            data: self.with_status(page.items).await,
            next_cursor: page.next,
            backwards_cursor: page.back,
        })
    }

    /// Gives a search up. One that is over, or never was, is no error.
    pub fn cancel_search(&self, connection: ConnectionId, word: &str) {
        if let Some(stop) = self.inner.searches.lock().get(&(connection, word.into())) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn cancel_searches_of(&self, connection: ConnectionId) {
        for ((by, _), stop) in &*self.inner.searches.lock() {
            if *by == connection {
                stop.store(true, Ordering::Relaxed);
            }
        }
    }

    async fn with_status(&self, found: Vec<Found>) -> Vec<FoundThread> {
        let mut threads = Vec::with_capacity(found.len());
        for Found { row, snippet } in found {
            let mut thread = snapshot_of(row);
            if let Ok(look) = self.look(thread.id).await {
                thread.status = look.thread.status;
            }
            threads.push(FoundThread { thread, snippet });
        }
        threads
    }
}

/// A search that can be given up for as long as this lives.
struct Running {
    manager: ThreadManager,
    by: (ConnectionId, Box<str>),
    stop: Arc<AtomicBool>,
}

impl Running {
    fn new(manager: &ThreadManager, by: (ConnectionId, Box<str>)) -> Self {
        let stop = Arc::<AtomicBool>::default();
        manager.inner.searches.lock().insert(by.clone(), stop.clone());
        Self { manager: manager.clone(), by, stop }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.manager.inner.searches.lock().remove(&self.by);
        // A search that nobody waits for any more ends soon.
        self.stop.store(true, Ordering::Relaxed);
    }
}
