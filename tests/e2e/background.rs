//! `thread/backgroundTerminals/…`: commands that go on beyond their call (SPEC X1).

use serde_json::{Value, json};
use spindle_tests::{Client, Rig, Step, is_alive, line_of, message};

/// A call that waits for so many milliseconds. Its shell reads no profile: that of the machine may
/// take long.
fn exec(call_id: &str, cmd: &str, wait: u64) -> Value {
    let arguments = json!({"cmd": cmd, "yield_time_ms": wait, "login": false}).to_string();
    json!({"type": "function_call", "name": "exec_command", "call_id": call_id,
           "arguments": arguments})
}

async fn turn(client: &mut Client, thread: &str) {
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    client.call("turn/start", params).await.expect("started");
    client.turn_end().await;
}

async fn list(client: &mut Client, params: Value) -> Value {
    client.call("thread/backgroundTerminals/list", params).await.expect("a list")
}

fn items(list: &Value) -> Vec<&str> {
    let data = list["data"].as_array().expect("a list");
    data.iter().filter_map(|entry| entry["itemId"].as_str()).collect()
}

async fn three_sleepers() -> (Rig, Client, String) {
    let calls = ["one", "two", "three"]
        .map(|name| exec(name, &format!("echo $$ > {name}; exec sleep 600"), 250));
    let mut rig = Rig::new([Step::Items(calls.into()), Step::Items(vec![message("done")])]).await;
    let (mut client, thread) = rig.thread().await;
    turn(&mut client, &thread).await;
    (rig, client, thread)
}

#[tokio::test]
async fn the_list_is_in_order_and_its_pages_join_while_commands_end() {
    let (rig, mut client, thread) = three_sleepers().await;
    let all = list(&mut client, json!({"threadId": thread})).await;
    assert_eq!((items(&all), &all["nextCursor"]), (vec!["one", "two", "three"], &Value::Null));
    let first = &all["data"][0];
    assert_eq!(first["command"], "echo $$ > one; exec sleep 600");
    assert_eq!(first["cwd"], rig.home.workspace().display().to_string());
    let page = list(&mut client, json!({"threadId": thread, "limit": 1})).await;
    assert_eq!(items(&page), ["one"]);
    let end = json!({"threadId": thread, "processId": first["processId"]});
    let ended = client.call("thread/backgroundTerminals/terminate", end.clone()).await;
    assert_eq!(ended.expect("it is answered"), json!({"terminated": true}));
    let again = client.call("thread/backgroundTerminals/terminate", end).await;
    assert_eq!(again.expect("it is answered"), json!({"terminated": false}));
    let next = json!({"threadId": thread, "cursor": page["nextCursor"], "limit": 1});
    assert_eq!(items(&list(&mut client, next).await), ["two"]);
    let junk = json!({"threadId": thread, "cursor": "junk"});
    let refused = client.call("thread/backgroundTerminals/list", junk).await.expect_err("junk");
    assert_eq!(refused.message, "invalid cursor: junk");
}

#[tokio::test]
async fn cleaning_leaves_nothing_behind_and_ends_every_item() {
    let (rig, mut client, thread) = three_sleepers().await;
    let mut pids = Vec::new();
    for name in ["one", "two", "three"] {
        pids.push(line_of(&rig.home.workspace().join(name)).await);
    }
    let params = json!({"threadId": thread});
    client.call("thread/backgroundTerminals/clean", params.clone()).await.expect("cleaned");
    assert!(!pids.iter().any(|pid| is_alive(pid)), "a command runs after the answer");
    assert_eq!(items(&list(&mut client, params).await), [""; 0]);
    for name in ["one", "two", "three"] {
        let item = client.wait_where("item/completed", |params| params["item"]["id"] == name).await;
        assert_eq!(item["params"]["item"]["status"], "failed");
    }
}

/// Cleaning up in the background must not end what the model waits for.
#[tokio::test]
async fn a_command_that_its_call_waits_for_is_not_in_the_background() {
    let call = exec("call", "echo $$ > pid; read _ < fifo; echo went on", 30_000);
    let mut rig = Rig::new([Step::Items(vec![call])]).await;
    let (mut client, thread) = rig.thread().await;
    let fifo = rig.home.workspace().join("fifo");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RWXU).expect("a pipe");
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    client.call("turn/start", params).await.expect("started");
    line_of(&rig.home.workspace().join("pid")).await;
    let params = json!({"threadId": thread});
    assert_eq!(items(&list(&mut client, params.clone()).await), [""; 0]);
    client.call("thread/backgroundTerminals/clean", params).await.expect("cleaned");
    tokio::task::spawn_blocking(move || std::fs::write(fifo, "\n")).await.expect("no panic").ok();
    let item = client
        .wait_where("item/completed", |params| params["item"]["type"] == "commandExecution")
        .await;
    assert_eq!(item["params"]["item"]["aggregatedOutput"], "went on\n");
    client.turn_end().await;
}

/// What a thread's commands printed stays in its history, also when they end with it.
#[tokio::test]
async fn a_command_that_ends_with_the_daemon_stands_in_the_history() {
    let (rig, client, thread) = three_sleepers().await;
    drop(client);
    let mut rig = rig.restart().await;
    let mut client = rig.client("again").await;
    let params = json!({"threadId": thread});
    let resumed = client.call("thread/resume", params).await.expect("resumed");
    let items = resumed["thread"]["turns"][0]["items"].as_array().expect("a list");
    let status = |id: &str| items.iter().find(|item| item["id"] == id).map(|item| &item["status"]);
    for name in ["one", "two", "three"] {
        assert_eq!(status(name), Some(&json!("failed")), "{name}: {items:#?}");
    }
}

/// A thread that is put away takes its commands along.
#[tokio::test]
async fn the_commands_of_a_thread_end_with_it() {
    let (rig, mut client, thread) = three_sleepers().await;
    let pid = line_of(&rig.home.workspace().join("one")).await;
    client.call("thread/archive", json!({"threadId": thread})).await.expect("archived");
    assert!(!is_alive(&pid), "the command outlived its thread");
    let gone = client.call("thread/backgroundTerminals/list", json!({"threadId": thread})).await;
    assert_eq!(gone.expect_err("not loaded").message, format!("thread not found: {thread}"));
}
