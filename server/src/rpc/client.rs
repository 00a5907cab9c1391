//! The clients that have introduced themselves.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::RwLock;
use spindle_schema::envelope::Dialect;
use spindle_schema::ids::ConnectionId;
use spindle_schema::methods::ServerNotification;
use tokio::sync::Notify;

use super::outbox::{Hold, Outbox};
use super::packet::Packet;
use super::reply::Flights;
use crate::clock;
use crate::transport::Via;

/// Who a client says it is.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// Its name, a legal HTTP header value.
    pub name: Box<str>,
    /// Our user agent towards it, which holds its name and version.
    pub user_agent: Box<str>,
    /// Whether it may use what is experimental.
    pub is_experimental: bool,
    /// The notifications it does not want.
    pub unwanted: Vec<Box<str>>,
}

/// One client, for as long as it is connected.
#[derive(Debug)]
pub(crate) struct Client {
    /// Its connection.
    pub id: ConnectionId,
    /// How it came in.
    pub via: Via,
    /// Since when. Unix milliseconds.
    pub since_ms: i64,
    /// Who it says it is.
    pub identity: Identity,
    pub(super) outbox: Arc<Outbox>,
    pub(super) flights: Arc<Flights>,
}

impl Client {
    /// Tells this client alone.
    pub(crate) fn tell(&self, notification: &ServerNotification) {
        let packet = Packet::notification(notification, clock::unix_ms());
        self.outbox.tell(in_dialect(&self.outbox, packet));
    }
}

impl Client {
    /// Keeps back what is told to this client until the hold is dropped, so that an answer
    /// which takes time still comes before what happens after it.
    pub(crate) fn hold(&self) -> Hold {
        self.outbox.hold()
    }

    /// Tells this client alone, before any answer that is given later, also while others are held
    /// back for an answer.
    pub(crate) fn tell_now(&self, packet: Packet) {
        self.outbox.tell_now(in_dialect(&self.outbox, packet));
    }

    /// Waits until little of what this client was told is unread. Whoever is told no faster loses
    /// nothing and is never cut off. Waits for ever when the connection has ended.
    ///
    /// Cancel safe.
    pub(crate) async fn is_calm(&self) {
        self.outbox.is_calm().await;
    }
}

fn in_dialect(outbox: &Outbox, packet: Packet) -> Packet {
    match outbox.dialect() {
        Dialect::Bare => packet,
        Dialect::Versioned => packet.to_strict(),
    }
}

/// Who gets a message.
#[derive(Debug, Clone, Copy)]
pub(crate) enum To<'a> {
    /// All clients.
    Everyone,
    /// Those of these connections that are still there.
    Only(&'a [ConnectionId]),
}

/// All clients, to be told things.
#[derive(Debug, Default)]
pub(crate) struct Clients {
    table: RwLock<BTreeMap<ConnectionId, Arc<Client>>>,
    last_id: AtomicU64,
    /// A client went away.
    gone: Notify,
    /// A client came.
    came: Notify,
}

/// A client at a moment.
#[derive(Debug)]
pub(crate) struct Attached {
    /// Which.
    pub client: Arc<Client>,
    /// How much waits to be written to it.
    pub unread_bytes: usize,
}

impl Clients {
    /// A number for a connection that was never used before.
    pub(crate) fn next_id(&self) -> ConnectionId {
        ConnectionId(self.last_id.fetch_add(1, Ordering::Relaxed) + 1)
    }

    pub(super) fn add(&self, client: Arc<Client>) {
        self.table.write().insert(client.id, client);
        self.came.notify_waiters();
    }

    pub(super) fn remove(&self, id: ConnectionId) {
        self.table.write().remove(&id);
        self.gone.notify_waiters();
    }

    /// The client of a connection, if it is ready and still there.
    pub(crate) fn find(&self, id: ConnectionId) -> Option<Arc<Client>> {
        self.table.read().get(&id).cloned()
    }

    /// Waits until there is no client.
    pub(crate) async fn all_gone(&self) {
        loop {
            let gone = self.gone.notified();
            if self.table.read().is_empty() {
                return;
            }
            gone.await;
        }
    }

    /// Tells all clients.
    pub(crate) fn tell_all(&self, notification: &ServerNotification) {
        self.tell(&Packet::notification(notification, clock::unix_ms()), To::Everyone);
    }

    /// How many requests of all clients are not answered yet.
    pub(crate) fn requests_in_flight(&self) -> usize {
        self.table.read().values().map(|client| client.flights.count()).sum()
    }

    /// Whether a client is there.
    pub(crate) fn has(&self, id: ConnectionId) -> bool {
        self.table.read().contains_key(&id)
    }

    /// Who is there, in the order they came.
    pub(crate) fn list(&self) -> Vec<Attached> {
        let attached = |client: &Arc<Client>| Attached {
            client: client.clone(),
            unread_bytes: client.outbox.unread(),
        };
        self.table.read().values().map(attached).collect()
    }

    /// Waits until there is a client.
    pub(crate) async fn any_came(&self) {
        loop {
            let came = self.came.notified();
            if !self.table.read().is_empty() {
                return;
            }
            came.await;
        }
    }

    /// Tells clients. Encoded once for all of them; never waits.
    pub(crate) fn tell(&self, packet: &Packet, to: To<'_>) {
        let table = self.table.read();
        let mut copies = Copies { packet, strict: None };
        match to {
            To::Everyone => table.values().for_each(|client| copies.tell(&client.outbox)),
            To::Only(ids) => {
                let known = ids.iter().filter_map(|id| table.get(id));
                known.for_each(|client| copies.tell(&client.outbox));
            }
        }
    }
}

/// One packet in the dialects that are needed.
struct Copies<'a> {
    packet: &'a Packet,
    strict: Option<Packet>,
}

impl Copies<'_> {
    fn tell(&mut self, outbox: &Outbox) {
        let packet = match outbox.dialect() {
            Dialect::Bare => self.packet,
            Dialect::Versioned => self.strict.get_or_insert_with(|| self.packet.to_strict()),
        };
        outbox.tell(packet.clone());
    }
}
