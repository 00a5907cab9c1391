//! The real program.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;

use serde_json::{Value, json};

use crate::home::Home;
use crate::model::PATIENCE;

/// The program under test: beside the test's own, where the build put it.
///
/// # Panics
/// When it was not built; the suite's command builds it first.
pub fn spindle() -> PathBuf {
    let own = std::env::current_exe().expect("the test knows its program");
    let folder = own.ancestors().nth(2).expect("a test lies in a folder of the build's");
    let program = folder.join("spindle");
    assert!(program.exists(), "{} is missing: build it with `cargo build`", program.display());
    program
}

/// A daemon in a process of its own, spoken to over standard input and output.
#[derive(Debug)]
pub struct Binary {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: mpsc::Receiver<Value>,
    next_id: i64,
}

impl Binary {
    /// Starts the daemon on a home and initialises.
    pub fn start(home: &Home) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the program under test is started as users do"
        )]
        let mut command = Command::new(spindle());
        command
            .arg("app-server")
            .env("SPINDLE_HOME", home.path())
            .env("HOME", home.around())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit());
        let mut child = command.spawn().expect("the program can be started");
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let (sender, lines) = mpsc::sync_channel(10_000);
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let Ok(message) = serde_json::from_str(&line) else { break };
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        let mut binary = Self { child, stdin, lines, next_id: 0 };
        let params = json!({"clientInfo": {"name": "binary", "version": "1"}});
        binary.call("initialize", &params).expect("the daemon is fresh");
        binary
    }

    /// Sends a request; gives its id, or `None` when the daemon is gone.
    pub fn ask(&mut self, method: &str, params: &Value) -> Option<i64> {
        self.next_id += 1;
        let line = json!({"id": self.next_id, "method": method, "params": params});
        let stdin = self.stdin.as_mut()?;
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).ok()?;
        Some(self.next_id)
    }

    /// Asks and waits for the result; `None` when there is none.
    pub fn call(&mut self, method: &str, params: &Value) -> Option<Value> {
        let id = self.ask(method, params)?;
        loop {
            let message = self.next()?;
            if message["id"] == id && message.get("method").is_none() {
                return message.get("result").cloned();
            }
        }
    }

    /// The next message; `None` when the daemon is gone.
    pub fn next(&self) -> Option<Value> {
        self.lines.recv_timeout(PATIENCE).ok()
    }

    /// Kills the daemon as hard as the system can, and gives what it had said.
    pub fn kill(mut self) -> Vec<Value> {
        drop(self.child.kill());
        drop(self.child.wait());
        self.lines.iter().collect()
    }

    /// A handle that kills the daemon from another thread.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Closes standard input and waits for the end; gives the exit code.
    pub fn close(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.child.wait().ok().and_then(|status| status.code())
    }
}

impl Drop for Binary {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A daemon in a process of its own that listens for clients.
#[derive(Debug)]
pub struct Served {
    child: Child,
    url: String,
}

impl Served {
    /// Starts the daemon on a home and a free port.
    pub fn start(home: &Home) -> Self {
        Self::listening(home, "ws://127.0.0.1:0")
    }

    /// Starts the daemon on a home and a Unix socket beside it.
    pub fn on_socket(home: &Home) -> Self {
        Self::listening(home, &format!("unix://{}", home.around().join("d.sock").display()))
    }

    /// # Panics
    /// When it does not say where it listens.
    fn listening(home: &Home, address: &str) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the program under test is started as users do"
        )]
        let mut command = Command::new(spindle());
        command
            .args(["app-server", "--listen", address])
            .env("SPINDLE_HOME", home.path())
            .env("HOME", home.around())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program can be started");
        let stderr = child.stderr.take().expect("stderr is a pipe");
        let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
        let url = lines.find_map(|line| {
            let start = line.find("listening on: ")? + "listening on: ".len();
            line[start..].split_whitespace().next().map(str::to_owned)
        });
        // Whatever else it says must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, url: url.expect("the daemon says where it listens") }
    }

    /// Where it listens.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
