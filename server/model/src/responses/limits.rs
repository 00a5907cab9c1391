//! The account's limits, as the head of an answer tells them.

use reqwest::header::HeaderMap;
use serde_json::json;
use spindle_schema::event::{RateLimitWindow, RateLimits};

/// Reads the limits. What the provider does not tell stays empty.
pub(crate) fn read(headers: &HeaderMap) -> RateLimits {
    RateLimits {
        limit_id: Some("codex".into()),
        limit_name: text(headers, "x-codex-limit-name").map(Into::into),
        primary: window(headers, "primary"),
        secondary: window(headers, "secondary"),
        credits: credits(headers),
        ..RateLimits::default()
    }
}

fn window(headers: &HeaderMap, which: &str) -> Option<RateLimitWindow> {
    let number = |what: &str| text(headers, &format!("x-codex-{which}-{what}"));
    let used_percent: f64 = number("used-percent")?.parse().ok()?;
    let window_minutes = number("window-minutes").and_then(|text| text.parse().ok());
    let resets_at = number("reset-at").and_then(|text| text.parse().ok());
    let told = used_percent != 0.0 || window_minutes.is_some() || resets_at.is_some();
    (told && used_percent.is_finite()).then_some(RateLimitWindow {
        used_percent,
        window_minutes,
        resets_at,
    })
}

fn credits(headers: &HeaderMap) -> Option<serde_json::Value> {
    let flag = |name: &str| match text(headers, name)?.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    };
    Some(json!({
        "has_credits": flag("x-codex-credits-has-credits")?,
        "unlimited": flag("x-codex-credits-unlimited")?,
        "balance": text(headers, "x-codex-credits-balance").filter(|text| !text.is_empty()),
    }))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

#[cfg(test)]
mod tests;
