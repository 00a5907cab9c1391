//! What is to be done about threads that rest: one timer for all of them.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use spindle_schema::event::{EventMsg, ThreadStatus};
use spindle_schema::ids::ThreadId;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::manager::{Inner, ThreadManager};

/// How long what a thread said last can be said again after its last turn.
const REMEMBERED: Duration = Duration::from_mins(2);

/// Something to be done about a thread that rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Chore {
    /// Let go of what is kept for those who lost their connection.
    Forget,
    /// Unload it.
    Unload,
}

/// Which threads rest, and until when. Nothing wakes up while no thread waits for anything.
#[derive(Debug, Default)]
pub(crate) struct Idle {
    plans: Mutex<Plans>,
    /// There is another first plan.
    news: Notify,
    /// How many turns run.
    running: AtomicUsize,
    /// The last one has ended.
    quiet: Notify,
    /// How many threads are being unloaded.
    retiring: AtomicUsize,
}

#[derive(Debug, Default)]
struct Plans {
    due: BTreeSet<(Instant, ThreadId, Chore)>,
    /// A thread has one plan of a kind: a later one takes its place.
    known: HashMap<(ThreadId, Chore), Instant>,
}

impl Idle {
    fn plan(&self, thread: ThreadId, chore: Chore, after: Duration) {
        let at = Instant::now() + after;
        let mut plans = self.plans.lock();
        if let Some(before) = plans.known.insert((thread, chore), at) {
            plans.due.remove(&(before, thread, chore));
        }
        plans.due.insert((at, thread, chore));
        if plans.due.first().is_some_and(|first| first.1 == thread) {
            self.news.notify_one();
        }
    }

    /// Waits for the next thing to be done.
    async fn next(&self) -> (ThreadId, Chore) {
        loop {
            let first = self.plans.lock().due.first().map(|first| first.0);
            match first {
                None => self.news.notified().await,
                Some(at) if at > Instant::now() => {
                    tokio::select! {
                        () = tokio::time::sleep_until(at) => {}
                        () = self.news.notified() => {}
                    }
                }
                Some(_) => {
                    let mut plans = self.plans.lock();
                    if let Some((_, thread, chore)) = plans.due.pop_first() {
                        plans.known.remove(&(thread, chore));
                        return (thread, chore);
                    }
                }
            }
        }
    }

    /// Waits until no turn runs.
    async fn is_quiet(&self) {
        loop {
            let quiet = self.quiet.notified();
            if self.running.load(Ordering::Acquire) == 0 {
                return;
            }
            quiet.await;
        }
    }
}

/// The rest of one thread: what is planned when it begins.
#[derive(Debug, Clone)]
pub(crate) struct Rest {
    thread: ThreadId,
    idle: Arc<Idle>,
    /// After how long without use it is unloaded; `None` keeps it.
    unload_after: Option<Duration>,
}

/// A turn runs for as long as this lives.
#[derive(Debug)]
pub(crate) struct Running(Arc<Idle>);

impl Drop for Running {
    fn drop(&mut self) {
        if self.0.running.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.quiet.notify_waiters();
        }
    }
}

impl Rest {
    /// A turn begins.
    pub(crate) fn turn_runs(&self) -> Running {
        self.idle.running.fetch_add(1, Ordering::AcqRel);
        Running(self.idle.clone())
    }

    /// No turn runs any more, or none has run yet.
    pub(crate) fn begins(&self, is_followed: bool) {
        self.idle.plan(self.thread, Chore::Forget, REMEMBERED);
        if !is_followed {
            self.is_left();
        }
    }

    /// Nobody follows the thread any more.
    pub(crate) fn is_left(&self) {
        if let Some(after) = self.unload_after {
            self.idle.plan(self.thread, Chore::Unload, after);
        }
    }
}

impl ThreadManager {
    /// How many turns run.
    pub fn running_turns(&self) -> usize {
        self.inner.idle.running.load(Ordering::Acquire)
    }

    /// Waits until no turn runs.
    pub async fn quiet(&self) {
        self.inner.idle.is_quiet().await;
    }

    /// The rest of a thread that is being loaded.
    pub(super) fn rest_of(&self, thread: ThreadId, unload_after: Option<Duration>) -> Rest {
        let inner = &self.inner;
        inner.keeper.get_or_init(|| {
            let keeper = keep(inner.idle.clone(), Arc::downgrade(inner));
            tokio_util::task::AbortOnDropHandle::new(tokio::spawn(keeper))
        });
        Rest { thread, idle: inner.idle.clone(), unload_after }
    }

    /// Unloads a thread that nobody uses. One that is in use stays.
    async fn retire(self, thread: ThreadId) {
        let lock = self.busy(thread);
        let _busy = lock.lock().await;
        let Some(handle) = self.handle(thread) else { return };
        if !handle.retire().await {
            if handle.subscribers.is_empty() {
                handle.rest.is_left();
            }
            return;
        }
        self.inner.threads.lock().remove(&thread);
        tracing::debug!(%thread, "unloaded, since nobody used it");
        self.say(thread, EventMsg::StatusChanged(ThreadStatus::NotLoaded));
        self.say(thread, EventMsg::Closed);
    }
}

/// Does what is due, for as long as there is an engine.
async fn keep(idle: Arc<Idle>, engine: Weak<Inner>) {
    loop {
        let (thread, chore) = idle.next().await;
        let Some(inner) = engine.upgrade() else { return };
        let manager = ThreadManager { inner };
        match chore {
            Chore::Forget => {
                if let Some(handle) = manager.handle(thread) {
                    handle.forget();
                }
            }
            Chore::Unload => {
                idle.retiring.fetch_add(1, Ordering::AcqRel);
                let idle = idle.clone();
                // Commands may take a moment to end; others do not wait for that.
                tokio::spawn(async move {
                    manager.retire(thread).await;
                    // Once for all threads that are due together.
                    if idle.retiring.fetch_sub(1, Ordering::AcqRel) == 1 {
                        spindle_exec::give_memory_back();
                    }
                });
            }
        }
    }
}

#[cfg(test)]
mod tests;
