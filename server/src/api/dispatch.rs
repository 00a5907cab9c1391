//! The table of methods: one arm each.

use spindle_schema::methods::ClientRequest;
use spindle_schema::v2::MockExperimentalMethodResponse;

use super::absent::absent;
use super::context::Context;
use super::errors::Refusal;
use crate::rpc::Responder;

/// Hands a request to its handler.
pub(super) fn dispatch(_context: &Context<'_>, request: ClientRequest, responder: Responder) {
    match request {
        ClientRequest::MockExperimentalMethod(params) => {
            responder.ok(&MockExperimentalMethodResponse { echoed: params.value });
        }
        ClientRequest::Initialize(_) => responder.err(&crate::rpc::RpcError::already_initialized()),
        other @ absent!() => responder.err(&Refusal::Absent(other.method()).into()),
    }
}
