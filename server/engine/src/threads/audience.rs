//! Where events go.

use spindle_schema::event::Event;
use spindle_schema::ids::ConnectionId;

/// The clients, as the engine sees them.
///
/// Implemented by the door. Calls come from a session's task, in the order of the thread's
/// events; a call must not wait for a client.
pub trait Audience: Send + Sync + 'static {
    /// Hands over events, in order. All of them go to the same recipients.
    fn deliver(&self, events: &[Event], to: Recipients<'_>);
}

/// Who gets an event.
#[derive(Debug, Clone, Copy)]
pub enum Recipients<'a> {
    /// Every initialised connection.
    Everyone,
    /// These connections.
    Only(&'a [ConnectionId]),
}
