//! The managed network, and the questions about it. Needs a system that gives a command a network
//! of its own. The local address stands for hosts of the world: it is what a test can serve.

use serde_json::{Value, json};
use spindle_exec::sandbox::Support;
use spindle_tests::{Client, Rig, Step, exec};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A managed network in which local addresses are hosts like any others. The profile stands in
/// for a `sandbox_mode`.
const LOCAL: &str = "allow_login_shell = false\ndefault_permissions = \"net\"\n# sandbox_mode\n[features]\nnetwork_proxy = true\n\
    [permissions.net]\nextends = \":workspace\"\n[permissions.net.network]\nenabled = true\n\
    allow_local_binding = true\n";
const ASKS: &str = "approval_policy = \"on-request\"\n";
const NEVER: &str = "approval_policy = \"never\"\n";

/// Says whether these tests can be made here.
async fn is_possible() -> bool {
    Support::own_network().await.inspect_err(|why| println!("skipped: {why}")).is_ok()
}

/// Serves every visitor of a local port; returns the port.
async fn origin() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a listener");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut visitor, _)) = listener.accept().await {
            let mut head = [0; 4096];
            let _ = visitor.read(&mut head).await;
            let _ = visitor.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
        }
    });
    port
}

/// A command that asks the proxy for a page, prints the first line of the answer, and goes on as
/// `then` says.
fn fetch(id: &str, place: &str, then: &str) -> Value {
    let script = format!(
        "exec 3<>/dev/tcp/127.0.0.1/3128; printf \"GET http://{place}/ HTTP/1.1\\r\\n\\r\\n\" >&3; \
         head -n 1 <&3; {then}"
    );
    exec(id, &format!("bash -c '{script}'"))
}

/// Starts a turn in which the model makes these calls, one after the other.
async fn turn(config: &str, calls: Vec<Value>) -> (Rig, Client, String) {
    let steps = calls.into_iter().map(|call| Step::Items(vec![call]));
    let mut rig = Rig::with_config(steps, config).await;
    let (mut client, thread) = rig.thread().await;
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    client.call("turn/start", params).await.expect("started");
    (rig, client, thread)
}

const REQUEST: &str = "item/commandExecution/requestApproval";

async fn answer(client: &mut Client, decision: Value) -> Value {
    let request = client.wait(REQUEST).await;
    client.send(&json!({"id": request["id"], "result": {"decision": decision}})).await;
    request["params"].clone()
}

/// The next command that ends.
async fn ended(client: &mut Client) -> Value {
    let is_command = |params: &Value| params["item"]["type"] == "commandExecution";
    client.wait_where("item/completed", is_command).await["params"]["item"].clone()
}

fn told(rig: &Rig) -> String {
    rig.model.requests().last().expect("a request")["input"].to_string()
}

/// SPEC X3: what is listed can be reached, by the variables that programs know, and nothing else
/// can, whatever the command does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listed_host_is_reached_through_the_proxy_only() {
    if !is_possible().await {
        return;
    }
    let port = origin().await;
    let config = format!("{NEVER}{LOCAL}domains = {{ \"127.0.0.1\" = \"allow\" }}\n");
    let place = format!("127.0.0.1:{port}");
    let direct = format!("bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}' 2>&1; echo code=$?");
    let env = exec("c3", "echo $HTTP_PROXY $all_proxy $NO_PROXY $CODEX_PERMISSION_PROFILE");
    let calls = vec![fetch("c1", &place, "true"), exec("c2", &direct), env];
    let (_rig, mut client, _) = turn(&config, calls).await;
    let through = ended(&mut client).await;
    assert_eq!((&through["exitCode"], &through["status"]), (&json!(0), &json!("completed")));
    assert_eq!(through["aggregatedOutput"], "HTTP/1.1 200 OK\r\n");
    let direct = ended(&mut client).await["aggregatedOutput"].to_string();
    assert!(direct.contains("refused") && direct.contains("code=1"), "{direct}");
    let variables = ended(&mut client).await["aggregatedOutput"].clone();
    let expected = "http://127.0.0.1:3128 socks5h://127.0.0.1:3128 localhost,127.0.0.1,::1 net\n";
    assert_eq!(variables, expected);
    assert_eq!(client.turn_end().await["status"], "completed");
}

/// The text of `network_never`; the command is ended, and the model told why.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_questions_a_host_that_is_not_listed_ends_the_command() {
    if !is_possible().await {
        return;
    }
    let config = format!("{NEVER}{LOCAL}");
    let calls = vec![fetch("c1", "blocked.example", "sleep 60")];
    let (rig, mut client, _) = turn(&config, calls).await;
    let item = ended(&mut client).await;
    let why = "Network access to \"http://blocked.example:80\" was blocked by policy.";
    assert_eq!((&item["exitCode"], &item["status"]), (&json!(-1), &json!("failed")));
    assert_eq!(item["aggregatedOutput"], format!("HTTP/1.1 403 Forbidden\r\n{why}"));
    assert_eq!(client.turn_end().await["status"], "completed");
    let output = format!("exec_command failed: ProcessFailed {{ message: {why:?} }}");
    assert!(told(&rig).contains(&json!(output).to_string()), "{}", told(&rig));
    assert!(!client.methods().iter().any(|method| method == REQUEST));
}

/// The request of `network_approval_accept`. A yes holds for the command, not for the next one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_is_asked_about_once_for_each_command() {
    if !is_possible().await {
        return;
    }
    let port = origin().await;
    let place = format!("127.0.0.1:{port}");
    let again = format!(
        "exec 3<>/dev/tcp/127.0.0.1/3128; printf \"GET http://{place}/ HTTP/1.1\\r\\n\\r\\n\" >&3; \
         head -n 1 <&3"
    );
    let calls = vec![fetch("c1", &place, &again), fetch("c2", &place, "true")];
    let (_rig, mut client, thread) = turn(&format!("{ASKS}{LOCAL}"), calls).await;
    let asked = answer(&mut client, json!("accept")).await;
    let allow = json!({"action": "allow", "host": "127.0.0.1"});
    let deny = json!({"action": "deny", "host": "127.0.0.1"});
    let amendment = json!({"applyNetworkPolicyAmendment": {"network_policy_amendment": allow}});
    let id = asked["itemId"].as_str().expect("an id");
    assert!(id.starts_with(&format!("network#local#http#127.0.0.1#{port}#")), "{id}");
    assert_eq!(
        asked,
        json!({
            "kind": "command", "environmentId": "local", "itemId": id, "threadId": thread,
            "turnId": asked["turnId"], "startedAtMs": asked["startedAtMs"],
            "networkApprovalContext": {"host": "127.0.0.1", "protocol": "http"},
            "proposedNetworkPolicyAmendments": [allow, deny],
            "availableDecisions": ["accept", "acceptForSession", amendment, "cancel"],
            "reason": "Network access to 127.0.0.1 requires approval",
        })
    );
    let item = ended(&mut client).await;
    assert_eq!(item["aggregatedOutput"], "HTTP/1.1 200 OK\r\n".repeat(2));
    answer(&mut client, json!("accept")).await;
    assert_eq!(ended(&mut client).await["exitCode"], 0);
    assert_eq!(client.turn_end().await["status"], "completed");
}

/// As in `network_approval_session`: for the session, and for this port of the host.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_yes_for_the_session_holds_for_host_and_port() {
    if !is_possible().await {
        return;
    }
    let [one, other] = [origin().await, origin().await].map(|port| format!("127.0.0.1:{port}"));
    let calls = ["c1", "c2"].map(|id| fetch(id, &one, "true")).into_iter();
    let calls = calls.chain([fetch("c3", &other, "true")]).collect();
    let (_rig, mut client, _) = turn(&format!("{ASKS}{LOCAL}"), calls).await;
    answer(&mut client, json!("acceptForSession")).await;
    assert_eq!(ended(&mut client).await["exitCode"], 0);
    assert_eq!(ended(&mut client).await["exitCode"], 0);
    answer(&mut client, json!("decline")).await;
    assert_eq!(ended(&mut client).await["exitCode"], -1);
    assert_eq!(client.turn_end().await["status"], "completed");
}

/// As in `network_approval_decline`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_no_ends_the_command_and_the_turn_goes_on() {
    if !is_possible().await {
        return;
    }
    let calls = vec![fetch("c1", "127.0.0.1:1", "sleep 60")];
    let (rig, mut client, _) = turn(&format!("{ASKS}{LOCAL}"), calls).await;
    answer(&mut client, json!("decline")).await;
    let item = ended(&mut client).await;
    assert_eq!(item["aggregatedOutput"], "HTTP/1.1 403 Forbidden\r\nrejected by user");
    assert_eq!((&item["exitCode"], &item["status"]), (&json!(-1), &json!("failed")));
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(told(&rig).contains("ProcessFailed { message: \\\"rejected by user\\\" }"));
}

/// As in `network_approval_cancel`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_question_about_a_host_ends_the_turn() {
    if !is_possible().await {
        return;
    }
    let calls = vec![fetch("c1", "127.0.0.1:1", "sleep 60")];
    let (_rig, mut client, _) = turn(&format!("{ASKS}{LOCAL}"), calls).await;
    answer(&mut client, json!("cancel")).await;
    assert_eq!(ended(&mut client).await["status"], "failed");
    assert_eq!(client.turn_end().await["status"], "interrupted");
}

fn rule(action: &str, host: &str) -> Value {
    let rule = json!({"action": action, "host": host});
    json!({"applyNetworkPolicyAmendment": {"network_policy_amendment": rule}})
}

/// As in `network_amend_allow`: the rule is written, counts at once, and the model is told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rule_that_allows_a_host_counts_at_once() {
    if !is_possible().await {
        return;
    }
    let place = format!("127.0.0.1:{}", origin().await);
    let calls = ["c1", "c2"].map(|id| fetch(id, &place, "true")).to_vec();
    let (rig, mut client, _) = turn(&format!("{ASKS}{LOCAL}"), calls).await;
    answer(&mut client, rule("allow", "127.0.0.1")).await;
    assert_eq!(ended(&mut client).await["exitCode"], 0);
    assert_eq!(ended(&mut client).await["exitCode"], 0);
    assert_eq!(client.turn_end().await["status"], "completed");
    let written = std::fs::read_to_string(rig.home.path().join("rules/default.rules"));
    assert_eq!(
        written.expect("a file"),
        "network_rule(host=\"127.0.0.1\", protocol=\"http\", decision=\"allow\", \
         justification=\"Allow http access to 127.0.0.1\")\n"
    );
    let second = rig.model.requests()[1]["input"].clone();
    let last = second.as_array().and_then(|items| items.last()).expect("items");
    let text = "Allowed network rule saved in execpolicy (allowlist): 127.0.0.1";
    assert_eq!((&last["role"], &last["content"][0]["text"]), (&json!("developer"), &json!(text)));
}

/// As in `network_amend_deny`: it is not among the decisions, and it counts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rule_that_denies_a_host_counts_at_once() {
    if !is_possible().await {
        return;
    }
    let calls = ["c1", "c2"].map(|id| fetch(id, "127.0.0.1:1", "sleep 60")).to_vec();
    let (rig, mut client, _) = turn(&format!("{ASKS}{LOCAL}"), calls).await;
    answer(&mut client, rule("deny", "127.0.0.1")).await;
    let first = ended(&mut client).await["aggregatedOutput"].to_string();
    assert!(first.contains("rejected by user"), "{first}");
    let second = ended(&mut client).await["aggregatedOutput"].to_string();
    assert!(second.contains("explicitly denied by policy"), "{second}");
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(told(&rig).contains("Denied network rule saved in execpolicy (denylist): 127.0.0.1"));
}

/// SPEC X2: only what was offered counts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rule_about_another_host_than_the_one_asked_about_is_a_no() {
    if !is_possible().await {
        return;
    }
    let calls = vec![fetch("c1", "127.0.0.1:1", "sleep 60")];
    let (rig, mut client, _) = turn(&format!("{ASKS}{LOCAL}"), calls).await;
    answer(&mut client, rule("allow", "other.example")).await;
    assert_eq!(ended(&mut client).await["exitCode"], -1);
    assert!(!rig.home.path().join("rules/default.rules").exists());
    assert_eq!(client.turn_end().await["status"], "completed");
}

/// Nobody is left with a question about a command that has ended.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_goes_with_its_command() {
    if !is_possible().await {
        return;
    }
    let script = "exec 3<>/dev/tcp/127.0.0.1/3128; \
                  printf \"GET http://127.0.0.1:1/ HTTP/1.1\\r\\n\\r\\n\" >&3; read -t 1 <&3; true";
    let calls = vec![exec("c1", &format!("bash -c '{script}'"))];
    let (_rig, mut client, _) = turn(&format!("{ASKS}{LOCAL}"), calls).await;
    let request = client.wait(REQUEST).await;
    let resolved = client.wait("serverRequest/resolved").await;
    assert_eq!(resolved["params"]["requestId"], request["id"]);
    assert_eq!(client.turn_end().await["status"], "completed");
}

/// Without `allow_local_binding`, this machine is refused and nobody is asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn this_machine_is_no_host_to_ask_about() {
    if !is_possible().await {
        return;
    }
    let config = format!("{ASKS}{LOCAL}").replace("allow_local_binding = true\n", "");
    let calls = vec![fetch("c1", "localhost:1", "sleep 60")];
    let (_rig, mut client, _) = turn(&config, calls).await;
    let said = ended(&mut client).await["aggregatedOutput"].to_string();
    assert!(said.contains("local/private network addresses are blocked"), "{said}");
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(!client.methods().iter().any(|method| method == REQUEST));
}

/// Without the feature, a profile's network stays closed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_feature_there_is_no_network() {
    if !is_possible().await {
        return;
    }
    let config = format!("{NEVER}{LOCAL}").replace("network_proxy = true", "network_proxy = false");
    let calls = vec![exec("c1", "echo [$HTTP_PROXY$CODEX_SANDBOX_NETWORK_DISABLED]")];
    let (_rig, mut client, _) = turn(&config, calls).await;
    assert_eq!(ended(&mut client).await["aggregatedOutput"], "[1]\n");
}
