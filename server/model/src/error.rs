//! What can go wrong between a request and its answer.
//!
//! The texts of [`ErrorKind`] are shown to people and compared by clients: they are part of
//! the protocol, not of this program's prose.

use std::time::Duration;

use spindle_schema::event::{ErrorInfo, RateLimits, TurnError};

mod classify;
mod usage;

pub(crate) use classify::{HttpFailure, from_failed, from_http};

/// A sampling that did not come to its end.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct ModelError {
    /// What happened.
    pub kind: ErrorKind,
    /// How long the provider asks to wait before the next try.
    pub retry_after: Option<Duration>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ErrorKind {
    /// The caller's token was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The provider's key should be in the environment and is not.
    #[error("Missing environment variable: `{var}`.{}{}", if instructions.is_some() { " " } else { "" }, instructions.as_deref().unwrap_or(""))]
    MissingKey {
        /// The variable.
        var: Box<str>,
        /// What the person should do.
        instructions: Option<Box<str>>,
    },
    /// The request could not be made at all: an address or a header that is none.
    #[error("invalid request to provider: {0}")]
    InvalidRequest(String),
    /// The provider could not be reached.
    #[error("Connection failed: error sending request")]
    Connect {
        /// The network is away, as far as one can tell: it makes sense to wait for it.
        network: bool,
    },
    /// The provider refused the request itself. Holds what it said.
    #[error("{0}")]
    BadRequest(String),
    /// Any other HTTP status.
    #[error("unexpected status {}: {message}, url: {url}{}", Status(*status), RequestId(request_id.as_deref()))]
    Status {
        /// The HTTP status.
        status: u16,
        /// The provider's message, or the beginning of the body.
        message: String,
        /// The address without its query.
        url: String,
        /// The provider's name for the request.
        request_id: Option<Box<str>>,
    },
    /// The provider answered with something that is no stream.
    #[error("the provider answered with {content_type} instead of an event stream, url: {url}")]
    NoStream {
        /// What it sent.
        content_type: Box<str>,
        /// The address without its query.
        url: String,
    },
    /// Too many requests.
    #[error("exceeded retry limit, last status: {}", Status(*status))]
    TooManyRequests {
        /// The HTTP status.
        status: u16,
    },
    /// The provider failed.
    #[error("We’re currently experiencing high demand, which may cause temporary errors.")]
    ProviderFailed,
    /// The provider is busy and says so.
    #[error("Selected model is at capacity. Please try a different model.")]
    Overloaded,
    /// There is no such model. Holds the provider's message.
    #[error("{0}")]
    ModelNotFound(String),
    /// The account has used up what it may in this window.
    #[error("{}", usage::sentence(plan.as_deref(), *resets_at))]
    UsageLimit {
        /// The account's plan.
        plan: Option<Box<str>>,
        /// Unix seconds.
        resets_at: Option<i64>,
        /// The limits that came with the refusal.
        limits: Box<RateLimits>,
    },
    /// The account has no money left.
    #[error("Quota exceeded. Check your plan and billing details.")]
    Quota,
    /// The input is too long for the model.
    #[error(
        "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying."
    )]
    ContextWindow,
    /// The provider slows down. Holds its message.
    #[error("rate limit exceeded: {0}")]
    RateLimit(String),
    /// The provider does not want to answer this. Holds its message.
    #[error("{0}")]
    Refused(String),
    /// The stream broke off.
    #[error("stream disconnected before completion: {0}")]
    Disconnected(String),
    /// Nothing came for longer than the provider's settings allow.
    #[error("stream disconnected before completion: idle timeout waiting for SSE")]
    Idle,
    /// The provider ended its answer early.
    #[error("Incomplete response returned, reason: {0}")]
    Incomplete(String),
}

impl From<ErrorKind> for ModelError {
    fn from(kind: ErrorKind) -> Self {
        Self { kind, retry_after: None }
    }
}

impl From<crate::sse::TooLarge> for ModelError {
    fn from(error: crate::sse::TooLarge) -> Self {
        ErrorKind::Disconnected(error.to_string()).into()
    }
}

impl ModelError {
    /// Whether the same request can succeed a little later.
    pub fn is_retryable(&self) -> bool {
        match &self.kind {
            ErrorKind::Connect { .. }
            | ErrorKind::TooManyRequests { .. }
            | ErrorKind::ProviderFailed
            | ErrorKind::RateLimit(_)
            | ErrorKind::Disconnected(_)
            | ErrorKind::Idle => true,
            ErrorKind::Status { status, .. } => matches!(status, 408 | 425 | 500..=599),
            ErrorKind::Cancelled
            | ErrorKind::MissingKey { .. }
            | ErrorKind::InvalidRequest(_)
            | ErrorKind::BadRequest(_)
            | ErrorKind::NoStream { .. }
            | ErrorKind::Overloaded
            | ErrorKind::ModelNotFound(_)
            | ErrorKind::UsageLimit { .. }
            | ErrorKind::Quota
            | ErrorKind::ContextWindow
            | ErrorKind::Refused(_)
            | ErrorKind::Incomplete(_) => false,
        }
    }

    /// How long the provider asks to wait before the next try.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// Whether the network seems to be away, so that waiting for it makes sense.
    pub fn is_lost_network(&self) -> bool {
        matches!(self.kind, ErrorKind::Connect { network: true })
    }

    /// Whether the input was too long for the model.
    pub fn is_context_window(&self) -> bool {
        self.kind == ErrorKind::ContextWindow
    }

    /// Whether the caller itself ended the sampling.
    pub fn is_cancelled(&self) -> bool {
        self.kind == ErrorKind::Cancelled
    }

    /// The limits that came with a usage-limit refusal.
    pub fn rate_limits(&self) -> Option<&RateLimits> {
        match &self.kind {
            ErrorKind::UsageLimit { limits, .. } => Some(limits),
            _ => None,
        }
    }

    /// The HTTP status that clients are told.
    pub fn status(&self) -> Option<u16> {
        match self.kind {
            ErrorKind::Status { status, .. } | ErrorKind::TooManyRequests { status } => {
                Some(status)
            }
            _ => None,
        }
    }

    /// What clients are told when nothing more is tried.
    pub fn to_turn_error(&self) -> TurnError {
        TurnError {
            message: self.to_string(),
            codex_error_info: Some(self.info()),
            additional_details: None,
        }
    }

    fn info(&self) -> ErrorInfo {
        let http_status_code = self.status();
        match &self.kind {
            ErrorKind::Connect { .. } | ErrorKind::Status { .. } => {
                ErrorInfo::HttpConnectionFailed { http_status_code }
            }
            ErrorKind::TooManyRequests { .. } => {
                ErrorInfo::ResponseTooManyFailedAttempts { http_status_code }
            }
            ErrorKind::ProviderFailed => ErrorInfo::InternalServerError,
            ErrorKind::Overloaded => ErrorInfo::ServerOverloaded,
            ErrorKind::ModelNotFound(_) => ErrorInfo::ModelNotFound,
            ErrorKind::UsageLimit { .. } | ErrorKind::Quota => ErrorInfo::UsageLimitExceeded,
            ErrorKind::ContextWindow => ErrorInfo::ContextWindowExceeded,
            ErrorKind::RateLimit(_) => ErrorInfo::RateLimitExceeded,
            ErrorKind::Cancelled
            | ErrorKind::MissingKey { .. }
            | ErrorKind::InvalidRequest(_)
            | ErrorKind::BadRequest(_)
            | ErrorKind::NoStream { .. }
            | ErrorKind::Refused(_)
            | ErrorKind::Disconnected(_)
            | ErrorKind::Idle
            | ErrorKind::Incomplete(_) => ErrorInfo::Other,
        }
    }
}

/// A status as `401 Unauthorized`.
struct Status(u16);

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match reqwest::StatusCode::from_u16(self.0) {
            Ok(status) => write!(f, "{status}"),
            Err(_) => write!(f, "{}", self.0),
        }
    }
}

struct RequestId<'a>(Option<&'a str>);

impl std::fmt::Display for RequestId<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(id) => write!(f, ", request id: {id}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
