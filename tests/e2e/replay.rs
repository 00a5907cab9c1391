//! Numbers of notifications, and what a client gets that comes back.

use serde_json::{Value, json};
use spindle_tests::{Client, Rig, Step, message};

fn go(thread: &str) -> Value {
    json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]})
}

/// The notifications with numbers that have come, in order, up to the end of a turn.
async fn turn(client: &mut Client) -> Vec<Value> {
    let mut told = Vec::new();
    loop {
        let message = client.next().await;
        if message.get("seq").is_some() {
            told.push(message);
        }
        if told.last().is_some_and(|last| last["method"] == "turn/completed") {
            return told;
        }
    }
}

fn numbers(told: &[Value]) -> Vec<u64> {
    told.iter().map(|message| message["seq"].as_u64().expect("a number")).collect()
}

async fn resume(client: &mut Client, thread: &str, seen: u64) -> Value {
    let params = json!({"threadId": thread, "lastSeq": seen});
    let resumed = client.call("thread/resume", params).await.expect("followed");
    client.forget();
    resumed
}

fn pieces(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("{n} ")).collect()
}

#[tokio::test]
async fn every_notification_about_a_thread_has_the_next_number_for_all() {
    let mut rig = Rig::new([Step::Stream(pieces(20))]).await;
    let (mut first, thread) = rig.thread().await;
    let begun = first.wait("thread/started").await["seq"].as_u64().expect("a number");
    let mut second = rig.client("second").await;
    let resumed =
        second.call("thread/resume", json!({"threadId": thread})).await.expect("followed");
    assert_eq!(resumed["seq"], begun);
    assert!(resumed.get("replayed").is_none(), "nobody asked");
    first.call("turn/start", go(&thread)).await.expect("started");
    let (one, two) = (turn(&mut first).await, turn(&mut second).await);
    assert_eq!(one, two, "all clients hear the same under the same numbers");
    let expected: Vec<u64> = (begun + 1..).take(one.len()).collect();
    assert_eq!(numbers(&one), expected);
    assert!(one.len() > 20 + 5);
}

/// Whatever number a client names, it gets exactly what came after it, in order.
#[tokio::test]
async fn a_client_that_comes_back_gets_exactly_what_it_missed() {
    let mut rig = Rig::new([Step::Stream(pieces(30)), Step::Items(vec![message("two")])]).await;
    let (mut witness, thread) = rig.thread().await;
    witness.wait("thread/started").await;
    witness.call("turn/start", go(&thread)).await.expect("started");
    let told = turn(&mut witness).await;
    for seen in 0..told.len() {
        let mut back = rig.client("back").await;
        let number = numbers(&told)[seen];
        let resumed = resume(&mut back, &thread, number).await;
        assert_eq!(
            (&resumed["replayed"], &resumed["seq"]),
            (&json!(true), &told.last().expect("a turn")["seq"])
        );
        assert_eq!(resumed["thread"]["turns"], json!([]), "what is said again brings them along");
        for missed in &told[seen + 1..] {
            assert_eq!(back.next().await, *missed);
        }
    }
    let mut back = rig.client("back").await;
    resume(&mut back, &thread, numbers(&told)[3]).await;
    witness.call("turn/start", go(&thread)).await.expect("started");
    let (live, again) = (turn(&mut witness).await, turn(&mut back).await);
    assert_eq!(again, told[4..], "first what was missed");
    assert_eq!(turn(&mut back).await, live, "then what is new, with nothing between");
}

#[tokio::test]
async fn a_number_that_is_not_kept_gets_the_thread_as_it_stands() {
    let mut rig = Rig::new([Step::Stream(pieces(9_000))]).await;
    let (mut first, thread) = rig.thread().await;
    let begun = first.wait("thread/started").await["seq"].as_u64().expect("a number");
    first.call("turn/start", go(&thread)).await.expect("started");
    let last = *numbers(&turn(&mut first).await).last().expect("a turn");
    for number in [begun, 1, last + 1] {
        let mut back = rig.client("back").await;
        let resumed = resume(&mut back, &thread, number).await;
        assert_eq!((&resumed["replayed"], &resumed["seq"]), (&json!(false), &json!(last)));
        assert_eq!(resumed["thread"]["turns"].as_array().map(Vec::len), Some(1));
        let told = back.methods();
        assert!(told.iter().all(|method| method == "thread/tokenUsage/updated"), "{told:?}");
    }
}

/// A number of an earlier life of the thread is never taken for one of this life.
#[tokio::test]
async fn numbers_go_on_growing_when_the_daemon_starts_again() {
    let mut rig = Rig::new([Step::Items(vec![message("one")])]).await;
    let (mut first, thread) = rig.thread().await;
    first.call("turn/start", go(&thread)).await.expect("started");
    let last = *numbers(&turn(&mut first).await).last().expect("a turn");
    drop(first);
    let mut rig = rig.restart().await;
    let mut back = rig.client("back").await;
    let resumed = resume(&mut back, &thread, last).await;
    assert_eq!(resumed["replayed"], false);
    assert!(resumed["seq"].as_u64().expect("a number") > last);
    assert_eq!(resumed["thread"]["turns"].as_array().map(Vec::len), Some(1));
}

/// An open question is not said again but put again, after what was missed.
#[tokio::test]
async fn an_open_question_is_put_once_to_a_client_that_comes_back() {
    let asks = "approval_policy = \"on-request\"\nsandbox_mode = \"read-only\"";
    let arguments = json!({"cmd": "touch made", "sandbox_permissions": "require_escalated",
                           "justification": "May I?"});
    let call = json!({"type": "function_call", "name": "exec_command", "call_id": "c1",
                      "arguments": arguments.to_string()});
    let mut rig = Rig::with_config([Step::Items(vec![call])], asks).await;
    let (mut first, thread) = rig.thread().await;
    let begun = first.wait("thread/started").await["seq"].as_u64().expect("a number");
    first.call("turn/start", go(&thread)).await.expect("started");
    let asked = first.wait("item/commandExecution/requestApproval").await;
    drop(first);
    let mut back = rig.client("back").await;
    assert_eq!(resume(&mut back, &thread, begun).await["replayed"], true);
    let again = back.wait("item/commandExecution/requestApproval").await;
    assert_eq!(again["id"], asked["id"]);
    assert_eq!(back.methods().last().map(String::as_str), Some("item/started"));
    back.send(&json!({"id": again["id"], "result": {"decision": "decline"}})).await;
    assert_eq!(back.turn_end().await["status"], "completed");
    assert!(!back.methods().iter().any(|method| method.ends_with("requestApproval")));
}

/// One message at a time, a connection for each.
#[tokio::test]
async fn a_thousand_reconnects_miss_nothing_and_hear_nothing_twice() {
    const COUNT: usize = 1_000;
    let mut rig = Rig::new([Step::Stream(pieces(COUNT))]).await;
    let (mut witness, thread) = rig.thread().await;
    let mut seen = witness.wait("thread/started").await["seq"].as_u64().expect("a number");
    witness.call("turn/start", go(&thread)).await.expect("started");
    let told = turn(&mut witness).await;
    for missed in &told[..COUNT] {
        let mut back = rig.client("back").await;
        let params = json!({"threadId": thread, "lastSeq": seen, "excludeTurns": true});
        let resumed = back.call("thread/resume", params).await.expect("followed");
        assert_eq!(resumed["replayed"], true);
        back.forget();
        let next = back.next().await;
        assert_eq!(next, *missed);
        seen = next["seq"].as_u64().expect("a number");
    }
}
