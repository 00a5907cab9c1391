//! What a refused request is told.

use jsonrpsee_types::error::{
    INTERNAL_ERROR_CODE, INVALID_PARAMS_CODE, INVALID_REQUEST_CODE, METHOD_NOT_FOUND_CODE,
    PARSE_ERROR_CODE,
};
use serde::Serialize;
use serde_json::value::RawValue;
use spindle_schema::envelope::{ErrorObject, Undecodable};
use spindle_schema::methods::ParseError;

/// Too much is waiting already.
const OVERLOADED_CODE: i64 = -32001;

/// A refusal: a code, a sentence for a person, and data for a program.
#[derive(Debug, Clone)]
pub(crate) struct RpcError {
    code: i64,
    message: Box<str>,
    data: Box<RawValue>,
}

impl RpcError {
    /// The request cannot be served as it is.
    pub(crate) fn invalid_request(message: impl Into<Box<str>>, data: &impl Serialize) -> Self {
        Self::new(i64::from(INVALID_REQUEST_CODE), message, data)
    }

    /// A value in the params is not acceptable.
    pub(crate) fn invalid_params(message: impl Into<Box<str>>, data: &impl Serialize) -> Self {
        Self::new(i64::from(INVALID_PARAMS_CODE), message, data)
    }

    /// The method does not exist, or not for this thread.
    pub(crate) fn unsupported(message: impl Into<Box<str>>, data: &impl Serialize) -> Self {
        Self::new(i64::from(METHOD_NOT_FOUND_CODE), message, data)
    }

    /// We could not.
    pub(crate) fn internal(message: impl Into<Box<str>>, data: &impl Serialize) -> Self {
        Self::new(i64::from(INTERNAL_ERROR_CODE), message, data)
    }

    /// Too much is waiting already.
    pub(crate) fn overloaded() -> Self {
        Self::new(OVERLOADED_CODE, "Server overloaded; retry later.", &Data::Overloaded)
    }

    /// The request came before `initialize`.
    pub(crate) fn not_initialized() -> Self {
        Self::invalid_request("Not initialized", &Data::NotInitialized)
    }

    /// `initialize` came again.
    pub(crate) fn already_initialized() -> Self {
        Self::invalid_request("Already initialized", &Data::AlreadyInitialized)
    }

    /// The request was given up without an answer.
    pub(crate) fn dropped() -> Self {
        Self::internal("the request was dropped before it was answered", &Data::Internal)
    }

    /// A message is longer than the transport takes.
    pub(crate) fn too_long(max_bytes: usize) -> Self {
        let message = format!("message exceeds the maximum length of {max_bytes} bytes");
        Self::new(i64::from(PARSE_ERROR_CODE), message, &Data::MessageTooLong { max_bytes })
    }

    fn new(code: i64, message: impl Into<Box<str>>, data: &impl Serialize) -> Self {
        let data = serde_json::value::to_raw_value(data)
            .expect("error data is made of our own types, which have text keys");
        Self { code, message: message.into(), data }
    }

    /// The code.
    #[cfg(test)]
    pub(crate) fn code(&self) -> i64 {
        self.code
    }

    /// The sentence.
    #[cfg(test)]
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// As it is written.
    pub(crate) fn to_object(&self) -> ErrorObject<'_> {
        ErrorObject { code: self.code, message: &self.message, data: Some(&self.data) }
    }
}

/// What the protocol itself refuses, for programs. The handlers' own refusals are in
/// `api/errors.rs`; both together are described in `docs/extensions.md`.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Data<'a> {
    ParseError,
    InvalidMessage,
    MessageTooLong { max_bytes: usize },
    UnknownMethod { method: &'a str },
    InvalidParams { method: &'a str },
    NotInitialized,
    AlreadyInitialized,
    Overloaded,
    Internal,
}

impl From<&Undecodable> for RpcError {
    fn from(undecodable: &Undecodable) -> Self {
        if undecodable.reason.is_parse_error() && undecodable.id.is_none() {
            let message = format!("Parse error: {}", undecodable.reason);
            return Self::new(i64::from(PARSE_ERROR_CODE), message, &Data::ParseError);
        }
        let message = format!("Invalid request: {}", undecodable.reason);
        Self::invalid_request(message, &Data::InvalidMessage)
    }
}

impl From<ParseError> for RpcError {
    fn from(error: ParseError) -> Self {
        match error {
            ParseError::UnknownMethod(method) => Self::unsupported(
                format!("Method not found: `{method}`"),
                &Data::UnknownMethod { method: &method },
            ),
            ParseError::InvalidParams { method, detail } => Self::invalid_request(
                format!("Invalid request: {detail}"),
                &Data::InvalidParams { method },
            ),
        }
    }
}
