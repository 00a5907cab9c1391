//! Who hears a thread.

use parking_lot::Mutex;
use spindle_schema::ids::ConnectionId;

/// The connections that follow one thread, in the order they came.
///
/// Shared between the session, which speaks to them, and the manager, which takes them off
/// when a connection ends. The lock is held for a look or a change only.
#[derive(Debug, Default)]
pub(crate) struct Subscribers(Mutex<Vec<Follower>>);

/// A connection that follows a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Follower {
    /// Which.
    pub connection: ConnectionId,
    /// Since when. Unix milliseconds.
    pub since_ms: i64,
}

impl Subscribers {
    /// Adds a connection; one that is there already stays where it is.
    pub(crate) fn add(&self, connection: ConnectionId, now_ms: i64) {
        let mut list = self.0.lock();
        if !list.iter().any(|follower| follower.connection == connection) {
            list.push(Follower { connection, since_ms: now_ms });
        }
    }

    /// Takes a connection off and tells whether it was on.
    pub(crate) fn remove(&self, connection: ConnectionId) -> bool {
        let mut list = self.0.lock();
        let before = list.len();
        list.retain(|follower| follower.connection != connection);
        list.len() < before
    }

    /// Whether a connection is on.
    pub(crate) fn has(&self, connection: ConnectionId) -> bool {
        self.0.lock().iter().any(|follower| follower.connection == connection)
    }

    /// The connections at this moment.
    pub(crate) fn list(&self) -> Vec<ConnectionId> {
        self.0.lock().iter().map(|follower| follower.connection).collect()
    }

    /// The connections at this moment, and since when they follow.
    pub(crate) fn followers(&self) -> Vec<Follower> {
        self.0.lock().clone()
    }

    /// The connection that has followed longest: the thread is its own.
    pub(crate) fn owner(&self) -> Option<ConnectionId> {
        self.0.lock().first().map(|follower| follower.connection)
    }

    /// Whether nobody follows.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }
}
