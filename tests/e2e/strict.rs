//! A strict JSON-RPC 2.0 library as a client.

use jsonrpsee::core::client::{ClientT as _, SubscriptionClientT as _};
use jsonrpsee::core::params::ObjectParams;
use jsonrpsee::ws_client::WsClientBuilder;
use serde_json::{Value, json};
use spindle_tests::{Home, Model, Served, Step};

fn params(value: &Value) -> ObjectParams {
    let mut params = ObjectParams::new();
    for (name, value) in value.as_object().expect("an object") {
        params.insert(name, value).expect("JSON");
    }
    params
}

/// A client that sends `jsonrpc` gets it back on everything.
#[tokio::test]
async fn a_strict_library_works_over_the_websocket() {
    let model = Model::start([Step::Stream(vec!["hi".into()])]).await;
    let home = Home::new(&model.base_url(), "");
    let server = Served::start(&home);
    let client = WsClientBuilder::default().build(server.url()).await.expect("connected");
    let info = json!({"clientInfo": {"name": "strict", "version": "1"}});
    let answer: Value = client.request("initialize", params(&info)).await.expect("initialised");
    assert!(answer["userAgent"].as_str().expect("a text").starts_with("strict/0.171.0"));
    let mut ends = client.subscribe_to_method::<Value>("turn/completed").await.expect("subscribed");
    let thread: Value = client
        .request("thread/start", params(&json!({"cwd": home.workspace()})))
        .await
        .expect("started");
    let start =
        json!({"threadId": thread["thread"]["id"], "input": [{"type": "text", "text": "go"}]});
    let _: Value = client.request("turn/start", params(&start)).await.expect("started");
    let end = ends.next().await.expect("the connection lives").expect("a JSON-RPC notification");
    assert_eq!(end["turn"]["items"][0]["text"], "hi");
    let unknown = client.request::<Value, _>("no/such/method", params(&json!({}))).await;
    let jsonrpsee::core::client::Error::Call(error) = unknown.expect_err("unknown") else {
        panic!("an error object was expected");
    };
    assert_eq!(error.code(), -32601);
    assert!(error.message().contains("no/such/method"));
}
