use std::collections::BTreeMap;
use std::time::Duration;

use super::{Auth, BUILT_IN, OFFLINE_URL, Provider, ProviderError, ProviderSettings, WireApi};
use crate::secret::Secret;

fn settings(json: serde_json::Value) -> ProviderSettings {
    serde_json::from_value(json).expect("settings of a test are well formed")
}

fn env(var: &str) -> Option<String> {
    match var {
        "KEY" => Some("key-from-env".into()),
        "HDR" => Some("hdr-from-env".into()),
        "EMPTY" => Some(" ".into()),
        _ => None,
    }
}

fn build(json: serde_json::Value) -> Provider {
    settings(json).build("mock", env).expect("the provider of a test has an address")
}

const URL: &str = "http://127.0.0.1:1/v1";

#[test]
fn absent_keys_have_the_usual_values() {
    let provider = build(serde_json::json!({"base_url": "http://127.0.0.1:1/v1/"}));
    assert_eq!((provider.id.as_str(), provider.name.as_str()), ("mock", "mock"));
    assert_eq!(provider.base_url, URL);
    assert_eq!(provider.wire, WireApi::Responses);
    assert_eq!(provider.auth, Auth::None);
    assert_eq!(provider.retry.request_max_retries, 4);
    assert_eq!(provider.retry.stream_max_retries, 5);
    assert_eq!(provider.retry.stream_idle_timeout, Duration::from_mins(5));
    assert!(provider.retry.unbounded_connection_retries);
    assert!(!provider.supports_websockets && !provider.requires_openai_auth);
}

#[test]
fn keys_headers_and_query_come_from_settings_and_environment() {
    let provider = build(serde_json::json!({
        "name": "Mock", "base_url": URL, "env_key": "KEY",
        "http_headers": {"x-static": "static"},
        "env_http_headers": {"x-from-env": "HDR", "x-unset": "NOT_THERE"},
        "query_params": {"api-version": "1"},
        "request_max_retries": 0, "stream_max_retries": 1000, "stream_idle_timeout_ms": 700,
        "wire_api": "chat"
    }));
    assert_eq!(provider.auth, Auth::Bearer(Secret::new("key-from-env")));
    let headers = [("x-static", "static"), ("x-from-env", "hdr-from-env")];
    assert_eq!(provider.headers, headers.map(|(name, value)| (name.into(), value.into())));
    assert_eq!(provider.query, [("api-version".into(), "1".into())]);
    assert_eq!(provider.retry.request_max_retries, 0);
    assert_eq!(provider.retry.stream_max_retries, 100);
    assert_eq!(provider.retry.stream_idle_timeout, Duration::from_millis(700));
    assert_eq!(provider.wire, WireApi::Chat);
}

#[test]
fn an_unset_or_empty_key_is_remembered_with_its_instructions() {
    for var in ["NOT_THERE", "EMPTY"] {
        let provider = build(
            serde_json::json!({"base_url": URL, "env_key": var, "env_key_instructions": "Set it."}),
        );
        let expected = Auth::EnvKey { var: var.into(), instructions: Some("Set it.".into()) };
        assert_eq!(provider.auth, expected);
    }
}

#[test]
fn a_token_of_the_settings_is_a_secret_at_once() {
    let settings = settings(
        serde_json::json!({"base_url": URL, "env_key": "KEY", "experimental_bearer_token": "tok"}),
    );
    let provider = settings.build("mock", env).expect("has an address");
    assert_eq!(provider.auth, Auth::Bearer(Secret::new("tok")));
    assert!(!format!("{settings:?} {provider:?}").contains("tok\""));
}

#[test]
fn an_address_is_checked_before_anything_is_sent() {
    let bad = |json| settings(json).build("mock", env).expect_err("has no good address");
    assert_eq!(bad(serde_json::json!({})), ProviderError::NoAddress("mock".into()));
    assert!(matches!(
        bad(serde_json::json!({"base_url": "localhost:8080"})),
        ProviderError::BadAddress { .. }
    ));
}

#[test]
fn every_built_in_provider_can_be_resolved() {
    for id in BUILT_IN.into_iter().chain(["oss"]) {
        let provider = ProviderSettings::resolve(id, &BTreeMap::new(), env).expect("is built in");
        assert_eq!(provider.id, id);
    }
    let unknown = ProviderSettings::resolve("nope", &BTreeMap::new(), env);
    assert_eq!(unknown, Err(ProviderError::Unknown("nope".into())));
}

#[test]
fn an_entry_hides_the_built_in_provider_of_its_key() {
    let entries = [("openai".to_owned(), settings(serde_json::json!({"base_url": URL})))].into();
    let provider = ProviderSettings::resolve("openai", &entries, env).expect("is there");
    assert_eq!(provider.base_url, URL);
    assert_eq!(provider.auth, Auth::None);
}

#[test]
fn the_openai_provider_asks_for_its_key() {
    let provider = ProviderSettings::resolve("openai", &BTreeMap::new(), env).expect("is there");
    assert!(matches!(&provider.auth, Auth::EnvKey { var, .. } if &**var == "OPENAI_API_KEY"));
    assert!(provider.requires_openai_auth && provider.supports_websockets);
}

#[test]
fn the_stand_in_needs_nothing() {
    let provider = Provider::offline();
    assert_eq!((provider.base_url.as_str(), &provider.auth), (OFFLINE_URL, &Auth::None));
}

#[test]
fn azure_is_known_by_its_address_or_name() {
    let at = |url: &str| build(serde_json::json!({"base_url": url})).is_azure();
    assert!(at("https://me.openai.azure.com/openai"));
    assert!(!at("https://api.openai.com/v1"));
    assert!(build(serde_json::json!({"base_url": URL, "name": "Azure"})).is_azure());
}
