//! Requests that must not overtake each other.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use spindle_schema::ids::ConnectionId;
use spindle_schema::methods::Scope;
use tokio::runtime::Handle;

/// How many requests may wait for one that is before them.
const WAITING: usize = 256;

/// What to do once the requests before it are accepted, or when too many of them wait.
pub(super) type Job = Box<dyn FnOnce(Result<Place, Full>) + Send>;

/// The requests that keep an order with each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Lane {
    /// Of one thread, over all connections.
    Thread(Box<str>),
    /// Of configuration and login.
    Global,
    /// Of one connection that carry the same handle.
    Handle(ConnectionId, Box<str>),
}

impl Lane {
    /// The lane of a request; `None` when it needs no order.
    pub(crate) fn of(scope: Scope<'_>, connection: ConnectionId) -> Option<Self> {
        match scope {
            Scope::None | Scope::Connection => None,
            Scope::Thread(id) => Some(Self::Thread(id.into())),
            Scope::Global => Some(Self::Global),
            Scope::Handle(handle) => Some(Self::Handle(connection, handle.into())),
        }
    }
}

/// All lanes in which something is going on.
pub(crate) struct Order {
    lanes: Mutex<HashMap<Lane, VecDeque<Job>>>,
    /// Runs the next job of a lane apart from whoever freed it: that may be a session's task or
    /// a thread of the store.
    runtime: Handle,
}

/// Too many requests wait in the lane.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Order {
    /// No lanes yet. Must be called within the runtime.
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { lanes: Mutex::default(), runtime: Handle::current() })
    }

    /// Runs the job when all before it in the lane have given up their places: at once when
    /// there are none, and at once without a place when too many wait.
    pub(crate) fn run(self: &Arc<Self>, lane: Lane, job: Job) {
        let mut lanes = self.lanes.lock();
        match lanes.get_mut(&lane) {
            Some(waiting) if waiting.len() < WAITING => waiting.push_back(job),
            Some(_) => {
                drop(lanes);
                job(Err(Full));
            }
            None => {
                lanes.insert(lane.clone(), VecDeque::new());
                drop(lanes);
                job(Ok(Place { order: self.clone(), lane }));
            }
        }
    }

    /// How many requests wait for others.
    pub(crate) fn waiting(&self) -> usize {
        self.lanes.lock().values().map(VecDeque::len).sum()
    }

    fn next(self: &Arc<Self>, lane: Lane) {
        let next = {
            let mut lanes = self.lanes.lock();
            let next = lanes.get_mut(&lane).and_then(VecDeque::pop_front);
            if next.is_none() {
                lanes.remove(&lane);
            }
            next
        };
        // Not under the lock: a runtime that is ending drops the job, and its place, at once.
        if let Some(job) = next {
            let place = Place { order: self.clone(), lane };
            self.runtime.spawn(async move { job(Ok(place)) });
        }
    }
}

/// The first place in a lane. Dropping it lets the next one in.
pub(crate) struct Place {
    order: Arc<Order>,
    lane: Lane,
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Place").field(&self.lane).finish()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.order.next(self.lane.clone());
    }
}

#[cfg(test)]
mod tests;
