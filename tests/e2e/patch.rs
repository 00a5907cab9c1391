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

/// A yes for the session covers later patches to the same file, and to no other.
#[tokio::test]
async fn a_yes_for_the_session_covers_the_same_file_only() {
    let change = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n*** End Patch";
    let other = "*** Begin Patch\n*** Add File: b.txt\n+x\n*** End Patch";
    let steps = [("c1", ADD), ("c2", change), ("c3", other)];
    let steps = steps.map(|(id, text)| Step::Items(vec![patch(id, text)]));
    let mut rig = Rig::with_config(steps, ASKS).await;
    let mut client = start(&mut rig).await;
    let request = client.wait("item/fileChange/requestApproval").await;
    client.send(&json!({"id": request["id"], "result": {"decision": "acceptForSession"}})).await;
    let request = client.wait("item/fileChange/requestApproval").await;
    assert_eq!(request["params"]["itemId"], "c3", "the second patch was not asked about");
    client.send(&json!({"id": request["id"], "result": {"decision": "accept"}})).await;
    assert_eq!(client.turn_end().await["status"], "completed");
    let text = std::fs::read_to_string(rig.home.workspace().join("a.txt"));
    assert_eq!(text.expect("written"), "ONE\ntwo\n");
}

#[tokio::test]
async fn a_cancelled_patch_ends_the_turn() {
    let mut rig = Rig::with_config([Step::Items(vec![patch("c1", ADD)])], ASKS).await;
    let mut client = start(&mut rig).await;
    let request = client.wait("item/fileChange/requestApproval").await;
    client.send(&json!({"id": request["id"], "result": {"decision": "cancel"}})).await;
    assert_eq!(client.turn_end().await["status"], "interrupted");
    assert!(!rig.home.workspace().join("a.txt").exists());
}

/// What a command may write, a patch may write: temporary folders too, and nothing that is
/// protected in the workspace.
#[tokio::test]
async fn a_patch_keeps_to_the_limits_of_commands() {
    let config = "approval_policy = \"on-request\"\nsandbox_mode = \"workspace-write\"";
    let temporary = "*** Begin Patch\n*** Add File: ../beside.txt\n+x\n*** End Patch";
    let protected = "*** Begin Patch\n*** Add File: .git/hooks/x\n+x\n*** End Patch";
    let steps = [("c1", temporary), ("c2", protected)];
    let steps = steps.map(|(id, text)| Step::Items(vec![patch(id, text)]));
    let mut rig = Rig::with_config(steps, config).await;
    assert!(rig.home.around().starts_with(std::env::temp_dir()), "a home is a temporary folder");
    let mut client = start(&mut rig).await;
    let request = client.wait("item/fileChange/requestApproval").await;
    assert_eq!(request["params"]["itemId"], "c2");
    client.send(&json!({"id": request["id"], "result": {"decision": "decline"}})).await;
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(rig.home.around().join("beside.txt").exists());
    assert!(!rig.home.workspace().join(".git/hooks/x").exists());
}

/// The order of `patch_streamed`: the patch grows before its item begins, and the whole diff is
/// told again at the end.
#[tokio::test]
async fn a_patch_is_shown_while_the_model_writes_it() {
    let call = |input: &str| {
        json!({"type": "custom_tool_call", "id": "ctc", "name": "apply_patch", "call_id": "c1",
               "input": input})
    };
    let delta = |text: &str| json!({"type": "response.custom_tool_call_input.delta", "item_id": "ctc", "delta": text});
    let (head, tail) = ADD.split_at(ADD.find("+two").expect("it is there"));
    let events = vec![
        json!({"type": "response.output_item.added", "item": call("")}),
        delta(head),
        delta(tail),
        json!({"type": "response.output_item.done", "item": call(ADD)}),
    ];
    let config = "features.apply_patch_streaming_events = true";
    let mut rig = Rig::with_config([Step::Events(events)], config).await;
    let mut client = start(&mut rig).await;
    let shown = client.wait("item/fileChange/patchUpdated").await;
    assert_eq!(shown["params"]["itemId"], "c1");
    let change = json!({"path": "a.txt", "kind": {"type": "add"}, "diff": "one\n"});
    assert_eq!(shown["params"]["changes"], json!([change]));
    client.wait_where("item/started", |params| params["item"]["type"] == "fileChange").await;
    let first = client.wait("turn/diff/updated").await;
    let last = client.wait("turn/diff/updated").await;
    assert_eq!(first["params"]["diff"], last["params"]["diff"]);
    assert_eq!(client.turn_end().await["status"], "completed");
}
