//! Every refusal of the handlers, and what of it the client may see.
//!
//! `error.data` is an object with a `type`; the set of types is closed and described in
//! `docs/extensions.md`.

use serde::Serialize;

use crate::rpc::RpcError;

/// Why the door refuses a request without asking the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal<'a> {
    /// The client's name is no legal HTTP header value.
    InvalidClientName(&'a str),
    /// The method is known and does nothing yet.
    Absent(&'a str),
}

/// What programs are told.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Data<'a> {
    InvalidValue { field: &'a str },
    UnsupportedMethod { method: &'a str },
}

impl From<Refusal<'_>> for RpcError {
    fn from(refusal: Refusal<'_>) -> Self {
        match refusal {
            Refusal::InvalidClientName(name) => Self::invalid_request(
                format!("Invalid clientInfo.name: '{name}'. Must be a valid HTTP header value."),
                &Data::InvalidValue { field: "clientInfo.name" },
            ),
            Refusal::Absent(method) => Self::unsupported(
                format!("{method} is not supported yet"),
                &Data::UnsupportedMethod { method },
            ),
        }
    }
}
