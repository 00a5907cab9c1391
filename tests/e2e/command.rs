//! `command/exec` and `process/spawn`: the commands of clients.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use spindle_exec::sandbox::{Strategy, Support};
use spindle_tests::{Binary, Client, Home, Model, Rig, is_alive, line_of, until};

/// What was told of one output of a command, joined.
fn told(client: &Client, method: &str, stream: &str) -> Vec<u8> {
    let pieces = client
        .messages()
        .filter(|message| message["method"] == method && message["params"]["stream"] == stream);
    let decode = |message: &Value| {
        let text = message["params"]["deltaBase64"].as_str().unwrap_or_default();
        STANDARD.decode(text).expect("pieces are in base64")
    };
    pieces.flat_map(decode).collect()
}

#[tokio::test]
async fn the_answer_holds_the_end_and_both_outputs() {
    let mut rig = Rig::new([]).await;
    let mut client = rig.client("a").await;
    let params = json!({"command": ["sh", "-c", "echo out; echo err >&2; exit 3"]});
    let end = client.call("command/exec", params).await.expect("it runs");
    assert_eq!(end, json!({"exitCode": 3, "stdout": "out\n", "stderr": "err\n"}));
}

/// No piece is lost, none is above 64 KiB, and all come before the answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_client_loses_nothing_and_holds_up_nobody() {
    const BYTES: usize = 8_000_000;
    let mut rig = Rig::new([]).await;
    let mut slow = rig.client("slow").await;
    let mut other = rig.client("other").await;
    let done = rig.home.workspace().join("done");
    let script = format!("yes | head -c {BYTES}; touch {}", done.display());
    let exec = slow
        .ask(
            "command/exec",
            json!({"command": ["sh", "-c", script], "processId": "p", "streamStdoutStderr": true,
                   "disableOutputCap": true, "disableTimeout": true}),
        )
        .await;
    slow.wait("command/exec/outputDelta").await;
    for _ in 0..20 {
        let end = other.call("command/exec", json!({"command": ["echo", "hi"]})).await;
        assert_eq!(end.expect("it runs")["stdout"], "hi\n");
    }
    assert!(!done.exists(), "the command waits for its client");
    slow.forget();
    let end = slow.answer(exec).await.expect("it ends");
    assert_eq!(end, json!({"exitCode": 0, "stdout": "", "stderr": ""}));
    let longest = slow.messages().map(|message| message.to_string().len()).max();
    assert!(longest.is_some_and(|longest| longest <= 64 << 10), "{longest:?}");
    assert!(slow.methods().iter().all(|method| method == "command/exec/outputDelta"));
    let rest = told(&slow, "command/exec/outputDelta", "stdout");
    assert!(rest.len() > BYTES - (64 << 10), "{} of {BYTES}", rest.len());
    assert!(rest.windows(2).all(|two| two[0] != two[1]), "a piece is missing or twice");
}

#[tokio::test]
async fn a_cap_is_told_with_the_last_piece_and_the_command_goes_on() {
    let mut rig = Rig::new([]).await;
    let mut client = rig.client("a").await;
    let script = "printf 0123456789; yes | head -c 1000000; exit 5";
    let params = json!({"command": ["sh", "-c", script], "processId": "p",
                        "streamStdoutStderr": true, "outputBytesCap": 4});
    let end = client.call("command/exec", params).await.expect("it runs");
    assert_eq!(end["exitCode"], 5);
    let is_piece = |message: &&Value| message["method"] == "command/exec/outputDelta";
    let pieces: Vec<&Value> = client.messages().filter(is_piece).collect();
    assert_eq!(pieces.len(), 1, "{pieces:?}");
    assert_eq!(pieces[0]["params"]["capReached"], true);
    assert_eq!(told(&client, "command/exec/outputDelta", "stdout"), b"0123");
}

/// An answer that would be longer than a message may be is not cut in silence.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_output_than_an_answer_holds_is_refused_by_name() {
    let mut rig = Rig::new([]).await;
    let mut client = rig.client("a").await;
    let params = json!({"command": ["sh", "-c", "yes | head -c 17000000"],
                        "disableOutputCap": true, "disableTimeout": true});
    let refused = client.call("command/exec", params).await.expect_err("too much");
    let data = json!({"type": "outputTooLarge", "exitCode": 0, "limitBytes": 16 << 20});
    assert_eq!((refused.code, refused.data), (-32603, data));
}

#[tokio::test]
async fn input_is_written_in_order_and_closed() {
    let mut rig = Rig::new([]).await;
    let mut client = rig.client("a").await;
    let exec = client
        .ask("command/exec", json!({"command": ["cat"], "processId": "p", "streamStdin": true}))
        .await;
    for word in ["one ", "two ", "three"] {
        let delta = STANDARD.encode(word);
        client.ask("command/exec/write", json!({"processId": "p", "deltaBase64": delta})).await;
    }
    let close = json!({"processId": "p", "closeStdin": true});
    client.call("command/exec/write", close.clone()).await.expect("it is closed");
    assert_eq!(client.answer(exec).await.expect("it ends")["stdout"], "one two three");
    let late = client.call("command/exec/write", close).await.expect_err("it has ended");
    assert_eq!(late.message, "no active command/exec for process id \"p\"");
    assert_eq!(late.data, json!({"type": "commandNotFound", "name": "p"}));
}

/// A write that the command does not take must not hold up the request that ends it.
#[tokio::test]
async fn a_command_that_does_not_read_can_be_ended() {
    let mut rig = Rig::new([]).await;
    let mut client = rig.client("a").await;
    let spawn = json!({"command": ["sleep", "600"], "cwd": "/", "processHandle": "h",
                       "streamStdin": true, "timeoutMs": null});
    client.call("process/spawn", spawn).await.expect("it runs");
    let much = STANDARD.encode(vec![b'x'; 1 << 20]);
    let write =
        client.ask("process/writeStdin", json!({"processHandle": "h", "deltaBase64": much})).await;
    client.call("process/kill", json!({"processHandle": "h"})).await.expect("it is killed");
    let refused = client.answer(write).await.expect_err("nobody reads it");
    assert_eq!(refused.message, "stdin is closed");
    let exited = client.wait("process/exited").await;
    assert_eq!(exited["params"]["exitCode"], 137);
}

#[tokio::test]
async fn a_terminal_has_the_size_that_it_is_given_and_given_again() {
    let mut rig = Rig::new([]).await;
    let mut client = rig.client("a").await;
    let exec = client
        .ask(
            "command/exec",
            json!({"command": ["sh", "-c", "stty size; read _; stty size"], "processId": "p",
                   "tty": true, "size": {"rows": 11, "cols": 33}}),
        )
        .await;
    client.wait("command/exec/outputDelta").await;
    let size = json!({"processId": "p", "size": {"rows": 5, "cols": 7}});
    client.call("command/exec/resize", size).await.expect("it is resized");
    let enter = json!({"processId": "p", "deltaBase64": "Cg=="});
    client.call("command/exec/write", enter).await.expect("it is written");
    client.answer(exec).await.expect("it ends");
    let told = told(&client, "command/exec/outputDelta", "stdout");
    assert!(told.ends_with(b"5 7\r\n"), "{}", String::from_utf8_lossy(&told));
}

#[tokio::test]
async fn names_belong_to_one_connection_and_one_kind_of_command() {
    let mut rig = Rig::new([]).await;
    let (mut one, mut two) = (rig.client("one").await, rig.client("two").await);
    let spawn = json!({"command": ["sleep", "600"], "cwd": "/", "processHandle": "h"});
    one.call("process/spawn", spawn.clone()).await.expect("it runs");
    let twice = one.call("process/spawn", spawn.clone()).await.expect_err("it runs already");
    assert_eq!((twice.code, &*twice.message), (-32600, "duplicate active process handle: \"h\""));
    let kill = json!({"processHandle": "h"});
    let foreign = two.call("process/kill", kill.clone()).await.expect_err("not its own");
    assert_eq!(foreign.message, "no active process for process handle \"h\"");
    let exec = json!({"processId": "h"});
    one.call("command/exec/terminate", exec).await.expect_err("another kind");
    two.call("process/spawn", spawn.clone()).await.expect("it has names of its own");
    one.call("process/kill", kill).await.expect("it is killed");
    one.wait("process/exited").await;
    one.call("process/spawn", spawn).await.expect("the name is free again");
}

#[tokio::test]
async fn a_command_whose_time_is_up_is_killed_with_all_that_it_started() {
    let mut rig = Rig::new([]).await;
    let mut client = rig.client("a").await;
    let child = rig.home.workspace().join("child");
    let script = format!("sleep 600 & echo $! > {}; echo a; wait", child.display());
    let params = json!({"command": ["sh", "-c", script], "timeoutMs": 300});
    let end = client.call("command/exec", params).await.expect("it runs");
    assert_eq!(end, json!({"exitCode": 124, "stdout": "a\n", "stderr": ""}));
    let pid = line_of(&child).await;
    until("the end of the child", || !is_alive(&pid)).await;
}

/// However a connection ends, its commands end with it.
#[tokio::test]
async fn a_connection_takes_its_commands_along() {
    let mut rig = Rig::new([]).await;
    let mut other = rig.client("other").await;
    let mut client = rig.client("a").await;
    let file = |name: &str| rig.home.workspace().join(name);
    let script = |name: &str| {
        let (one, two) = (file(&format!("{name}1")), file(&format!("{name}2")));
        format!("sleep 600 & echo $! > {}; echo $$ > {}; wait", one.display(), two.display())
    };
    let exec = json!({"command": ["sh", "-c", script("exec")], "disableTimeout": true});
    client.ask("command/exec", exec).await;
    let spawn = json!({"command": ["sh", "-c", script("spawn")], "cwd": "/",
                       "processHandle": "h", "timeoutMs": null});
    client.call("process/spawn", spawn).await.expect("it runs");
    let mut pids = Vec::new();
    for name in ["exec1", "exec2", "spawn1", "spawn2"] {
        pids.push(line_of(&file(name)).await);
    }
    assert!(pids.iter().all(|pid| is_alive(pid)));
    drop(client);
    for pid in pids {
        until("the end of a command", || !is_alive(&pid)).await;
    }
    other.call("command/exec", json!({"command": ["true"]})).await.expect("others go on");
}

/// A client that goes while its command waits for it must not keep the command.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_ends_unread_takes_its_commands_along() {
    let mut rig = Rig::new([]).await;
    let mut client = rig.client("a").await;
    let file = rig.home.workspace().join("pid");
    let script = format!("echo $$ > {}; exec yes", file.display());
    let spawn = json!({"command": ["sh", "-c", script], "cwd": "/", "processHandle": "h",
                       "timeoutMs": null, "outputBytesCap": null, "streamStdoutStderr": true});
    client.call("process/spawn", spawn).await.expect("it runs");
    client.wait("process/outputDelta").await;
    let pid = line_of(&file).await;
    drop(client);
    until("the end of the command", || !is_alive(&pid)).await;
}

/// Requests that waited in a lane when their connection ended start nothing.
#[tokio::test]
async fn nothing_starts_for_a_connection_that_is_gone() {
    let mut rig = Rig::new([]).await;
    let mut client = rig.client("a").await;
    let file = rig.home.workspace().join("pids");
    let script = format!("echo $$ >> {}; exec sleep 600", file.display());
    let spawn = json!({"command": ["sh", "-c", script], "cwd": "/", "processHandle": "h"});
    for _ in 0..50 {
        client.ask("process/spawn", spawn.clone()).await;
        client.ask("process/kill", json!({"processHandle": "h"})).await;
    }
    line_of(&file).await;
    drop(client);
    let pids = || std::fs::read_to_string(&file).unwrap_or_default();
    until("the end of all", || !pids().lines().any(is_alive)).await;
    let mut other = rig.client("other").await;
    for _ in 0..20 {
        other.call("command/exec", json!({"command": ["true"]})).await.expect("others go on");
    }
    assert!(!pids().lines().any(is_alive), "a command runs for nobody");
}

#[tokio::test]
async fn the_environment_is_the_configurations_with_the_clients_changes() {
    let config =
        "shell_environment_policy = { inherit = \"none\", set = { A = \"1\", B = \"2\" } }";
    let mut rig = Rig::with_config([], config).await;
    let mut client = rig.client("a").await;
    let params = json!({"command": ["env"], "env": {"B": null, "C": "3"}});
    let end = client.call("command/exec", params).await.expect("it runs");
    assert_eq!(end["stdout"], "A=1\nC=3\n");
}

/// SPEC X3: the sandbox of the request, and that of the configuration without one.
#[tokio::test]
async fn a_clients_command_is_held_by_the_sandbox_that_it_names() {
    if matches!(Support::detect().await.strategy(), Strategy::None) {
        return;
    }
    let mut rig = Rig::with_config([], "sandbox_mode = \"read-only\"").await;
    let mut client = rig.client("a").await;
    let file = rig.home.workspace().join("made");
    let touch = json!(["touch", file]);
    for held in [
        json!({"command": touch}),
        json!({"command": touch, "sandboxPolicy": {"type": "readOnly"}}),
        json!({"command": touch, "permissionProfile": ":read-only"}),
    ] {
        let end = client.call("command/exec", held).await.expect("it runs");
        assert!(end["exitCode"] != 0 && !file.exists(), "{end}");
    }
    let open = json!({"command": touch, "sandboxPolicy": {"type": "dangerFullAccess"}});
    assert_eq!(client.call("command/exec", open).await.expect("it runs")["exitCode"], 0);
    assert!(file.exists());
}

/// A daemon that is killed leaves no command and no file of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_daemon_leaves_neither_command_nor_placeholder() {
    let model = Model::start([]).await;
    let home = Home::new(&model.base_url(), "sandbox_mode = \"workspace-write\"");
    let mut daemon = Binary::start(&home);
    let params = long_command(&home, "612").await;
    daemon.ask("command/exec", &params);
    line_of(&home.workspace().join("ready")).await;
    until("the command", || runs("612")).await;
    daemon.kill();
    until("the end of the command", || !runs("612")).await;
    until("a clean workspace", || leftovers(&home).is_empty()).await;
}

/// The same for a command that is ended from outside.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_is_ended_leaves_no_placeholder() {
    let mut rig = Rig::with_config([], "sandbox_mode = \"workspace-write\"").await;
    let mut client = rig.client("a").await;
    let params = long_command(&rig.home, "613").await;
    let exec = client.ask("command/exec", params).await;
    line_of(&rig.home.workspace().join("ready")).await;
    client.call("command/exec/terminate", json!({"processId": "p"})).await.expect("it runs");
    assert_eq!(client.answer(exec).await.expect("it ends")["exitCode"], 137);
    until("a clean workspace", || leftovers(&rig.home).is_empty()).await;
}

/// A command for the sandbox of the configuration, where there is one: it says that it is ready in
/// a file and then sleeps for so long.
async fn long_command(home: &Home, seconds: &str) -> Value {
    let script = format!("echo ready > ready; exec sleep {seconds}");
    let mut params = json!({"command": ["sh", "-c", script], "cwd": home.workspace(),
                            "processId": "p", "disableTimeout": true});
    if matches!(Support::detect().await.strategy(), Strategy::None) {
        params["sandboxPolicy"] = json!({"type": "dangerFullAccess"});
    }
    params
}

/// What is in the workspace beside the test's own file.
fn leftovers(home: &Home) -> Vec<std::ffi::OsString> {
    let entries = std::fs::read_dir(home.workspace()).expect("it can be read").flatten();
    entries.map(|entry| entry.file_name()).filter(|name| name != "ready").collect()
}

/// Whether a `sleep` with this argument runs anywhere.
fn runs(argument: &str) -> bool {
    let wanted = format!("sleep\0{argument}\0").into_bytes();
    let processes = std::fs::read_dir("/proc").expect("there is a /proc").flatten();
    processes
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .any(|line| line == wanted)
}

/// The end of the daemon's input is the end of its commands.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_daemon_that_ends_leaves_neither_command_nor_placeholder() {
    let model = Model::start([]).await;
    let home = Home::new(&model.base_url(), "sandbox_mode = \"workspace-write\"");
    let mut daemon = Binary::start(&home);
    let params = long_command(&home, "614").await;
    daemon.ask("command/exec", &params);
    line_of(&home.workspace().join("ready")).await;
    until("the command", || runs("614")).await;
    let code = tokio::task::spawn_blocking(move || daemon.close()).await.expect("it ends");
    assert_eq!(code, Some(0));
    assert!(!runs("614"), "the command outlived its daemon");
    until("a clean workspace", || leftovers(&home).is_empty()).await;
}
