//! Tools that a client brings along: `dynamicTools` and `item/tool/call`.

use serde_json::{Value, json};
use spindle_tests::{Client, Rig, Step};

fn tools() -> Value {
    json!([{ "type": "function", "name": "lookup", "description": "Looks up.",
             "inputSchema": { "type": "object" } }])
}

fn lookup(id: &str) -> Step {
    let call = json!({"type": "function_call", "name": "lookup", "call_id": id,
                      "arguments": "{\"q\":\"x\"}"});
    Step::Items(vec![call])
}

async fn called(rig: &mut Rig) -> (Client, String, Value) {
    let mut client = rig.client("owner").await;
    let params = json!({"cwd": rig.home.workspace(), "dynamicTools": tools()});
    let started = client.call("thread/start", params).await.expect("started");
    let thread = started["thread"]["id"].as_str().expect("an id").to_owned();
    let request = go(&mut client, &thread).await;
    (client, thread, request)
}

async fn go(client: &mut Client, thread: &str) -> Value {
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    client.call("turn/start", params).await.expect("started");
    client.wait("item/tool/call").await
}

async fn give(client: &mut Client, request: &Value, text: &str) {
    let items = json!([{ "type": "inputText", "text": text }]);
    let result = json!({ "contentItems": items, "success": true });
    client.send(&json!({"id": request["id"], "result": result})).await;
}

async fn call_item(client: &mut Client) -> Value {
    let is_call = |params: &Value| params["item"]["type"] == "dynamicToolCall";
    client.wait_where("item/completed", is_call).await["params"]["item"].clone()
}

/// SPEC C2: the tool is offered, the client runs it, and the model gets what it gave back.
#[tokio::test]
async fn a_client_runs_its_own_tool() {
    let mut rig = Rig::new([lookup("c1")]).await;
    let (mut client, _, request) = called(&mut rig).await;
    assert_eq!(request["params"]["tool"], "lookup");
    assert_eq!(request["params"]["arguments"], json!({"q": "x"}));
    give(&mut client, &request, "found").await;
    let item = call_item(&mut client).await;
    assert_eq!(item["status"], "completed");
    assert_eq!(item["contentItems"][0]["text"], "found");
    assert_eq!(client.turn_end().await["status"], "completed");
    let requests = rig.model.requests();
    assert!(requests[0]["tools"].to_string().contains("\"lookup\""));
    let output = requests[1]["input"].as_array().and_then(|input| input.last()).cloned();
    assert_eq!(output.expect("an output")["output"], "found");
}

/// Another frontend on the thread is not asked to run what it does not have.
#[tokio::test]
async fn only_the_client_that_brought_a_tool_is_asked() {
    let mut rig = Rig::new([lookup("c1")]).await;
    let (mut client, thread, request) = called(&mut rig).await;
    let mut second = rig.client("second").await;
    second.call("thread/resume", json!({"threadId": thread})).await.expect("followed");
    give(&mut client, &request, "found").await;
    assert_eq!(client.turn_end().await["status"], "completed");
    assert_eq!(second.turn_end().await["status"], "completed");
    assert!(second.methods().iter().all(|method| method != "item/tool/call"));
    assert_eq!(call_item(&mut second).await["success"], true);
}

/// The turn does not wait for a client that is gone.
#[tokio::test]
async fn a_call_fails_when_its_client_goes() {
    let mut rig = Rig::new([lookup("c1")]).await;
    let (client, thread, _) = called(&mut rig).await;
    let mut second = rig.client("second").await;
    second.call("thread/resume", json!({"threadId": thread})).await.expect("followed");
    drop(client);
    assert_eq!(call_item(&mut second).await["status"], "failed");
    assert_eq!(second.turn_end().await["status"], "completed");
}

/// SPEC T11: an interrupt ends the wait, and the item.
#[tokio::test]
async fn an_interrupt_ends_the_wait_for_a_client() {
    let mut rig = Rig::new([lookup("c1")]).await;
    let (mut client, thread, request) = called(&mut rig).await;
    let params = json!({"threadId": thread, "turnId": request["params"]["turnId"]});
    client.call("turn/interrupt", params).await.expect("interrupted");
    assert_eq!(call_item(&mut client).await["success"], false);
    assert_eq!(client.turn_end().await["status"], "interrupted");
}

/// SPEC P2: the tools are part of the thread; after a restart whoever resumes it is asked.
#[tokio::test]
async fn a_resumed_thread_still_has_its_tools() {
    let mut rig = Rig::new([lookup("c1"), Step::Items(vec![]), lookup("c2")]).await;
    let (mut client, thread, request) = called(&mut rig).await;
    give(&mut client, &request, "found").await;
    client.turn_end().await;
    drop(client);
    let mut rig = rig.restart().await;
    let mut client = rig.client("later").await;
    client.call("thread/resume", json!({"threadId": thread})).await.expect("resumed");
    let request = go(&mut client, &thread).await;
    give(&mut client, &request, "again").await;
    assert_eq!(client.turn_end().await["status"], "completed");
}

/// A list that cannot be offered is refused, and says what is wrong with it.
#[tokio::test]
async fn tools_that_cannot_be_offered_are_refused() {
    let mut rig = Rig::new([]).await;
    let mut client = rig.client("owner").await;
    let twice = json!([tools()[0], tools()[0]]);
    let refused = client.call("thread/start", json!({"dynamicTools": twice})).await.unwrap_err();
    assert_eq!(refused.message, "invalid dynamic tool: `lookup` is there twice");
    assert_eq!(refused.data["field"], "dynamicTools");
}
