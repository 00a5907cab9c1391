use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

use crate::sandbox::Mode;
use crate::{Clearance, Command, ExitStatus, Limits, Process, SpawnError, Stdio, WriteError};

const SOON: Duration = Duration::from_secs(20);

fn command(argv: &[&str], stdio: Stdio) -> Command {
    Command {
        argv: argv.iter().map(OsString::from).collect(),
        cwd: PathBuf::from("/"),
        env: vec![("PATH".into(), "/usr/bin:/bin".into())],
        stdio,
        limits: Limits::default(),
        sandbox: Mode::FullAccess,
    }
}

async fn start(command: Command) -> Process {
    Process::spawn(Clearance::full_access(command)).await.expect("the command starts")
}

async fn sh(script: &str, stdio: Stdio) -> Process {
    start(command(&["sh", "-c", script], stdio)).await
}

async fn run(script: &str) -> (String, ExitStatus) {
    let process = sh(script, Stdio::Pipes).await;
    let status = process.wait().await;
    (process.collected().text(), status)
}

/// Reads until `text` was printed.
async fn printed(process: &Process, text: &str) {
    let mut reader = process.output();
    let mut all = Vec::new();
    while !String::from_utf8_lossy(&all).contains(text) {
        let next = tokio::time::timeout(SOON, reader.next()).await.expect("it prints in time");
        all.extend(next.expect("it prints the text before it ends"));
    }
}

/// Waits until no process has `id` any more, zombies included.
async fn gone(id: &str) {
    let path = Path::new("/proc").join(id.trim());
    let limit = Instant::now() + SOON;
    while path.exists() {
        assert!(Instant::now() < limit, "process {id} is still there");
        tokio::task::yield_now().await;
    }
}

/// Waits until process `id` is at most a zombie. It may be a child of nobody who reaps.
async fn dead(id: &str) {
    let limit = Instant::now() + SOON;
    loop {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", id.trim()));
        match stat {
            Err(_) => return,
            Ok(stat) if stat.contains(") Z ") || stat.contains(") X ") => return,
            Ok(_) => assert!(Instant::now() < limit, "process {id} is still alive"),
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn output_of_both_streams_comes_in_order_of_arrival() {
    let (text, status) = run("echo one; echo two >&2; echo three; exit 3").await;
    assert_eq!(text, "one\ntwo\nthree\n");
    assert_eq!(status, ExitStatus { code: 3, signal: None });
}

#[tokio::test]
async fn a_signal_is_told_as_128_and_its_number() {
    let (_, status) = run("kill -TERM $$; sleep 20").await;
    assert_eq!(status, ExitStatus { code: 143, signal: Some(15) });
}

#[tokio::test]
async fn the_end_can_be_waited_for_often_and_from_several_tasks() {
    let process = sh("exit 7", Stdio::Pipes).await;
    let other = process.clone();
    let task = tokio::spawn(async move { other.wait().await });
    assert_eq!(process.wait().await.code, 7);
    assert_eq!(task.await.expect("the task ends").code, 7);
    assert_eq!(process.wait().await.code, 7);
    assert_eq!(process.try_status().map(|status| status.code), Some(7));
}

#[tokio::test]
async fn waiting_until_a_moment_leaves_the_command_running() {
    let process = sh("exec sleep 20", Stdio::Pipes).await;
    let moment = Instant::now() + Duration::from_millis(20);
    assert_eq!(process.wait_until(moment).await, None);
    assert_eq!(process.try_status(), None);
}

#[tokio::test]
async fn standard_input_is_empty_without_being_asked_for() {
    let process = sh("cat; readlink /proc/self/fd/0", Stdio::Pipes).await;
    process.wait().await;
    assert_eq!(process.collected().text(), "/dev/null\n");
    assert!(matches!(process.write(b"x").await, Err(WriteError::StdinClosed)));
}

#[tokio::test]
async fn what_is_written_reaches_standard_input_until_it_is_closed() {
    let process = sh("cat; echo end", Stdio::PipesWithStdin).await;
    process.write(b"hello ").await.expect("it is written");
    process.write(b"there\n").await.expect("it is written");
    process.close_stdin();
    assert!(matches!(process.write(b"x").await, Err(WriteError::StdinClosed)));
    process.wait().await;
    assert_eq!(process.collected().text(), "hello there\nend\n");
}

#[tokio::test]
async fn closing_ends_a_write_that_nobody_reads() {
    let process = sh("exec sleep 20", Stdio::PipesWithStdin).await;
    let writer = process.clone();
    let task = tokio::spawn(async move { writer.write(&vec![b'x'; 1 << 20]).await });
    tokio::task::yield_now().await;
    process.close_stdin();
    let written = tokio::time::timeout(SOON, task).await.expect("the write ends");
    assert!(matches!(written.expect("no panic"), Err(WriteError::StdinClosed)));
}

#[tokio::test]
async fn the_end_of_the_command_ends_a_write_that_nobody_reads() {
    let process = sh("sleep 20 & exec sleep 0.05", Stdio::PipesWithStdin).await;
    let written = tokio::time::timeout(SOON, process.write(&vec![b'x'; 1 << 20])).await;
    assert!(matches!(written.expect("the write ends"), Err(WriteError::StdinClosed)));
}

#[tokio::test]
async fn writes_do_not_mix() {
    let process = sh("cat", Stdio::PipesWithStdin).await;
    let writers = (b'a'..=b'f').map(|letter| {
        let process = process.clone();
        tokio::spawn(async move { process.write(&vec![letter; 50_000]).await })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.expect("no panic").expect("it is written");
    }
    process.close_stdin();
    process.wait().await;
    let text = process.collected().into_bytes();
    assert_eq!(text.len(), 300_000);
    let mut letters = text.chunk_by(|a, b| a == b).map(<[u8]>::len);
    assert!(letters.all(|run| run == 50_000));
}

#[tokio::test]
async fn separate_streams_stay_separate() {
    let process = sh("cat; echo error >&2", Stdio::SeparateWithStdin).await;
    let mut errors = process.errors().expect("there is a second stream");
    process.write(b"output").await.expect("it is written");
    process.close_stdin();
    process.wait().await;
    assert_eq!(process.collected().text(), "output");
    assert_eq!(process.collected_errors().map(|err| err.text()).as_deref(), Some("error\n"));
    assert_eq!(errors.next().await.as_deref(), Some(&b"error\n"[..]));
    assert_eq!(errors.next().await, None);
}

#[tokio::test]
async fn a_protocol_speaker_gives_its_pipes_away_and_loses_nothing() {
    let process = sh("echo note >&2; exec cat", Stdio::Protocol).await;
    let mut pipes = process.take_pipes().expect("the pipes are there once");
    assert!(process.take_pipes().is_none());
    let sent = vec![b'm'; 3 << 20];
    let expected = sent.clone();
    let writer = tokio::spawn(async move { pipes.stdin.write_all(&sent).await });
    let mut received = Vec::new();
    pipes.stdout.read_to_end(&mut received).await.expect("it is read");
    writer.await.expect("no panic").expect("it is written");
    assert!(received == expected);
    process.wait().await;
    assert_eq!(process.collected().text(), "note\n");
}

#[tokio::test]
async fn a_terminal_is_one_and_has_the_size_asked_for() {
    let script = "test -t 0 && test -t 1 && test -t 2 && stty size </dev/tty";
    let process = sh(script, Stdio::Pty { rows: 24, cols: 80 }).await;
    assert!(process.wait().await.is_success());
    assert_eq!(process.collected().text(), "24 80\r\n");
}

#[tokio::test]
async fn a_terminal_echoes_takes_input_and_ends_at_ctrl_d() {
    let process = sh("read x; echo got $x; cat", Stdio::Pty { rows: 24, cols: 80 }).await;
    process.write(b"hello\n").await.expect("it is written");
    printed(&process, "got hello").await;
    process.close_stdin();
    assert!(process.wait().await.is_success());
    assert_eq!(process.collected().text(), "hello\r\ngot hello\r\n");
}

#[tokio::test]
async fn ctrl_c_on_a_terminal_interrupts() {
    let process = sh("echo up; exec sleep 20", Stdio::Pty { rows: 24, cols: 80 }).await;
    printed(&process, "up").await;
    process.write(b"\x03").await.expect("it is written");
    assert_eq!(process.wait().await.code, 130);
}

#[tokio::test]
async fn a_resized_terminal_tells_its_command() {
    let script = "trap 'stty size; exit' WINCH; echo up; while :; do sleep 0.01; done";
    let process = sh(script, Stdio::Pty { rows: 24, cols: 80 }).await;
    printed(&process, "up").await;
    process.resize(50, 132).expect("it is resized");
    process.wait().await;
    assert_eq!(process.collected().text(), "up\r\n50 132\r\n");
}

#[tokio::test]
async fn resizing_pipes_fails() {
    let process = sh(":", Stdio::Pipes).await;
    assert!(process.resize(1, 1).is_err());
}

#[tokio::test]
async fn a_background_child_that_holds_the_output_does_not_hold_the_command() {
    let begun = Instant::now();
    let process = sh("sleep 20 & echo started", Stdio::Pipes).await;
    assert!(process.wait().await.is_success());
    assert_eq!(process.collected().text(), "started\n");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn output_that_comes_just_after_the_end_is_still_taken() {
    let (text, _) = run("sh -c 'echo late' & echo early").await;
    assert!(text.contains("early\n") && text.contains("late\n"), "{text}");
}

#[tokio::test]
async fn a_background_child_lives_until_the_handle_is_dropped() {
    let process = sh("sleep 20 & echo $!", Stdio::Pipes).await;
    process.wait().await;
    let child = process.collected().text();
    assert!(Path::new("/proc").join(child.trim()).exists());
    drop(process);
    dead(&child).await;
}

#[tokio::test]
async fn dropping_the_last_handle_kills_and_reaps() {
    let process = sh("sleep 20 & echo $!; wait", Stdio::Pipes).await;
    let mut reader = process.output();
    let child = reader.next().await.expect("it prints its child");
    let (id, kept) = (process.pid().to_string(), process.clone());
    drop(process);
    assert_eq!(kept.try_status(), None);
    drop(kept);
    gone(&id).await;
    dead(&String::from_utf8_lossy(&child)).await;
    assert_eq!(reader.next().await, None);
}

#[tokio::test]
async fn a_dropped_start_leaves_nothing() {
    let token = format!("{}.5", 7_000_000 + std::process::id());
    for _ in 0..20 {
        let start =
            Process::spawn(Clearance::full_access(command(&["sleep", &token], Stdio::Pipes)));
        let _ = tokio::time::timeout(Duration::from_micros(100), start).await;
    }
    let limit = Instant::now() + SOON;
    while running_with(&token) > 0 {
        assert!(Instant::now() < limit, "a process without an owner is still there");
        tokio::task::yield_now().await;
    }
}

fn running_with(argument: &str) -> usize {
    let processes = std::fs::read_dir("/proc").expect("/proc is there").flatten();
    processes
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .filter(|line| line.split(|byte| *byte == 0).any(|arg| arg == argument.as_bytes()))
        .count()
}

#[tokio::test]
async fn terminate_asks_politely_first() {
    let script = "trap 'echo bye; exit 5' TERM; echo up; sleep 20 & wait";
    let process = sh(script, Stdio::Pipes).await;
    printed(&process, "up").await;
    let status = process.terminate(SOON).await;
    assert_eq!((status.code, process.collected().text().as_str()), (5, "up\nbye\n"));
}

#[tokio::test]
async fn terminate_kills_who_refuses() {
    let script = "trap '' TERM; echo up; while :; do sleep 0.01; done";
    let process = sh(script, Stdio::Pipes).await;
    printed(&process, "up").await;
    let status = process.terminate(Duration::from_millis(30)).await;
    assert_eq!(status, ExitStatus { code: 137, signal: Some(9) });
}

#[tokio::test]
async fn terminate_ends_a_stopped_command() {
    let process = sh("echo up; kill -STOP $$; sleep 20", Stdio::Pipes).await;
    printed(&process, "up").await;
    assert_eq!(process.terminate(SOON).await.code, 143);
}

#[tokio::test]
async fn terminate_takes_grandchildren_along_that_refuse() {
    let script = "sh -c 'trap \"\" TERM; sh -c \"sleep 21\" & echo $!; wait' & wait";
    let process = sh(script, Stdio::Pipes).await;
    let grandchild = process.output().next().await.expect("it prints the id");
    process.terminate(Duration::from_millis(500)).await;
    dead(&String::from_utf8_lossy(&grandchild)).await;
}

#[tokio::test]
async fn a_kill_finds_children_that_left_the_group() {
    let process = sh("setsid sh -c 'echo $$; exec sleep 22' & wait", Stdio::Pipes).await;
    let stray = process.output().next().await.expect("it prints the id");
    process.kill_now();
    assert_eq!(process.wait().await.signal, Some(9));
    dead(&String::from_utf8_lossy(&stray)).await;
}

#[tokio::test]
async fn terminate_after_the_end_tells_the_end() {
    let process = sh("exit 4", Stdio::Pipes).await;
    process.wait().await;
    assert_eq!(process.terminate(SOON).await.code, 4);
}

#[tokio::test]
async fn nothing_but_the_standard_streams_is_inherited() {
    let (inherited, _keep) = std::io::pipe().expect("a pipe");
    rustix::io::fcntl_setfd(&inherited, rustix::io::FdFlags::empty()).expect("it is a descriptor");
    let script = "for fd in /proc/$$/fd/*; do test -e $fd && echo ${fd##*/}; done";
    assert_eq!(run(script).await.0, "0\n1\n2\n");
}

#[tokio::test]
async fn signals_are_as_a_fresh_login_has_them() {
    let (text, _) = run("exec cat /proc/self/status").await;
    let masks = text
        .lines()
        .filter(|line| ["SigBlk", "SigIgn", "SigCgt"].iter().any(|name| line.starts_with(name)));
    let masks: HashSet<_> = masks.filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(masks, HashSet::from(["0000000000000000"]), "{text}");
}

#[tokio::test]
async fn a_command_leads_its_own_session_and_group() {
    let process = sh("cut -d' ' -f1,5,6 /proc/$$/stat", Stdio::Pipes).await;
    process.wait().await;
    let id = process.pid();
    assert_eq!(process.collected().text(), format!("{id} {id} {id}\n"));
}

#[tokio::test]
async fn output_without_end_is_read_in_flat_memory() {
    let mut flood = command(&["head", "-c", "100000000", "/dev/zero"], Stdio::Pipes);
    flood.limits.keep_bytes = 64 * 1024;
    let process = start(flood).await;
    assert!(process.wait().await.is_success());
    let collected = process.collected();
    assert_eq!(collected.total_bytes, 100_000_000);
    assert_eq!((collected.head.len(), collected.tail.len()), (32 * 1024, 32 * 1024));
}

#[tokio::test]
async fn a_reader_sees_each_byte_once_and_no_character_cut() {
    let process = sh("printf 'a\\303'; sleep 0.05; printf '\\251b\\n'", Stdio::Pipes).await;
    let mut reader = process.output();
    let mut text = String::new();
    while let Some(bytes) = reader.next().await {
        text.push_str(std::str::from_utf8(&bytes).expect("whole characters"));
    }
    assert_eq!((text.as_str(), reader.missed()), ("aéb\n", 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn many_commands_at_once_all_end_and_leave_no_zombies() {
    let tasks = (0..100).map(|number| {
        tokio::spawn(async move {
            let process = sh(&format!("echo {number}"), Stdio::Pipes).await;
            assert!(process.wait().await.is_success());
            (process.collected().text(), process.pid())
        })
    });
    for (number, task) in tasks.collect::<Vec<_>>().into_iter().enumerate() {
        let (text, id) = task.await.expect("no panic");
        assert_eq!(text, format!("{number}\n"));
        gone(&id.to_string()).await;
    }
}

async fn refusal(command: Command) -> SpawnError {
    Process::spawn(Clearance::full_access(command)).await.expect_err("it does not start")
}

#[tokio::test]
async fn what_cannot_start_says_why() {
    let missing = refusal(command(&["no-such-program"], Stdio::Pipes)).await;
    assert!(matches!(missing, SpawnError::NotFound(name) if name == "no-such-program"));
    let missing = refusal(command(&["/no/such/program"], Stdio::Pipes)).await;
    assert!(matches!(missing, SpawnError::Exec { program, .. } if program.starts_with("/no")));
    let mut nowhere = command(&["true"], Stdio::Pipes);
    nowhere.cwd = PathBuf::from("/no/such/folder");
    assert!(matches!(refusal(nowhere).await, SpawnError::Cwd { path, .. } if path.is_absolute()));
    assert!(matches!(refusal(command(&[], Stdio::Pipes)).await, SpawnError::Empty));
    assert!(matches!(refusal(command(&["a\0b"], Stdio::Pipes)).await, SpawnError::NotFound(_)));
    let zero = refusal(command(&["true", "a\0b"], Stdio::Pipes)).await;
    assert!(matches!(zero, SpawnError::ZeroByte(_)));
}

#[tokio::test]
async fn a_relative_program_is_found_from_the_folder_it_starts_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("here");
    std::fs::write(&program, "#!/bin/sh\necho $0 $PWD $ONLY; env | wc -l\n")
        .expect("it is written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).expect("it is made runnable");
    let mut here = command(&["./here"], Stdio::Pipes);
    here.cwd = folder.path().to_path_buf();
    here.env.push(("ONLY".into(), "this".into()));
    let process = start(here).await;
    process.wait().await;
    let text = process.collected().text();
    assert!(text.starts_with(&format!("./here {} this\n", folder.path().display())), "{text}");
}

fn lossless(script: &str) -> Command {
    let mut command = command(&["sh", "-c", script], Stdio::Separate);
    command.limits = Limits::lossless();
    command
}

#[tokio::test]
async fn a_command_that_waits_for_its_reader_loses_nothing() {
    let process = start(lossless("yes | head -c 3000000; echo late >&2")).await;
    let (mut out, mut err) = (process.output(), process.errors().expect("a stream of its own"));
    let ended = tokio::time::timeout(Duration::from_millis(200), process.wait()).await;
    assert!(ended.is_err(), "it waits for its reader: {ended:?}");
    let mut read = 0;
    while let Some(chunk) = out.next().await {
        read += chunk.len();
    }
    assert_eq!((read, out.missed()), (3_000_000, 0));
    assert_eq!(err.next().await.expect("it said something")[..], *b"late\n");
    assert!(process.wait().await.is_success() && !process.output_was_held_open());
}

#[tokio::test]
async fn what_was_printed_before_the_end_waits_for_its_reader() {
    let process = start(lossless("head -c 100000 /dev/zero")).await;
    let mut out = process.output();
    while !process.has_ended() {
        tokio::task::yield_now().await;
    }
    let ended = tokio::time::timeout(Duration::from_millis(300), process.wait()).await;
    assert!(ended.is_err(), "there is more to read: {ended:?}");
    let mut read = 0;
    while let Some(chunk) = out.next().await {
        read += chunk.len();
    }
    assert_eq!(read, 100_000);
}

#[tokio::test]
async fn a_command_that_waits_for_its_reader_can_be_killed() {
    let process = start(lossless("yes")).await;
    let pid = process.pid().to_string();
    // More than this, and nothing is read before the reader has taken something.
    while process.collected().total_bytes <= 64 * 1024 {
        tokio::task::yield_now().await;
    }
    process.kill_now();
    let ended = tokio::time::timeout(Duration::from_millis(200), process.wait()).await;
    assert!(ended.is_err(), "there is more to read: {ended:?}");
    drop(process);
    gone(&pid).await;
}

#[tokio::test]
async fn output_that_somebody_still_holds_at_the_end_is_told() {
    let process = start(lossless("sleep 60 &")).await;
    assert!(process.wait().await.is_success() && process.output_was_held_open());
}
