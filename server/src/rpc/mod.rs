//! Messages to typed requests, and back.
//!
//! Start reading at [`connection`]: one task per connection reads, dispatches and writes. A
//! request goes through [`phase`] and [`order`] to the [`Service`], with a [`Responder`] in
//! hand; what is sent waits in the [`outbox`]. This room must not know threads.

mod client;
mod connection;
mod error;
mod journal;
mod order;
mod outbox;
mod packet;
mod phase;
mod reply;

pub(crate) use client::{Client, Clients, Identity, To};
pub(crate) use connection::{Service, Shared, Way, serve};
pub(crate) use error::RpcError;
pub(crate) use journal::Journal;
pub(crate) use order::Order;
pub(crate) use outbox::Limits;
pub(crate) use packet::{Builder, Packet};
pub(crate) use reply::{Reply, Responder};
