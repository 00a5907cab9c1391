use std::time::Duration;

use spindle_schema::event::{ErrorInfo, TurnError};

use super::{Decision, Retry, RetrySettings, backoff, is_request_retryable};
use crate::error::{ErrorKind, ModelError};

fn settings(stream_max_retries: u32) -> RetrySettings {
    RetrySettings { stream_max_retries, ..RetrySettings::default() }
}

fn error(kind: ErrorKind) -> ModelError {
    kind.into()
}

fn drop_error() -> ModelError {
    error(ErrorKind::Disconnected("gone".into()))
}

fn waits(decision: Decision) -> (Duration, String) {
    match decision {
        Decision::Wait { delay, announce } => (delay, announce.message),
        Decision::Fail => panic!("should be tried again"),
    }
}

#[test]
fn a_broken_stream_is_tried_as_often_as_allowed_with_growing_waits() {
    let mut retry = Retry::new(&settings(3));
    for (number, base) in [(1, 200), (2, 400), (3, 800)] {
        let (delay, message) = waits(retry.on_error(&drop_error()));
        assert_eq!(message, format!("Reconnecting... {number}/3"));
        let millis = delay.as_millis();
        assert!((base * 9 / 10..=base * 11 / 10).contains(&millis), "{millis} ms");
    }
    assert_eq!(retry.on_error(&drop_error()), Decision::Fail);
}

#[test]
fn the_announcement_carries_details_and_status() {
    let mut retry = Retry::new(&settings(2));
    let mut error = error(ErrorKind::TooManyRequests { status: 429 });
    error.retry_after = Some(Duration::from_secs(1));
    let Decision::Wait { delay, announce } = retry.on_error(&error) else { panic!("waits") };
    assert_eq!(delay, Duration::from_secs(1));
    let expected = TurnError {
        message: "Reconnecting... 1/2".into(),
        codex_error_info: Some(ErrorInfo::ResponseStreamDisconnected {
            http_status_code: Some(429),
        }),
        additional_details: Some("exceeded retry limit, last status: 429 Too Many Requests".into()),
    };
    assert_eq!(TurnError::from(announce), expected);
}

#[test]
fn an_error_that_cannot_get_better_fails_at_once() {
    let mut retry = Retry::new(&settings(9));
    for kind in [
        ErrorKind::Cancelled,
        ErrorKind::ContextWindow,
        ErrorKind::Overloaded,
        ErrorKind::Quota,
        ErrorKind::Refused("no".into()),
        ErrorKind::Incomplete("max_output_tokens".into()),
    ] {
        assert_eq!(retry.on_error(&error(kind)), Decision::Fail);
    }
}

#[test]
fn a_lost_network_is_waited_for_without_using_up_the_tries() {
    let mut retry = Retry::new(&settings(1));
    let lost = error(ErrorKind::Connect { network: true });
    let mut delays = Vec::new();
    for _ in 0..40 {
        let (delay, message) = waits(retry.on_error(&lost));
        assert_eq!(message, "Reconnecting... waiting for network");
        delays.push(delay.as_secs());
    }
    assert_eq!(delays[..6], [5, 10, 20, 40, 60, 60]);
    assert_eq!(delays[39], 60);
    assert_eq!(waits(retry.on_error(&drop_error())).1, "Reconnecting... 1/1");
    assert_eq!(retry.on_error(&drop_error()), Decision::Fail);
}

#[test]
fn waiting_for_the_network_can_be_bounded() {
    let bounded = RetrySettings { unbounded_connection_retries: false, ..settings(1) };
    let mut retry = Retry::new(&bounded);
    let lost = error(ErrorKind::Connect { network: true });
    assert_eq!(waits(retry.on_error(&lost)).1, "Reconnecting... 1/1");
    assert_eq!(retry.on_error(&lost), Decision::Fail);
}

#[test]
fn a_broken_certificate_is_no_lost_network() {
    let mut retry = Retry::new(&settings(1));
    let tls = error(ErrorKind::Connect { network: false });
    assert_eq!(waits(retry.on_error(&tls)).1, "Reconnecting... 1/1");
    assert_eq!(retry.on_error(&tls), Decision::Fail);
}

#[test]
fn only_failures_of_the_server_are_sent_again_silently() {
    let settings = RetrySettings::default();
    let again = |kind| is_request_retryable(&error(kind), &settings);
    assert!(again(ErrorKind::ProviderFailed));
    assert!(again(ErrorKind::Connect { network: false }));
    assert!(!again(ErrorKind::Connect { network: true }));
    assert!(!again(ErrorKind::TooManyRequests { status: 429 }));
    assert!(!again(ErrorKind::Overloaded));
    assert!(!again(ErrorKind::Idle));
}

#[test]
fn a_long_wait_is_never_silent() {
    let mut error = error(ErrorKind::ProviderFailed);
    error.retry_after = Some(Duration::from_secs(30));
    assert!(!is_request_retryable(&error, &RetrySettings::default()));
    error.retry_after = Some(Duration::from_secs(3));
    assert!(is_request_retryable(&error, &RetrySettings::default()));
}

#[test]
fn a_wait_has_an_upper_end_whatever_is_asked() {
    assert!(backoff(200, None) <= Duration::from_secs(66));
    assert_eq!(backoff(0, Some(Duration::from_secs(999_999))), Duration::from_mins(10));
}
