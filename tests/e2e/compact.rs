//! Compaction: `thread/compact/start`, and histories that need room by themselves.

use serde_json::{Value, json};
use spindle_tests::{Client, Rig, Step, exec, message};

/// Each response of the scripted model says that it took 120 tokens.
const LOW_LIMIT: &str = "model_auto_compact_token_limit = 100\n";

fn out_of_room() -> Step {
    let error = json!({"error": {"code": "context_length_exceeded", "message": "too long"}});
    Step::Status(400, error.to_string())
}

fn says(text: &str) -> Step {
    Step::Items(vec![message(text)])
}

async fn turn(client: &mut Client, thread: &str, text: &str) -> Value {
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": text}]});
    client.call("turn/start", params).await.expect("started");
    client.turn_end().await
}

async fn compact(client: &mut Client, thread: &str) -> Value {
    client.call("thread/compact/start", json!({"threadId": thread})).await.expect("begun");
    client.turn_end().await
}

fn input(request: &Value) -> String {
    request["input"].to_string()
}

fn is_compaction(request: &Value) -> bool {
    input(request).contains("CONTEXT CHECKPOINT COMPACTION")
}

fn compactions(rig: &Rig) -> usize {
    rig.model.requests().iter().filter(|request| is_compaction(request)).count()
}

/// SPEC H5.
#[tokio::test]
async fn a_summary_takes_the_place_of_the_history() {
    let mut rig = Rig::new([says("first answer"), says("SUMMARY"), says("after")]).await;
    let (mut client, thread) = rig.thread().await;
    turn(&mut client, &thread, "hello").await;
    client.forget();
    let ended = compact(&mut client, &thread).await;
    assert_eq!((&ended["status"], &ended["items"]), (&json!("completed"), &json!([])));
    let methods = client.methods();
    let items: Vec<_> = methods.iter().filter(|method| method.starts_with("item/")).collect();
    assert_eq!(items, ["item/started", "item/completed"], "the summary itself is not shown");
    turn(&mut client, &thread, "next").await;
    let requests = rig.model.requests();
    assert!(is_compaction(&requests[1]) && input(&requests[1]).contains("first answer"));
    assert_eq!(requests[1]["tools"], json!([]));
    let after = input(&requests[2]);
    assert!(after.contains("hello") && after.contains("SUMMARY") && after.contains("next"));
    assert!(!after.contains("first answer"), "{after}");
    assert_eq!(requests[0]["input"][0], requests[2]["input"][0], "the base prompt is the same");
}

/// SPEC T1: the new input is not in what is summarised.
#[tokio::test]
async fn a_turn_makes_room_before_it_begins() {
    let script = [says("first answer"), says("SUMMARY"), says("second"), says("third")];
    let mut rig = Rig::with_config(script, LOW_LIMIT).await;
    let (mut client, thread) = rig.thread().await;
    turn(&mut client, &thread, "one").await;
    assert_eq!(turn(&mut client, &thread, "two").await["status"], "completed");
    let requests = rig.model.requests();
    assert!(is_compaction(&requests[1]) && !input(&requests[1]).contains("two"));
    assert!(input(&requests[2]).contains("SUMMARY") && input(&requests[2]).contains("two"));
    // The limit cannot be met: compacting again would not help.
    turn(&mut client, &thread, "three").await;
    assert_eq!(compactions(&rig), 1);
}

/// SPEC T9; never a loop: the model gets on with its work although the limit cannot be met.
#[tokio::test]
async fn a_turn_makes_room_in_its_middle_once() {
    let call = |n: usize| Step::Items(vec![exec(&format!("call_{n}"), &format!("echo out{n}"))]);
    let script = [call(1), says("SUMMARY"), call(2), call(3), call(4), says("done")];
    let mut rig = Rig::with_config(script, LOW_LIMIT).await;
    let (mut client, thread) = rig.thread().await;
    assert_eq!(turn(&mut client, &thread, "go").await["status"], "completed");
    assert_eq!((compactions(&rig), rig.model.requests().len()), (1, 6));
    let requests = rig.model.requests();
    assert!(input(&requests[1]).contains("out1"), "the output is in what is summarised");
    assert!(!input(&requests[2]).contains("out1") && input(&requests[2]).contains("go"));
    assert!(input(&requests[5]).contains("out2") && input(&requests[5]).contains("out4"));
}

/// SPEC T5: the count is taken as full, so that the next turn makes room first.
#[tokio::test]
async fn after_a_request_that_was_too_long_the_next_turn_makes_room() {
    let script = [says("one"), out_of_room(), says("SUMMARY"), says("after")];
    let mut rig = Rig::new(script).await;
    let (mut client, thread) = rig.thread().await;
    turn(&mut client, &thread, "a").await;
    let failed = turn(&mut client, &thread, "b").await;
    assert_eq!(failed["error"]["codexErrorInfo"], "contextWindowExceeded");
    assert_eq!(turn(&mut client, &thread, "c").await["status"], "completed");
    let requests = rig.model.requests();
    assert!(is_compaction(&requests[2]) && input(&requests[2]).contains('b'));
}

/// The same is known after a restart.
#[tokio::test]
async fn a_full_window_is_remembered_over_a_restart() {
    let script = [says("one"), out_of_room(), says("SUMMARY"), says("after")];
    let mut rig = Rig::new(script).await;
    let (mut client, thread) = rig.thread().await;
    turn(&mut client, &thread, "a").await;
    turn(&mut client, &thread, "b").await;
    drop(client);
    let mut rig = rig.restart().await;
    let mut client = rig.client("again").await;
    client.call("thread/resume", json!({"threadId": thread})).await.expect("resumed");
    assert_eq!(turn(&mut client, &thread, "c").await["status"], "completed");
    assert_eq!(compactions(&rig), 1);
}

/// What a turn has gathered itself does not end it.
#[tokio::test]
async fn a_turn_that_grew_too_long_makes_room_and_goes_on() {
    let call = Step::Items(vec![exec("call_1", "echo out1")]);
    let script = [call, out_of_room(), says("SUMMARY"), says("done")];
    let mut rig = Rig::new(script).await;
    let (mut client, thread) = rig.thread().await;
    let ended = turn(&mut client, &thread, "go").await;
    assert_eq!(
        (&ended["status"], &ended["items"][0]["text"]),
        (&json!("completed"), &json!("done"))
    );
    assert_eq!(compactions(&rig), 1);
}

/// A model that is itself out of room is shown less and less, the latest last.
#[tokio::test]
async fn a_model_without_room_for_the_history_summarises_its_end() {
    let turns = ["one", "two", "three", "four"];
    let mut rig = Rig::new(turns.iter().map(|text| says(&format!("answer {text}")))).await;
    let (mut client, thread) = rig.thread().await;
    for text in turns {
        turn(&mut client, &thread, text).await;
    }
    for step in [out_of_room(), out_of_room(), says("SUMMARY"), says("after")] {
        rig.model.then(step);
    }
    client.forget();
    assert_eq!(compact(&mut client, &thread).await["status"], "completed");
    assert_eq!(client.methods().iter().filter(|method| *method == "warning").count(), 1);
    let requests = rig.model.requests();
    let sizes: Vec<_> = requests[4..7].iter().map(|request| input(request).len()).collect();
    assert!(sizes.is_sorted_by(|a, b| a > b), "{sizes:?}");
    assert!(input(&requests[6]).contains("answer four"));
    turn(&mut client, &thread, "five").await;
    let after = rig.model.requests().pop().expect("asked");
    assert!(input(&after).contains("one") && input(&after).contains("SUMMARY"));
}

#[tokio::test]
async fn a_model_that_never_has_room_is_not_asked_for_ever() {
    let mut rig = Rig::new([says("one")]).await;
    let (mut client, thread) = rig.thread().await;
    turn(&mut client, &thread, "remember me").await;
    (0..30).for_each(|_| rig.model.then(out_of_room()));
    let ended = compact(&mut client, &thread).await;
    assert_eq!(ended["error"]["codexErrorInfo"], "contextWindowExceeded");
    let asked = compactions(&rig);
    assert!((2..=11).contains(&asked), "{asked} requests");
    rig.model.forget_script();
    turn(&mut client, &thread, "still there?").await;
    let after = rig.model.requests().pop().expect("asked");
    assert!(input(&after).contains("remember me"), "the history is as it was");
}

/// SPEC T1: input is kept when room cannot be made for it.
#[tokio::test]
async fn input_outlives_a_compaction_that_fails() {
    let script = [says("one"), Step::Status(400, "no".into()), says("SUMMARY"), says("after")];
    let mut rig = Rig::with_config(script, LOW_LIMIT).await;
    let (mut client, thread) = rig.thread().await;
    turn(&mut client, &thread, "one").await;
    assert_eq!(turn(&mut client, &thread, "precious").await["status"], "failed");
    assert_eq!(turn(&mut client, &thread, "more").await["status"], "completed");
    let after = rig.model.requests().pop().expect("asked");
    assert!(input(&after).contains("precious"), "{}", input(&after));
}

#[tokio::test]
async fn a_model_that_writes_no_summary_costs_no_history() {
    let mut rig = Rig::new([says("one"), says("  "), says("after")]).await;
    let (mut client, thread) = rig.thread().await;
    turn(&mut client, &thread, "a").await;
    let ended = compact(&mut client, &thread).await;
    let text = ended["error"]["message"].as_str().expect("a text");
    assert!(text.contains("no summary"), "{text}");
    turn(&mut client, &thread, "b").await;
    assert!(input(&rig.model.requests()[2]).contains("one"));
}

#[tokio::test]
async fn an_interrupted_compaction_leaves_the_history() {
    let mut rig = Rig::new([says("answer"), Step::Hang, says("after")]).await;
    let (mut client, thread) = rig.thread().await;
    turn(&mut client, &thread, "ALPHA").await;
    client.call("thread/compact/start", json!({"threadId": thread})).await.expect("begun");
    let started = client.wait("turn/started").await;
    rig.model.wait_for(2).await;
    let turn_id = &started["params"]["turn"]["id"];
    let params = json!({"threadId": thread, "turnId": turn_id});
    client.call("turn/interrupt", params).await.expect("interrupted");
    assert_eq!(client.turn_end().await["status"], "interrupted");
    turn(&mut client, &thread, "B").await;
    let after = input(&rig.model.requests()[2]);
    assert!(after.contains("ALPHA") && after.contains("answer"), "{after}");
    assert!(!after.contains("turn_aborted"), "no work of the model was cut off");
}

/// SPEC S7.
#[tokio::test]
async fn a_compaction_ends_the_turn_that_runs_and_cannot_be_steered() {
    let hang = Step::StreamThenHang(vec!["half".into()]);
    let script = [hang, Step::Gate(Box::new(says("SUMMARY"))), says("after")];
    let mut rig = Rig::new(script).await;
    let (mut client, thread) = rig.thread().await;
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let params = json!({"threadId": thread, "input": text("go")});
    client.call("turn/start", params).await.expect("started");
    client.wait("item/agentMessage/delta").await;
    client.forget();
    client.call("thread/compact/start", json!({"threadId": thread})).await.expect("begun");
    assert_eq!(client.turn_end().await["status"], "interrupted");
    let started = client.wait("turn/started").await;
    let params = json!({"threadId": thread, "input": text("x"),
                        "expectedTurnId": started["params"]["turn"]["id"]});
    let refused = client.call("turn/steer", params).await.expect_err("refused");
    assert_eq!(refused.message, "cannot steer a compact turn");
    let kind = &refused.data["codexErrorInfo"]["activeTurnNotSteerable"]["turnKind"];
    assert_eq!(kind, "compact");
    // A turn that is started meanwhile waits for its end and is told of at once.
    let params = json!({"threadId": thread, "input": text("next")});
    let next = client.call("turn/start", params).await.expect("it waits");
    rig.model.release();
    let ended = client.turn_end().await;
    assert_eq!(ended["id"], started["params"]["turn"]["id"]);
    let ended = client.turn_end().await;
    assert_eq!((&ended["id"], &ended["status"]), (&next["turn"]["id"], &json!("completed")));
    assert!(input(&rig.model.requests()[2]).contains("SUMMARY"));
}

/// SPEC P2; the facts of `compact_resume` and `compact_fork`.
#[tokio::test]
async fn a_compacted_thread_is_resumed_and_forked_as_it_was() {
    let mut rig = Rig::new([says("first answer"), says("SUMMARY"), says("second answer")]).await;
    let (mut client, thread) = rig.thread().await;
    turn(&mut client, &thread, "one").await;
    compact(&mut client, &thread).await;
    turn(&mut client, &thread, "two").await;
    let before = rig.model.requests()[2]["input"].as_array().expect("a list").clone();
    drop(client);
    let mut rig = rig.restart().await;
    let mut client = rig.client("again").await;
    client.call("thread/resume", json!({"threadId": thread})).await.expect("resumed");
    turn(&mut client, &thread, "three").await;
    let after = rig.model.requests()[3]["input"].as_array().expect("a list").clone();
    assert_eq!(before[..], after[..before.len()], "what was sent before is sent again");
    let forked = client.call("thread/fork", json!({"threadId": thread})).await.expect("forked");
    let fork = forked["thread"]["id"].as_str().expect("an id").to_owned();
    turn(&mut client, &fork, "four").await;
    let forks = rig.model.requests()[4]["input"].as_array().expect("a list").clone();
    assert_eq!(after[1..], forks[1..after.len()]);
}

#[tokio::test]
async fn the_prompt_for_summaries_can_be_set() {
    let script = [says("one"), says("SUMMARY")];
    let mut rig = Rig::with_config(script, "compact_prompt = \"In one line.\"\n").await;
    let (mut client, thread) = rig.thread().await;
    turn(&mut client, &thread, "a").await;
    compact(&mut client, &thread).await;
    let requests = rig.model.requests();
    let last = requests[1]["input"].as_array().and_then(|input| input.last()).expect("an item");
    assert_eq!(last["content"][0]["text"], "In one line.");
}
