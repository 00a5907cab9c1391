//! What a connection may do: nothing but `initialize` before `initialize`.

use std::sync::Arc;

use serde_json::value::RawValue;
use spindle_schema::ids::RequestId;
use spindle_schema::methods::ClientRequest;
use spindle_schema::v2::InitializeParams;

use super::client::Client;
use super::connection::Core;
use super::error::RpcError;
use super::order::{Full, Lane, Place};
use super::reply::Responder;
use crate::clock;

/// How many requests of one connection may be unanswered.
const IN_FLIGHT: usize = 1024;

/// A connection in one of its phases.
#[derive(Debug)]
pub(super) struct Connection<P> {
    core: Arc<Core>,
    phase: P,
}

/// Nobody has introduced himself.
#[derive(Debug)]
pub(super) struct Fresh;

/// The client is known.
#[derive(Debug)]
pub(super) struct Ready {
    client: Arc<Client>,
}

/// The phase a connection is in.
#[derive(Debug)]
pub(super) enum Stage {
    Fresh(Connection<Fresh>),
    Ready(Connection<Ready>),
}

impl Stage {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self::Fresh(Connection { core, phase: Fresh })
    }

    /// Takes a request; gives the phase after it.
    pub(super) fn request(self, request: ClientRequest, responder: Responder) -> Self {
        match (self, request) {
            (Self::Fresh(fresh), ClientRequest::Initialize(params)) => {
                fresh.initialize(*params, responder)
            }
            (Self::Fresh(fresh), _) => {
                responder.err(&RpcError::not_initialized());
                Self::Fresh(fresh)
            }
            (Self::Ready(ready), ClientRequest::Initialize(_)) => {
                responder.err(&RpcError::already_initialized());
                Self::Ready(ready)
            }
            (Self::Ready(ready), request) => {
                ready.request(request, responder);
                Self::Ready(ready)
            }
        }
    }

    /// Takes the answer to a request of ours.
    pub(super) fn answer(&self, id: &RequestId, answer: Result<&RawValue, &RawValue>) {
        if let Self::Ready(ready) = self {
            ready.core.service.answer(&ready.phase.client, id, answer);
        }
    }
}

impl Connection<Fresh> {
    fn initialize(self, params: InitializeParams, responder: Responder) -> Stage {
        let core = self.core;
        let (result, identity) = match core.service.initialize(params) {
            Ok(greeting) => greeting,
            Err(error) => {
                responder.err(&error);
                return Stage::new(core);
            }
        };
        core.outbox.leave_out(identity.unwanted.iter().cloned().collect());
        let client = Arc::new(Client {
            id: core.id,
            via: core.via,
            since_ms: clock::unix_ms(),
            identity,
            outbox: core.outbox.clone(),
            flights: core.flights.clone(),
        });
        responder.ok(&result);
        core.clients.add(client.clone());
        core.service.welcome(&client);
        Stage::Ready(Connection { core, phase: Ready { client } })
    }
}

impl Connection<Ready> {
    fn request(&self, request: ClientRequest, mut responder: Responder) {
        let core = &self.core;
        if core.flights.count() > IN_FLIGHT {
            return responder.err(&RpcError::overloaded());
        }
        let service = core.service.clone();
        let client = self.phase.client.clone();
        let Some(lane) = Lane::of(request.scope(), core.id) else {
            return service.request(&client, request, responder);
        };
        let job = Box::new(move |place: Result<Place, Full>| match place {
            Ok(place) => {
                responder.hold(place);
                service.request(&client, request, responder);
            }
            Err(Full) => responder.err(&RpcError::overloaded()),
        });
        core.order.run(lane, job);
    }
}
