//! Who is there, who answered, and whose answers count.

use serde_json::{Value, json};
use spindle_tests::{Client, Rig, Step, Wire};

const ASKS: &str = "approval_policy = \"on-request\"\nsandbox_mode = \"read-only\"";

fn escalated(id: &str) -> Step {
    let arguments = json!({"cmd": "touch made", "sandbox_permissions": "require_escalated",
                           "justification": "May I?"});
    Step::Items(vec![json!({"type": "function_call", "name": "exec_command", "call_id": id,
                            "arguments": arguments.to_string()})])
}

fn go(thread: &str) -> Value {
    json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]})
}

async fn follow(client: &mut Client, thread: &str) {
    client.call("thread/resume", json!({"threadId": thread})).await.expect("followed");
}

async fn accept(client: &mut Client) {
    let request = client.wait("item/commandExecution/requestApproval").await;
    client.send(&json!({"id": request["id"], "result": {"decision": "accept"}})).await;
}

#[tokio::test]
async fn clients_see_who_is_there_and_what_they_follow() {
    let mut rig = Rig::new([]).await;
    let [tcp, unix] = rig.listen().await;
    let (mut first, thread) = rig.thread().await;
    let mut second = Client::initialise(Wire::open(&tcp).await, "second").await;
    let mut third = Client::initialise(Wire::open(&unix).await, "third").await;
    follow(&mut third, &thread).await;
    let told = second.call("spindle/clients", json!({})).await.expect("told");
    let clients = told["clients"].as_array().expect("a list");
    let of = |member: &str| clients.iter().map(|client| client[member].clone()).collect::<Vec<_>>();
    assert_eq!(of("name"), ["first", "second", "third"]);
    assert_eq!(of("transport"), ["memory", "webSocket", "unix"]);
    assert_eq!(of("isSelf"), [false, true, false]);
    assert!(of("userAgent")[0].as_str().is_some_and(|agent| agent.starts_with("first/")));
    assert!(of("connectedAtMs").is_sorted_by_key(Value::as_i64));
    assert!(of("unreadBytes").iter().all(Value::is_u64));
    let follows: Vec<Vec<(Value, Value)>> = clients
        .iter()
        .map(|client| {
            let threads = client["threads"].as_array().expect("a list");
            threads.iter().map(|it| (it["threadId"].clone(), it["isOwner"].clone())).collect()
        })
        .collect();
    let of = |is_owner: bool| vec![(json!(thread), json!(is_owner))];
    assert_eq!(follows, [of(true), Vec::new(), of(false)]);
    drop(third);
    // Whoever leaves is gone from the list, and owns nothing.
    while first.call("spindle/clients", json!({})).await.expect("told")["clients"]
        .as_array()
        .is_none_or(|clients| clients.len() != 2)
    {}
}

#[tokio::test]
async fn all_are_told_who_answered() {
    let mut rig = Rig::with_config([escalated("c1")], ASKS).await;
    let (mut first, thread) = rig.thread().await;
    let mut second = rig.client("second").await;
    follow(&mut second, &thread).await;
    first.call("turn/start", go(&thread)).await.expect("started");
    accept(&mut second).await;
    for client in [&mut first, &mut second] {
        let resolved = client.wait("serverRequest/resolved").await;
        assert_eq!(resolved["params"]["answeredBy"]["name"], "second");
        client.turn_end().await;
    }
}

#[tokio::test]
async fn a_question_that_is_taken_back_was_answered_by_nobody() {
    let mut rig = Rig::with_config([escalated("c1")], ASKS).await;
    let (mut first, thread) = rig.thread().await;
    let started = first.call("turn/start", go(&thread)).await.expect("started");
    first.wait("item/commandExecution/requestApproval").await;
    let interrupt = json!({"threadId": thread, "turnId": started["turn"]["id"]});
    first.call("turn/interrupt", interrupt).await.expect("interrupted");
    let resolved = first.wait("serverRequest/resolved").await;
    assert!(resolved["params"].get("answeredBy").is_none());
}

/// The thread is its first follower's; when it leaves, the next one's.
#[tokio::test]
async fn only_the_owner_answers_where_that_is_set() {
    let config = format!("{ASKS}\n[spindle]\napproval_answers = \"owner\"");
    let mut rig = Rig::with_config([escalated("c1")], &config).await;
    let (mut owner, thread) = rig.thread().await;
    let mut second = rig.client("second").await;
    follow(&mut second, &thread).await;
    owner.call("turn/start", go(&thread)).await.expect("started");
    let request = second.wait("item/commandExecution/requestApproval").await;
    let answer = json!({"id": request["id"], "result": {"decision": "accept"}});
    second.send(&answer).await;
    let warning = second.wait("warning").await;
    assert_eq!(warning["params"]["threadId"], thread.as_str());
    let text = warning["params"]["message"].as_str().expect("a text");
    assert!(text.contains("The question stays open."), "{text}");
    assert!(!rig.home.workspace().join("made").exists(), "nothing ran");
    drop(owner);
    while second.call("spindle/clients", json!({})).await.expect("told")["clients"][0]["threads"][0]
        ["isOwner"]
        != true
    {}
    second.send(&answer).await;
    assert_eq!(second.turn_end().await["status"], "completed");
    assert!(rig.home.workspace().join("made").exists());
}

#[tokio::test]
async fn only_local_clients_answer_where_a_thread_is_set_so() {
    let mut rig = Rig::with_config([escalated("c1")], ASKS).await;
    let [tcp, unix] = rig.listen().await;
    let mut far = Client::initialise(Wire::open(&tcp).await, "far").await;
    let params = json!({"cwd": rig.home.workspace(),
                        "config": {"spindle.approval_answers": "local"}});
    let started = far.call("thread/start", params).await.expect("started");
    let thread = started["thread"]["id"].as_str().expect("an id").to_owned();
    let mut near = Client::initialise(Wire::open(&unix).await, "near").await;
    follow(&mut near, &thread).await;
    far.call("turn/start", go(&thread)).await.expect("started");
    accept(&mut far).await;
    far.wait("warning").await;
    accept(&mut near).await;
    let resolved = far.wait("serverRequest/resolved").await;
    assert_eq!(resolved["params"]["answeredBy"]["name"], "near");
    assert_eq!(far.turn_end().await["status"], "completed");
}
