use serde_json::{Value, json};

use super::{Conversation, Reply, next};

/// A conversation that grows as the stand-in and the test talk.
struct Talk {
    input: Vec<Value>,
    tools: Vec<&'static str>,
}

impl Talk {
    fn new(text: &str) -> Self {
        let mut talk = Self { input: Vec::new(), tools: vec!["exec_command", "write_stdin"] };
        talk.say(text);
        talk
    }

    fn say(&mut self, text: &str) {
        let content = json!([{"type": "input_text", "text": text}]);
        self.input.push(json!({"type": "message", "role": "user", "content": content}));
    }

    fn next(&self) -> Reply {
        let tools: Vec<_> =
            self.tools.iter().map(|name| json!({"type": "function", "name": name})).collect();
        let body = json!({"input": self.input, "tools": tools}).to_string();
        next(&Conversation::read(body.as_bytes()).expect("the body is well formed"))
    }

    /// Expects a call, answers it with `output`, and returns the command.
    fn command(&mut self, output: &str) -> String {
        let arguments = self.call("exec_command", output);
        arguments["cmd"].as_str().expect("a command is text").to_owned()
    }

    fn call(&mut self, expected: &str, output: &str) -> Value {
        let Reply::Call { tool, arguments } = self.next() else {
            panic!("a call was expected: {:?}", self.next())
        };
        assert_eq!(tool, expected);
        let id = format!("call_{}", self.input.len());
        self.input.push(json!({
            "type": "function_call", "name": tool, "arguments": arguments.to_string(), "call_id": id
        }));
        self.input.push(json!({"type": "function_call_output", "call_id": id, "output": output}));
        arguments
    }

    /// Expects the end of the turn.
    fn text(&mut self) -> String {
        let Reply::Text(text) = self.next() else { panic!("a text was expected") };
        let content = json!([{"type": "output_text", "text": text}]);
        self.input.push(json!({"type": "message", "role": "assistant", "content": content}));
        text
    }
}

fn ended(code: i32, printed: &str) -> String {
    format!(
        "Chunk ID: 0\nWall time: 0 seconds\nProcess exited with code {code}\nOutput:\n{printed}"
    )
}

fn running(printed: &str) -> String {
    format!("Wall time: 0 seconds\nProcess running with session ID 7\nOutput:\n{printed}")
}

#[test]
fn a_file_is_created_and_its_real_size_told() {
    let mut talk = Talk::new("create README.md with \"hi\"");
    assert!(talk.command(&ended(0, "3\n")).contains("> 'README.md'"));
    assert_eq!(talk.text(), "Created README.md (3 bytes).");
}

#[test]
fn a_failure_is_said_with_its_code_and_output() {
    let mut talk = Talk::new("run `false`");
    assert_eq!(talk.command(&ended(1, "oops\n")), "false");
    assert_eq!(talk.text(), "`false` failed: exit code 1. Output:\n```\noops\n```");
    talk.say("创建 /x.txt，内容为“x”");
    talk.command(&ended(2, ""));
    assert_eq!(talk.text(), "未能创建 /x.txt，退出码 2。输出：无。");
}

#[test]
fn a_refusal_is_said_as_such() {
    let mut talk = Talk::new("run `ls`, then show a.txt");
    talk.command("exec_command failed: rejected by user");
    talk.command(&ended(0, "x\n"));
    assert_eq!(
        talk.text(),
        "`ls` was not run. Reason:\n```\nexec_command failed: rejected by user\n```\n\na.txt holds:\n```\nx\n```"
    );
}

#[test]
fn several_requests_are_done_in_order() {
    let mut talk = Talk::new("先创建 a.txt，内容为“你好”，然后显示它，最后列出文件");
    assert!(talk.command(&ended(0, "7\n")).starts_with("printf"));
    assert_eq!(talk.command(&ended(0, "你好\n")), "cat 'a.txt'");
    assert_eq!(talk.command(&ended(0, "a.txt\nsrc/\n")), "ls -1Ap");
    assert_eq!(
        talk.text(),
        "已创建 a.txt（7 字节）。\n\na.txt 的内容：\n```\n你好\n```\n\n文件：\n- a.txt\n- src/"
    );
}

#[test]
fn what_is_steered_in_is_taken_up_next() {
    let mut talk = Talk::new("run `one`, then run `two`");
    talk.command(&ended(0, ""));
    talk.say("run `three` and then run `four`");
    assert_eq!(talk.command(&ended(0, "")), "three");
    assert_eq!(talk.command(&ended(0, "")), "four");
    assert_eq!(talk.command(&ended(0, "")), "two");
    let text = talk.text();
    let at = |word: &str| text.find(word).expect("every command is told");
    assert!(at("`one`") < at("`three`") && at("`four`") < at("`two`"));
}

#[test]
fn a_message_before_the_first_call_does_not_jump_the_queue() {
    let mut talk = Talk::new("run `one`");
    talk.say("run `two`");
    assert_eq!(talk.command(&ended(0, "")), "one");
    assert_eq!(talk.command(&ended(0, "")), "two");
}

#[test]
fn a_message_after_the_answer_is_a_request_of_its_own() {
    let mut talk = Talk::new("create a.txt with \"x\"");
    talk.command(&ended(0, "2\n"));
    talk.text();
    talk.say("read it back");
    assert_eq!(talk.command(&ended(0, "x\n")), "cat 'a.txt'");
    assert_eq!(talk.text(), "a.txt holds:\n```\nx\n```");
}

#[test]
fn protection_holds_from_where_it_was_said() {
    let mut talk = Talk::new("create a.txt with \"x\" then create b.txt with \"y\"");
    assert!(!talk.command(&ended(0, "2\n")).contains("set -C"));
    talk.say("不得覆盖其他文件");
    let command = talk.command(&ended(1, "b.txt: cannot overwrite existing file\n"));
    assert!(command.starts_with("set -C; printf"));
    assert_eq!(
        talk.text(),
        "Created a.txt (2 bytes).\n\n从现在起，我不会覆盖已有的文件。\n\nb.txt could not be created: exit code 1. Output:\n```\nb.txt: cannot overwrite existing file\n```"
    );
}

#[test]
fn a_command_that_runs_on_is_looked_at_again() {
    let mut talk = Talk::new("run `slow`, then run `next`");
    talk.command(&running("a\n"));
    let arguments = talk.call("write_stdin", &running(""));
    assert_eq!((&arguments["session_id"], &arguments["chars"]), (&json!(7), &json!("")));
    talk.call("write_stdin", &ended(0, "b\n"));
    assert_eq!(talk.command(&ended(0, "")), "next");
    assert!(talk.text().starts_with("`slow` ended with exit code 0. Output:\n```\na\nb\n```"));
}

#[test]
fn a_command_that_never_ends_is_left_alone_and_told() {
    let mut talk = Talk::new("run `server`");
    talk.command(&running("up\n"));
    for _ in 0..super::MOST_LOOKS {
        talk.call("write_stdin", &running(""));
    }
    assert_eq!(
        talk.text(),
        "`server` still runs in the background (session 7). Output so far:\n```\nup\n```"
    );
}

#[test]
fn a_plan_is_noted_where_there_is_a_tool_and_said_where_there_is_none() {
    let mut talk = Talk::new("plan: write, test");
    assert_eq!(talk.text(), "Plan:\n1. write\n2. test");
    let mut talk = Talk::new("计划：写，测，然后运行 `ls`");
    talk.tools.push("update_plan");
    let arguments = talk.call("update_plan", "Plan updated");
    assert_eq!(arguments["plan"][0], json!({"step": "写", "status": "in_progress"}));
    assert_eq!(arguments["plan"][1], json!({"step": "测", "status": "pending"}));
}

#[test]
fn without_a_command_tool_nothing_is_pretended() {
    let mut talk = Talk::new("run `ls`");
    talk.tools.clear();
    assert_eq!(talk.text(), "I cannot do this here: no tool for commands is on offer.");
}

#[test]
fn anything_else_is_answered_with_what_it_is() {
    let text = Talk::new("write me a poem").text();
    assert!(text.contains("not a language model") && text.contains("no key"));
    let text = Talk::new("你好").text();
    assert!(text.contains("不是语言模型") && text.contains("不需要密钥"));
}

#[test]
fn the_same_conversation_gets_the_same_reply() {
    let talk = Talk::new("run `ls`");
    assert_eq!(talk.next(), talk.next());
}

#[test]
fn a_flood_of_output_is_repeated_in_part() {
    let mut talk = Talk::new("run `yes`");
    talk.command(&ended(0, &"界".repeat(10_000)));
    let text = talk.text();
    assert_eq!(text.matches('界').count(), 4_000);
    assert!(text.contains("… (18000 bytes more)"));
}
