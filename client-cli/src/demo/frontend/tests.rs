use serde_json::{Value, json};

use super::{BEGUN, Frontend};
use crate::client::fake::{FakeDaemon, turn};
use crate::demo::board::{Board, Side};

/// A frontend that heard all this, and what the board shows of it.
async fn heard(messages: &[Value]) -> (Frontend, String) {
    let (session, daemon) = FakeDaemon::session().await;
    let mut frontend = Frontend::of(Side::Left, session);
    let mut board = Board::default();
    for message in messages {
        daemon.says(message.clone()).await;
        let heard = frontend.session.next().await.unwrap().unwrap();
        frontend.note(heard, &mut board);
    }
    let shown = board.take(63);
    (frontend, shown.replace(" │", "").lines().map(str::trim_end).collect::<Vec<_>>().join("\n"))
}

fn says(method: &str, params: &Value) -> Value {
    json!({"method": method, "params": params})
}

fn command(status: &str) -> Value {
    json!({
        "type": "commandExecution", "id": "c", "command": "ls", "cwd": "/w", "status": status,
        "commandActions": [], "exitCode": 0, "aggregatedOutput": "a\n",
    })
}

#[tokio::test]
async fn a_turn_is_shown_from_its_beginning_to_its_end() {
    let about = |item: &Value| {
        json!({
            "threadId": "t", "turnId": "u", "item": item, "startedAtMs": 1, "completedAtMs": 1,
        })
    };
    let (frontend, shown) = heard(&[
        says("turn/started", &json!({"threadId": "t", "turn": turn("u", "inProgress")})),
        says("item/started", &about(&command("inProgress"))),
        says("item/completed", &about(&command("completed"))),
        says("turn/completed", &json!({"threadId": "t", "turn": turn("u", "completed")})),
    ])
    .await;
    assert_eq!(shown, "turn   begins\nrun    ls\nrun    -> ok\n       a\nturn   completed");
    assert_eq!((frontend.items.len(), frontend.ended.len()), (1, 1));
}

#[tokio::test]
async fn a_question_waits_until_it_is_settled() {
    let params = json!({"threadId": "t", "turnId": "u", "itemId": "i", "startedAtMs": 1});
    let asked = json!({
        "id": 7, "method": "item/commandExecution/requestApproval", "params": params,
    });
    let (frontend, _) = heard(std::slice::from_ref(&asked)).await;
    assert_eq!((frontend.questions.len(), frontend.settled), (1, 0));
    let settled = says("serverRequest/resolved", &json!({"threadId": "t", "requestId": 7}));
    let (frontend, shown) = heard(&[asked, settled]).await;
    assert_eq!((frontend.questions.len(), frontend.settled), (0, 1));
    assert_eq!(shown, "asks   may it run?\nasks   settled");
}

#[tokio::test]
async fn the_long_command_is_known_by_its_first_words() {
    let delta = |text: &str| {
        let params = json!({"threadId": "t", "turnId": "u", "itemId": "c", "delta": text});
        says("item/commandExecution/outputDelta", &params)
    };
    assert!(!heard(&[delta("other")]).await.0.has_begun);
    assert!(heard(&[delta(&format!("{BEGUN}\n"))]).await.0.has_begun);
}
