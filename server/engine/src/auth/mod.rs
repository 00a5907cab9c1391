//! Who we are to a provider.
//!
//! Start reading at [`Store`]: it keeps the key of an account and gives it to providers that
//! want one. This room must not know threads, settings or clients.

mod private;
mod store;

pub(crate) use private::write_private;
pub use store::{Account, AccountFacts, Error, Store};
