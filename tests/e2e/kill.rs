//! SIGKILL at any moment.

use std::time::Duration;

use serde_json::{Value, json};
use spindle_tests::{Binary, Home, Model, Step, exec, message};

/// How often the daemon is killed.
const KILLS: u64 = 200;

/// SPEC P3: whatever was acknowledged survives; the thread is idle; the next turn works.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_a_kill_at_any_moment() {
    let model = Model::start([]).await;
    let home = Home::new(&model.base_url(), "");
    let model = std::sync::Arc::new(model);
    let script = model.clone();
    tokio::task::spawn_blocking(move || kill_again_and_again(&script, &home))
        .await
        .expect("the kills went well");
    drop(model);
}

fn kill_again_and_again(model: &Model, home: &Home) {
    let mut thread: Option<String> = None;
    let mut acknowledged: Vec<String> = Vec::new();
    for round in 0..KILLS {
        let mut daemon = Binary::start(home);
        let id = match &thread {
            None => {
                let params = json!({"cwd": home.workspace()});
                let started = daemon.call("thread/start", &params).expect("started");
                started["thread"]["id"].as_str().expect("an id").to_owned()
            }
            Some(id) => {
                let resumed = daemon.call("thread/resume", &json!({"threadId": id}));
                let resumed = resumed.unwrap_or_else(|| panic!("round {round}: not resumed"));
                check(round, &resumed, &acknowledged);
                id.clone()
            }
        };
        model.then(Step::Items(vec![exec(&format!("call_{round}"), "echo hi")]));
        model.then(Step::Items(vec![message(&format!("answer {round}"))]));
        let text = format!("question {round}");
        let params = json!({"threadId": id, "input": [{"type": "text", "text": text}]});
        daemon.ask("turn/start", &params);
        let pid = daemon.pid();
        // A moment between nothing and the whole turn; spread evenly, not at random, so that a
        // failure happens again.
        let moment = Duration::from_micros((round * 7919) % 40_000);
        let killer = std::thread::spawn(move || {
            std::thread::park_timeout(moment);
            let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap_or(0));
            if let Some(pid) = pid {
                // It may have ended by itself; then there is nothing to kill.
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        });
        let mut said = Vec::new();
        while let Some(message) = daemon.next() {
            said.push(message);
        }
        killer.join().expect("the killer did its work");
        said.extend(daemon.kill());
        let whole = said.iter().filter(|message| message["method"] == "item/completed");
        acknowledged.extend(whole.filter_map(fingerprint));
        thread = thread.or_else(|| {
            home.rollouts().iter().any(|path| path.to_string_lossy().contains(&id)).then_some(id)
        });
        model.forget_script();
    }
    let mut daemon = Binary::start(home);
    let id = thread.expect("a thread was written");
    daemon.call("thread/resume", &json!({"threadId": id})).expect("resumed");
    let params = json!({"threadId": id, "input": [{"type": "text", "text": "the end"}]});
    daemon.call("turn/start", &params).expect("started");
    while let Some(message) = daemon.next() {
        if message["method"] == "turn/completed" {
            assert_eq!(message["params"]["turn"]["status"], "completed");
            return;
        }
    }
    panic!("the last turn did not end");
}

/// What tells an item from all others, whatever is rewritten about it later.
fn fingerprint(message: &Value) -> Option<String> {
    let item = &message["params"]["item"];
    Some(format!("{} {}", item["type"].as_str()?, item["id"].as_str()?))
}

fn check(round: u64, resumed: &Value, acknowledged: &[String]) {
    let thread = &resumed["thread"];
    assert_eq!(thread["status"]["type"], "idle", "round {round}");
    let turns = thread["turns"].as_array().expect("a list");
    let known: std::collections::HashSet<String> = turns
        .iter()
        .flat_map(|turn| turn["items"].as_array().cloned().unwrap_or_default())
        .filter_map(|item| Some(format!("{} {}", item["type"].as_str()?, item["id"].as_str()?)))
        .collect();
    for item in acknowledged {
        assert!(known.contains(item), "round {round}: {item} was acknowledged and is gone");
    }
    let open = turns.iter().filter(|turn| turn["status"] == "inProgress").count();
    assert_eq!(open, 0, "round {round}: a turn of a dead daemon still runs");
}
