//! `item/commandExecution/requestApproval`.

use serde_json::{Value, json};
use spindle_tests::{Client, Rig, Step};

const ASKS: &str = "approval_policy = \"on-request\"\nsandbox_mode = \"read-only\"";

fn escalated(id: &str) -> Value {
    let arguments = json!({"cmd": "touch made", "sandbox_permissions": "require_escalated",
                           "justification": "May I?"});
    json!({"type": "function_call", "name": "exec_command", "call_id": id,
           "arguments": arguments.to_string()})
}

async fn asked(steps: Vec<Value>) -> (Rig, Client, String, Value) {
    let steps = steps.into_iter().map(|call| Step::Items(vec![call]));
    let mut rig = Rig::with_config(steps, ASKS).await;
    let (mut client, thread) = rig.thread().await;
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    client.call("turn/start", params).await.expect("started");
    let request = client.wait("item/commandExecution/requestApproval").await;
    (rig, client, thread, request)
}

async fn decide(client: &mut Client, request: &Value, decision: &str) {
    client.send(&json!({"id": request["id"], "result": {"decision": decision}})).await;
}

/// SPEC X2: a yes runs the command.
#[tokio::test]
async fn an_accepted_command_runs() {
    let (rig, mut client, _, request) = asked(vec![escalated("c1")]).await;
    assert_eq!(request["params"]["reason"], "May I?");
    assert!(!rig.home.workspace().join("made").exists(), "nothing runs before the answer");
    decide(&mut client, &request, "accept").await;
    let item = client.wait("serverRequest/resolved").await;
    assert_eq!(item["params"]["requestId"], request["id"]);
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(rig.home.workspace().join("made").exists());
}

/// SPEC X2: a no is told to the model, and the turn goes on.
#[tokio::test]
async fn a_declined_command_does_not_run_and_the_turn_goes_on() {
    let (rig, mut client, _, request) = asked(vec![escalated("c1")]).await;
    decide(&mut client, &request, "decline").await;
    let item = client
        .wait_where("item/completed", |params| params["item"]["type"] == "commandExecution")
        .await;
    assert_eq!(item["params"]["item"]["status"], "declined");
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(!rig.home.workspace().join("made").exists());
    assert!(rig.model.requests()[1]["input"].to_string().contains("rejected by user"));
}

/// SPEC X2: cancel ends the turn.
#[tokio::test]
async fn a_cancelled_command_ends_the_turn() {
    let (rig, mut client, _, request) = asked(vec![escalated("c1")]).await;
    decide(&mut client, &request, "cancel").await;
    assert_eq!(client.turn_end().await["status"], "interrupted");
    assert!(!rig.home.workspace().join("made").exists());
    assert_eq!(rig.model.requests().len(), 1);
}

/// SPEC X2: a yes for the session covers the very same command.
#[tokio::test]
async fn a_yes_for_the_session_is_remembered() {
    let (_rig, mut client, _, request) = asked(vec![escalated("c1"), escalated("c2")]).await;
    decide(&mut client, &request, "acceptForSession").await;
    assert_eq!(client.turn_end().await["status"], "completed");
    let again = client.methods().iter().any(|m| m == "item/commandExecution/requestApproval");
    assert!(!again, "the same command was asked about twice");
}

/// With several frontends the first answer wins, and everybody hears that it is settled.
#[tokio::test]
async fn the_first_answer_wins_and_all_are_told() {
    let (mut rig, mut client, thread, request) = asked(vec![escalated("c1")]).await;
    let mut second = rig.client("second").await;
    second.call("thread/resume", json!({"threadId": thread})).await.expect("followed");
    let again = second.wait("item/commandExecution/requestApproval").await;
    assert_eq!(again["id"], request["id"], "an open question is put to whoever joins");
    decide(&mut second, &again, "accept").await;
    client.wait("serverRequest/resolved").await;
    second.wait("serverRequest/resolved").await;
    decide(&mut client, &request, "decline").await;
    let late = client.wait("warning").await;
    let late = late["params"]["message"].as_str().expect("a text").to_owned();
    assert!(late.contains("changes nothing"), "whoever comes late is told: {late}");
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(rig.home.workspace().join("made").exists());
}

/// A lost connection withdraws nothing.
#[tokio::test]
async fn a_question_outlives_the_client_it_was_put_to() {
    let (mut rig, client, thread, request) = asked(vec![escalated("c1")]).await;
    drop(client);
    let mut second = rig.client("second").await;
    second.call("thread/resume", json!({"threadId": thread})).await.expect("followed");
    let again = second.wait("item/commandExecution/requestApproval").await;
    assert_eq!(again["id"], request["id"]);
    decide(&mut second, &again, "accept").await;
    assert_eq!(second.turn_end().await["status"], "completed");
}

/// SPEC C7: an error as an answer counts as a no.
#[tokio::test]
async fn an_error_as_an_answer_counts_as_a_no() {
    let (rig, mut client, _, request) = asked(vec![escalated("c1")]).await;
    client.send(&json!({"id": request["id"], "error": {"code": -1, "message": "no"}})).await;
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(!rig.home.workspace().join("made").exists());
}
