//! Which error is tried again, how long the wait is, how often, and what clients are told.
//! Pure: the caller waits.
//!
//! There are two levels (SPEC T6). A request that is refused before anything of the answer
//! came is sent again inside [`crate::Client::stream`], silently. A sampling that broke is
//! tried again by the caller, who asks [`Retry`].

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use spindle_schema::event::{ErrorInfo, TurnError};

use crate::error::{ErrorKind, ModelError};

const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_mins(1);
/// The longest wait that a provider's wish can bring about.
const LONGEST_ASKED: Duration = Duration::from_mins(10);
/// The longest wait of which nobody is told.
const LONGEST_SILENCE: Duration = Duration::from_secs(10);
const FIRST_NETWORK_WAIT: Duration = Duration::from_secs(5);

/// How often and how long a provider is tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetrySettings {
    /// How often a refused request is sent again.
    pub request_max_retries: u32,
    /// How often a broken sampling is tried again.
    pub stream_max_retries: u32,
    /// How long the provider may be silent. Keep-alive lines count as a sign of life.
    pub stream_idle_timeout: Duration,
    /// Whether a lost network is waited for without an end.
    pub unbounded_connection_retries: bool,
}

impl Default for RetrySettings {
    fn default() -> Self {
        Self {
            request_max_retries: 4,
            stream_max_retries: 5,
            stream_idle_timeout: Duration::from_mins(5),
            unbounded_connection_retries: true,
        }
    }
}

/// What to do about an error.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Give up and tell [`ModelError::to_turn_error`].
    Fail,
    /// Tell the clients, wait, and try again.
    Wait {
        /// How long.
        delay: Duration,
        /// What to tell.
        announce: Announcement,
    },
}

/// What clients are told about a try that follows.
#[derive(Debug, Clone, PartialEq)]
pub struct Announcement {
    /// `Reconnecting... 1/2`
    pub message: String,
    /// What went wrong.
    pub details: String,
    /// What kind of trouble it is.
    pub info: ErrorInfo,
}

impl From<Announcement> for TurnError {
    fn from(announcement: Announcement) -> Self {
        Self {
            message: announcement.message,
            codex_error_info: Some(announcement.info),
            additional_details: Some(announcement.details),
        }
    }
}

/// The tries of one sampling.
#[derive(Debug, Clone)]
pub struct Retry {
    max: u32,
    unbounded: bool,
    tries: u32,
    network_tries: u32,
}

impl Retry {
    /// Begins to count.
    pub fn new(settings: &RetrySettings) -> Self {
        Self {
            max: settings.stream_max_retries,
            unbounded: settings.unbounded_connection_retries,
            tries: 0,
            network_tries: 0,
        }
    }

    /// Says what to do about `error`. Waiting for the network does not use up the tries.
    pub fn on_error(&mut self, error: &ModelError) -> Decision {
        if !error.is_retryable() {
            return Decision::Fail;
        }
        if self.unbounded && error.is_lost_network() {
            let delay = doubled(FIRST_NETWORK_WAIT, self.network_tries);
            self.network_tries = self.network_tries.saturating_add(1);
            return wait(delay, "Reconnecting... waiting for network".to_owned(), error);
        }
        if self.tries >= self.max {
            return Decision::Fail;
        }
        let delay = backoff(self.tries, error.retry_after());
        self.tries += 1;
        wait(delay, format!("Reconnecting... {}/{}", self.tries, self.max), error)
    }
}

fn wait(delay: Duration, message: String, error: &ModelError) -> Decision {
    let info = ErrorInfo::ResponseStreamDisconnected { http_status_code: error.status() };
    Decision::Wait { delay, announce: Announcement { message, details: error.to_string(), info } }
}

/// Whether a request that got this answer may be sent again by the client itself, silently.
/// A wait that people would notice is left to the caller, who tells them.
pub(crate) fn is_request_retryable(error: &ModelError, settings: &RetrySettings) -> bool {
    if error.retry_after().is_some_and(|asked| asked > LONGEST_SILENCE) {
        return false;
    }
    match &error.kind {
        ErrorKind::ProviderFailed | ErrorKind::Disconnected(_) => true,
        ErrorKind::Connect { network } => !(*network && settings.unbounded_connection_retries),
        ErrorKind::Status { status, .. } => *status >= 500,
        _ => false,
    }
}

/// The wait before try number `tries` + 1: what the provider asks for, or 200 ms, doubled each
/// time up to a minute, with a tenth of jitter so that many clients do not come back together.
pub(crate) fn backoff(tries: u32, asked: Option<Duration>) -> Duration {
    asked.map_or_else(
        || doubled(FIRST_WAIT, tries).mul_f64(jitter()),
        |asked| asked.min(LONGEST_ASKED),
    )
}

fn doubled(first: Duration, times: u32) -> Duration {
    first.saturating_mul(1_u32.checked_shl(times).unwrap_or(u32::MAX)).min(LONGEST_WAIT)
}

/// A number between 0.9 and 1.1. The standard library's hash keys are random enough.
fn jitter() -> f64 {
    let random = RandomState::new().build_hasher().finish() % 2_001;
    0.9 + random as f64 / 10_000.0
}

#[cfg(test)]
mod tests;
