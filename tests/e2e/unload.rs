//! Threads that nobody uses.

use serde_json::{Value, json};
use spindle_tests::{Rig, Step, message};

fn go(thread: &str) -> Value {
    json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]})
}

#[tokio::test]
async fn a_thread_that_nobody_follows_is_unloaded_told_and_taken_up_again() {
    let steps = [Step::Items(vec![message("one")]), Step::Items(vec![message("two")])];
    let mut rig = Rig::with_config(steps, "thread_unload_delay_secs = 1").await;
    let (mut first, thread) = rig.thread().await;
    first.call("turn/start", go(&thread)).await.expect("started");
    first.turn_end().await;
    first.call("thread/unsubscribe", json!({"threadId": thread})).await.expect("left");
    first.wait_where("thread/status/changed", |p| p["status"]["type"] == "notLoaded").await;
    let closed = first.wait("thread/closed").await;
    assert_eq!(closed["params"]["threadId"], thread.as_str());
    let loaded = first.call("thread/loaded/list", json!({})).await.expect("told");
    assert_eq!(loaded["data"], json!([]));
    let refused = first.call("turn/start", go(&thread)).await.expect_err("it is not loaded");
    assert_eq!(refused.data["type"], "threadNotFound");
    let resumed = first.call("thread/resume", json!({"threadId": thread})).await.expect("back");
    assert_eq!(resumed["thread"]["turns"].as_array().map(Vec::len), Some(1));
    first.call("turn/start", go(&thread)).await.expect("started");
    assert_eq!(first.turn_end().await["status"], "completed");
}

/// A turn that goes on without its client is not cut off, and its thread goes after it.
#[tokio::test]
async fn a_thread_stays_while_it_is_followed_or_works() {
    let hangs = Step::Gate(Box::new(Step::Items(vec![message("late")])));
    let mut rig = Rig::with_config([hangs], "thread_unload_delay_secs = 1").await;
    let (mut first, busy) = rig.thread().await;
    let mut watcher = rig.client("watcher").await;
    let params = json!({"cwd": rig.home.workspace()});
    let followed = watcher.call("thread/start", params).await.expect("started");
    let followed = followed["thread"]["id"].clone();
    let params = json!({"cwd": rig.home.workspace()});
    let left = first.call("thread/start", params).await.expect("started")["thread"]["id"].clone();
    first.call("turn/start", go(&busy)).await.expect("started");
    rig.model.wait_for(1).await;
    drop(first);
    let closed = watcher.wait("thread/closed").await;
    assert_eq!(closed["params"]["threadId"], left, "the one that rests");
    let loaded = watcher.call("thread/loaded/list", json!({})).await.expect("told");
    let mut expected = [json!(busy), followed.clone()];
    expected.sort_by_key(|id| id.as_str().map(str::to_owned));
    assert_eq!(loaded["data"], json!(expected));
    rig.model.release();
    let closed = watcher.wait("thread/closed").await;
    assert_eq!(closed["params"]["threadId"], json!(busy), "once its turn has ended");
    let stored = json!({"threadId": busy, "includeTurns": true});
    let read = watcher.call("thread/read", stored).await.expect("read");
    assert_eq!(read["thread"]["turns"][0]["status"], "completed");
}
