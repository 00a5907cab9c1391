//! Talks to model providers and gives back a stream of model events.
//!
//! A request and a cancellation token go in, batches of [`ModelEvent`] come out. This package
//! knows nothing of threads, turns, tools or files.
//!
//! In reading order: [`Provider`] says where a model lives and [`ProviderSettings`] how that
//! stands in the settings; [`body::RequestBody`] joins what is sent; [`Client::stream`] sends
//! it; [`Stream::next_batch`] gives the answer; [`ModelError`] says what went wrong and
//! [`retry`] what to do about it.

pub mod catalog;
mod client;
mod error;
mod event;
mod foreign;
pub mod offline;
pub mod provider;
mod request;
mod responses;
pub mod retry;
#[cfg(test)]
mod scripted;
mod secret;
pub mod sse;
mod stream;
mod transport;
mod wire;

pub use catalog::{Catalog, ModelInfo};
pub use client::Client;
pub use error::{ErrorKind, ModelError};
pub use event::ModelEvent;
pub use provider::{Auth, Provider, ProviderError, ProviderSettings, WireApi};
pub use request::Request;
pub use responses::body;
pub use secret::Secret;
pub use stream::Stream;
