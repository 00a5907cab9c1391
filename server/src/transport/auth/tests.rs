use axum::http::HeaderValue;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};

use super::*;

const SECRET: &[u8] = b"0123456789abcdef0123456789abcdef";
const NOW: i64 = 1_000_000;

fn headers(values: &[&str]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for value in values {
        let value = HeaderValue::from_str(value).expect("a legal value");
        headers.append(header::AUTHORIZATION, value);
    }
    headers
}

fn token(head: &Value, claims: &Value, secret: &[u8]) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(head), part(claims));
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("any length is a key");
    mac.update(signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

fn signed(issuer: Option<&str>, audience: Option<&str>) -> Guard {
    let own = |text: Option<&str>| text.map(str::to_owned);
    Guard::Signed(Signed::new(SECRET.into(), own(issuer), own(audience), 30))
}

fn check(guard: &Guard, token: &str) -> Result<(), Refused> {
    guard.check(&headers(&[&format!("Bearer {token}")]), NOW)
}

fn claims(claims: &Value) -> String {
    token(&json!({ "alg": "HS256", "typ": "JWT" }), claims, SECRET)
}

#[test]
fn whoever_knows_the_token_is_let_in() {
    let guard = Guard::of_token("sesame");
    for value in ["Bearer sesame", "bearer sesame", "BEARER   sesame "] {
        assert_eq!(guard.check(&headers(&[value]), NOW), Ok(()), "{value}");
    }
    assert_eq!(guard.check(&headers(&["Bearer other"]), NOW), Err(Refused::Token));
    assert_eq!(guard.check(&headers(&["Bearer other", "Bearer sesame"]), NOW), Err(Refused::Token));
    assert_eq!(guard.check(&headers(&[]), NOW), Err(Refused::Missing));
    for value in ["Basic sesame", "Bearer ", "Bearer", "sesame"] {
        assert_eq!(guard.check(&headers(&[value]), NOW), Err(Refused::Header), "{value}");
    }
}

#[test]
fn a_digest_is_no_token() {
    let digest: [u8; 32] = Sha256::digest("sesame").into();
    let hex = digest.map(|byte| format!("{byte:02x}")).concat();
    assert_eq!(check(&Guard::Capability(digest), "sesame"), Ok(()));
    assert_eq!(check(&Guard::Capability(digest), &hex), Err(Refused::Token));
}

#[test]
fn a_signed_token_counts_within_its_time_and_the_skew() {
    let guard = signed(None, None);
    for (claim, expected) in [
        (json!({ "exp": NOW + 1 }), Ok(())),
        (json!({ "exp": NOW - 10 }), Ok(())),
        (json!({ "exp": NOW - 100 }), Err(Refused::Expired)),
        (json!({ "exp": NOW + 1, "nbf": NOW + 10 }), Ok(())),
        (json!({ "exp": NOW + 1, "nbf": NOW + 100 }), Err(Refused::NotYet)),
        (json!({ "exp": NOW + 1, "iat": NOW + 1000 }), Ok(())),
        (json!({}), Err(Refused::Jwt)),
        (json!({ "exp": 1e6 + 0.5 }), Err(Refused::Jwt)),
        (json!({ "exp": "soon" }), Err(Refused::Jwt)),
        (json!({ "exp": i64::MAX }), Ok(())),
    ] {
        assert_eq!(check(&guard, &claims(&claim)), expected, "{claim}");
    }
}

#[test]
fn a_token_that_is_not_signed_by_us_is_none() {
    let guard = signed(None, None);
    let claim = json!({ "exp": NOW + 1 });
    let with = |alg: &str| token(&json!({ "alg": alg }), &claim, SECRET);
    assert_eq!(check(&guard, &with("HS256")), Ok(()));
    for alg in ["none", "HS384", "HS512", "hs256"] {
        assert_eq!(check(&guard, &with(alg)), Err(Refused::Jwt), "{alg}");
    }
    let other = token(&json!({ "alg": "HS256" }), &claim, b"another secret");
    for token in [other.as_str(), "a.b.c", "junk", "..", &with("HS256")[..20]] {
        assert_eq!(check(&guard, token), Err(Refused::Jwt), "{token}");
    }
}

#[test]
fn issuer_and_audience_are_checked_when_they_are_asked_for() {
    let guard = signed(Some("us"), Some("them"));
    for (claim, expected) in [
        (json!({ "exp": NOW, "iss": "us", "aud": "them" }), Ok(())),
        (json!({ "exp": NOW, "iss": "us", "aud": ["x", "them"] }), Ok(())),
        (json!({ "exp": NOW, "iss": "you", "aud": "them" }), Err(Refused::Issuer)),
        (json!({ "exp": NOW, "aud": "them" }), Err(Refused::Issuer)),
        (json!({ "exp": NOW, "iss": "us", "aud": "you" }), Err(Refused::Audience)),
        (json!({ "exp": NOW, "iss": "us" }), Err(Refused::Audience)),
    ] {
        assert_eq!(check(&guard, &claims(&claim)), expected, "{claim}");
    }
}
