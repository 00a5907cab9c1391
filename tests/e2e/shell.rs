//! `thread/shellCommand`: a person's own commands (SPEC X5).

use serde_json::{Value, json};
use spindle_tests::{Client, Rig, Step, exec, message};

async fn shell(client: &mut Client, thread: &str, command: &str) {
    let params = json!({"threadId": thread, "command": command});
    client.call("thread/shellCommand", params).await.expect("begun");
}

async fn start(client: &mut Client, thread: &str, text: &str) -> Value {
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": text}]});
    client.call("turn/start", params).await.expect("started")["turn"]["id"].clone()
}

async fn ended(client: &mut Client) -> Value {
    let is_own = |params: &Value| params["item"]["source"] == "userShell";
    client.wait_where("item/completed", is_own).await["params"]["item"].clone()
}

/// The last item of the last request, as text.
fn read(rig: &Rig) -> String {
    rig.model.requests().pop().expect("asked")["input"].to_string()
}

#[tokio::test]
async fn a_command_on_an_idle_thread_is_a_turn_and_the_model_reads_of_it_later() {
    let mut rig = Rig::with_config([], "sandbox_mode = \"read-only\"\n").await;
    let (mut client, thread) = rig.thread().await;
    shell(&mut client, &thread, "echo hi | tr a-z A-Z > made; cat made; exit 4").await;
    let item = ended(&mut client).await;
    assert_eq!((&item["exitCode"], &item["status"]), (&json!(4), &json!("failed")));
    assert_eq!((&item["aggregatedOutput"], &item["processId"]), (&json!("HI\n"), &Value::Null));
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(rig.home.workspace().join("made").exists(), "no sandbox holds it");
    assert!(rig.model.requests().is_empty(), "nobody is asked anything");
    start(&mut client, &thread, "what happened?").await;
    client.turn_end().await;
    let text = read(&rig);
    assert!(text.contains("<user_shell_command>") && text.contains("Exit code: 4"), "{text}");
}

#[tokio::test]
async fn a_command_during_a_turn_is_read_with_the_next_request() {
    let call = exec("call_1", "while [ ! -e go ]; do sleep 0.01; done; echo out");
    let script = [Step::Items(vec![call]), Step::Items(vec![message("done")])];
    let mut rig = Rig::new(script).await;
    let (mut client, thread) = rig.thread().await;
    let turn = start(&mut client, &thread, "go").await;
    client.wait_where("item/started", |params| params["item"]["type"] == "commandExecution").await;
    shell(&mut client, &thread, "echo side; (sleep 0.05; touch go) >/dev/null 2>&1 &").await;
    let item = client.wait_where("item/completed", |p| p["item"]["source"] == "userShell").await;
    assert_eq!(item["params"]["turnId"], turn);
    assert_eq!(client.turn_end().await["id"], turn);
    let requests = rig.model.requests();
    let input = requests[1]["input"].as_array().expect("a list");
    let [output, note] = &input[input.len() - 2..] else { panic!("two items") };
    assert_eq!(output["type"], "function_call_output");
    assert!(note["content"][0]["text"].as_str().expect("a text").contains("side"));
}

/// A turn is over only when the person's commands in it are; it can be spoken to until then.
#[tokio::test]
async fn a_turn_waits_for_the_commands_in_it() {
    let script = [Step::Items(vec![message("done")]), Step::Items(vec![message("again")])];
    let mut rig = Rig::new(script).await;
    let (mut client, thread) = rig.thread().await;
    shell(&mut client, &thread, "while [ ! -e go ]; do sleep 0.01; done; echo over").await;
    let turn = client.wait("turn/started").await["params"]["turn"]["id"].clone();
    assert_eq!(start(&mut client, &thread, "meanwhile").await, turn);
    let answer = |params: &Value| params["item"]["type"] == "agentMessage";
    client.wait_where("item/completed", answer).await;
    client.forget();
    std::fs::write(rig.home.workspace().join("go"), "").expect("written");
    assert_eq!(ended(&mut client).await["aggregatedOutput"], "over\n");
    let end = client.turn_end().await;
    assert_eq!((&end["id"], &end["status"]), (&turn, &json!("completed")));
    assert_eq!(rig.model.requests().len(), 1, "its end is no question to the model");
    start(&mut client, &thread, "and now?").await;
    client.turn_end().await;
    let text = read(&rig);
    assert!(text.contains("meanwhile") && text.contains("over"), "{text}");
}

#[tokio::test]
async fn an_interrupt_ends_the_command_and_all_it_started() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    shell(&mut client, &thread, "sleep 600 & echo $! > child; wait").await;
    let turn = client.wait("turn/started").await["params"]["turn"]["id"].clone();
    let pid = child(&rig).await;
    let params = json!({"threadId": thread, "turnId": turn});
    client.call("turn/interrupt", params).await.expect("interrupted");
    assert_eq!(ended(&mut client).await["status"], "failed");
    assert_eq!(client.turn_end().await["status"], "interrupted");
    assert!(is_gone(&pid).await);
    start(&mut client, &thread, "so?").await;
    client.turn_end().await;
    let text = read(&rig);
    assert!(text.contains("ended by the person") && !text.contains("turn_aborted"), "{text}");
}

#[tokio::test]
async fn a_command_ends_with_the_daemon() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    shell(&mut client, &thread, "sleep 600 & echo $! > child; wait").await;
    let pid = child(&rig).await;
    drop(client);
    let mut rig = rig.restart().await;
    assert!(is_gone(&pid).await);
    let mut client = rig.client("again").await;
    let params = json!({"threadId": thread, "includeTurns": true});
    let read = client.call("thread/read", params).await.expect("read");
    let item = &read["thread"]["turns"][0]["items"][0];
    assert_eq!((&item["source"], &item["status"]), (&json!("userShell"), &json!("failed")));
}

#[tokio::test]
async fn what_a_command_prints_is_bounded() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    shell(&mut client, &thread, "head -c 3000000 /dev/zero | tr '\\0' x").await;
    let item = ended(&mut client).await;
    assert!(item["aggregatedOutput"].as_str().expect("a text").len() <= 64 * 1024);
    client.turn_end().await;
    let streamed: usize = client
        .messages()
        .filter(|m| m["method"] == "item/commandExecution/outputDelta")
        .filter_map(|m| m["params"]["delta"].as_str())
        .map(str::len)
        .sum();
    assert!(streamed <= 1_200_000, "{streamed} bytes");
    start(&mut client, &thread, "so?").await;
    client.turn_end().await;
    let text = read(&rig);
    assert!(text.matches('x').count() < 42_000 && text.contains("tokens truncated"));
}

#[tokio::test]
async fn a_command_can_be_given_a_time() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    let params = json!({"threadId": thread, "command": "sleep 600", "timeoutMs": 20});
    client.call("thread/shellCommand", params).await.expect("begun");
    assert_eq!(ended(&mut client).await["status"], "failed");
    assert_eq!(client.turn_end().await["status"], "completed");
}

#[tokio::test]
async fn a_blank_command_is_refused() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    let params = json!({"threadId": thread, "command": " \n"});
    let refused = client.call("thread/shellCommand", params).await.expect_err("refused");
    assert_eq!((refused.code, refused.message.as_str()), (-32600, "command must not be empty"));
}

async fn child(rig: &Rig) -> String {
    let file = rig.home.workspace().join("child");
    loop {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if text.ends_with('\n') {
            return text.trim().to_owned();
        }
        tokio::task::yield_now().await;
    }
}

/// Whether a process is gone, or is a corpse that nobody has looked at.
async fn is_gone(pid: &str) -> bool {
    for _ in 0..200 {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if stat.is_empty() || stat.contains(") Z ") {
            return true;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    false
}
