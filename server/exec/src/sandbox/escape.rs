//! Tries to get out of the sandbox, by every way we know.
//!
//! Attempts that a shell can make are scripts; the others are made by this test program itself,
//! run inside the sandbox in the role of `attempts::attempt_from_inside`.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::{Gap, Mode, SandboxError, Strategy, Support};
use crate::{Clearance, Command, Limits, Process, SpawnError, Stdio};

mod apart;
mod attempts;
mod files;
mod processes;
mod sockets;
mod table;
mod walls;

/// A workspace, a folder outside of it, and a file in each.
struct Yard {
    folder: tempfile::TempDir,
    network: bool,
    protected: Vec<PathBuf>,
}

/// What came of a command.
struct Outcome {
    text: String,
    code: i32,
}

impl Yard {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let yard = Self { folder, network: false, protected: Vec::new() };
        fs::create_dir_all(yard.workspace().join(".git/hooks")).expect("a repository");
        fs::create_dir(yard.outside()).expect("a folder");
        fs::write(yard.workspace().join(".git/config"), "safe").expect("a file");
        fs::write(yard.workspace().join("file"), "mine").expect("a file");
        fs::write(yard.secret(), "safe").expect("a file");
        yard
    }

    fn workspace(&self) -> PathBuf {
        self.folder.path().join("ws")
    }

    fn outside(&self) -> PathBuf {
        self.folder.path().join("outside")
    }

    /// The file outside that nobody inside may change.
    fn secret(&self) -> PathBuf {
        self.outside().join("file")
    }

    fn mode(&self) -> Mode {
        Mode::WorkspaceWrite {
            roots: vec![self.workspace()],
            exclude_tmp: true,
            exclude_slash_tmp: true,
            network: self.network,
            protected: self.protected.clone(),
        }
    }

    fn command(&self, argv: &[&str]) -> Command {
        Command {
            argv: argv.iter().map(OsString::from).collect(),
            cwd: self.workspace(),
            env: vec![("PATH".into(), "/usr/bin:/bin".into())],
            stdio: Stdio::Pipes,
            limits: Limits::default(),
            sandbox: self.mode(),
        }
    }

    async fn start(&self, support: &Support, command: Command) -> Process {
        let command = Clearance::sandboxed(command);
        Process::spawn_in(command, support).await.expect("the command starts")
    }

    async fn run(&self, support: &Support, command: Command) -> Outcome {
        let process = self.start(support, command).await;
        let code = process.wait().await.code;
        Outcome { text: process.collected().text(), code }
    }

    async fn sh(&self, support: &Support, script: &str) -> Outcome {
        self.run(support, self.command(&["sh", "-c", script])).await
    }

    /// Has this program make an attempt inside; returns what came of it: `ok` or an error's name.
    async fn attempt(&self, support: &Support, words: &[&str]) -> String {
        let program = std::env::current_exe().expect("the test program");
        let role = "sandbox::escape::attempts::attempt_from_inside";
        let program = program.to_str().expect("a plain path");
        let mut command =
            self.command(&[program, "--exact", role, "--ignored", "--nocapture", "-q"]);
        command.env.push((attempts::VARIABLE.into(), words.join("\n").into()));
        let outcome = self.run(support, command).await;
        let result = outcome.text.split(attempts::MARK).nth(1);
        result.map_or(format!("no answer: {}", outcome.text), |text| text.trim().to_owned())
    }

    fn assert_untouched(&self, attempt: &str) {
        let secret = fs::read_to_string(self.secret());
        assert_eq!(secret.ok().as_deref(), Some("safe"), "{attempt}");
        let mode = fs::metadata(self.secret()).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o644, "{attempt}");
        let names = fs::read_dir(self.outside()).expect("it is there");
        assert_eq!(names.count(), 1, "{attempt}");
        let config = fs::read_to_string(self.workspace().join(".git/config"));
        assert_eq!(config.ok().as_deref(), Some("safe"), "{attempt}");
    }
}

const WHOLE: Strategy = Strategy::Namespaces { processes: true };
const SEEING: Strategy = Strategy::Namespaces { processes: false };

/// Returns those of `strategies` that work on this system, and says which do not.
async fn working(strategies: &[Strategy]) -> Vec<Support> {
    let found = Support::detect().await;
    let mut working = Vec::new();
    for strategy in strategies {
        match found.refused().iter().find(|(refused, _)| refused == strategy) {
            Some((_, why)) => println!("skipped: {strategy:?} does not work here: {why}"),
            None => working.push(Support::using(strategy.clone())),
        }
    }
    working
}

/// Those that have mounts.
async fn with_mounts() -> Vec<Support> {
    let mut working = working(&[WHOLE, SEEING]).await;
    working.extend(bubblewrap());
    working
}

/// All that enforce anything.
async fn every() -> Vec<Support> {
    let mut every = with_mounts().await;
    every.extend(working(&[Strategy::Rules]).await);
    every
}

/// Bubblewrap, when it is installed or `SPINDLE_TEST_BWRAP` says where it is.
fn bubblewrap() -> Option<Support> {
    let given = std::env::var_os("SPINDLE_TEST_BWRAP").map(PathBuf::from);
    let program = given.or_else(super::bwrap::find);
    if program.is_none() {
        println!("skipped: bubblewrap is not installed");
    }
    Some(Support::using(Strategy::Bubblewrap { program: program? }))
}

fn shown(path: &Path) -> String {
    path.to_str().expect("a plain path").to_owned()
}

fn is_wrapped(support: &Support) -> bool {
    matches!(support.strategy(), Strategy::Bubblewrap { .. })
}
