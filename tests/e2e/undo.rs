//! What turns did to files is taken back.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use spindle_tests::{Client, Rig, Step, exec};

fn patch(call_id: &str, text: &str) -> Value {
    let text = format!("*** Begin Patch\n{text}\n*** End Patch");
    json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": call_id, "input": text})
}

/// Has the model make these calls in one turn.
async fn turn(rig: &Rig, client: &mut Client, thread: &str, calls: Vec<Value>) -> String {
    for call in calls {
        rig.model.then(Step::Items(vec![call]));
    }
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    client.call("turn/start", params).await.expect("started");
    let turn = client.turn_end().await;
    assert_eq!(turn["status"], "completed");
    turn["id"].as_str().expect("turns have ids").to_owned()
}

async fn undo(client: &mut Client, thread: &str) -> Value {
    let done = client.call("spindle/undo/apply", json!({ "threadId": thread })).await;
    done.unwrap_or_else(|error| panic!("{error:?}"))
}

/// Every path below a folder: what it is, its bits, its content.
fn tree(root: &Path) -> Vec<(PathBuf, u32, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("readable").flatten() {
            let (path, meta) = (entry.path(), entry.path().symlink_metadata().expect("there"));
            let bytes = if meta.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else if meta.is_symlink() {
                fs::read_link(&path).expect("a link").into_os_string().into_encoded_bytes()
            } else {
                fs::read(&path).expect("a file")
            };
            found.push((path, meta.permissions().mode(), bytes));
        }
    }
    found.sort();
    found
}

fn fill(folder: &Path) {
    for (name, text) in [("a.txt", "one\ntwo\n"), ("b.txt", "bee\n"), ("run.sh", "true\n")] {
        fs::write(folder.join(name), text).expect("written");
    }
    fs::create_dir_all(folder.join("deep/er")).expect("made");
    fs::write(folder.join("deep/er/c.bin"), [0, 159, 146, 150]).expect("written");
    fs::set_permissions(folder.join("run.sh"), fs::Permissions::from_mode(0o750)).expect("set");
    symlink("a.txt", folder.join("link")).expect("linked");
}

const SHELL: &str = "echo more >>a.txt; rm b.txt; chmod 600 run.sh; mkdir new; echo x >new/f; \
                     rm link; ln -s elsewhere link; mv deep moved; ln -s / out";

#[tokio::test]
async fn what_commands_did_is_undone_byte_for_byte_and_can_be_made_again() {
    let mut rig = Rig::new([]).await;
    let folder = rig.home.workspace();
    fill(&folder);
    let before = tree(&folder);
    let (mut client, thread) = rig.thread().await;
    turn(&rig, &mut client, &thread, vec![exec("c1", SHELL)]).await;
    let after = tree(&folder);
    assert_ne!(before, after);

    let params = json!({ "threadId": thread });
    let seen = client.call("spindle/undo/preview", params.clone()).await.expect("there is a turn");
    let find = |name: &str| {
        let path = folder.canonicalize().unwrap().join(name).display().to_string();
        let files = seen["files"].as_array().unwrap().iter();
        files.clone().find(|file| file["path"] == path).cloned().unwrap_or_default()
    };
    assert_eq!(find("a.txt")["action"], "update");
    assert!(find("a.txt")["diff"].as_str().unwrap().contains("\n-more\n"), "{seen}");
    assert_eq!(
        (&find("b.txt")["action"], &find("new/f")["action"]),
        (&json!("create"), &json!("delete"))
    );
    assert_eq!((&seen["notes"], &find("a.txt")["conflict"]), (&json!([]), &Value::Null));
    assert_eq!(tree(&folder), after, "a preview changes nothing");

    undo(&mut client, &thread).await;
    assert_eq!(tree(&folder), before);
    let error = client.call("spindle/undo/apply", params).await.expect_err("nothing is left");
    assert_eq!(error.data["type"], "nothingToUndo");
    let again = json!({"threadId": thread, "redo": true});
    client.call("spindle/undo/apply", again).await.expect("it can be made again");
    assert_eq!(tree(&folder), after);
    undo(&mut client, &thread).await;
    assert_eq!(tree(&folder), before);
}

#[tokio::test]
async fn undoing_goes_one_turn_back_each_time_also_after_a_restart() {
    let mut rig = Rig::new([]).await;
    let folder = rig.home.workspace();
    fs::write(folder.join("a.txt"), "0\n").expect("written");
    let (mut client, thread) = rig.thread().await;
    let mut turns = Vec::new();
    for round in 1..=4 {
        let call = if round % 2 == 1 {
            let update = format!("*** Update File: a.txt\n@@\n-{}\n+{round}", round - 1);
            patch(&format!("c{round}"), &update)
        } else {
            exec(&format!("c{round}"), &format!("echo {round} >a.txt"))
        };
        turns.push(turn(&rig, &mut client, &thread, vec![call]).await);
        turn(&rig, &mut client, &thread, vec![exec(&format!("r{round}"), "cat a.txt")]).await;
    }
    let text = || fs::read_to_string(folder.join("a.txt")).expect("readable");
    undo(&mut client, &thread).await;
    assert_eq!(text(), "3\n");
    undo(&mut client, &thread).await;
    assert_eq!(text(), "2\n");
    drop(client);
    let mut rig = rig.restart().await;
    let mut client = rig.client("second").await;
    let params = json!({"threadId": thread, "toTurnId": turns[0]});
    let done = client.call("spindle/undo/apply", params.clone()).await.expect("both are there");
    assert_eq!(done["turns"].as_array().expect("a list").len(), 2);
    assert_eq!(text(), "0\n");
    let error = client.call("spindle/undo/apply", params).await.expect_err("undone already");
    assert_eq!(error.data, json!({"type": "turnNotFound", "turnId": turns[0]}));
}

#[tokio::test]
async fn a_file_that_changed_since_stands_in_the_way_of_all() {
    let mut rig = Rig::new([]).await;
    let folder = rig.home.workspace();
    fill(&folder);
    let (mut client, thread) = rig.thread().await;
    let call = exec("c1", "echo 1 >a.txt; rm b.txt; echo 3 >c.txt");
    turn(&rig, &mut client, &thread, vec![call]).await;
    fs::write(folder.join("a.txt"), "mine\n").expect("written");
    fs::write(folder.join("b.txt"), "mine too\n").expect("written");
    let state = tree(&folder);
    let params = json!({ "threadId": thread });
    let error = client.call("spindle/undo/apply", params).await.expect_err("two files changed");
    let root = folder.canonicalize().expect("there");
    let files = json!([
        {"path": root.join("a.txt"), "reason": "it changed since"},
        {"path": root.join("b.txt"), "reason": "it was made anew since"},
    ]);
    assert_eq!(error.data, json!({"type": "undoConflicts", "files": files}));
    assert_eq!(tree(&folder), state);
}

#[tokio::test]
async fn patches_and_commands_of_one_turn_are_undone_together() {
    let mut rig = Rig::new([]).await;
    let folder = rig.home.workspace();
    fill(&folder);
    let before = tree(&folder);
    let (mut client, thread) = rig.thread().await;
    let calls = vec![
        patch("p1", "*** Update File: a.txt\n@@\n-one\n+ONE\n*** Add File: p.txt\n+p"),
        exec("c1", "echo more >>a.txt; echo shell >s.txt; rm p.txt"),
        patch("p2", "*** Update File: s.txt\n@@\n-shell\n+patched\n*** Delete File: b.txt"),
        exec("c2", "echo last >>s.txt"),
    ];
    turn(&rig, &mut client, &thread, calls).await;
    assert_eq!(fs::read_to_string(folder.join("s.txt")).expect("there"), "patched\nlast\n");
    undo(&mut client, &thread).await;
    assert_eq!(tree(&folder), before);
}

#[tokio::test]
async fn a_running_turn_refuses_and_nothing_is_lost_by_it() {
    let mut rig = Rig::new([Step::Items(vec![exec("c1", "echo x >x")]), Step::Hang]).await;
    let (mut client, thread) = rig.thread().await;
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "go"}]});
    let started = client.call("turn/start", params).await.expect("started");
    client.wait_where("item/completed", |it| it["item"]["type"] == "commandExecution").await;
    let params = json!({ "threadId": thread });
    for method in ["spindle/undo/preview", "spindle/undo/apply"] {
        let error = client.call(method, params.clone()).await.expect_err("a turn runs");
        assert_eq!(error.data, json!({"type": "turnRunning", "turnId": started["turn"]["id"]}));
    }
    let turn = json!({"threadId": thread, "turnId": started["turn"]["id"]});
    client.call("turn/interrupt", turn).await.expect("interrupted");
    assert_eq!(client.turn_end().await["status"], "interrupted");
    undo(&mut client, &thread).await;
    assert!(!rig.home.workspace().join("x").exists());
}

#[tokio::test]
async fn the_model_is_told_once_that_its_work_was_undone() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    turn(&rig, &mut client, &thread, vec![exec("c1", "echo x >x.txt")]).await;
    undo(&mut client, &thread).await;
    turn(&rig, &mut client, &thread, Vec::new()).await;
    turn(&rig, &mut client, &thread, Vec::new()).await;
    let requests = rig.model.requests();
    let last = requests.last().expect("asked").to_string();
    assert_eq!(last.matches("has undone changes that you made").count(), 1, "{last}");
    assert!(last.contains("x.txt"));
}

#[tokio::test]
async fn what_is_too_large_to_keep_is_told_and_named() {
    let mut rig = Rig::new([]).await;
    let folder = rig.home.workspace();
    let large = fs::File::create(folder.join("large")).expect("made");
    large.set_len(9 * 1024 * 1024).expect("grown");
    let (mut client, thread) = rig.thread().await;
    turn(&rig, &mut client, &thread, vec![exec("c1", "echo x >>large; echo y >small")]).await;
    let warning = client.wait("warning").await;
    let text = warning["params"]["message"].as_str().expect("a text").to_owned();
    assert!(text.contains("cannot be fully undone") && text.contains("large"), "{text}");
    let params = json!({ "threadId": thread });
    let error = client.call("spindle/undo/apply", params).await.expect_err("it is not kept");
    assert_eq!(error.data["files"][0]["reason"], "what it was is not kept: the file is too large");
    assert!(folder.join("small").exists(), "nothing is undone by halves");
}

#[tokio::test]
async fn what_is_ignored_is_left_alone() {
    let mut rig = Rig::new([]).await;
    let folder = rig.home.workspace();
    fs::write(folder.join(".gitignore"), "*.log\n/secret\n").expect("written");
    fs::write(folder.join("secret"), "s").expect("written");
    let (mut client, thread) = rig.thread().await;
    let call = exec("c1", "echo x >a.log; echo changed >secret; : >.gitignore; echo z >z");
    turn(&rig, &mut client, &thread, vec![call]).await;
    undo(&mut client, &thread).await;
    assert_eq!(fs::read_to_string(folder.join("secret")).expect("there"), "changed\n");
    assert!(folder.join("a.log").exists() && !folder.join("z").exists());
    assert_eq!(fs::read_to_string(folder.join(".gitignore")).expect("there"), "*.log\n/secret\n");
}

#[tokio::test]
async fn a_deleted_thread_leaves_nothing_and_undo_can_be_switched_off() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    let call = exec("c1", "echo only-here >x.txt");
    turn(&rig, &mut client, &thread, vec![call]).await;
    let kept = rig.home.path().join("undo");
    let journal = kept.join("threads").join(format!("{thread}.jsonl"));
    assert!(journal.exists());
    client.call("thread/delete", json!({ "threadId": thread })).await.expect("deleted");
    assert!(!journal.exists());
    let looks = fs::read_dir(kept.join("folders")).expect("there").count();
    assert_eq!(looks, 1, "only the look at the folder is left");

    let mut rig = Rig::with_config([], "undo.enabled = false").await;
    let (mut client, thread) = rig.thread().await;
    turn(&rig, &mut client, &thread, vec![exec("c1", "echo x >x.txt")]).await;
    assert!(!rig.home.path().join("undo").exists());
    let params = json!({ "threadId": thread });
    let error = client.call("spindle/undo/apply", params).await.expect_err("nothing is kept");
    assert_eq!(error.data["type"], "nothingToUndo");
}
