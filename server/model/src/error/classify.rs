//! From what a provider answered to the error it means.

use std::time::Duration;

use serde::Deserialize;
use spindle_schema::event::RateLimits;

use super::{ErrorKind, ModelError};

/// How much of a body that is no JSON a message shows, in characters.
const SHOWN_CHARACTERS: usize = 1_000;

/// A refused HTTP request.
pub(crate) struct HttpFailure<'a> {
    pub(crate) status: u16,
    /// The body, lossy text.
    pub(crate) body: &'a str,
    /// The address without its query.
    pub(crate) url: String,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) request_id: Option<Box<str>>,
    pub(crate) limits: RateLimits,
}

/// The error object of a refusal, in whichever of the usual places it stands.
#[derive(Debug, Default, Deserialize)]
struct Detail {
    #[serde(default)]
    code: Option<serde_json::Value>,
    #[serde(default, rename = "type")]
    kind: Option<Box<str>>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    plan_type: Option<Box<str>>,
    #[serde(default)]
    resets_at: Option<i64>,
}

#[derive(Deserialize)]
struct Envelope {
    error: Detail,
}

impl Detail {
    fn of_body(body: &str) -> Self {
        serde_json::from_str::<Envelope>(body)
            .map(|envelope| envelope.error)
            .or_else(|_| serde_json::from_str(body))
            .unwrap_or_default()
    }

    /// The word that names the error: some providers put it into `type`, and a number into `code`.
    fn names(&self, word: &str) -> bool {
        self.code.as_ref().and_then(serde_json::Value::as_str) == Some(word)
            || self.kind.as_deref() == Some(word)
    }

    fn is_context_window(&self) -> bool {
        let message = self.message.as_deref().unwrap_or_default();
        self.names("context_length_exceeded")
            || self.names("exceed_context_size_error")
            || message.starts_with("prompt is too long")
    }

    fn is_overloaded(&self) -> bool {
        self.names("server_is_overloaded")
            || self.names("slow_down")
            || self.names("overloaded_error")
    }
}

/// What a refused HTTP request means.
pub(crate) fn from_http(failure: HttpFailure<'_>) -> ModelError {
    let detail = Detail::of_body(failure.body);
    let retry_after = failure.retry_after;
    ModelError { kind: http_kind(failure, detail), retry_after }
}

fn http_kind(failure: HttpFailure<'_>, detail: Detail) -> ErrorKind {
    match failure.status {
        400 | 413 | 422 if detail.is_context_window() => ErrorKind::ContextWindow,
        400 if !failure.body.trim().is_empty() => ErrorKind::BadRequest(failure.body.to_owned()),
        404 if detail.names("model_not_found") => {
            ErrorKind::ModelNotFound(detail.message.unwrap_or_else(|| shown(failure.body)))
        }
        429 if detail.names("usage_limit_reached") => ErrorKind::UsageLimit {
            plan: detail.plan_type,
            resets_at: detail.resets_at,
            limits: Box::new(failure.limits),
        },
        429 if detail.names("insufficient_quota") => ErrorKind::Quota,
        429 => ErrorKind::TooManyRequests { status: 429 },
        500 => ErrorKind::ProviderFailed,
        503 | 529 if detail.is_overloaded() => ErrorKind::Overloaded,
        status => ErrorKind::Status {
            status,
            message: detail.message.unwrap_or_else(|| shown(failure.body)),
            url: failure.url,
            request_id: failure.request_id,
        },
    }
}

fn shown(body: &str) -> String {
    let body = body.trim();
    if body.is_empty() {
        return "no body".to_owned();
    }
    match body.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &body[..end]),
        None => body.to_owned(),
    }
}

/// What the error object of a failed response means. `error` is JSON text, if there was any.
pub(crate) fn from_failed(error: Option<&str>) -> ModelError {
    let detail: Detail =
        error.and_then(|error| serde_json::from_str(error).ok()).unwrap_or_default();
    if detail.is_context_window() {
        return ErrorKind::ContextWindow.into();
    }
    if detail.names("insufficient_quota") {
        return ErrorKind::Quota.into();
    }
    if detail.is_overloaded() {
        return ErrorKind::Overloaded.into();
    }
    let invalid = detail.names("invalid_prompt");
    let limited = detail.names("rate_limit_exceeded");
    let message = detail.message.unwrap_or_else(|| "the provider gave no reason".to_owned());
    if invalid {
        return ErrorKind::Refused(message).into();
    }
    if limited {
        let retry_after = asked_wait(&message);
        return ModelError { kind: ErrorKind::RateLimit(message), retry_after };
    }
    ErrorKind::Disconnected(message).into()
}

/// Reads `try again in 1.3s` or `…in 28ms` out of a message.
fn asked_wait(message: &str) -> Option<Duration> {
    let lower = message.to_ascii_lowercase();
    let (_, rest) = lower.split_once("try again in ")?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let number: f64 = rest[..end].parse().ok()?;
    let unit = rest[end..].trim_start();
    let seconds = if unit.starts_with("ms") {
        number / 1_000.0
    } else if unit.starts_with('s') {
        number
    } else {
        return None;
    };
    Duration::try_from_secs_f64(seconds).ok()
}
