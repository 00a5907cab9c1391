use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use spindle_schema::event::{RateLimitWindow, RateLimits};

use super::read;

fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
    pairs
        .iter()
        .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
        .collect()
}

#[test]
fn a_provider_that_tells_nothing_leaves_all_but_the_id_empty() {
    let expected = RateLimits { limit_id: Some("codex".into()), ..RateLimits::default() };
    assert_eq!(read(&HeaderMap::new()), expected);
}

#[test]
fn both_windows_are_read() {
    let limits = read(&headers(&[
        ("x-codex-primary-used-percent", "12.5"),
        ("x-codex-primary-window-minutes", "300"),
        ("x-codex-primary-reset-at", "4102444800"),
        ("x-codex-secondary-used-percent", "0"),
        ("x-codex-secondary-window-minutes", "10080"),
    ]));
    let primary = RateLimitWindow {
        used_percent: 12.5,
        window_minutes: Some(300),
        resets_at: Some(4_102_444_800),
    };
    assert_eq!(limits.primary, Some(primary));
    assert_eq!(limits.secondary.and_then(|window| window.window_minutes), Some(10_080));
}

#[test]
fn nonsense_is_no_window() {
    let limits = read(&headers(&[
        ("x-codex-primary-used-percent", "NaN"),
        ("x-codex-primary-window-minutes", "300"),
        ("x-codex-secondary-used-percent", "much"),
    ]));
    assert_eq!((limits.primary, limits.secondary), (None, None));
}

#[test]
fn credits_are_read_when_both_flags_are_there() {
    let limits = read(&headers(&[
        ("x-codex-credits-has-credits", "True"),
        ("x-codex-credits-unlimited", "false"),
        ("x-codex-credits-balance", "7"),
    ]));
    let expected = serde_json::json!({"has_credits": true, "unlimited": false, "balance": "7"});
    assert_eq!(limits.credits, Some(expected));
    assert_eq!(read(&headers(&[("x-codex-credits-has-credits", "true")])).credits, None);
}
