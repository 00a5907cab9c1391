use std::time::Duration;

use jiff::tz::TimeZone;
use spindle_schema::event::{ErrorInfo, RateLimits};

use super::usage::sentence_in;
use super::{ErrorKind, HttpFailure, ModelError, from_failed, from_http};

fn http(status: u16, body: &str) -> ModelError {
    from_http(HttpFailure {
        status,
        body,
        url: "http://127.0.0.1:1/v1/responses".into(),
        retry_after: None,
        request_id: None,
        limits: RateLimits::default(),
    })
}

fn failed(code: &str, message: &str) -> ModelError {
    from_failed(Some(&serde_json::json!({"code": code, "message": message}).to_string()))
}

/// Message, code and whether it is tried again.
fn told(error: &ModelError) -> (String, ErrorInfo, bool) {
    let told = error.to_turn_error();
    assert_eq!(told.additional_details, None);
    (told.message, told.codex_error_info.expect("every error has a code"), error.is_retryable())
}

#[test]
fn a_bad_request_shows_the_body_as_it_came() {
    let body = r#"{"error": {"message": "bad thing", "type": "invalid_request_error"}}"#;
    assert_eq!(told(&http(400, body)), (body.to_owned(), ErrorInfo::Other, false));
}

#[test]
fn a_status_is_told_with_the_providers_message_and_the_address() {
    let body = r#"{"error": {"message": "bad key", "code": "invalid_api_key"}}"#;
    let info = ErrorInfo::HttpConnectionFailed { http_status_code: Some(401) };
    let text = "unexpected status 401 Unauthorized: bad key, url: http://127.0.0.1:1/v1/responses";
    assert_eq!(told(&http(401, body)), (text.to_owned(), info, false));
    let info = ErrorInfo::HttpConnectionFailed { http_status_code: Some(403) };
    let text =
        "unexpected status 403 Forbidden: forbidden page, url: http://127.0.0.1:1/v1/responses";
    assert_eq!(told(&http(403, "forbidden page")), (text.to_owned(), info, false));
}

#[test]
fn a_gateways_status_can_be_tried_again() {
    assert!(http(502, "").is_retryable());
    assert_eq!(http(502, "").status(), Some(502));
    assert_eq!(
        http(502, " ").to_string(),
        "unexpected status 502 Bad Gateway: no body, url: http://127.0.0.1:1/v1/responses"
    );
}

#[test]
fn a_long_page_is_cut_on_a_character() {
    let page = "ü".repeat(5_000);
    let text = http(403, &page).to_string();
    assert_eq!(text.matches('ü').count(), 1_000);
    assert!(text.contains("ü…, url: "));
}

#[test]
fn the_request_id_helps_the_providers_support() {
    let error = from_http(HttpFailure {
        status: 418,
        body: "tea",
        url: "http://x/".into(),
        retry_after: None,
        request_id: Some("req_1".into()),
        limits: RateLimits::default(),
    });
    assert_eq!(
        error.to_string(),
        "unexpected status 418 I'm a teapot: tea, url: http://x/, request id: req_1"
    );
}

#[test]
fn an_unknown_model_is_named_by_the_provider() {
    let body = r#"{"error": {"message": "no model", "code": "model_not_found"}}"#;
    assert_eq!(told(&http(404, body)), ("no model".to_owned(), ErrorInfo::ModelNotFound, false));
    assert_eq!(http(404, "gone").status(), Some(404));
}

#[test]
fn too_many_requests_are_tried_again_unless_the_money_is_gone() {
    let info = ErrorInfo::ResponseTooManyFailedAttempts { http_status_code: Some(429) };
    let text = "exceeded retry limit, last status: 429 Too Many Requests";
    assert_eq!(told(&http(429, "{}")), (text.to_owned(), info, true));
    let body = r#"{"error": {"code": "insufficient_quota"}}"#;
    assert_eq!(http(429, body).kind, ErrorKind::Quota);
    assert!(!http(429, body).is_retryable());
}

#[test]
fn a_usage_limit_carries_the_limits() {
    let body = r#"{"error": {"type": "usage_limit_reached", "plan_type": "plus", "resets_at": 4102444800}}"#;
    let error = http(429, body);
    assert_eq!(error.rate_limits(), Some(&RateLimits::default()));
    assert_eq!(error.to_turn_error().codex_error_info, Some(ErrorInfo::UsageLimitExceeded));
    assert!(!error.is_retryable());
}

#[test]
fn the_usage_sentence_depends_on_plan_and_time() {
    let utc = || TimeZone::UTC;
    assert_eq!(
        sentence_in(Some("plus"), Some(4_102_444_800), utc()),
        "You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at Jan 1st, 2100 12:00 AM."
    );
    assert_eq!(
        sentence_in(Some("pro"), None, utc()),
        "You’ve hit your usage limit. Visit https://chatgpt.com/settings/usage to purchase more credits or try again later."
    );
    assert_eq!(
        sentence_in(None, Some(4_103_395_200), utc()),
        "You’ve hit your usage limit. Try again at Jan 12th, 2100 12:00 AM."
    );
}

#[test]
fn server_failures_have_fixed_sentences() {
    let text = "We’re currently experiencing high demand, which may cause temporary errors.";
    assert_eq!(told(&http(500, "boom")), (text.to_owned(), ErrorInfo::InternalServerError, true));
    let text = "Selected model is at capacity. Please try a different model.";
    let body = r#"{"error": {"code": "server_is_overloaded", "message": "overloaded"}}"#;
    assert_eq!(told(&http(503, body)), (text.to_owned(), ErrorInfo::ServerOverloaded, false));
    assert_eq!(failed("server_is_overloaded", "busy").kind, ErrorKind::Overloaded);
}

#[test]
fn a_failed_response_is_told_by_its_code() {
    assert_eq!(
        told(&failed("context_length_exceeded", "too long")).1,
        ErrorInfo::ContextWindowExceeded
    );
    assert_eq!(
        told(&failed("insufficient_quota", "pay")),
        (
            "Quota exceeded. Check your plan and billing details.".into(),
            ErrorInfo::UsageLimitExceeded,
            false
        )
    );
    assert_eq!(
        told(&failed("invalid_prompt", "bad prompt")),
        ("bad prompt".into(), ErrorInfo::Other, false)
    );
    assert_eq!(
        told(&failed("server_error", "oops")),
        ("stream disconnected before completion: oops".into(), ErrorInfo::Other, true)
    );
    assert_eq!(
        from_failed(None).to_string(),
        "stream disconnected before completion: the provider gave no reason"
    );
}

#[test]
fn a_rate_limit_tells_how_long_to_wait() {
    let error = failed("rate_limit_exceeded", "Rate limit reached. Please try again in 0.2s.");
    assert_eq!(
        told(&error),
        (
            "rate limit exceeded: Rate limit reached. Please try again in 0.2s.".into(),
            ErrorInfo::RateLimitExceeded,
            true
        )
    );
    assert_eq!(error.retry_after(), Some(Duration::from_millis(200)));
    let wait = |text| failed("rate_limit_exceeded", text).retry_after();
    assert_eq!(wait("Try again in 28ms."), Some(Duration::from_millis(28)));
    assert_eq!(wait("try again in 35 seconds"), Some(Duration::from_secs(35)));
    assert_eq!(wait("try again in a while"), None);
    assert_eq!(wait("try again in 1.2.3s"), None);
}

#[test]
fn the_full_context_of_other_servers_is_recognised() {
    let body = r#"{"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 2 tokens > 1 maximum"}}"#;
    assert!(http(400, body).is_context_window());
    let body = r#"{"error": {"code": 400, "type": "exceed_context_size_error", "message": "x"}}"#;
    assert!(http(400, body).is_context_window());
}

#[test]
fn a_missing_key_is_told_with_its_instructions() {
    let error = |instructions: Option<&str>| {
        ModelError::from(ErrorKind::MissingKey {
            var: "NOT_SET_KEY".into(),
            instructions: instructions.map(Into::into),
        })
    };
    assert_eq!(
        told(&error(Some("Set it."))),
        ("Missing environment variable: `NOT_SET_KEY`. Set it.".into(), ErrorInfo::Other, false)
    );
    assert_eq!(error(None).to_string(), "Missing environment variable: `NOT_SET_KEY`.");
}
