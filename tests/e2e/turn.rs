//! `turn/start`, as clients see it.

use serde_json::{Value, json};
use spindle_tests::{Rig, Step, exec, message};

fn start(thread: &str, text: &str) -> Value {
    json!({"threadId": thread, "input": [{"type": "text", "text": text}]})
}

/// SPEC S5, T10; the order of `plain_message`.
#[tokio::test]
async fn a_text_turn_is_answered_streamed_and_ended_in_order() {
    let pieces = ["Hel", "lo ", "there"].map(String::from).to_vec();
    let mut rig = Rig::new([Step::Stream(pieces)]).await;
    let (mut client, thread) = rig.thread().await;
    client.wait("thread/started").await;
    let answer = client.call("turn/start", start(&thread, "hi")).await.expect("started");
    assert_eq!(answer["turn"]["status"], "inProgress");
    let turn = client.turn_end().await;
    assert_eq!(turn["status"], "completed");
    assert_eq!(turn["id"], answer["turn"]["id"]);
    assert_eq!(turn["items"][0]["text"], "Hello there");
    let methods = client.methods();
    let told: Vec<&str> = methods
        .iter()
        .map(String::as_str)
        .filter(|m| m.starts_with("turn/") || m.starts_with("item/"))
        .collect();
    assert_eq!(told[..4], ["turn/started", "item/started", "item/completed", "item/started"]);
    assert_eq!(told.last(), Some(&"item/completed"));
    let text: String = client
        .messages()
        .filter(|m| m["method"] == "item/agentMessage/delta")
        .filter_map(|m| m["params"]["delta"].as_str())
        .collect();
    assert_eq!(text, "Hello there");
}

/// SPEC C1, C2, C11.
#[tokio::test]
async fn a_command_runs_and_its_output_goes_back_to_the_model() {
    let call = exec("call_1", "printf 'a\\nb\\n'");
    let mut rig = Rig::new([Step::Items(vec![call]), Step::Items(vec![message("done")])]).await;
    let (mut client, thread) = rig.thread().await;
    client.call("turn/start", start(&thread, "go")).await.expect("started");
    let item = client
        .wait_where("item/completed", |params| params["item"]["type"] == "commandExecution")
        .await;
    let item = &item["params"]["item"];
    assert_eq!((&item["exitCode"], &item["aggregatedOutput"]), (&json!(0), &json!("a\nb\n")));
    assert_eq!(client.turn_end().await["status"], "completed");
    let requests = rig.model.requests();
    let input = requests[1]["input"].as_array().expect("input is a list");
    let [call, output] = &input[input.len() - 2..] else { panic!("two items") };
    assert_eq!(
        (&call["type"], &output["type"]),
        (&json!("function_call"), &json!("function_call_output"))
    );
    let text = output["output"].as_str().expect("a text");
    assert!(
        text.contains("Process exited with code 0") && text.ends_with("Output:\na\nb\n"),
        "{text}"
    );
}

/// SPEC C3, C5: outputs stand in call order, whatever order they finish in.
#[tokio::test]
async fn outputs_of_parallel_commands_stand_in_call_order() {
    let slow = exec("call_1", "while [ ! -e go ]; do sleep 0.01; done; echo slow");
    let fast = exec("call_2", "echo fast; touch go");
    let mut rig =
        Rig::new([Step::Items(vec![slow, fast]), Step::Items(vec![message("done")])]).await;
    let (mut client, thread) = rig.thread().await;
    client.call("turn/start", start(&thread, "go")).await.expect("started");
    client.turn_end().await;
    let requests = rig.model.requests();
    let ids: Vec<_> = requests[1]["input"]
        .as_array()
        .expect("input is a list")
        .iter()
        .filter(|item| item["type"] == "function_call_output")
        .map(|item| item["call_id"].clone())
        .collect();
    assert_eq!(ids, ["call_1", "call_2"]);
}

/// SPEC C6, C7: what goes wrong with a call is told to the model, and the turn goes on.
#[tokio::test]
async fn a_call_that_cannot_run_becomes_an_output() {
    let unknown =
        json!({"type": "function_call", "name": "nope", "call_id": "c1", "arguments": "{}"});
    let broken = json!({"type": "function_call", "name": "exec_command", "call_id": "c2", "arguments": "{\"cmd\": "});
    let mut rig =
        Rig::new([Step::Items(vec![unknown, broken]), Step::Items(vec![message("done")])]).await;
    let (mut client, thread) = rig.thread().await;
    client.call("turn/start", start(&thread, "go")).await.expect("started");
    assert_eq!(client.turn_end().await["status"], "completed");
    let requests = rig.model.requests();
    let outputs: Vec<_> = requests[1]["input"]
        .as_array()
        .expect("input is a list")
        .iter()
        .filter(|item| item["type"] == "function_call_output")
        .map(|item| item["output"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(outputs[0], "unsupported call: nope");
    assert!(outputs[1].starts_with("failed to parse function arguments: "), "{}", outputs[1]);
}

/// The texts and codes of `error_401`, `error_400`.
#[tokio::test]
async fn a_refusal_of_the_provider_fails_the_turn_and_not_the_thread() {
    let mut rig = Rig::new([Step::Status(401, "bad key".into())]).await;
    let (mut client, thread) = rig.thread().await;
    client.call("turn/start", start(&thread, "one")).await.expect("started");
    let error = client.wait("error").await;
    assert_eq!(error["params"]["willRetry"], false);
    let turn = client.turn_end().await;
    assert_eq!(turn["status"], "failed");
    let message = turn["error"]["message"].as_str().expect("a text");
    assert!(message.starts_with("unexpected status 401 Unauthorized: bad key, url: "), "{message}");
    client.call("turn/start", start(&thread, "two")).await.expect("started");
    assert_eq!(client.turn_end().await["status"], "completed");
}

/// SPEC T5, T6: a broken answer is asked for again, and what ran does not run again.
#[tokio::test]
async fn a_cut_answer_is_retried() {
    let cut = Step::StreamThenCut(vec!["half".into()]);
    let mut rig = Rig::new([cut, Step::Items(vec![message("whole")])]).await;
    let config = rig.home.path().join("config.toml");
    let text = std::fs::read_to_string(&config).expect("the test wrote it");
    let text = text.replace("stream_max_retries = 0", "stream_max_retries = 1");
    std::fs::write(&config, text).expect("the home can be written");
    let (mut client, thread) = rig.thread().await;
    client.call("turn/start", start(&thread, "go")).await.expect("started");
    let error = client.wait("error").await;
    assert_eq!(error["params"]["willRetry"], true);
    assert_eq!(error["params"]["error"]["message"], "Reconnecting... 1/1");
    assert_eq!(client.turn_end().await["items"][0]["text"], "whole");
}

/// SPEC S5: nothing starts and nothing is lost when the input cannot be taken.
#[tokio::test]
async fn input_that_no_turn_can_take_is_refused_with_a_reason() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    let image = json!({"threadId": thread, "input": [{"type": "image", "url": "https://example.com/a.png"}]});
    let refused = client.call("turn/start", image).await.expect_err("refused");
    assert!(refused.message.contains("inline data URL"), "{}", refused.message);
    let unknown = "0197ae5c-0000-7000-8000-000000000000";
    let refused = client.call("turn/start", start(unknown, "hi")).await.expect_err("refused");
    assert_eq!(refused.message, format!("thread not found: {unknown}"));
    assert_eq!(refused.code, -32600);
    assert!(refused.data.is_object(), "every refusal has data for programs: {refused:?}");
    assert!(rig.model.requests().is_empty());
}
