use serde_json::{Value, json};

use super::*;

async fn call(client: &mut MemoryClient, id: i64, method: &str, params: Value) -> Value {
    let request = json!({ "id": id, "method": method, "params": params });
    client.send(request.to_string()).await.expect("the daemon lives");
    loop {
        let message = client.next().await.expect("the daemon lives");
        let message: Value = serde_json::from_slice(&message).expect("messages are JSON");
        if message["id"] == id {
            return message;
        }
    }
}

async fn introduce(client: &mut MemoryClient) {
    let params = json!({ "clientInfo": { "name": "n", "version": "1" } });
    assert!(call(client, 0, "initialize", params).await["result"]["userAgent"].is_string());
}

#[tokio::test]
async fn clients_within_the_process_share_threads() {
    let home = tempfile::tempdir().expect("a folder");
    let options = ServerOptions { home: Some(home.path().into()), ..ServerOptions::default() };
    let (mut first, daemon) = in_process(options).await;
    let mut second = daemon.connect();
    introduce(&mut first).await;
    introduce(&mut second).await;
    let started = call(&mut first, 1, "thread/start", json!({ "cwd": home.path() })).await;
    let thread = &started["result"]["thread"]["id"];
    let loaded = call(&mut second, 1, "thread/loaded/list", json!({})).await;
    assert_eq!(loaded["result"]["data"], json!([thread]), "{started}");
    let params = json!({ "threadId": thread, "excludeTurns": true });
    let resumed = call(&mut second, 2, "thread/resume", params).await;
    assert_eq!(resumed["result"]["thread"]["id"], *thread, "{resumed}");
    let left = call(&mut second, 3, "thread/unsubscribe", json!({ "threadId": thread })).await;
    assert_eq!(left["result"]["status"], "unsubscribed");
    daemon.stop().await;
    while first.next().await.is_some() {}
    assert!(second.next().await.is_none(), "the end closes every connection");
}

#[tokio::test]
async fn what_a_client_asks_of_the_machine_is_answered() {
    let home = tempfile::tempdir().expect("a folder");
    let options = ServerOptions { home: Some(home.path().into()), ..ServerOptions::default() };
    let (mut client, daemon) = in_process(options).await;
    let capabilities = json!({ "experimentalApi": true });
    let params =
        json!({ "clientInfo": { "name": "n", "version": "1" }, "capabilities": capabilities });
    call(&mut client, 0, "initialize", params).await;
    let models = call(&mut client, 1, "model/list", json!({})).await;
    let models = models["result"]["data"].as_array().expect("a list").clone();
    assert_eq!(models.iter().filter(|model| model["isDefault"] == true).count(), 1);
    let none = call(&mut client, 2, "model/list", json!({ "modelProvider": "none" })).await;
    assert_eq!(none["error"]["data"]["type"], "modelProviderNotConfigured");
    let account = call(&mut client, 3, "account/read", json!({})).await;
    assert!(account["result"]["requiresOpenaiAuth"].is_boolean(), "{account}");
    let edit = json!({ "keyPath": "model", "value": "m", "mergeStrategy": "replace" });
    let written = call(&mut client, 4, "config/value/write", edit).await;
    assert_eq!(written["result"]["status"], "ok", "{written}");
    let config = call(&mut client, 5, "config/read", json!({ "includeLayers": true })).await;
    assert_eq!(config["result"]["config"]["model"], "m");
    assert_eq!(config["result"]["layers"][0]["config"]["model"], "m", "{config}");
    let stale = json!({
        "keyPath": "model", "value": "n", "mergeStrategy": "replace", "expectedVersion": "old",
    });
    let stale = call(&mut client, 6, "config/value/write", stale).await;
    assert_eq!(stale["error"]["data"]["config_write_error_code"], "configVersionConflict");
    let profiles = call(&mut client, 7, "permissionProfile/list", json!({ "limit": 1 })).await;
    assert_eq!(profiles["result"]["nextCursor"], "1");
    let figures = call(&mut client, 8, "server/diagnostics", json!({})).await;
    assert_eq!(figures["result"]["gauges"][0]["value"], 1, "{figures}");
    let absent = call(&mut client, 9, "memory/reset", json!({})).await;
    assert_eq!(absent["error"]["code"], -32601);
    daemon.stop().await;
}
