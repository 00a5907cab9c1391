//! Who hears a thread.

use parking_lot::Mutex;
use spindle_schema::ids::ConnectionId;

/// The connections that follow one thread, in the order they came.
///
/// Shared between the session, which speaks to them, and the manager, which takes them off
/// when a connection ends. The lock is held for a look or a change only.
#[derive(Debug, Default)]
pub(crate) struct Subscribers(Mutex<Vec<ConnectionId>>);

impl Subscribers {
    /// Adds a connection; one that is there already stays where it is.
    pub(crate) fn add(&self, connection: ConnectionId) {
        let mut list = self.0.lock();
        if !list.contains(&connection) {
            list.push(connection);
        }
    }

    /// Takes a connection off and tells whether it was on.
    pub(crate) fn remove(&self, connection: ConnectionId) -> bool {
        let mut list = self.0.lock();
        let before = list.len();
        list.retain(|&other| other != connection);
        list.len() < before
    }

    /// Whether a connection is on.
    pub(crate) fn has(&self, connection: ConnectionId) -> bool {
        self.0.lock().contains(&connection)
    }

    /// The connections at this moment.
    pub(crate) fn list(&self) -> Vec<ConnectionId> {
        self.0.lock().clone()
    }
}
