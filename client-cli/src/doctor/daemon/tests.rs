use serde_json::json;

use super::{Provider, host_and_port, setting, settings, store};
use crate::client::fake::{FakeDaemon, thread};
use crate::doctor::finding::Status;

fn provider(id: &str, settings: &serde_json::Value) -> Provider {
    Provider::of(id.into(), Some("m".into()), Some(settings))
}

#[test]
fn a_faulty_setting_is_told_with_file_and_line() {
    let warning = |value| serde_json::from_value(value).unwrap();
    let range = json!({"start": {"line": 3, "column": 1}, "end": {"line": 3, "column": 9}});
    let placed = warning(json!({
        "summary": "`sandbox_mode` is wrong", "details": "use read-only", "path": "/h/config.toml",
        "range": range,
    }));
    assert_eq!(setting(&placed), "/h/config.toml:3: `sandbox_mode` is wrong\nuse read-only");
    assert_eq!(setting(&warning(json!({"summary": "odd", "details": null}))), "odd");
}

#[test]
fn an_http_address_has_a_host_and_a_port() {
    for (url, expected) in [
        ("http://127.0.0.1:18171/v1", Some(("127.0.0.1", 18171))),
        ("https://api.example.com/v1?x=1", Some(("api.example.com", 443))),
        ("http://user:key@host/v1", Some(("host", 80))),
        ("https://[::1]:8443", Some(("::1", 8443))),
        ("ftp://host", None),
        ("http://", None),
        ("host:80", None),
        ("http://host:port", None),
    ] {
        let expected = expected.map(|(host, port)| (host.to_owned(), port));
        assert_eq!(host_and_port(url), expected, "{url}");
    }
}

#[tokio::test]
async fn a_provider_that_answers_is_in_order_and_one_that_does_not_is_not() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let settings = json!({"p": {"base_url": url}});
    assert_eq!(provider("p", &settings).check().await.status, Status::Ok);
    drop(listener);
    let refused = provider("p", &settings).check().await;
    assert_eq!(refused.status, Status::Fail);
    assert!(refused.detail.contains("cannot be reached"), "{}", refused.detail);
}

#[tokio::test]
async fn a_key_that_is_not_set_is_named() {
    let settings = json!({"p": {"base_url": "http://h", "env_key": "SPINDLE_TEST_NO_SUCH_KEY"}});
    let found = provider("p", &settings).check().await;
    assert_eq!(found.status, Status::Fail);
    assert_eq!(found.detail, "p with m: SPINDLE_TEST_NO_SUCH_KEY is not set");
}

#[tokio::test]
async fn the_stand_in_needs_no_network() {
    let found = provider("offline", &json!({})).check().await;
    assert_eq!(found.detail, "offline with m, which needs no network");
}

#[tokio::test]
async fn threads_are_counted_and_a_store_that_fails_is_told() {
    let (mut session, mut daemon) = FakeDaemon::session().await;
    let play = async {
        let call = daemon.expect("thread/list").await;
        let data = [thread("a", None), thread("b", None)];
        daemon.answer(&call, json!({"data": data, "nextCursor": null})).await;
        let call = daemon.expect("thread/list").await;
        daemon.refuse(&call, "disk is gone").await;
    };
    let ask = async { [store(&mut session).await, store(&mut session).await] };
    let ([good, bad], ()) = tokio::join!(ask, play);
    assert_eq!((good.status, good.detail.as_str()), (Status::Ok, "2 threads"));
    assert_eq!(bad.status, Status::Fail);
    assert!(bad.detail.contains("disk is gone"), "{}", bad.detail);
}

#[tokio::test]
async fn the_provider_of_the_settings_is_read_and_their_faults_with_it() {
    let (mut session, mut daemon) = FakeDaemon::session().await;
    let play = async {
        let call = daemon.expect("config/read").await;
        daemon.tells("configWarning", json!({"summary": "odd key", "details": null})).await;
        let providers = json!({"p": {"base_url": "http://h/v1", "env_key": "KEY"}});
        let config = json!({"model_provider": "p", "model": "m", "model_providers": providers});
        daemon.answer(&call, json!({"config": config, "origins": {}})).await;
    };
    let (read, ()) = tokio::join!(Provider::read(&mut session), play);
    let expected = Provider {
        id: "p".into(),
        model: Some("m".into()),
        base_url: Some("http://h/v1".into()),
        key_variable: Some("KEY".into()),
    };
    assert_eq!(read.unwrap(), expected);
    let faults = settings(&mut session);
    assert_eq!(faults.len(), 1);
    assert_eq!((faults[0].status, faults[0].detail.as_str()), (Status::Warn, "odd key"));
}
