//! Ways through other processes, and to be left behind.

use std::time::Duration;

use super::*;
use crate::pty::Pty;

#[tokio::test]
async fn the_server_cannot_be_read_traced_or_signalled() {
    let server = std::process::id().to_string();
    for support in every().await {
        let yard = Yard::new();
        for attempt in ["ptrace", "memory", "signal"] {
            let result = yard.attempt(&support, &[attempt, &server]).await;
            let refused = ["EPERM", "ESRCH", "EACCES"].contains(&result.as_str());
            assert!(refused, "{attempt} by {:?}: {result}", support.strategy());
        }
        for file in ["mem", "environ"] {
            let result = yard.attempt(&support, &["read", &format!("/proc/{server}/{file}")]).await;
            let refused = ["EPERM", "ENOENT", "EACCES"].contains(&result.as_str());
            assert!(refused, "{file} by {:?}: {result}", support.strategy());
        }
    }
}

#[tokio::test]
async fn other_processes_are_not_even_seen() {
    let server = std::process::id();
    for support in working(&[WHOLE]).await {
        let yard = Yard::new();
        let script =
            format!("cd /proc; ls -d [0-9]* | wc -l; test -e {server}/fd && echo seen; echo $$");
        let outcome = yard.sh(&support, &script).await;
        let lines: Vec<&str> = outcome.text.lines().collect();
        let [count, own] = lines[..] else { panic!("{}", outcome.text) };
        assert!(count.parse::<u32>().is_ok_and(|count| count < 6), "{count}");
        assert!(own.parse::<u32>().is_ok_and(|own| own < 6), "{own}");
    }
}

#[tokio::test]
async fn debuggers_work_on_what_they_start() {
    for support in every().await {
        let yard = Yard::new();
        assert_eq!(yard.attempt(&support, &["own-child-ptrace"]).await, "ok");
    }
}

#[tokio::test]
async fn a_daemonised_child_ends_with_its_command() {
    for support in working(&[WHOLE]).await {
        let yard = Yard::new();
        let script = "(setsid sh -c 'trap \"\" TERM HUP INT; echo up > up; sleep 1; echo x > late' \
            < /dev/null > /dev/null 2>&1 &) ; while ! test -e up; do :; done";
        let outcome = yard.sh(&support, script).await;
        assert_eq!(outcome.code, 0);
        let token = shown(&yard.workspace());
        assert_eq!(living_in(&token), 0, "somebody is left in {token}");
    }
}

/// Counts the processes that work in a folder.
pub(super) fn living_in(folder: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("it is there").flatten();
    let places = processes.filter_map(|entry| fs::read_link(entry.path().join("cwd")).ok());
    places.filter(|place| place.starts_with(folder)).count()
}

#[tokio::test]
async fn a_command_hears_polite_signals_and_its_end_is_told() {
    for support in every().await {
        let yard = Yard::new();
        assert_eq!(yard.sh(&support, "exit 7").await.code, 7);
        assert_eq!(yard.sh(&support, "kill -TERM $$; sleep 20").await.code, 143);
        let command = yard.command(&["sh", "-c", "echo up; exec sleep 20"]);
        let process = yard.start(&support, command).await;
        process.output().next().await.expect("it prints");
        let status = process.terminate(Duration::from_secs(20)).await;
        assert_eq!(status.code, 143, "{:?}", support.strategy());
    }
}

#[tokio::test]
async fn a_command_that_refuses_to_end_is_killed_with_all_it_started() {
    for support in every().await {
        let yard = Yard::new();
        let script = "trap '' TERM; setsid sleep 23 & sleep 24 & echo up; wait; wait";
        let process = yard.start(&support, yard.command(&["sh", "-c", script])).await;
        process.output().next().await.expect("it prints");
        let status = process.terminate(Duration::from_millis(20)).await;
        // Bubblewrap does not hold out itself, and takes the command along.
        let expected = if is_wrapped(&support) { 143 } else { 137 };
        assert_eq!(status.code, expected, "{:?}", support.strategy());
        let token = shown(&yard.workspace());
        let gone = async {
            while living_in(&token) > 0 {
                tokio::task::yield_now().await;
            }
        };
        let gone = tokio::time::timeout(Duration::from_secs(20), gone).await;
        assert!(gone.is_ok(), "{:?}", support.strategy());
    }
}

#[tokio::test]
async fn nothing_of_the_server_is_inherited() {
    for support in every().await {
        let yard = Yard::new();
        let outside = fs::File::open(yard.outside()).expect("it opens");
        rustix::io::fcntl_setfd(&outside, rustix::io::FdFlags::empty()).expect("it is open");
        let script = "for fd in /proc/$$/fd/*; do test -e $fd && echo ${fd##*/}; done";
        assert_eq!(yard.sh(&support, script).await.text, "0\n1\n2\n", "{:?}", support.strategy());
    }
}

#[tokio::test]
async fn no_program_gains_rights() {
    for support in every().await {
        let yard = Yard::new();
        let outcome = yard.sh(&support, "cat /proc/self/status").await;
        let field = |name: &str| {
            let line = outcome.text.lines().find_map(|line| line.strip_prefix(name));
            line.map(|rest| rest.trim_start_matches(':').trim().to_owned())
        };
        assert_eq!(field("NoNewPrivs").as_deref(), Some("1"));
        assert_eq!(field("Seccomp").as_deref(), Some("2"));
        for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
            assert_eq!(field(set).as_deref(), Some("0000000000000000"), "{set}");
        }
        for mask in ["SigBlk", "SigIgn"] {
            assert_eq!(field(mask).as_deref(), Some("0000000000000000"), "{mask}");
        }
    }
}

#[tokio::test]
async fn a_terminal_works_inside() {
    for support in every().await {
        let yard = Yard::new();
        let script = "test -t 0 && stty size < /dev/tty && read x && echo got $x > /dev/stdout";
        let mut command = yard.command(&["sh", "-c", script]);
        command.stdio = Stdio::Pty { rows: 30, cols: 90 };
        let process = yard.start(&support, command).await;
        process.write(b"hello\n").await.expect("it is written");
        let code = process.wait().await.code;
        let text = process.collected().text();
        assert!(code == 0 && text.contains("30 90") && text.contains("got hello"), "{text}");
        assert_eq!(yard.attempt(&support, &["terminal-pair"]).await, "ok");
    }
}

#[tokio::test]
async fn other_terminals_of_the_user_cannot_be_reached() {
    for support in with_mounts().await {
        let yard = Yard::new();
        let terminal = Pty::open(24, 80).expect("a terminal");
        let path = rustix::termios::ttyname(&terminal.childs, Vec::new()).expect("its path");
        let path = path.to_str().expect("a plain path");
        let result = yard.attempt(&support, &["write", path]).await;
        assert!(["ENOENT", "EACCES"].contains(&result.as_str()), "{result}");
        let mut bytes = [0; 8];
        let printed = rustix::io::read(&terminal.ours, &mut bytes);
        assert_eq!(printed, Err(rustix::io::Errno::AGAIN), "something was printed");
    }
}

#[tokio::test]
async fn no_other_device_can_be_opened() {
    for support in with_mounts().await {
        let yard = Yard::new();
        let script = "for d in /dev/*; do test -b $d && dd if=$d of=/dev/null count=1; done
            for d in zero full random urandom; do head -c 1 /dev/$d > /dev/null || echo no $d; done";
        let outcome = yard.sh(&support, script).await;
        assert!(!outcome.text.contains("1+0") && !outcome.text.contains("no "), "{}", outcome.text);
    }
}

#[tokio::test]
async fn what_cannot_start_inside_says_why() {
    for support in every().await {
        let yard = Yard::new();
        let missing = Clearance::sandboxed(yard.command(&["/no/such/program"]));
        let error = Process::spawn_in(missing, &support).await.expect_err("it does not start");
        assert!(matches!(error, SpawnError::Exec { .. }), "{error:?}");
        let mut nowhere = yard.command(&["true"]);
        nowhere.cwd = PathBuf::from("/no/such/folder");
        let error = Process::spawn_in(Clearance::sandboxed(nowhere), &support).await;
        assert!(matches!(error, Err(SpawnError::Cwd { .. })), "{error:?}");
    }
}

#[tokio::test]
async fn without_any_means_a_sandboxed_command_does_not_start() {
    let (yard, support) = (Yard::new(), Support::using(Strategy::None));
    assert!(!support.can_enforce(&yard.mode()) && support.can_enforce(&Mode::FullAccess));
    let command = Clearance::sandboxed(yard.command(&["true"]));
    let error = Process::spawn_in(command, &support).await.expect_err("it does not start");
    assert!(matches!(error, SpawnError::Sandbox(SandboxError::Unavailable)));
}

#[tokio::test]
async fn what_was_allowed_inside_the_sandbox_only_does_not_run_outside() {
    let mut command = Yard::new().command(&["true"]);
    command.cwd = PathBuf::from("/");
    command.sandbox = Mode::FullAccess;
    let error = Process::spawn(Clearance::sandboxed(command.clone())).await;
    assert!(matches!(error, Err(SpawnError::Sandbox(SandboxError::NotHeld))));
    let support = Support::using(WHOLE);
    let error = Process::spawn_in(Clearance::sandboxed(command), &support).await;
    assert!(matches!(error, Err(SpawnError::Sandbox(SandboxError::NotHeld))));
}
