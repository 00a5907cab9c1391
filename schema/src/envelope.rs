//! JSON-RPC messages: reading one without building a tree, and writing each kind.
//!
//! A message is an object. It is a request when it has `method` and `id`, a notification when it
//! has `method` alone, an answer when it has `id` and `result` or `error`. Payloads stay raw
//! text that borrows from the input. The `jsonrpc` member is optional in both directions.

mod read;
mod write;

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::ids::RequestId;

pub(crate) use write::write_json;
pub use write::{
    ErrorObject, write_error, write_notification, write_raw_notification, write_request,
    write_result, write_server_request,
};

/// The deepest nesting of arrays and objects that a message may have.
pub const MAX_DEPTH: usize = 127;

/// Whether written messages carry `"jsonrpc":"2.0"`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// No `jsonrpc` member, as published clients of the protocol expect.
    #[default]
    Bare,
    /// With the member, for peers that hold to JSON-RPC 2.0.
    Versioned,
}

/// One message as it came in.
#[derive(Debug, Clone)]
pub struct Envelope<'a> {
    /// What it is.
    pub message: Incoming<'a>,
    /// What the sender writes: `Versioned` when a `jsonrpc` member was there, whatever its value.
    pub dialect: Dialect,
}

/// The kinds of message.
#[derive(Debug, Clone)]
pub enum Incoming<'a> {
    /// A call that wants an answer.
    Request {
        /// To be echoed in the answer.
        id: RequestId,
        /// The method's name.
        method: Cow<'a, str>,
        /// The params as they came; null counts as params here.
        params: Option<&'a RawValue>,
        /// The trace context of the caller, as it came.
        trace: Option<&'a RawValue>,
    },
    /// A call that wants none.
    Notification {
        /// The method's name.
        method: Cow<'a, str>,
        /// The params as they came.
        params: Option<&'a RawValue>,
    },
    /// The answer to a request.
    Response {
        /// The request's id.
        id: RequestId,
        /// The result as it came.
        result: &'a RawValue,
    },
    /// The refusal of a request.
    Error {
        /// The request's id.
        id: RequestId,
        /// The error object as it came.
        error: &'a RawValue,
    },
}

/// A text that is no message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Undecodable {
    /// The id of the message, when it could be read before the fault.
    pub id: Option<RequestId>,
    /// What is wrong.
    pub reason: Reason,
}

/// What makes a text no message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Nothing but white space. Not worth an answer.
    #[error("empty message")]
    Empty,
    /// Bytes that are not UTF-8.
    #[error("message is not UTF-8")]
    NotUtf8,
    /// Not JSON; the text says where and why.
    #[error("{0}")]
    Syntax(String),
    /// Deeper than [`MAX_DEPTH`].
    #[error("message is nested too deeply")]
    TooDeep,
    /// JSON, but no object; batches are arrays and not supported.
    #[error("message is not an object")]
    NotObject,
    /// A member that stands twice.
    #[error("duplicate member `{0}`")]
    Duplicate(&'static str),
    /// An id that is neither a string nor a 64-bit integer.
    #[error("id must be a string or a 64-bit integer")]
    InvalidId,
    /// A method that is no string.
    #[error("method must be a string")]
    InvalidMethod,
    /// Neither `method`, nor `id` with `result` or `error`.
    #[error("message is neither a request, a notification nor an answer")]
    Shapeless,
}

impl Reason {
    /// Whether the text could not be read as JSON at all: a parse error rather than an invalid
    /// request, in the terms of JSON-RPC.
    pub fn is_parse_error(&self) -> bool {
        matches!(self, Self::Empty | Self::NotUtf8 | Self::Syntax(_) | Self::TooDeep)
    }
}

#[cfg(test)]
mod tests;
