//! What a handler may see.

use std::sync::Arc;

use crate::rpc::Client;
use crate::shim::ThreadManager;

/// What a handler may see: the engine, and who asks.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The threads.
    pub(super) engine: &'a ThreadManager,
    /// Who asks.
    pub(super) client: &'a Arc<Client>,
}
