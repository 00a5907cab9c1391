//! Several frontends on one thread.

use serde_json::json;
use spindle_tests::{Rig, Step};

/// A thread exists from `thread/start` on, and can be followed before its first turn.
#[tokio::test]
async fn a_second_client_follows_a_fresh_thread() {
    let mut rig = Rig::new([Step::Stream(vec!["hi".into()])]).await;
    let (mut first, thread) = rig.thread().await;
    let mut second = rig.client("second").await;
    let resumed =
        second.call("thread/resume", json!({"threadId": thread})).await.expect("followed");
    assert_eq!(resumed["thread"]["id"], thread.as_str());
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    first.call("turn/start", params).await.expect("started");
    let (one, two) = (first.turn_end().await, second.turn_end().await);
    assert_eq!(one, two);
}

/// A client that joins in the middle gets the text so far, and then only what is new.
#[tokio::test]
async fn whoever_joins_a_running_turn_gets_no_gap_and_nothing_twice() {
    let mut rig = Rig::new([Step::StreamThenHang(vec!["so ".into(), "far".into()])]).await;
    let (mut first, thread) = rig.thread().await;
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    let started = first.call("turn/start", params).await.expect("started");
    first.wait_where("item/agentMessage/delta", |params| params["delta"] == "far").await;
    let mut second = rig.client("second").await;
    let resumed =
        second.call("thread/resume", json!({"threadId": thread})).await.expect("followed");
    assert_eq!(resumed["thread"]["status"]["type"], "active");
    let turns = resumed["thread"]["turns"].as_array().expect("a list");
    let turn = turns.last().expect("the running turn");
    assert_eq!(turn["status"], "inProgress");
    let text =
        turn["items"].as_array().expect("a list").last().expect("the message")["text"].clone();
    assert_eq!(text, "so far");
    let interrupt = json!({"threadId": thread, "turnId": started["turn"]["id"]});
    second.call("turn/interrupt", interrupt).await.expect("interrupted");
    second.turn_end().await;
    let deltas = second.methods().iter().filter(|m| *m == "item/agentMessage/delta").count();
    assert_eq!(deltas, 0, "text that was in the snapshot came again");
}

#[tokio::test]
async fn whoever_unsubscribes_hears_no_items_any_more() {
    let mut rig = Rig::new([]).await;
    let (mut first, thread) = rig.thread().await;
    let mut second = rig.client("second").await;
    second.call("thread/resume", json!({"threadId": thread})).await.expect("followed");
    let left = second.call("thread/unsubscribe", json!({"threadId": thread})).await.expect("left");
    assert_eq!(left["status"], "unsubscribed");
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    first.call("turn/start", params).await.expect("started");
    first.turn_end().await;
    second.wait_where("thread/status/changed", |p| p["status"]["type"] == "idle").await;
    let items = second.methods().iter().filter(|m| m.starts_with("item/")).count();
    assert_eq!(items, 0);
}
