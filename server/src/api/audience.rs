//! The clients, as the engine sees them.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt as _};
use spindle_engine::commands::{CommandEvent, Listener};
use spindle_engine::threads::{Audience, Line, Recipients};
use spindle_schema::event::Event;
use spindle_schema::ids::ConnectionId;

use super::projection;
use crate::clock;
use crate::rpc::{Builder, Client, Clients, Journal, Packet, To};

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
        if let Some(packet) = projection::project(events, Builder::default()) {
            tell(&self.clients, &packet, to);
        }
    }

    fn listener(&self, connection: ConnectionId) -> Option<Arc<dyn Listener>> {
        let client = self.clients.find(connection)?;
        Some(Arc::new(Owner(client)))
    }

    /// The numbers of a line begin with the time: they go on growing when a thread is loaded
    /// again, whatever was said before.
    fn line(&self) -> Box<dyn Line> {
        let journal = Journal::new(clock::unix_us().max(1));
        Box::new(Numbered { clients: self.clients.clone(), journal })
    }

    fn is_there(&self, connection: ConnectionId) -> bool {
        self.clients.has(connection)
    }
}

/// What one session says, with numbers.
struct Numbered {
    clients: Arc<Clients>,
    journal: Journal,
}

impl Line for Numbered {
    fn deliver(&mut self, events: &[Event], to: Recipients<'_>) {
        if let Some(packet) = projection::project(events, self.journal.builder()) {
            self.journal.keep(&packet);
            tell(&self.clients, &packet, to);
        }
    }

    fn tell(&self, events: &[Event], to: ConnectionId) {
        if let Some(packet) = projection::project(events, Builder::default()) {
            self.clients.tell(&packet, To::Only(&[to]));
        }
    }

    fn position(&self) -> u64 {
        self.journal.last()
    }

    fn reaches(&self, seen: u64) -> bool {
        self.journal.reaches(seen)
    }

    fn replay(&self, seen: u64, to: ConnectionId) {
        self.journal.after(seen).for_each(|packet| self.clients.tell(&packet, To::Only(&[to])));
    }

    fn forget(&mut self) {
        self.journal.forget();
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

fn tell(clients: &Clients, packet: &Packet, to: Recipients<'_>) {
    match to {
        Recipients::Everyone => clients.tell(packet, To::Everyone),
        Recipients::Only([]) => {}
        Recipients::Only(connections) => clients.tell(packet, To::Only(connections)),
    }
}
