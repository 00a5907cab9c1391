//! The right to answer a request once.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use spindle_schema::envelope::write_result;
use spindle_schema::ids::RequestId;
use spindle_schema::methods::Request;
use tokio::sync::Notify;

use super::error::RpcError;
use super::order::Place;
use super::outbox::Outbox;
use super::packet::Packet;

/// The requests of one connection that are not answered yet.
#[derive(Debug, Default)]
pub(super) struct Flights {
    count: AtomicUsize,
    landed: Notify,
}

impl Flights {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Waits until there are none.
    pub(super) async fn all_landed(&self) {
        while self.count() > 0 {
            self.landed.notified().await;
        }
    }
}

/// The right to answer a request once, whatever its result is.
///
/// Whoever drops it unanswered refuses the request with an internal error.
#[derive(Debug)]
pub(crate) struct Responder {
    outbox: Arc<Outbox>,
    flights: Arc<Flights>,
    /// `None` once answered.
    id: Option<RequestId>,
    /// The request's place in its lane, given up with the answer.
    place: Option<Place>,
}

impl Responder {
    pub(super) fn new(outbox: Arc<Outbox>, flights: Arc<Flights>, id: RequestId) -> Self {
        flights.count.fetch_add(1, Ordering::Relaxed);
        Self { outbox, flights, id: Some(id), place: None }
    }

    pub(super) fn hold(&mut self, place: Place) {
        self.place = Some(place);
    }

    /// Answers with a result.
    pub(crate) fn ok<T: Serialize>(mut self, result: &T) {
        if let Some(id) = self.id.take() {
            let mut text = Vec::with_capacity(256);
            write_result(&mut text, self.outbox.dialect(), &id, result);
            text.push(b'\n');
            self.outbox.send(Packet::response(text));
        }
    }

    /// Refuses.
    pub(crate) fn err(mut self, error: &RpcError) {
        self.refuse(error);
    }

    /// Answers, well or badly.
    pub(crate) fn settle<T: Serialize>(self, result: Result<T, RpcError>) {
        match result {
            Ok(result) => self.ok(&result),
            Err(error) => self.err(&error),
        }
    }

    /// The same right, tied to the result that belongs to the method.
    pub(crate) fn typed<R: Request>(self) -> Reply<R> {
        Reply { responder: self, method: PhantomData }
    }

    fn refuse(&mut self, error: &RpcError) {
        if let Some(id) = self.id.take() {
            self.outbox.send(Packet::error(self.outbox.dialect(), Some(&id), error));
        }
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        if let Some(id) = &self.id {
            tracing::error!(%id, "a request was dropped before it was answered");
            self.refuse(&RpcError::dropped());
        }
        if self.flights.count.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.flights.landed.notify_one();
        }
    }
}

/// The right to answer a request once with the result of its method.
#[derive(Debug)]
pub(crate) struct Reply<R: Request> {
    responder: Responder,
    method: PhantomData<fn(R)>,
}

impl<R: Request> Reply<R> {
    /// The id that the client gave the request.
    pub(crate) fn id(&self) -> Option<&RequestId> {
        self.responder.id.as_ref()
    }

    /// Takes the request's place in its lane out: dropping that lets the next request in before
    /// this one is answered.
    pub(crate) fn take_place(&mut self) -> Option<Place> {
        self.responder.place.take()
    }

    /// Answers with a result.
    pub(crate) fn ok(self, result: &R::Result) {
        self.responder.ok(result);
    }

    /// Refuses.
    pub(crate) fn err(self, error: &RpcError) {
        self.responder.err(error);
    }

    /// Answers, well or badly.
    pub(crate) fn settle(self, result: Result<R::Result, RpcError>) {
        match result {
            Ok(result) => self.ok(&result),
            Err(error) => self.err(&error),
        }
    }
}

#[cfg(test)]
mod tests;
