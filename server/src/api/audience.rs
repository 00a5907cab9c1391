//! The clients, as the engine sees them.

use std::sync::Arc;

use spindle_engine::threads::{Audience, Recipients};
use spindle_schema::event::Event;

use super::projection;
use crate::rpc::{Clients, To};

/// Hands events to clients: encoded once, whatever their number.
pub(crate) struct Listeners {
    clients: Arc<Clients>,
}

impl Listeners {
    /// All clients.
    pub(crate) fn new(clients: Arc<Clients>) -> Self {
        Self { clients }
    }
}

impl Audience for Listeners {
    fn deliver(&self, events: &[Event], to: Recipients<'_>) {
        let to = match to {
            Recipients::Everyone => To::Everyone,
            Recipients::Only([]) => return,
            Recipients::Only(connections) => To::Only(connections),
        };
        if let Some(packet) = projection::project(events) {
            self.clients.tell(&packet, to);
        }
    }
}
