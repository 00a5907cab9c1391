//! The sandbox as the real daemon uses it.

use std::process::{Command, Output, Stdio};

use spindle_exec::sandbox::{Strategy, Support};
use spindle_tests::{Home, Model, Served, Step, exec, spindle};

const NETWORK: &str =
    "sandbox_mode = \"workspace-write\"\n[sandbox_workspace_write]\nnetwork_access = true";

/// SPEC X3: a command that may use the network could ask the daemon for one without a sandbox, so
/// the daemon's own socket is closed to it. Needs a system that lets us make mounts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sandboxed_command_cannot_reach_the_daemon() {
    if matches!(Support::detect().await.strategy(), Strategy::Rules | Strategy::None) {
        return;
    }
    let model = Model::start([]).await;
    let home = Home::new(&model.base_url(), NETWORK);
    let socket = format!("unix://{}", home.around().join("d.sock").display());
    let asks = format!("{} threads list --remote {socket}", spindle().display());
    let command = format!("{asks} >said 2>&1; echo code=$? >>said");
    model.then(Step::Items(vec![exec("c1", &command)]));
    let daemon = Served::on_socket(&home);
    assert_eq!(daemon.url(), socket);

    let outside = run(&home, &["threads", "list", "--remote", &socket]);
    assert!(outside.status.success(), "{outside:?}");
    let workspace = home.workspace().display().to_string();
    let turn = ["exec", "--remote", &socket, "--skip-git-repo-check", "--cd", &workspace, "go"];
    let turn = run(&home, &turn);
    let said = std::fs::read_to_string(home.workspace().join("said"));
    let said = said.unwrap_or_else(|error| panic!("the command did not run: {error}; {turn:?}"));
    assert!(said.contains("failed to connect") && said.ends_with("code=1\n"), "{said}");
}

fn run(home: &Home, words: &[&str]) -> Output {
    #[expect(clippy::disallowed_methods, reason = "the program under test is started as users do")]
    let mut command = Command::new(spindle());
    command.args(words).env("SPINDLE_HOME", home.path()).env("HOME", home.around());
    command.stdin(Stdio::null()).output().expect("the program can be started")
}
