//! `turn/steer`.

use serde_json::json;
use spindle_tests::{Rig, Step, message};

/// SPEC T4; the behaviour of `steer_streaming`.
#[tokio::test]
async fn steering_a_streaming_turn_forces_another_sampling() {
    let gate = Step::Gate(Box::new(Step::Items(vec![message("first")])));
    let mut rig = Rig::new([gate, Step::Items(vec![message("second")])]).await;
    let (mut client, thread) = rig.thread().await;
    let input = json!([{"type": "text", "text": "go"}]);
    let started = client
        .call("turn/start", json!({"threadId": thread, "input": input}))
        .await
        .expect("started");
    let turn = started["turn"]["id"].clone();
    rig.model.wait_for(1).await;
    let steer = json!({"threadId": thread, "expectedTurnId": turn,
                       "input": [{"type": "text", "text": "and this"}], "clientUserMessageId": "mine"});
    let answer = client.call("turn/steer", steer).await.expect("steered");
    assert_eq!(answer["turnId"], turn);
    rig.model.release();
    let ended = client.turn_end().await;
    assert_eq!(ended["items"][0]["text"], "second");
    let requests = rig.model.requests();
    let input = requests[1]["input"].as_array().expect("a list");
    assert_eq!(input.last().expect("not empty")["content"][0]["text"], "and this");
    let item =
        client.wait_where("item/completed", |params| params["item"]["clientId"] == "mine").await;
    assert_eq!(item["params"]["turnId"], turn);
}

/// SPEC S5: every refusal says which turn runs, for people and for programs.
#[tokio::test]
async fn a_steer_that_cannot_be_taken_is_refused() {
    let mut rig = Rig::new([Step::Hang]).await;
    let (mut client, thread) = rig.thread().await;
    let steer = |turn: &str, text: &str| {
        let input =
            if text.is_empty() { json!([]) } else { json!([{"type": "text", "text": text}]) };
        json!({"threadId": thread, "expectedTurnId": turn, "input": input})
    };
    let idle = client.call("turn/steer", steer("t", "x")).await.expect_err("nothing runs");
    assert_eq!((idle.code, idle.message.as_str()), (-32600, "no active turn to steer"));
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    let started = client.call("turn/start", params).await.expect("started");
    let turn = started["turn"]["id"].as_str().expect("an id").to_owned();
    let other = client.call("turn/steer", steer("other", "x")).await.expect_err("another runs");
    assert_eq!(other.message, format!("expected active turn id `other` but found `{turn}`"));
    assert!(other.data.is_object(), "{other:?}");
    let empty = client.call("turn/steer", steer(&turn, "")).await.expect_err("nothing said");
    assert_eq!(empty.message, "input must not be empty");
}
