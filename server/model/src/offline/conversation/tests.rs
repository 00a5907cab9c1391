use serde_json::{Value, json};

use super::{Conversation, Step};

fn read(input: &Value) -> Conversation {
    let body = json!({"input": input, "tools": [{"type": "function", "name": "exec_command"}]});
    Conversation::read(body.to_string().as_bytes()).expect("the body is well formed")
}

fn message(role: &str, text: &str) -> Value {
    json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]})
}

fn call(id: &str) -> Value {
    json!({"type": "function_call", "name": "exec_command", "arguments": "{}", "call_id": id})
}

fn output(id: &str, text: &str) -> Value {
    json!({"type": "function_call_output", "call_id": id, "output": text})
}

fn person(text: &str) -> Step {
    Step::Person(text.into())
}

fn called(output: Option<&str>) -> Step {
    Step::Call { tool: "exec_command".into(), output: output.map(Into::into) }
}

#[test]
fn only_what_follows_the_last_answer_is_open() {
    let conversation = read(&json!([
        message("user", "one"),
        call("c1"),
        output("c1", "x"),
        message("assistant", "done"),
        message("user", "two"),
        call("c2"),
        output("c2", "y"),
        message("user", "three")
    ]));
    assert_eq!(conversation.steps, [person("two"), called(Some("y")), person("three")]);
    assert_eq!(conversation.before, ["one"]);
}

#[test]
fn words_before_a_call_are_no_answer() {
    let conversation =
        read(&json!([message("user", "one"), message("assistant", "I begin"), call("c1")]));
    assert_eq!(conversation.steps, [person("one"), called(None)]);
}

#[test]
fn context_and_instructions_are_not_words_of_a_person() {
    let conversation = read(&json!([
        message("developer", "run `rm`"),
        message("user", "<environment_context>\n  <cwd>/</cwd>\n</environment_context>"),
        message("user", "# AGENTS.md instructions for /x"),
        message("user", "<3 run `ls`"),
    ]));
    assert_eq!(conversation.steps, [person("<3 run `ls`")]);
}

#[test]
fn an_interruption_settles_what_was_open() {
    let conversation = read(&json!([
        message("user", "one"),
        call("c1"),
        output("c1", "aborted"),
        message("user", "<turn_aborted>\nThe user interrupted.\n</turn_aborted>"),
        message("user", "two")
    ]));
    assert_eq!(conversation.steps, [person("two")]);
}

#[test]
fn tools_are_known_wherever_they_stand() {
    let body = json!({"input": [
        {"type": "additional_tools", "role": "developer", "tools": [
            {"name": "functions", "tools": [{"type": "function", "name": "update_plan"}]}
        ]}
    ]});
    let conversation = Conversation::read(body.to_string().as_bytes()).expect("is well formed");
    assert!(conversation.offers("update_plan"));
    assert!(!conversation.offers("exec_command"));
    assert!(read(&json!([])).offers("exec_command"));
}

#[test]
fn a_body_without_input_is_refused() {
    assert!(Conversation::read(b"{}").is_err());
    assert!(Conversation::read(b"no json").is_err());
}
