//! Wire forms other than the Responses API.
//!
//! The engine knows the Responses API only: its requests are turned into the other forms,
//! and what comes back into the same events. Those forms know neither namespaces nor custom
//! tools ([`names`]) nor items ([`writer`]).

pub(crate) mod chat;
pub(crate) mod messages;
mod names;
mod request;
mod writer;
