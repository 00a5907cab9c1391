//! Messages to typed requests, and back.
//!
//! Start reading at [`connection`]: one task per connection reads, dispatches and writes. A
//! request goes through [`phase`] and [`order`] to the [`Service`], with a [`Responder`] in
//! hand; what is sent waits in the [`outbox`]. This room must not know threads.

mod client;
mod connection;
mod error;
mod order;
mod outbox;
mod packet;
mod phase;
mod reply;

pub use client::{Client, Clients, Identity, To};
pub use connection::{Service, Shared, serve};
pub use error::RpcError;
pub use order::Order;
pub use outbox::Limits;
pub use packet::{Builder, Packet};
pub use reply::{Reply, Responder};
