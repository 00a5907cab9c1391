//! `item/permissions/requestApproval`, and permissions of single commands.

use std::path::PathBuf;

use serde_json::{Value, json};
use spindle_tests::{Client, Rig, Step, exec};

/// A workspace that can be written, and nothing around it.
const CONFIG: &str = "approval_policy = \"on-request\"\nsandbox_mode = \"workspace-write\"\n\
    sandbox_workspace_write.exclude_slash_tmp = true\n\
    sandbox_workspace_write.exclude_tmpdir_env_var = true\n\
    features.request_permissions_tool = true\nfeatures.exec_permission_approvals = true\n";

fn call(id: &str, name: &str, arguments: &Value) -> Step {
    Step::Items(vec![json!({"type": "function_call", "name": name, "call_id": id,
                            "arguments": arguments.to_string()})])
}

fn touch(id: &str, path: &str) -> Step {
    Step::Items(vec![exec(id, &format!("touch {path}"))])
}

/// Asks for the sandbox of one command to be wider.
fn widened(id: &str, command: &str, permissions: &Value) -> Step {
    let arguments = json!({"cmd": command, "sandbox_permissions": "with_additional_permissions",
                           "additional_permissions": permissions, "justification": "More?"});
    call(id, "exec_command", &arguments)
}

struct Stage {
    rig: Rig,
    client: Client,
    thread: String,
    outside: PathBuf,
}

impl Stage {
    /// A thread, and a folder beside its workspace.
    async fn new(config: &str) -> Self {
        let mut rig = Rig::with_config([], config).await;
        let outside = rig.home.around().join("outside");
        std::fs::create_dir(&outside).expect("a folder can be made");
        let outside = outside.canonicalize().expect("it is there");
        let (client, thread) = rig.thread().await;
        Self { rig, client, thread, outside }
    }

    /// Starts a turn in which the model does this.
    async fn turn(&mut self, steps: impl IntoIterator<Item = Step>) {
        self.rig.model.forget_script();
        steps.into_iter().for_each(|step| self.rig.model.then(step));
        let input = json!([{"type": "text", "text": "go"}]);
        let params = json!({"threadId": self.thread, "input": input});
        self.client.call("turn/start", params).await.expect("started");
    }

    async fn end(&mut self) {
        assert_eq!(self.client.turn_end().await["status"], "completed");
    }

    fn wants_outside(&self) -> Value {
        json!({"file_system": {"write": [self.outside]}})
    }

    /// A person answers what the model asks for.
    async fn grant(&mut self, answer: impl FnOnce(&Value) -> Value) {
        let request = self.client.wait("item/permissions/requestApproval").await;
        let result = answer(&request["params"]["permissions"]);
        self.client.send(&json!({"id": request["id"], "result": result})).await;
    }

    /// The last output that a request to the model holds.
    fn output(&self, request: usize) -> String {
        let requests = self.rig.model.requests();
        let input = requests[request]["input"].as_array().expect("a list").clone();
        let output = &input.last().expect("not empty")["output"];
        output.as_str().expect("a text").to_owned()
    }
}

/// A grant widens the sandbox of later commands, and of patches, for the turn and no longer.
#[tokio::test]
async fn a_grant_for_the_turn_widens_the_sandbox_until_its_end() {
    let mut stage = Stage::new(CONFIG).await;
    let asked = json!({"reason": "To build.", "permissions": stage.wants_outside()});
    let patch = "*** Begin Patch\n*** Add File: ../outside/patched\n+x\n*** End Patch";
    let patch = json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": "c3",
                       "input": patch});
    stage
        .turn([
            call("c1", "request_permissions", &asked),
            touch("c2", "../outside/one"),
            Step::Items(vec![patch]),
        ])
        .await;
    stage.grant(|asked| json!({"permissions": asked, "scope": "turn"})).await;
    stage.end().await;
    assert!(stage.outside.join("one").exists() && stage.outside.join("patched").exists());
    assert!(stage.output(1).contains(r#""scope":"turn""#), "{}", stage.output(1));

    stage.turn([touch("c4", "../outside/two")]).await;
    stage.end().await;
    assert!(!stage.outside.join("two").exists(), "the grant has ended");
}

#[tokio::test]
async fn a_grant_for_the_session_holds_in_later_turns() {
    let mut stage = Stage::new(CONFIG).await;
    let asked = json!({"permissions": stage.wants_outside()});
    stage.turn([call("c1", "request_permissions", &asked)]).await;
    stage.grant(|asked| json!({"permissions": asked, "scope": "session"})).await;
    stage.end().await;
    stage.turn([touch("c2", "../outside/later")]).await;
    stage.end().await;
    assert!(stage.outside.join("later").exists());
}

/// A no is told as an empty grant, and the turn goes on inside its limits.
#[tokio::test]
async fn a_denied_request_opens_nothing() {
    let mut stage = Stage::new(CONFIG).await;
    let asked = json!({"permissions": stage.wants_outside()});
    let steps = [call("c1", "request_permissions", &asked), touch("c2", "../outside/one")];
    stage.turn(steps).await;
    stage.grant(|_| json!({"permissions": {}})).await;
    stage.end().await;
    assert!(!stage.outside.join("one").exists());
    let nothing = r#"{"permissions":{"network":null,"file_system":null},"scope":"turn"}"#;
    assert_eq!(stage.output(1), nothing);
}

/// Our own home decides what may run: nobody can be talked into opening it.
#[tokio::test]
async fn the_programs_own_home_cannot_be_asked_for() {
    let mut stage = Stage::new(CONFIG).await;
    let rules = stage.rig.home.path().join("rules");
    let asked = json!({"permissions": {"file_system": {"write": [rules]}}});
    stage.turn([call("c1", "request_permissions", &asked)]).await;
    stage.end().await;
    assert!(stage.output(1).contains("own settings and rules"), "{}", stage.output(1));
}

/// A yes to a place is no yes to what a command puts in its way later.
#[tokio::test]
async fn a_granted_folder_that_became_a_link_opens_nothing() {
    let mut stage = Stage::new(CONFIG).await;
    std::fs::create_dir(stage.rig.home.workspace().join("sub")).expect("a folder");
    let asked = json!({"permissions": {"file_system": {"write": ["sub"]}}});
    let ask = call("c1", "request_permissions", &asked);
    stage.turn([ask]).await;
    stage.grant(|asked| json!({"permissions": asked, "scope": "session"})).await;
    stage.end().await;
    let sub = stage.rig.home.workspace().join("sub");
    std::fs::remove_dir(&sub).expect("it is empty");
    std::os::unix::fs::symlink(&stage.outside, &sub).expect("a link can be made");
    stage.turn([touch("c2", "sub/escaped")]).await;
    stage.end().await;
    assert!(!stage.outside.join("escaped").exists());
}

/// The sandbox of one command is widened, not that of the next one.
#[tokio::test]
async fn additional_permissions_hold_for_the_command_that_asked() {
    let mut stage = Stage::new(CONFIG).await;
    let wants = stage.wants_outside();
    let asks = widened("c1", "touch ../outside/one; touch ../two", &wants);
    stage.turn([asks, touch("c2", "../outside/three")]).await;
    let request = stage.client.wait("item/commandExecution/requestApproval").await;
    let params = &request["params"];
    assert_eq!(params["availableDecisions"], json!(["accept", "cancel"]));
    let outside = json!([stage.outside]);
    assert_eq!(params["additionalPermissions"]["fileSystem"]["write"], outside);
    stage.client.send(&json!({"id": request["id"], "result": {"decision": "accept"}})).await;
    stage.end().await;
    assert!(stage.outside.join("one").exists());
    assert!(!stage.rig.home.around().join("two").exists(), "it is still in a sandbox");
    assert!(!stage.outside.join("three").exists());
}

/// What was granted before is not asked about again.
#[tokio::test]
async fn a_command_that_asks_for_what_was_granted_just_runs() {
    let mut stage = Stage::new(CONFIG).await;
    let wants = stage.wants_outside();
    let asked = json!({"permissions": wants});
    let ask = call("c1", "request_permissions", &asked);
    stage.turn([ask, widened("c2", "touch ../outside/one", &wants)]).await;
    stage.grant(|asked| json!({"permissions": asked})).await;
    stage.end().await;
    assert!(stage.outside.join("one").exists());
}

/// Under `never` nobody is asked, and nothing is granted.
#[tokio::test]
async fn where_nobody_may_be_asked_nothing_is_granted() {
    let mut stage = Stage::new(&CONFIG.replace("on-request", "never")).await;
    let wants = stage.wants_outside();
    let asked = json!({"permissions": wants});
    let ask = call("c1", "request_permissions", &asked);
    stage.turn([ask, widened("c2", "touch ../outside/one", &wants)]).await;
    stage.end().await;
    assert!(!stage.outside.join("one").exists());
    assert!(stage.output(2).starts_with("approval policy is Never"), "{}", stage.output(2));
}
