//! The service behind all connections.

use std::sync::Arc;

use serde_json::value::RawValue;
use spindle_schema::ids::{ConnectionId, RequestId};
use spindle_schema::methods::{ClientRequest, ServerNotification};
use spindle_schema::v2::{
    InitializeParams, InitializeResponse, RemoteControlConnectionStatus,
    RemoteControlStatusChangedNotification,
};

use super::context::Context;
use super::platform::Platform;
use super::{dispatch, initialize};
use crate::rpc::{Client, Identity, Responder, RpcError, Service};
use crate::shim::ThreadManager;

/// Turns requests into calls of the engine.
pub(crate) struct Door {
    engine: ThreadManager,
    platform: Platform,
}

impl Door {
    /// A door to the engine.
    pub(crate) fn new(engine: ThreadManager) -> Self {
        Self { engine, platform: Platform::default() }
    }
}

impl Service for Door {
    fn initialize(
        &self,
        params: InitializeParams,
    ) -> Result<(InitializeResponse, Identity), RpcError> {
        initialize::greet(params, self.engine.home(), &self.platform)
    }

    fn welcome(&self, client: &Arc<Client>) {
        let status = RemoteControlStatusChangedNotification {
            status: RemoteControlConnectionStatus::Disabled,
            server_name: self.platform.host_name(),
            installation_id: self.engine.installation_id(),
            environment_id: None,
        };
        client.tell(&ServerNotification::RemoteControlStatusChanged(Box::new(status)));
    }

    fn request(&self, client: &Arc<Client>, request: ClientRequest, responder: Responder) {
        dispatch::dispatch(&Context { engine: &self.engine, client }, request, responder);
    }

    fn answer(&self, _: &Arc<Client>, _: &RequestId, _: Result<&RawValue, &RawValue>) {}

    fn closed(&self, connection: ConnectionId) {
        self.engine.connection_closed(connection);
    }
}
