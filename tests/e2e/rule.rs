//! Rules about commands, from file to command.

use std::path::Path;

use serde_json::json;
use spindle_tests::{Client, Rig, Step, exec};

const CONFIG: &str = "approval_policy = \"on-request\"\nsandbox_mode = \"workspace-write\"\n\
    sandbox_workspace_write.exclude_slash_tmp = true\n\
    sandbox_workspace_write.exclude_tmpdir_env_var = true\n";
const NO_ID: &str = "prefix_rule(pattern=[\"id\"], decision=\"forbidden\")\n";

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::create_dir_all(folder).expect("a folder can be made");
    std::fs::write(folder.join(name), text).expect("a file can be written");
}

fn run(id: &str, command: &str) -> Step {
    Step::Items(vec![exec(id, command)])
}

async fn turn(client: &mut Client, thread: &str) {
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    client.call("turn/start", params).await.expect("started");
}

async fn whole_turn(client: &mut Client, thread: &str) {
    turn(client, thread).await;
    assert_eq!(client.turn_end().await["status"], "completed");
}

/// The last output that a request to the model holds.
fn output(rig: &Rig, request: usize) -> String {
    let requests = rig.model.requests();
    let input = requests[request]["input"].as_array().expect("a list").clone();
    input.iter().rfind(|item| item["output"].is_string()).expect("an output")["output"].to_string()
}

/// One bad file costs its own rules only, and people are told where it is bad.
#[tokio::test]
async fn a_bad_rule_file_is_told_and_disables_only_itself() {
    let mut rig = Rig::with_config([run("c1", "id"), run("c2", "uname")], CONFIG).await;
    let rules = rig.home.path().join("rules");
    write(&rules, "bad.rules", "# fine\nprefix_rule(pattern=[\"uname\"], decision=\"nope\")\n");
    write(&rules, "good.rules", NO_ID);
    let (mut client, thread) = rig.thread().await;
    let warning = client.wait("configWarning").await;
    let warning = &warning["params"];
    assert_eq!(warning["path"], json!(rules.join("bad.rules")));
    assert_eq!(warning["range"]["start"], json!({"line": 2, "column": 1}));
    let details = warning["details"].as_str().expect("a text");
    assert!(details.contains("invalid decision: nope"), "{details}");
    whole_turn(&mut client, &thread).await;
    assert!(output(&rig, 1).contains("policy forbids commands starting with `id`"));
    assert!(output(&rig, 2).contains("Process exited with code 0"));
}

/// A change counts from the next command on, and a new fault is told to all.
#[tokio::test]
async fn a_changed_rule_file_counts_from_the_next_command_on() {
    let steps = [run("c1", "id"), Step::Gate(Box::new(run("c2", "id")))];
    let mut rig = Rig::with_config(steps, CONFIG).await;
    let rules = rig.home.path().join("rules");
    let (mut client, thread) = rig.thread().await;
    write(&rules, "a.rules", NO_ID);
    turn(&mut client, &thread).await;
    rig.model.wait_for(2).await;
    assert!(output(&rig, 1).contains("rejected"), "{}", output(&rig, 1));
    write(&rules, "a.rules", "prefix_rule(pattern=[\"id\"\n");
    rig.model.release();
    let warning = client.wait("configWarning").await;
    assert_eq!(warning["params"]["path"], json!(rules.join("a.rules")));
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(output(&rig, 2).contains("Process exited with code 0"));
}

/// A yes with a rule writes it; the next command of its kind runs unasked, and the model knows.
#[tokio::test]
async fn a_yes_with_a_rule_is_kept_for_commands_like_it() {
    let touch = |id: &str, path: &str| {
        let arguments = json!({"cmd": format!("touch {path}"), "prefix_rule": ["touch"],
                               "sandbox_permissions": "require_escalated", "justification": "?"});
        Step::Items(vec![json!({"type": "function_call", "name": "exec_command", "call_id": id,
                                "arguments": arguments.to_string()})])
    };
    let mut rig = Rig::with_config([touch("c1", "../one"), touch("c2", "../two")], CONFIG).await;
    let (mut client, thread) = rig.thread().await;
    turn(&mut client, &thread).await;
    let request = client.wait("item/commandExecution/requestApproval").await;
    let offered = request["params"]["availableDecisions"][1].clone();
    client.send(&json!({"id": request["id"], "result": {"decision": offered}})).await;
    assert_eq!(client.turn_end().await["status"], "completed");
    assert!(rig.home.around().join("one").exists() && rig.home.around().join("two").exists());
    let text = std::fs::read_to_string(rig.home.path().join("rules/default.rules"));
    assert_eq!(text.expect("written"), "prefix_rule(pattern=[\"touch\"], decision=\"allow\")\n");
    let input = rig.model.requests()[1]["input"].clone();
    let told = input.as_array().and_then(|list| list.last().cloned()).unwrap_or_default();
    assert_eq!(told["content"][0]["text"], "Approved command prefix saved:\n- [\"touch\"]");
}

/// Rules of a project count where a person trusts it, and no command can write them.
#[tokio::test]
async fn rules_of_a_trusted_project_count_and_cannot_be_written() {
    let attempt = "rm .codex/rules/p.rules; echo > .codex/rules/q.rules";
    let mut rig = Rig::with_config([run("c1", "id"), run("c2", attempt)], CONFIG).await;
    let rules = rig.home.workspace().join(".codex/rules");
    write(&rules, "p.rules", NO_ID);
    let trust = format!("[projects.{:?}]\ntrust_level = \"trusted\"\n", rig.home.workspace());
    let config = rig.home.path().join("config.toml");
    let text = std::fs::read_to_string(&config).expect("the home has settings");
    std::fs::write(&config, text + &trust).expect("the home can be written");
    let (mut client, thread) = rig.thread().await;
    whole_turn(&mut client, &thread).await;
    assert!(output(&rig, 1).contains("rejected"), "{}", output(&rig, 1));
    assert!(rules.join("p.rules").exists() && !rules.join("q.rules").exists());
}

/// A project that nobody trusts has no say.
#[tokio::test]
async fn rules_of_a_project_that_nobody_trusts_do_not_count() {
    let mut rig = Rig::with_config([run("c1", "id")], CONFIG).await;
    write(&rig.home.workspace().join(".codex/rules"), "p.rules", NO_ID);
    let (mut client, thread) = rig.thread().await;
    whole_turn(&mut client, &thread).await;
    assert!(output(&rig, 1).contains("exited with code 0"), "{}", output(&rig, 1));
}
