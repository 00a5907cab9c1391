//! Where events go.

use std::sync::Arc;

use spindle_schema::event::Event;
use spindle_schema::ids::ConnectionId;

use crate::commands::Listener;

/// The clients, as the engine sees them.
///
/// Implemented by the door. Events come from a session's task, in the order of the thread's
/// events; a call must not wait for a client.
pub trait Audience: Send + Sync + 'static {
    /// Hands over events, in order. All of them go to the same recipients.
    fn deliver(&self, events: &[Event], to: Recipients<'_>);

    /// One connection, for the commands that it runs; `None` when it is gone.
    fn listener(&self, connection: ConnectionId) -> Option<Arc<dyn Listener>>;
}

/// Who gets an event.
#[derive(Debug, Clone, Copy)]
pub enum Recipients<'a> {
    /// Every initialised connection.
    Everyone,
    /// These connections.
    Only(&'a [ConnectionId]),
}
