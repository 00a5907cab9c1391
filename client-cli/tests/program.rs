//! The program as people and other programs start it.

#![expect(clippy::disallowed_methods, reason = "these tests start the program as users do")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program, on a home of its own, with the offline stand-in as its provider.
fn spindle(folder: &Path) -> Command {
    std::fs::create_dir_all(folder.join("work")).expect("the folder is ours");
    let mut command = Command::new(env!("CARGO_BIN_EXE_spindle"));
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("SPINDLE_HOME", folder.join("home"))
        .env("HOME", folder.join("user"))
        .current_dir(folder.join("work"))
        .stdin(Stdio::null())
        .args(["-c", "model_provider=\"offline\"", "-c", "model=\"spindle-offline\""]);
    command
}

fn run(folder: &Path, words: &[&str]) -> Output {
    spindle(folder).args(words).output().expect("the program was built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program writes text")
}

/// The objects on stdout; every line must be one.
fn events(output: &Output) -> Vec<Value> {
    let object = |line| serde_json::from_str(line).expect("each line is an object");
    text(&output.stdout).lines().map(object).collect()
}

const EXEC: [&str; 4] = ["exec", "--skip-git-repo-check", "--sandbox", "danger-full-access"];

fn exec(folder: &Path, words: &[&str]) -> Output {
    run(folder, &[&EXEC, words].concat())
}

#[test]
fn a_wrong_command_line_ends_with_two_and_says_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let output = run(dir.path(), &["exec", "--bogus"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("unexpected argument '--bogus'"));
    assert_eq!(run(dir.path(), &["app-server", "--listen", "nowhere"]).status.code(), Some(2));
}

#[test]
fn the_answer_goes_to_stdout_and_progress_to_stderr() {
    let dir = tempfile::tempdir().unwrap();
    let output = exec(dir.path(), &["create a.txt with content: hello"]);
    assert_eq!(text(&output.stdout), "Created a.txt (6 bytes).\n", "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("a.txt"));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(dir.path().join("work/a.txt")).unwrap(), "hello\n");
}

#[test]
fn events_come_in_order_and_a_thread_is_resumed_by_its_id() {
    let dir = tempfile::tempdir().unwrap();
    let first = events(&exec(dir.path(), &["--json", "run `echo hi`"]));
    let types: Vec<&str> = first.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(types.first(), Some(&"thread.started"), "{types:?}");
    assert_eq!(types.last(), Some(&"turn.completed"));
    let place = |wanted: &str| types.iter().position(|name| *name == wanted).unwrap();
    assert!(place("turn.started") < place("item.started"));
    let command = first.iter().find(|event| event["item"]["exit_code"] == 0).unwrap();
    assert_eq!(command["item"]["aggregated_output"], "hi\n");
    let thread = first[0]["thread_id"].as_str().unwrap();
    let words = ["--json", "resume", thread, "show nothing.txt"];
    let second = events(&exec(dir.path(), &words));
    assert_eq!(second[0]["thread_id"], thread);
    let used = |events: &[Value]| {
        events.last().and_then(|event| event["usage"]["output_tokens"].as_i64()).unwrap()
    };
    assert!(used(&second) > used(&first), "the usage is that of the thread so far");
}

#[test]
fn the_last_thread_is_resumed_and_listed() {
    let dir = tempfile::tempdir().unwrap();
    let thread = events(&exec(dir.path(), &["--json", "list files"]))[0]["thread_id"].clone();
    let again = events(&exec(dir.path(), &["--json", "resume", "--last", "list files"]));
    assert_eq!(again[0]["thread_id"], thread);
    let listed = run(dir.path(), &["threads", "list", "--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(listed[0]["id"], thread);
    let id = thread.as_str().unwrap();
    assert!(run(dir.path(), &["threads", "name", id, "mine"]).status.success());
    let shown = text(&run(dir.path(), &["threads", "show", "mine"]).stdout);
    assert!(
        shown.contains("name     mine\n") && shown.contains("you      list files\n"),
        "{shown}"
    );
}

#[test]
fn an_unknown_thread_is_named_on_stderr() {
    let dir = tempfile::tempdir().unwrap();
    let id = "00000000-0000-7000-8000-000000000000";
    let output = exec(dir.path(), &["--json", "resume", id, "hi"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "");
    assert!(text(&output.stderr).starts_with("Error: thread/resume: "));
}

#[test]
fn a_folder_outside_git_is_refused_unless_it_is_wanted_or_trusted() {
    let dir = tempfile::tempdir().unwrap();
    let refused = run(dir.path(), &["exec", "list files"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("--skip-git-repo-check"));
    let work = std::fs::canonicalize(dir.path().join("work")).unwrap();
    let trust = format!("[projects.{:?}]\ntrust_level = \"trusted\"\n", work.display().to_string());
    std::fs::create_dir_all(dir.path().join("home")).unwrap();
    std::fs::write(dir.path().join("home/config.toml"), trust).unwrap();
    assert!(run(dir.path(), &["exec", "list files"]).status.success());
}

#[test]
fn the_prompt_comes_from_stdin_and_the_answer_goes_to_a_file_too() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("answer");
    let mut child = spindle(dir.path())
        .args(EXEC)
        .args(["-o", file.to_str().unwrap(), "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"list files").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stdout), "There are no files.\n");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "There are no files.");
}

#[test]
fn a_terminated_exec_leaves_a_thread_that_can_be_resumed() {
    use std::os::unix::process::ExitStatusExt;
    let dir = tempfile::tempdir().unwrap();
    let mut child = spindle(dir.path())
        .args(EXEC)
        .args(["--json", "run `sleep 30`"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    let thread = next()["thread_id"].as_str().unwrap().to_owned();
    while next()["item"]["status"] != "in_progress" {}
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    let resumed = exec(dir.path(), &["--json", "resume", &thread, "list files"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", text(&resumed.stderr));
}

#[test]
fn attach_takes_its_lines_from_a_pipe_and_answers_questions() {
    let dir = tempfile::tempdir().unwrap();
    let first = events(&exec(dir.path(), &["--json", "list files"]));
    let thread = first[0]["thread_id"].as_str().unwrap();
    let mut child = spindle(dir.path())
        .args(["attach", thread])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"run `echo from a pipe`\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}");
    assert!(shown.contains("you      list files\n"), "{shown}");
    assert!(shown.contains("from a pipe\n") && shown.ends_with("done\n"), "{shown}");
}

#[test]
fn doctor_finds_a_broken_settings_file_and_says_where() {
    let dir = tempfile::tempdir().unwrap();
    let found = |output: &Output, check: &str| {
        let all: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        all.into_iter().find(|finding| finding["check"] == check).unwrap()
    };
    // The machine of the test need not have a sandbox.
    let words = ["doctor", "--json", "-c", "sandbox_mode=danger-full-access"];
    let fine = run(dir.path(), &words);
    assert_eq!(found(&fine, "sandbox")["status"], "warn");
    assert_eq!(found(&fine, "rules")["status"], "ok");
    assert_eq!(fine.status.code(), Some(0), "{}", text(&fine.stdout));
    assert_eq!(found(&fine, "provider")["status"], "ok");
    std::fs::create_dir_all(dir.path().join("home")).unwrap();
    std::fs::write(dir.path().join("home/config.toml"), "a = 1\nb =\n").unwrap();
    let broken = run(dir.path(), &["doctor", "--json"]);
    assert_eq!(broken.status.code(), Some(1));
    let detail = found(&broken, "settings")["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("config.toml:2: "), "{detail}");
}

/// The words for a command in the sandbox; `None` when this system has none.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn sandbox<'a>(dir: &Path, words: &[&'a str]) -> Option<Vec<&'a str>> {
    let known = run(dir, &["sandbox", "--mode", "read-only", "true"]);
    if known.status.success() {
        return Some([&["sandbox"], words].concat());
    }
    assert_eq!(known.status.code(), Some(125), "{}", text(&known.stderr));
    println!("skipped: {}", text(&known.stderr));
    None
}

#[test]
fn a_command_in_the_sandbox_has_our_streams_and_gives_its_exit_code() {
    let dir = tempfile::tempdir().unwrap();
    let script = "read x; echo out $x; echo err >&2; echo new > made; exit 7";
    let Some(words) = sandbox(dir.path(), &["-m", "workspace-write", "sh", "-c", script]) else {
        return;
    };
    let mut child = spindle(dir.path())
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"in\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stdout), "out in\n");
    assert!(text(&output.stderr).ends_with("err\n"), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(7));
    let names = std::fs::read_dir(dir.path().join("work")).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["made"], "nothing of ours is left");
}

#[test]
fn the_sandbox_by_hand_holds_what_options_and_settings_say() {
    let dir = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    // The folder is one for temporary files, which a workspace may usually write in.
    let closed = ["-c", "sandbox_workspace_write.exclude_slash_tmp=true"];
    let write = "echo x > $OUTSIDE/new";
    let held = |words: &[&str]| {
        let mut command = spindle(dir.path());
        command.args(closed).args(words).args(["sh", "-c", write]).env("OUTSIDE", outside.path());
        let held = command.output().unwrap().status.success();
        let made = std::fs::remove_file(outside.path().join("new")).is_ok();
        assert_eq!(held, made, "{words:?}");
        made
    };
    if sandbox(dir.path(), &[]).is_none() {
        return;
    }
    assert!(!held(&["sandbox", "--mode", "workspace-write"]));
    let folder = outside.path().to_str().unwrap();
    assert!(held(&["sandbox", "--mode", "workspace-write", "--writable", folder]));
    assert!(held(&["sandbox", "-c", "sandbox_mode=danger-full-access"]));
    assert!(held(&["sandbox", "-m", "workspace-write", "--cwd", folder]));
    assert!(!held(&["sandbox", "-m", "read-only", "--cwd", folder]));
    assert!(!held(&["sandbox", "--writable", folder]), "nothing is writable in read-only mode");
}

#[test]
fn a_command_that_cannot_start_has_the_code_that_shells_have() {
    let dir = tempfile::tempdir().unwrap();
    let code = |words: &[&str]| {
        let output = run(dir.path(), &[&["sandbox", "-m", "full-access"], words].concat());
        assert!(text(&output.stderr).starts_with("Error: "), "{}", text(&output.stderr));
        output.status.code()
    };
    assert_eq!(code(&["no-such-program"]), Some(127));
    assert_eq!(code(&["/no/such/program"]), Some(127));
    assert_eq!(code(&["/etc/passwd"]), Some(126));
    assert_eq!(code(&["--cwd", "/no/such/folder", "true"]), Some(125));
}

#[test]
fn signals_are_passed_on_to_a_command_in_the_sandbox() {
    let dir = tempfile::tempdir().unwrap();
    let script = "trap 'echo heard; exit 3' INT; echo up; while :; do sleep 0.01; done";
    let Some(words) = sandbox(dir.path(), &["sh", "-c", script]) else { return };
    let mut child = spindle(dir.path()).args(words).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "up");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "heard");
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn a_verdict_is_explained_by_rule_and_line_and_told_by_the_exit_code() {
    let dir = tempfile::tempdir().unwrap();
    let rules = dir.path().join("home/rules");
    std::fs::create_dir_all(&rules).unwrap();
    let text_of = "prefix_rule([\"make\"])\nprefix_rule([\"curl\"], \"forbidden\")\n\
        prefix_rule([\"git\", \"push\"], \"prompt\")\n";
    std::fs::write(rules.join("default.rules"), text_of).unwrap();
    let check = |words: &[&str]| run(dir.path(), &[&["execpolicy", "check"], words].concat());
    let allowed = check(&["--", "make", "all"]);
    assert_eq!(allowed.status.code(), Some(0), "{}", text(&allowed.stderr));
    assert!(text(&allowed.stdout).contains("default.rules:1)"), "{}", text(&allowed.stdout));
    assert_eq!(check(&["--", "git", "push"]).status.code(), Some(3));
    let forbidden = check(&["--json", "--", "make && bash -c 'cu\"r\"l x'"]);
    assert_eq!(forbidden.status.code(), Some(4));
    let told: Value = serde_json::from_slice(&forbidden.stdout).unwrap();
    assert_eq!((&told["verdict"], &told["decision"]), (&"forbid".into(), &"forbidden".into()));

    let bad = dir.path().join("bad.rules");
    std::fs::write(&bad, "prefix_rule([\"make\"], \"forbidden\")\nprefix_rule(\n").unwrap();
    let faulty = check(&["--rules", bad.to_str().unwrap(), "--", "make"]);
    assert_eq!(faulty.status.code(), Some(1));
    let fault = text(&faulty.stderr);
    assert!(fault.starts_with(&format!("Error: {}:", bad.display())), "{fault}");
    assert!(!text(&faulty.stdout).contains("rule"), "its rules do not count");
}

#[test]
fn a_turn_is_shown_undone_and_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let first = exec(dir.path(), &["--json", "create a.txt with content: hello"]);
    let thread = events(&first)[0]["thread_id"].as_str().unwrap().to_owned();
    let file = dir.path().join("work/a.txt");
    let undo = |options: &[&str]| run(dir.path(), &[&["undo", &thread], options].concat());
    let shown = text(&undo(&["--dry-run"]).stdout);
    assert!(shown.contains("would undo") && shown.contains("\n-hello\n"), "{shown}");
    assert!(file.exists());
    let done = undo(&[]);
    assert!(text(&done.stdout).contains("delete"), "{}", text(&done.stderr));
    assert!(!file.exists());
    let nothing = undo(&[]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(text(&nothing.stderr).contains("there is nothing to undo"));
    assert!(undo(&["--redo"]).status.success());
    std::fs::write(&file, "mine").unwrap();
    let refused = undo(&[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).ends_with("a.txt: it changed since\n"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
}

#[test]
fn every_shell_gets_a_script() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let output = run(dir.path(), &["completion", shell]);
        assert!(text(&output.stdout).contains("app-server"), "{shell}");
    }
}

#[test]
fn the_demo_holds() {
    let dir = tempfile::tempdir().unwrap();
    let output = run(dir.path(), &["demo"]);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}");
    assert!(shown.ends_with("All 11 checks hold.\n"), "{shown}");
}

/// The line of `app-server daemon`, and the exit code.
fn daemon(folder: &Path, words: &[&str]) -> (Value, Option<i32>) {
    let output = run(folder, &[&["app-server", "daemon"], words].concat());
    let mut lines = events(&output);
    assert_eq!(lines.len(), 1, "{}", text(&output.stderr));
    (lines.remove(0), output.status.code())
}

/// Whether a process has not ended. One that nobody has waited for yet has.
fn lives(pid: &Value) -> bool {
    let words = std::fs::read(format!("/proc/{pid}/cmdline"));
    words.is_ok_and(|words| !words.is_empty())
}

#[test]
fn a_daemon_in_the_background_is_started_once_and_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let (none, code) = daemon(dir.path(), &["version"]);
    assert_eq!((&none["status"], code), (&"notRunning".into(), Some(1)));
    let (started, code) = daemon(dir.path(), &["start"]);
    assert_eq!((&started["status"], code), (&"started".into(), Some(0)));
    assert!(lives(&started["pid"]));
    assert_eq!(started["cliVersion"], started["appServerVersion"]);
    let (again, _) = daemon(dir.path(), &["start"]);
    assert_eq!((&again["status"], &again["pid"]), (&"alreadyRunning".into(), &started["pid"]));
    let (status, _) = daemon(dir.path(), &["status"]);
    assert_eq!((&status["status"], &status["pid"]), (&"running".into(), &started["pid"]));
    assert!(run(dir.path(), &["threads", "list"]).status.success(), "clients find it");
    let (restarted, _) = daemon(dir.path(), &["restart"]);
    assert_eq!(restarted["status"], "started");
    assert_ne!(restarted["pid"], started["pid"]);
    assert!(!lives(&started["pid"]) && lives(&restarted["pid"]));
    let (stopped, _) = daemon(dir.path(), &["stop"]);
    assert_eq!((&stopped["status"], &stopped["pid"]), (&"stopped".into(), &restarted["pid"]));
    assert!(!lives(&restarted["pid"]));
    let (none, code) = daemon(dir.path(), &["stop"]);
    assert_eq!((&none["status"], code), (&"notRunning".into(), Some(0)));
    let folder = dir.path().join("home/app-server-control");
    let mut left: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["app-server-control.sock.lock", "daemon.lock", "daemon.log"]);
}

#[test]
fn a_daemon_that_nobody_uses_ends_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let (started, _) = daemon(dir.path(), &["start", "--idle-exit", "1"]);
    while daemon(dir.path(), &["status"]).0["status"] != "notRunning" {}
    assert!(!lives(&started["pid"]));
}

#[test]
fn a_daemon_that_cannot_start_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("home/app-server-control");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("app-server-control.sock"), "precious").unwrap();
    let output = run(dir.path(), &["app-server", "daemon", "start"]);
    assert_eq!(output.status.code(), Some(1));
    let why = text(&output.stderr);
    assert!(why.contains("exists and is no socket"), "{why}");
}
