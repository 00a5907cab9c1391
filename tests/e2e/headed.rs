//! Clients that speak as those of language servers do: each message with a header that tells its
//! length.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use spindle_tests::{Home, Model, Step, spindle};

/// The real program and a client that speaks with headers.
struct Headed {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Headed {
    fn start(home: &Home) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the program under test is started as users do"
        )]
        let mut child = Command::new(spindle())
            .args(["app-server", "--stdio"])
            .env("SPINDLE_HOME", home.path())
            .env("HOME", home.around())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let stdin = child.stdin.take().expect("stdin is a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        Self { child, stdin, stdout }
    }

    fn write(&mut self, bytes: &str) {
        self.stdin.write_all(bytes.as_bytes()).expect("the daemon reads");
    }

    /// The next message, whose header must be exact.
    fn next(&mut self) -> Value {
        let mut header = String::new();
        self.stdout.read_line(&mut header).expect("the daemon writes");
        let length = header.strip_prefix("Content-Length: ").map(str::trim).map(str::parse);
        let length: usize = length.and_then(Result::ok).unwrap_or_else(|| panic!("{header:?}"));
        let mut rest = vec![0; length + 2];
        self.stdout.read_exact(&mut rest).expect("as long as the header says");
        assert_eq!(&rest[..2], b"\r\n");
        serde_json::from_slice(&rest[2..]).expect("the daemon speaks JSON")
    }

    fn wait(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next();
            assert_eq!(message["jsonrpc"], "2.0", "{message}");
            if fits(&message) {
                return message;
            }
        }
    }
}

fn framed(message: &Value, more: &str) -> String {
    let text = message.to_string();
    format!("Content-Length: {}\r\n{more}\r\n{text}", text.len())
}

fn request(id: i64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_with_headers_holds_a_whole_conversation() {
    let model = Model::start([Step::Stream(vec!["gr\u{fc}\u{df} ".into(), "dich".into()])]).await;
    let home = Home::new(&model.base_url(), "");
    let workspace = home.workspace();
    let talk = tokio::task::spawn_blocking(move || {
        let mut client = Headed::start(&home);
        let info = json!({"clientInfo": {"name": "headed", "version": "1"}});
        let kind = "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n";
        // The header and the body come in parts, and two messages come at once.
        let greeting = framed(&request(1, "initialize", &info), kind);
        let (early, late) = greeting.split_at(9);
        client.write(early);
        client.write(late);
        let initialized = json!({"jsonrpc": "2.0", "method": "initialized"});
        let start = request(2, "thread/start", &json!({"cwd": workspace}));
        let both = framed(&initialized, "") + &framed(&start, kind);
        client.write(&both);
        assert!(client.wait(|message| message["id"] == 1).get("result").is_some());
        let started = client.wait(|message| message["id"] == 2);
        let thread = &started["result"]["thread"]["id"];
        client.write("Content-Length: 9\r\n\r\nnot json!");
        assert_eq!(client.wait(|message| message.get("error").is_some())["error"]["code"], -32700);
        let input = json!([{"type": "text", "text": "hi"}]);
        let turn = request(3, "turn/start", &json!({"threadId": thread, "input": input}));
        client.write(&framed(&turn, ""));
        let item = client.wait(|message| {
            message["method"] == "item/completed"
                && message["params"]["item"]["type"] == "agentMessage"
        });
        assert_eq!(item["params"]["item"]["text"], "gr\u{fc}\u{df} dich");
        client.wait(|message| message["method"] == "turn/completed");
        let Headed { mut child, stdin, .. } = client;
        drop(stdin);
        assert!(child.wait().expect("it ends").success());
    });
    talk.await.expect("the conversation goes well");
}
