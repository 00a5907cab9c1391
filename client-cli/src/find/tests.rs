use serde_json::json;
use spindle_schema::v2::Thread;

use super::matching;

fn thread(id: &str, name: Option<&str>) -> Thread {
    serde_json::from_value(json!({
        "id": id, "sessionId": id, "preview": "p", "ephemeral": false, "projectId": null,
        "modelProvider": "m", "createdAt": 1, "updatedAt": 1, "status": {"type": "idle"},
        "cwd": "/w", "cliVersion": "1", "source": "cli", "name": name, "turns": [],
    }))
    .unwrap()
}

fn threads() -> Vec<Thread> {
    vec![
        thread("01a22cb7-49a4-7e63-bccc-25b6a10ab4e9", Some("readme")),
        thread("01a22cb7-4b07-7952-9219-7c56498befe5", Some("twice")),
        thread("01a22cb9-4b07-7952-9219-7c56498b0000", Some("twice")),
        thread("01a22cc0-4b07-7952-9219-7c5649870000", Some("01a22cb9")),
    ]
}

fn found(text: &str) -> Result<String, String> {
    matching(&threads(), text).map(|thread| thread.id.clone()).map_err(|e| e.to_string())
}

#[test]
fn a_thread_is_found_by_its_name() {
    assert_eq!(found("readme").unwrap(), "01a22cb7-49a4-7e63-bccc-25b6a10ab4e9");
}

#[test]
fn a_thread_is_found_by_either_end_of_its_id() {
    assert_eq!(found("01a22cb7-49").unwrap(), "01a22cb7-49a4-7e63-bccc-25b6a10ab4e9");
    assert_eq!(found("498befe5").unwrap(), "01a22cb7-4b07-7952-9219-7c56498befe5");
}

#[test]
fn a_name_counts_before_a_piece_of_an_id() {
    assert_eq!(found("01a22cb9").unwrap(), "01a22cc0-4b07-7952-9219-7c5649870000");
}

#[test]
fn what_is_unknown_or_not_unique_is_refused() {
    assert_eq!(found("nothing").unwrap_err(), "no thread is called `nothing`");
    assert_eq!(found("twice").unwrap_err(), "2 threads are called `twice`; use the id");
    assert_eq!(found("01a22cb7").unwrap_err(), "2 threads are called `01a22cb7`; use the id");
    assert_eq!(found("e9").unwrap_err(), "no thread is called `e9`");
}
