//! Threads outlive the daemon.

use serde_json::json;
use spindle_tests::{Rig, Step};

/// SPEC P2, P3: after a restart the thread is there, with its history, and goes on.
#[tokio::test]
async fn a_thread_goes_on_after_a_restart() {
    let mut rig = Rig::new([Step::Stream(vec!["first answer".into()])]).await;
    let (mut client, thread) = rig.thread().await;
    let start = |text: &str| json!({"threadId": thread, "input": [{"type": "text", "text": text}]});
    client.call("turn/start", start("remember")).await.expect("started");
    client.turn_end().await;
    drop(client);
    let mut rig = rig.restart().await;
    let mut client = rig.client("again").await;
    let list = client.call("thread/list", json!({})).await.expect("listed");
    assert_eq!(list["data"][0]["id"], thread.as_str());
    assert_eq!(list["data"][0]["preview"], "remember");
    let resumed = client.call("thread/resume", json!({"threadId": thread})).await.expect("resumed");
    let turns = resumed["thread"]["turns"].as_array().expect("a list");
    assert_eq!(turns.len(), 1);
    assert_eq!(turns[0]["status"], "completed");
    client.call("turn/start", start("go on")).await.expect("started");
    client.turn_end().await;
    let requests = rig.model.requests();
    let input = requests.last().expect("asked")["input"].to_string();
    assert!(input.contains("first answer") && input.contains("remember"), "{input}");
}

/// SPEC P2: the index is only an index.
#[tokio::test]
async fn a_thread_is_found_without_the_index() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "hello"}]});
    client.call("turn/start", params).await.expect("started");
    client.turn_end().await;
    drop(client);
    let rig = rig.restart().await;
    for name in ["spindle.sqlite", "spindle.sqlite-wal", "spindle.sqlite-shm"] {
        drop(std::fs::remove_file(rig.home.path().join(name)));
    }
    let mut rig = rig.restart().await;
    let mut client = rig.client("again").await;
    let list = client.call("thread/list", json!({})).await.expect("listed");
    assert_eq!(list["data"][0]["id"], thread.as_str());
}

/// SPEC P2: a damaged line costs that line.
#[tokio::test]
async fn a_torn_line_costs_only_itself() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    let start = |text: &str| json!({"threadId": thread, "input": [{"type": "text", "text": text}]});
    client.call("turn/start", start("one")).await.expect("started");
    client.turn_end().await;
    drop(client);
    let rollout = rig.home.rollouts().pop().expect("a rollout");
    let rig = rig.restart().await;
    let mut text = std::fs::read(&rollout).expect("readable");
    text.extend_from_slice(b"{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"ordinal\":99,\"ty");
    std::fs::write(&rollout, text).expect("writable");
    let mut rig = rig.restart().await;
    let mut client = rig.client("again").await;
    client.call("thread/resume", json!({"threadId": thread})).await.expect("resumed");
    client.call("turn/start", start("two")).await.expect("started");
    assert_eq!(client.turn_end().await["status"], "completed");
    let read = client
        .call("thread/turns/list", json!({"threadId": thread, "limit": 10}))
        .await
        .expect("read");
    assert_eq!(read["data"].as_array().expect("a list").len(), 2);
}
