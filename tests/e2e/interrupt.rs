//! `turn/interrupt`.

use serde_json::{Value, json};
use spindle_tests::{Client, Rig, Step, exec, is_alive, until};

async fn start(client: &mut Client, thread: &str) -> Value {
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    client.call("turn/start", params).await.expect("started")["turn"]["id"].clone()
}

async fn interrupt(client: &mut Client, thread: &str, turn: &Value) {
    let params = json!({"threadId": thread, "turnId": turn});
    client.call("turn/interrupt", params).await.expect("interrupted");
}

/// SPEC T11: what the person has read stays in the history.
#[tokio::test]
async fn text_that_streamed_before_an_interrupt_is_kept() {
    let mut rig = Rig::new([Step::StreamThenHang(vec!["I have ".into(), "begun".into()])]).await;
    let (mut client, thread) = rig.thread().await;
    let turn = start(&mut client, &thread).await;
    client.wait_where("item/agentMessage/delta", |params| params["delta"] == "begun").await;
    interrupt(&mut client, &thread, &turn).await;
    let item = client
        .wait_where("item/completed", |params| params["item"]["type"] == "agentMessage")
        .await;
    assert_eq!(item["params"]["item"]["text"], "I have begun");
    assert_eq!(client.turn_end().await["status"], "interrupted");
    start(&mut client, &thread).await;
    client.turn_end().await;
    let requests = rig.model.requests();
    let input = requests[1]["input"].to_string();
    assert!(input.contains("I have begun") && input.contains("<turn_aborted>"), "{input}");
}

/// SPEC C8, X1: the command and everything it started are gone, and its item is whole.
#[tokio::test]
async fn an_interrupt_ends_the_whole_process_group() {
    let call = exec("call_1", "sleep 600 & echo $! > child; echo $$ > shell; wait");
    let mut rig = Rig::new([Step::Items(vec![call])]).await;
    let (mut client, thread) = rig.thread().await;
    let turn = start(&mut client, &thread).await;
    client.wait_where("item/started", |params| params["item"]["type"] == "commandExecution").await;
    let shell = rig.home.workspace().join("shell");
    while std::fs::read_to_string(&shell).unwrap_or_default().is_empty() {
        tokio::task::yield_now().await;
    }
    interrupt(&mut client, &thread, &turn).await;
    let item = client
        .wait_where("item/completed", |params| params["item"]["type"] == "commandExecution")
        .await;
    assert_eq!(item["params"]["item"]["status"], "failed");
    assert_eq!(client.turn_end().await["status"], "interrupted");
    for file in ["child", "shell"] {
        let pid = std::fs::read_to_string(rig.home.workspace().join(file)).expect("written");
        until(&format!("the end of {file} {pid}"), || !is_alive(&pid)).await;
    }
}

/// SPEC T4, T11: a steer that was accepted is in the history whatever comes after.
#[tokio::test]
async fn a_pending_steer_is_not_lost_by_an_interrupt() {
    let mut rig = Rig::new([Step::Hang]).await;
    let (mut client, thread) = rig.thread().await;
    let turn = start(&mut client, &thread).await;
    rig.model.wait_for(1).await;
    let steer = json!({"threadId": thread, "expectedTurnId": turn,
                       "input": [{"type": "text", "text": "remember me"}]});
    client.call("turn/steer", steer).await.expect("steered");
    interrupt(&mut client, &thread, &turn).await;
    client.turn_end().await;
    start(&mut client, &thread).await;
    client.turn_end().await;
    let requests = rig.model.requests();
    assert!(requests[1]["input"].to_string().contains("remember me"));
}

/// The texts of `interrupt_streaming`.
#[tokio::test]
async fn interrupting_nothing_or_another_turn_is_refused() {
    let mut rig = Rig::new([Step::Hang]).await;
    let (mut client, thread) = rig.thread().await;
    let ask = |turn: &str| json!({"threadId": thread, "turnId": turn});
    let refused = client.call("turn/interrupt", ask("t")).await.expect_err("nothing runs");
    assert_eq!(refused.message, "no active turn to interrupt");
    let turn = start(&mut client, &thread).await;
    let refused = client.call("turn/interrupt", ask("t")).await.expect_err("another runs");
    let turn = turn.as_str().expect("an id");
    assert_eq!(refused.message, format!("expected active turn id t but found {turn}"));
}
