//! A network in which commands reach only the hosts that settings, rules and people allow.
//!
//! A command is started in a network of its own ([`Process::spawn_apart`](crate::Process)), out of
//! which one way leads: its [`Entrance`]. A [`Proxy`] takes the connections that come out there,
//! reads from them where they are to lead (HTTP, `CONNECT` or SOCKS, version 5), asks a [`Gate`],
//! and makes them from here. Nothing of this exists before a command needs it, and it ends when
//! the [`Proxy`] is dropped.
//!
//! What may be reached is judged twice: `limit.rs` judges the host by its name, and the address
//! that the name leads to. The connection goes to the very address that was judged, so that a name
//! which leads elsewhere the next time gains nothing.
//!
//! `host.rs`, `limit.rs`, `http.rs` and `body.rs` are pure. This room knows neither threads nor
//! people; start reading at [`Proxy::serve`].

mod body;
mod connect;
mod host;
mod http;
mod limit;
mod proxy;
mod relay;
mod socks;
mod variable;

pub use connect::{Resolve, System, hide};
pub use host::{Host, Pattern, is_public};
pub use limit::{Limits, Reach, Refusal, Target, Verdict};
pub use proxy::{Entrance, Gate, Proxy, Soon};
pub use variable::variables;
