//! What people note about threads: read state, sections, attachments, projects.

use serde_json::{Value, json};
use spindle_tests::{Client, Rig};

async fn say(client: &mut Client, thread: &str, text: &str) {
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": text}]});
    client.call("turn/start", params).await.expect("started");
    client.turn_end().await;
}

async fn listed(client: &mut Client, params: Value) -> Value {
    client.call("thread/list", params).await.expect("listed")
}

#[tokio::test]
async fn everybody_hears_what_is_unread_and_nobody_marks_what_they_have_not_seen() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    let mut other = rig.client("other").await;
    say(&mut client, &thread, "one").await;
    let told = other.wait("thread/readState/changed").await["params"].clone();
    assert_eq!(told["readState"]["firstUnread"]["type"], "turn");
    let seen = told["readState"]["revision"].clone();
    say(&mut client, &thread, "two").await;
    let mark = |revision: &Value, kind: &str| json!({"threadId": thread, "expectedRevision": revision, "operation": {"type": kind}});
    let late = other.call("thread/readState/update", mark(&seen, "read")).await;
    let late = late.expect_err("another turn has ended meanwhile");
    assert_eq!(late.data["type"], "readStateConflict");
    let now = late.data["readState"]["revision"].clone();
    other.call("thread/readState/update", mark(&now, "read")).await.expect("marked");
    let fits = |params: &Value| params["readState"]["firstUnread"].is_null();
    let told = client.wait_where("thread/readState/changed", fits).await["params"].clone();
    drop((client, other));
    let mut rig = rig.restart().await;
    let mut client = rig.client("again").await;
    let list = listed(&mut client, json!({})).await;
    assert_eq!(list["readStates"][&thread], told["readState"]);
    let read = client.call("thread/read", json!({"threadId": thread})).await.expect("read");
    assert_eq!(read["readState"], told["readState"]);
}

#[tokio::test]
async fn what_was_noted_outlives_the_index_and_goes_with_its_thread() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    say(&mut client, &thread, "hello").await;
    let made = client.call("threadSection/create", json!({"name": " Work "})).await.expect("made");
    assert_eq!(made["section"]["name"], "Work");
    let section = made["section"]["id"].clone();
    let place = json!({"threadId": thread, "sectionId": section});
    client.call("thread/section/move", place).await.expect("moved");
    assert_eq!(client.wait("thread/section/changed").await["params"]["sectionId"], section);
    let root = rig.home.workspace();
    let new = json!({"idempotencyKey": "k", "name": "P", "roots": [{"path": root}]});
    let project = client.call("project/create", new).await.expect("made")["project"]["id"].clone();
    let belong = json!({"threadId": thread, "projectId": project, "gitInfo": {"branch": "b"}});
    client.call("thread/metadata/update", belong).await.expect("updated");
    let attach = json!({"threadId": thread, "attachmentType": "pr", "identityKey": "k",
        "payload": {"url": "u"}});
    client.call("thread/attachment/add", attach).await.expect("attached");
    // Whoever follows the loaded thread is told where it stands.
    let mut other = rig.client("other").await;
    let resumed = other.call("thread/resume", json!({"threadId": thread})).await.expect("followed");
    assert_eq!(resumed["thread"]["section"]["id"], section);
    assert_eq!(resumed["thread"]["projectId"], project);
    drop((client, other));
    let rig = rig.restart().await;
    for name in ["spindle.sqlite", "spindle.sqlite-wal", "spindle.sqlite-shm"] {
        drop(std::fs::remove_file(rig.home.path().join(name)));
    }
    let mut rig = rig.restart().await;
    let mut client = rig.client("again").await;
    let by_section = json!({"sectionId": section, "sortKey": "section_position"});
    for filter in [json!({}), by_section, json!({"projectId": project})] {
        let list = listed(&mut client, filter).await;
        let row = &list["data"][0];
        assert_eq!(row["section"]["name"], "Work");
        assert_eq!((&row["projectId"], &row["gitInfo"]["branch"]), (&project, &json!("b")));
    }
    let attached = json!({"attachmentType": "pr", "identityKey": "k"});
    let owners = client.call("thread/attachmentOwner/list", attached).await.expect("listed");
    assert_eq!(owners["data"], json!([{"threadId": thread, "archived": false}]));
    client.call("thread/delete", json!({"threadId": thread})).await.expect("deleted");
    drop(client);
    let rig = rig.restart().await;
    for entry in std::fs::read_dir(rig.home.path()).expect("readable").filter_map(Result::ok) {
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(&thread), "{}", entry.path().display());
    }
}

#[tokio::test]
async fn a_section_and_a_project_that_go_let_their_threads_stay() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    say(&mut client, &thread, "hello").await;
    let sections = client.call("threadSection/list", json!({})).await.expect("listed");
    assert_eq!(sections["data"][0]["name"], "Pinned");
    let pinned = sections["data"][0]["id"].clone();
    let place = json!({"threadId": thread, "sectionId": pinned});
    client.call("thread/section/move", place).await.expect("moved");
    let new = json!({"idempotencyKey": "k", "name": "P", "roots": [], "threads": [thread]});
    let project = client.call("project/import", new).await.expect("made")["project"].clone();
    assert!(project["recencyAt"].is_i64(), "{project}");
    client.call("threadSection/delete", json!({"sectionId": pinned})).await.expect("deleted");
    let gone = json!({"projectId": project["id"]});
    client.call("project/delete", gone.clone()).await.expect("deleted");
    let fits = |params: &Value| params["projectId"].is_null();
    client.wait_where("thread/project/updated", fits).await;
    let row = listed(&mut client, json!({})).await["data"][0].clone();
    assert_eq!((&row["section"], &row["projectId"]), (&Value::Null, &Value::Null));
    let refused = client.call("project/read", gone).await.expect_err("it is gone");
    assert_eq!((refused.code, &refused.data["type"]), (-32602, &json!("projectNotFound")));
}
