//! The clients, as the engine sees them.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt as _};
use spindle_engine::commands::{CommandEvent, Listener};
use spindle_engine::threads::{Audience, Recipients};
use spindle_schema::event::Event;
use spindle_schema::ids::ConnectionId;

use super::projection;
use crate::clock;
use crate::rpc::{Client, Clients, To};

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

    fn listener(&self, connection: ConnectionId) -> Option<Arc<dyn Listener>> {
        let client = self.clients.find(connection)?;
        Some(Arc::new(Owner(client)))
    }
}

/// A client that hears of its own commands.
struct Owner(Arc<Client>);

impl Listener for Owner {
    fn hear(&self, event: CommandEvent<'_>) {
        self.0.tell_now(projection::command(&event, clock::unix_ms()));
    }

    fn has_room(&self) -> BoxFuture<'_, ()> {
        self.0.is_calm().boxed()
    }
}
