use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::*;
use crate::sandbox::{Gap, Mode, Support};
use crate::{Clearance, Command, Limits, Process, Stdio};

fn folder_with(program: &str, mode: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(program);
    std::fs::write(&path, "").expect("it is written");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("its mode is set");
    folder
}

fn found(program: &str, path: &str, cwd: &Path) -> Option<PathBuf> {
    let env = [("PATH".into(), path.into())];
    find_program(OsStr::new(program), cwd, &env).ok()
}

#[test]
fn a_program_is_looked_up_on_the_path_of_its_own_environment() {
    let folder = folder_with("tool", 0o755);
    let path = format!("/no/such/folder:{}", folder.path().display());
    assert_eq!(found("tool", &path, Path::new("/")), Some(folder.path().join("tool")));
    assert_eq!(found("tool", "/no/such/folder", Path::new("/")), None);
}

#[test]
fn files_that_cannot_run_and_folders_are_passed_over() {
    let (plain, runnable) = (folder_with("tool", 0o644), folder_with("tool", 0o755));
    std::fs::create_dir(plain.path().join("sub")).expect("a folder");
    let path = format!("{}:{}", plain.path().display(), runnable.path().display());
    assert_eq!(found("tool", &path, Path::new("/")), Some(runnable.path().join("tool")));
    assert_eq!(found("sub", &path, Path::new("/")), None);
}

#[test]
fn relative_folders_of_the_path_begin_at_the_folder_of_the_command() {
    let folder = folder_with("tool", 0o755);
    let expected = Some(folder.path().join(".").join("tool"));
    assert_eq!(found("tool", ".", folder.path()), expected);
}

#[test]
fn a_program_with_a_slash_is_taken_as_it_is() {
    assert_eq!(found("./x", "/bin", Path::new("/")), Some(PathBuf::from("./x")));
    assert_eq!(found("", "/bin", Path::new("/")), None);
}

#[test]
fn without_a_path_the_usual_folders_are_searched() {
    let sh = find_program(OsStr::new("sh"), Path::new("/"), &[]);
    assert!(sh.is_ok_and(|path| path.ends_with("bin/sh")));
}

#[test]
fn descriptors_in_the_way_are_moved() {
    let null = || std::fs::File::open("/dev/null").expect("it opens").into();
    let moved = above_standard([null(), null(), null()]).expect("they are moved");
    assert!(moved.iter().all(|fd| fd.as_raw_fd() > 2));
}

fn command(argv: &[&str], env: &[(&str, &str)]) -> Command {
    Command {
        argv: argv.iter().map(OsString::from).collect(),
        cwd: PathBuf::from("/"),
        env: env.iter().map(|(name, value)| (name.into(), value.into())).collect(),
        stdio: Stdio::Pipes,
        limits: Limits::default(),
        sandbox: Mode::FullAccess,
    }
}

/// Starts a command in the mode that the environment names and waits to be killed.
#[tokio::test]
#[ignore = "is run by the tests below, as the process to be killed"]
async fn a_parent_to_be_killed() {
    let script = "sleep 25 & echo ids: $$ $! :; wait";
    let mut child = command(&["sh", "-c", script], &[("PATH", "/usr/bin:/bin")]);
    if let Some(workspace) = std::env::var_os("SPINDLE_TEST_WORKSPACE") {
        child.sandbox = Mode::WorkspaceWrite {
            roots: vec![PathBuf::from(workspace)],
            exclude_tmp: true,
            exclude_slash_tmp: true,
            network: false,
            protected: vec![],
        };
    }
    let child = Process::spawn(Clearance::full_access(child)).await.expect("it starts");
    let ids = child.output().next().await.expect("it prints its ids");
    println!("outer {} {}", child.pid(), String::from_utf8_lossy(&ids));
    child.wait().await;
}

/// Runs a server that runs a command and kills it. Returns the id of the command's process, and
/// the ids that the command told of itself and its child. The handle of the server is to be kept:
/// dropping it kills what the server leaves to clean up.
async fn kill_a_server(workspace: Option<&Path>) -> (Process, Vec<i32>) {
    let program = std::env::current_exe().expect("the test program");
    let program = program.to_str().expect("a plain path");
    let role = "spawn::tests::a_parent_to_be_killed";
    let mut parent = command(&[program, "--exact", role, "--ignored", "--nocapture"], &[]);
    let workspace = workspace.map(|path| ("SPINDLE_TEST_WORKSPACE".into(), path.into()));
    parent.env.extend(workspace);
    let parent = Process::spawn(Clearance::full_access(parent)).await.expect("it starts");
    let mut reader = parent.output();
    let mut text = String::new();
    while !text.contains(" :") {
        let bytes = reader.next().await.expect("it prints the ids");
        text.push_str(&String::from_utf8_lossy(&bytes));
    }
    let ids = text.split("outer ").nth(1).expect("the ids").replace("ids: ", "");
    let ids: Vec<i32> = ids.split(' ').map_while(|id| id.parse().ok()).collect();
    assert_eq!(ids.len(), 3, "{text}");
    let server = Pid::from_raw(parent.pid().cast_signed()).expect("an id");
    kill_process(server, Signal::KILL).expect("it is killed");
    (parent, ids)
}

async fn in_time(what: &str, mut is_so: impl FnMut() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::task::yield_now().await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(20), waiting).await;
    assert!(waited.is_ok(), "not in time: {what}");
}

#[tokio::test]
async fn commands_and_their_children_end_when_their_server_is_killed() {
    let (_server, ids) = kill_a_server(None).await;
    for id in ids {
        in_time("the end", || !is_alive(id)).await;
    }
}

#[tokio::test]
async fn sandboxed_commands_end_and_leave_nothing_when_their_server_is_killed() {
    if Support::detect().await.gaps().contains(&Gap::ProtectedPaths) {
        println!("skipped: there are no mounts here, and so nothing to be left");
        return;
    }
    let workspace = tempfile::tempdir().expect("a folder");
    let (_server, ids) = kill_a_server(Some(workspace.path())).await;
    in_time("the end", || !is_alive(ids[0])).await;
    let is_empty =
        || std::fs::read_dir(workspace.path()).is_ok_and(|mut names| names.next().is_none());
    in_time("an empty workspace", is_empty).await;
}

/// Says whether a process runs. A zombie waits for whoever adopted it, which is not us.
fn is_alive(id: i32) -> bool {
    std::fs::read_to_string(format!("/proc/{id}/stat"))
        .is_ok_and(|stat| !stat.contains(") Z ") && !stat.contains(") X "))
}
