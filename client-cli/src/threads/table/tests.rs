use serde_json::{Value, json};
use spindle_schema::v2::{Thread, Turn};

use super::{thread, threads};
use crate::columns::width;

fn made(id: &str, name: Option<&str>, preview: &str, status: &Value) -> Thread {
    serde_json::from_value(json!({
        "id": id, "sessionId": id, "preview": preview, "ephemeral": false, "projectId": null,
        "modelProvider": "m", "createdAt": 1_796_046_568, "updatedAt": 1_796_046_568,
        "status": status, "cwd": "/work", "cliVersion": "1", "source": "cli", "name": name,
        "turns": [], "model": "gpt",
    }))
    .unwrap()
}

fn turn(status: &str, error: Option<&str>) -> Turn {
    let error = error.map(|message| json!({"message": message}));
    serde_json::from_value(json!({
        "id": "u", "status": status, "error": error, "items": [
            {"type": "userMessage", "id": "a", "content": [{"type": "text", "text": "hi"}]},
            {"type": "agentMessage", "id": "b", "text": "hello\nthere"},
        ],
    }))
    .unwrap()
}

#[test]
fn a_thread_is_one_line_with_its_name_or_its_first_words() {
    let id = "01a22cb7-49a4-7e63-bccc-25b6a10ab4e9";
    let waiting = json!({"type": "active", "activeFlags": ["waitingOnApproval"]});
    let table = threads(
        &[
            made(id, Some("readme"), "x", &json!({"type": "notLoaded"})),
            made(id, None, "请创建\nREADME.md", &waiting),
        ],
        120,
    );
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("ID  "));
    assert!(lines[1].starts_with(id) && lines[1].ends_with("stored   /work   readme"), "{table}");
    assert!(lines[2].ends_with("asking   /work   请创建 README.md"), "{table}");
    assert_eq!(lines.len(), 3);
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let long = made(
        "01a22cb7-49a4-7e63-bccc-25b6a10ab4e9",
        None,
        &"词 ".repeat(200),
        &json!({"type": "idle"}),
    );
    for columns in [100, 120, 200] {
        let table = threads(std::slice::from_ref(&long), columns);
        assert!(table.lines().all(|line| width(line) <= columns), "{table}");
    }
}

#[test]
fn nothing_to_list_is_said() {
    assert_eq!(threads(&[], 80), "no threads\n");
}

#[test]
fn a_thread_is_shown_with_all_that_was_said_and_how_it_ended() {
    let shown = thread(
        &made("t", None, "x", &json!({"type": "idle"})),
        &[turn("completed", None), turn("failed", Some("quota"))],
    );
    let said = "you      hi\nagent    hello\n         there\n";
    assert!(
        shown.starts_with("thread   t\nname     -\nfolder   /work\nmodel    gpt\nstate    idle\n"),
        "{shown}"
    );
    assert!(shown.ends_with(&format!("\n{said}\n{said}turn     failed: quota\n")), "{shown}");
}
