//! Where events go.

use std::sync::Arc;

use spindle_schema::event::Event;
use spindle_schema::ids::ConnectionId;

use crate::commands::Listener;

/// The clients, as the engine sees them.
///
/// Implemented by the door. A call must not wait for a client.
pub trait Audience: Send + Sync + 'static {
    /// Hands over events about a thread that has no session, in order. All of them go to the same
    /// recipients.
    fn deliver(&self, events: &[Event], to: Recipients<'_>);

    /// One connection, for the commands that it runs; `None` when it is gone.
    fn listener(&self, connection: ConnectionId) -> Option<Arc<dyn Listener>>;

    /// A line for a session that begins now.
    fn line(&self) -> Box<dyn Line>;

    /// Whether a connection is still there.
    fn is_there(&self, connection: ConnectionId) -> bool;
}

/// What one session says. Owned by the session's task, which calls in the order of the thread's
/// events.
///
/// A line counts what it says, and keeps the last of it for those who lost their connection.
pub trait Line: Send + 'static {
    /// Hands over events, in order. All of them go to the same recipients; they are counted and
    /// kept even when nobody is there.
    fn deliver(&mut self, events: &[Event], to: Recipients<'_>);

    /// Hands over events that are for one connection alone, or repeat how things stand to it; they
    /// are neither counted nor kept.
    fn tell(&self, events: &[Event], to: ConnectionId);

    /// The number of what was said last.
    fn position(&self) -> u64;

    /// Whether all that was said behind this number can be said again.
    fn reaches(&self, seen: u64) -> bool;

    /// Says again what was said behind this number, questions left out.
    fn replay(&self, seen: u64, to: ConnectionId);

    /// Lets go of what is kept.
    fn forget(&mut self);
}

/// Who gets an event.
#[derive(Debug, Clone, Copy)]
pub enum Recipients<'a> {
    /// Every initialised connection.
    Everyone,
    /// These connections.
    Only(&'a [ConnectionId]),
}
