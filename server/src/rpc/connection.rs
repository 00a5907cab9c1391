//! One connection: its messages in, its messages out, its end.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use spindle_schema::envelope::{Dialect, Envelope, Incoming, Reason, Undecodable};
use spindle_schema::ids::{ConnectionId, RequestId};
use spindle_schema::methods::ClientRequest;
use spindle_schema::v2::{InitializeParams, InitializeResponse};
use tokio_util::sync::CancellationToken;

use super::client::{Client, Clients, Identity};
use super::error::RpcError;
use super::order::Order;
use super::outbox::{Limits, Outbox, Taken};
use super::packet::Packet;
use super::phase::Stage;
use super::reply::{Flights, Responder};
use crate::transport::{Closing, Fault, Inbound, Inlet, Outlet, Via};

/// How long answers that are being made are waited for after the end of the input.
const LANDING: Duration = Duration::from_millis(500);
/// How long a write may wait for the client before that counts as a stall.
const STALLING: Duration = Duration::from_secs(5);
/// How long the last messages may take to be written.
const FLUSHING: Duration = Duration::from_millis(500);

/// What stands behind the connections.
pub(crate) trait Service: Send + Sync + 'static {
    /// A client introduces itself.
    fn initialize(
        &self,
        params: InitializeParams,
    ) -> Result<(InitializeResponse, Identity), RpcError>;

    /// The client has got the answer to its introduction.
    fn welcome(&self, client: &Arc<Client>);

    /// A request. Must not wait: what takes time is done elsewhere, with the responder in hand.
    fn request(&self, client: &Arc<Client>, request: ClientRequest, responder: Responder);

    /// The result or the error that a client gives for a request of ours. It may be late, twice
    /// or for nothing.
    fn answer(&self, client: &Arc<Client>, id: &RequestId, answer: Result<&RawValue, &RawValue>);

    /// The client is gone.
    fn closed(&self, connection: ConnectionId);
}

/// What all connections share.
#[derive(Clone)]
pub(crate) struct Shared {
    /// What stands behind them.
    pub service: Arc<dyn Service>,
    /// Those that are ready.
    pub clients: Arc<Clients>,
    /// Which requests keep an order.
    pub order: Arc<Order>,
    /// Cancelled when connections have to end.
    pub stop: CancellationToken,
}

/// What a connection is made of, whatever its phase.
pub(super) struct Core {
    pub(super) id: ConnectionId,
    pub(super) via: Via,
    pub(super) outbox: Arc<Outbox>,
    pub(super) flights: Arc<Flights>,
    pub(super) service: Arc<dyn Service>,
    pub(super) clients: Arc<Clients>,
    pub(super) order: Arc<Order>,
}

impl std::fmt::Debug for Core {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Core").field(&self.id).finish()
    }
}

/// What kind of client is served.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    /// How it came in.
    pub via: Via,
    /// How much may wait for it.
    pub limits: Limits,
}

/// Serves a connection to its end.
pub(crate) async fn serve(
    mut inlet: impl Inlet,
    mut outlet: impl Outlet,
    way: Way,
    shared: Shared,
) {
    let core = Arc::new(Core {
        id: shared.clients.next_id(),
        via: way.via,
        outbox: Arc::new(Outbox::new(way.limits)),
        flights: Arc::default(),
        service: shared.service,
        clients: shared.clients,
        order: shared.order,
    });
    tracing::debug!(connection = core.id.0, "connected");
    let closing = {
        let mut writing = std::pin::pin!(write_all(&mut outlet, &core.outbox));
        let end = tokio::select! {
            end = read_all(&mut inlet, &core) => end,
            closing = &mut writing => Err(closing),
            () = shared.stop.cancelled() => Ok(Closing::going_away()),
        };
        match end {
            Ok(closing) => {
                core.outbox.finish();
                // Whoever does not take his last messages in time goes without.
                let _ = tokio::time::timeout(FLUSHING, writing).await;
                closing
            }
            Err(closing) => closing,
        }
    };
    core.clients.remove(core.id);
    core.service.closed(core.id);
    let _ = tokio::time::timeout(FLUSHING, outlet.close(&closing)).await;
    tracing::debug!(connection = core.id.0, code = closing.code, reason = closing.reason, "closed");
}

/// Reads to the end of the input, and waits a moment for the answers that are due.
async fn read_all(inlet: &mut impl Inlet, core: &Arc<Core>) -> Result<Closing, Closing> {
    let mut reader = Reader { stage: Some(Stage::new(core.clone())), core: core.clone() };
    loop {
        core.outbox.has_room().await;
        match inlet.next().await {
            Ok(Some(inbound)) => reader.take(&inbound),
            Ok(None) => break,
            Err(fault @ Fault::Lost(_)) => return Err(Closing::from(&fault)),
            Err(fault) => return Ok(Closing::from(&fault)),
        }
    }
    let _ = tokio::time::timeout(LANDING, core.flights.all_landed()).await;
    Ok(Closing::normal())
}

/// Writes what comes until there is an end to it.
async fn write_all(outlet: &mut impl Outlet, outbox: &Outbox) -> Closing {
    let mut packets = Vec::new();
    loop {
        let taken = tokio::select! {
            taken = outbox.take(&mut packets) => taken,
            () = outlet.broken() => return Closing::normal(),
        };
        match taken {
            Taken::Packets => {}
            Taken::Finished => return Closing::normal(),
            Taken::Cut(unread) => return Closing::too_slow(unread),
        }
        let written = tokio::select! {
            written = watched(outlet.write(&packets), outbox) => written,
            unread = outbox.is_cut() => return Closing::too_slow(unread),
        };
        if let Err(error) = written {
            return Closing::from(&Fault::Lost(error));
        }
        packets.clear();
    }
}

/// Waits for a write, and says so when it takes long.
async fn watched<T>(write: impl Future<Output = T>, outbox: &Outbox) -> T {
    let mut write = std::pin::pin!(write);
    if let Ok(written) = tokio::time::timeout(STALLING, &mut write).await {
        return written;
    }
    outbox.set_stalled(true);
    let written = write.await;
    outbox.set_stalled(false);
    written
}

/// Turns messages into calls.
struct Reader {
    /// Always there between messages.
    stage: Option<Stage>,
    core: Arc<Core>,
}

impl Reader {
    fn take(&mut self, inbound: &Inbound) {
        match inbound {
            Inbound::Message(bytes) => match Envelope::parse(bytes) {
                Ok(envelope) => self.message(envelope),
                Err(undecodable) => self.undecodable(&undecodable),
            },
            Inbound::TooLong(limit) => self.refuse(None, &RpcError::too_long(*limit)),
        }
    }

    fn message(&mut self, envelope: Envelope<'_>) {
        if envelope.dialect == Dialect::Versioned {
            self.core.outbox.be_strict();
        }
        match envelope.message {
            Incoming::Request { id, method, params, .. } => {
                match ClientRequest::parse(&method, params) {
                    Ok(request) => self.request(id, request),
                    Err(error) => self.refuse(Some(&id), &error.into()),
                }
            }
            Incoming::Notification { method, .. } => {
                // `initialized` says nothing that the request before it did not say.
                tracing::trace!(%method, "notification");
            }
            Incoming::Response { id, result } => self.answer(&id, Ok(result)),
            Incoming::Error { id, error } => self.answer(&id, Err(error)),
        }
    }

    fn request(&mut self, id: RequestId, request: ClientRequest) {
        let core = &self.core;
        let responder = Responder::new(core.outbox.clone(), core.flights.clone(), id);
        let stage = self.stage.take().expect("the stage is there between messages");
        self.stage = Some(stage.request(request, responder));
    }

    fn answer(&self, id: &RequestId, answer: Result<&RawValue, &RawValue>) {
        self.stage.as_ref().expect("the stage is there between messages").answer(id, answer);
    }

    fn undecodable(&self, undecodable: &Undecodable) {
        tracing::debug!(reason = %undecodable.reason, "undecodable message");
        if undecodable.reason != Reason::Empty {
            self.refuse(undecodable.id.as_ref(), &undecodable.into());
        }
    }

    fn refuse(&self, id: Option<&RequestId>, error: &RpcError) {
        let dialect = self.core.outbox.dialect();
        // A strict client takes an answer without an id for a broken connection while it waits
        // for others.
        if id.is_none() && dialect == Dialect::Versioned && self.core.flights.count() > 0 {
            return;
        }
        self.core.outbox.send(Packet::error(dialect, id, error));
    }
}

#[cfg(test)]
mod tests;
