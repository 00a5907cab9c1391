//! `apply_patch`, as clients see it.

use serde_json::{Value, json};
use spindle_tests::{Client, Rig, Step, exec};

const ASKS: &str = "approval_policy = \"on-request\"\nsandbox_mode = \"read-only\"";
const ADD: &str = "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch";

fn patch(call_id: &str, text: &str) -> Value {
    json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": call_id, "input": text})
}

async fn start(rig: &mut Rig) -> Client {
    let (mut client, thread) = rig.thread().await;
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    client.call("turn/start", params).await.expect("started");
    client
}

fn output(rig: &Rig) -> Value {
    let requests = rig.model.requests();
    let input = requests.last().expect("asked")["input"].as_array().expect("a list").clone();
    input.last().expect("not empty").clone()
}

/// SPEC X4, C2; the forms of `patch_all_kinds`.
#[tokio::test]
async fn a_patch_is_applied_told_and_shown_as_a_diff() {
    let mut rig = Rig::new([Step::Items(vec![patch("c1", ADD)])]).await;
    let mut client = start(&mut rig).await;
    let item =
        client.wait_where("item/completed", |params| params["item"]["type"] == "fileChange").await;
    let item = &item["params"]["item"];
    assert_eq!(item["status"], "completed");
    assert_eq!(item["changes"][0]["kind"]["type"], "add");
    assert_eq!(item["changes"][0]["diff"], "one\ntwo\n");
    let diff = client.wait("turn/diff/updated").await;
    let diff = diff["params"]["diff"].as_str().expect("a text").to_owned();
    assert!(diff.contains("+++ b/a.txt") && diff.ends_with("+one\n+two\n"), "{diff}");
    assert_eq!(client.turn_end().await["status"], "completed");
    let told = output(&rig);
    assert_eq!(told["type"], "custom_tool_call_output");
    let text = told["output"].as_str().expect("a text");
    assert!(text.ends_with("Success. Updated the following files:\nA a.txt\n"), "{text}");
    let written = std::fs::read_to_string(rig.home.workspace().join("a.txt"));
    assert_eq!(written.expect("written"), "one\ntwo\n");
}

/// SPEC X4: what does not fit is told, and nothing is written.
#[tokio::test]
async fn a_patch_that_does_not_fit_changes_nothing() {
    let text = "*** Begin Patch\n*** Add File: new.txt\n+x\n*** Update File: missing.txt\n@@\n-a\n+b\n*** End Patch";
    let mut rig = Rig::new([Step::Items(vec![patch("c1", text)])]).await;
    let mut client = start(&mut rig).await;
    assert_eq!(client.turn_end().await["status"], "completed");
    let told = output(&rig);
    let text = told["output"].as_str().expect("a text");
    assert!(text.starts_with("apply_patch verification failed: "), "{text}");
    assert!(!rig.home.workspace().join("new.txt").exists());
    let items = client.messages().filter(|m| m["params"]["item"]["type"] == "fileChange").count();
    assert_eq!(items, 0);
}

/// SPEC X2, X4: a read-only thread asks, and a no leaves everything as it is.
#[tokio::test]
async fn a_declined_patch_writes_nothing() {
    let mut rig = Rig::with_config([Step::Items(vec![patch("c1", ADD)])], ASKS).await;
    let mut client = start(&mut rig).await;
    let request = client.wait("item/fileChange/requestApproval").await;
    assert!(!rig.home.workspace().join("a.txt").exists(), "nothing is written before the answer");
    client.send(&json!({"id": request["id"], "result": {"decision": "decline"}})).await;
    let item =
        client.wait_where("item/completed", |params| params["item"]["type"] == "fileChange").await;
    assert_eq!(item["params"]["item"]["status"], "declined");
    assert_eq!(client.turn_end().await["status"], "completed");
    assert_eq!(output(&rig)["output"], "patch rejected by user");
    assert!(!rig.home.workspace().join("a.txt").exists());
}

#[tokio::test]
async fn an_accepted_patch_is_written() {
    let mut rig = Rig::with_config([Step::Items(vec![patch("c1", ADD)])], ASKS).await;
    let mut client = start(&mut rig).await;
    let request = client.wait("item/fileChange/requestApproval").await;
    client.send(&json!({"id": request["id"], "result": {"decision": "accept"}})).await;
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(rig.home.workspace().join("a.txt").exists());
}

/// The behaviour of `patch_heredoc`.
#[tokio::test]
async fn a_patch_written_as_a_shell_command_is_a_patch() {
    let call = exec("c1", &format!("apply_patch <<'EOF'\n{ADD}\nEOF"));
    let mut rig = Rig::new([Step::Items(vec![call])]).await;
    let mut client = start(&mut rig).await;
    client.wait_where("item/completed", |params| params["item"]["type"] == "fileChange").await;
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(rig.home.workspace().join("a.txt").exists());
}
