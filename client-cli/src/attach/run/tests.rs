use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{Attached, Screen, Source};
use crate::client::fake::{FakeDaemon, opened, turn};
use crate::paint::Paint;

/// Follows thread `t` while the test plays the daemon and, through the sender, the person.
/// Gives what is on the screen and whether the last turn failed.
async fn attach(
    source: Source,
    play: impl AsyncFnOnce(&mut FakeDaemon, mpsc::Sender<String>),
) -> (String, bool) {
    let (mut session, mut daemon) = FakeDaemon::session().await;
    let (sender, lines) = mpsc::channel(16);
    let mut out = Vec::new();
    let screen = Screen::new(&mut out, Paint::Bare);
    let mut attached = Attached::new(&mut session, "t".to_owned(), source, screen);
    let follow = async {
        attached.join(2).await.unwrap();
        attached.talk(lines).await.unwrap();
    };
    tokio::join!(follow, play(&mut daemon, sender));
    let has_failed = attached.has_failed;
    (String::from_utf8(out).unwrap(), has_failed)
}

/// Answers the resume with these turns, the last one first.
async fn joined(daemon: &mut FakeDaemon, turns: &[Value]) {
    let call = daemon.expect("thread/resume").await;
    assert_eq!(call.params["threadId"], "t");
    assert_eq!(call.params["initialTurnsPage"]["limit"], 2);
    let mut result = opened("t");
    result["initialTurnsPage"] = json!({"data": turns});
    daemon.answer(&call, result).await;
}

async fn line(lines: &mpsc::Sender<String>, text: &str) {
    lines.send(text.to_owned()).await.unwrap();
}

async fn started(daemon: &mut FakeDaemon, text: &str) {
    let call = daemon.expect("turn/start").await;
    assert_eq!(call.params["input"][0]["text"], text);
    daemon.answer(&call, json!({"turn": turn("u", "inProgress")})).await;
    daemon.tells("turn/started", json!({"threadId": "t", "turn": turn("u", "inProgress")})).await;
}

async fn ended(daemon: &FakeDaemon, status: &str) {
    daemon.tells("turn/completed", json!({"threadId": "t", "turn": turn("u", status)})).await;
}

async fn asks(daemon: &FakeDaemon, id: i64) {
    let params = json!({
        "threadId": "t", "turnId": "u", "itemId": "i", "startedAtMs": 1, "command": "make",
    });
    let method = "item/commandExecution/requestApproval";
    daemon.says(json!({"id": id, "method": method, "params": params})).await;
}

#[tokio::test]
async fn joining_shows_the_thread_and_its_last_turns_in_order() {
    let told = |id: &str, text: &str| {
        let mut told = turn(id, "completed");
        told["items"] = json!([{"type": "agentMessage", "id": id, "text": text}]);
        told
    };
    let (shown, _) = attach(Source::Pipe, async |daemon, lines| {
        joined(daemon, &[told("b", "later"), told("a", "earlier")]).await;
        drop(lines);
    })
    .await;
    assert_eq!(
        shown,
        "thread   t first words\n         m in /w\nagent    earlier\ndone\nagent    later\ndone\n"
    );
}

#[tokio::test]
async fn a_pipe_starts_a_turn_answers_its_question_and_stays_to_its_end() {
    let (shown, has_failed) = attach(Source::Pipe, async |daemon, lines| {
        joined(daemon, &[]).await;
        line(&lines, "build it").await;
        line(&lines, "y").await;
        drop(lines);
        started(daemon, "build it").await;
        asks(daemon, 4).await;
        let accept = json!({"id": 4, "result": {"decision": "accept"}});
        assert_eq!(daemon.hears().await, accept);
        ended(daemon, "completed").await;
    })
    .await;
    assert!(shown.contains("asks     run make\n"), "{shown}");
    assert!(shown.ends_with("done\n"), "{shown}");
    assert!(!has_failed);
}

#[tokio::test]
async fn a_failed_turn_is_remembered() {
    let (_, has_failed) = attach(Source::Pipe, async |daemon, lines| {
        joined(daemon, &[]).await;
        line(&lines, "x").await;
        drop(lines);
        started(daemon, "x").await;
        ended(daemon, "failed").await;
    })
    .await;
    assert!(has_failed);
}

#[tokio::test]
async fn words_that_come_too_late_to_steer_start_the_next_turn() {
    attach(Source::Terminal, async |daemon, lines| {
        joined(daemon, &[turn("u", "inProgress")]).await;
        line(&lines, "more").await;
        let call = daemon.expect("turn/steer").await;
        assert_eq!(call.params["expectedTurnId"], "u");
        daemon.refuse(&call, "no active turn").await;
        started(daemon, "more").await;
        line(&lines, "/quit").await;
    })
    .await;
}

#[tokio::test]
async fn what_was_typed_at_this_terminal_is_not_shown_twice() {
    let (shown, _) = attach(Source::Terminal, async |daemon, lines| {
        joined(daemon, &[]).await;
        line(&lines, "mine").await;
        let call = daemon.expect("turn/start").await;
        let own = call.params["clientUserMessageId"].clone();
        daemon.answer(&call, json!({"turn": turn("u", "inProgress")})).await;
        for (client, text) in [(own, "mine"), (Value::Null, "theirs")] {
            let content = json!([{"type": "text", "text": text}]);
            let item =
                json!({"type": "userMessage", "id": text, "clientId": client, "content": content});
            let params = json!({"threadId": "t", "turnId": "u", "item": item, "completedAtMs": 1});
            daemon.tells("item/completed", params).await;
        }
        ended(daemon, "completed").await;
        daemon.is_heard_out().await;
        line(&lines, "/quit").await;
    })
    .await;
    assert!(!shown.contains("mine") && shown.contains("you      theirs\n"), "{shown}");
}

#[tokio::test]
async fn a_question_that_another_frontend_answered_is_told() {
    let (shown, _) = attach(Source::Terminal, async |daemon, lines| {
        joined(daemon, &[turn("u", "inProgress")]).await;
        asks(daemon, 4).await;
        daemon.tells("serverRequest/resolved", json!({"threadId": "t", "requestId": 4})).await;
        ended(daemon, "completed").await;
        daemon.is_heard_out().await;
        line(&lines, "y").await;
        line(&lines, "/quit").await;
    })
    .await;
    assert!(shown.contains("asks     answered elsewhere\n"), "{shown}");
    assert!(shown.contains("nothing is asked\n"), "{shown}");
}

#[tokio::test]
async fn an_interrupt_may_come_after_the_end() {
    attach(Source::Terminal, async |daemon, lines| {
        joined(daemon, &[turn("u", "inProgress")]).await;
        line(&lines, "/interrupt").await;
        let call = daemon.expect("turn/interrupt").await;
        assert_eq!(call.params["turnId"], "u");
        daemon.refuse(&call, "no active turn").await;
        line(&lines, "/quit").await;
    })
    .await;
}

#[tokio::test]
async fn what_happens_in_other_threads_is_not_shown() {
    let (shown, _) = attach(Source::Terminal, async |daemon, lines| {
        joined(daemon, &[]).await;
        daemon.tells("warning", json!({"threadId": "other", "message": "theirs"})).await;
        daemon.tells("warning", json!({"threadId": null, "message": "everyone's"})).await;
        daemon.is_heard_out().await;
        line(&lines, "/quit").await;
    })
    .await;
    assert!(!shown.contains("theirs") && shown.contains("everyone's"), "{shown}");
}
