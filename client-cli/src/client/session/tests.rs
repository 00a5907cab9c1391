use serde_json::{Value, json};
use spindle_schema::methods::{ServerNotification, ServerRequest};
use spindle_schema::v2::{ThreadArchiveParams, ThreadReadParams};

use super::Heard;
use crate::client::Error;
use crate::client::fake::FakeDaemon;

fn archive() -> &'static ThreadArchiveParams {
    static PARAMS: std::sync::LazyLock<ThreadArchiveParams> =
        std::sync::LazyLock::new(|| ThreadArchiveParams { thread_id: "t".into() });
    &PARAMS
}

fn warning(text: &str) -> Value {
    json!({"method": "warning", "params": {"threadId": null, "message": text}})
}

#[tokio::test]
async fn opening_a_session_greets_and_keeps_what_the_daemon_says_of_itself() {
    let (session, _daemon) = FakeDaemon::session().await;
    assert_eq!(session.about().user_agent, "test/1");
    assert_eq!(session.about().codex_home.0, "/h");
}

#[tokio::test]
async fn what_arrives_before_an_answer_is_kept_in_order() {
    let (mut session, mut daemon) = FakeDaemon::session().await;
    let play = async {
        let call = daemon.hears().await;
        daemon.says(warning("one")).await;
        daemon.says(warning("two")).await;
        daemon.says(json!({"id": call["id"], "result": {}})).await;
    };
    let (answer, ()) = tokio::join!(session.call(archive()), play);
    answer.unwrap();
    for expected in ["one", "two"] {
        match session.next().await.unwrap() {
            Some(Heard::Said(ServerNotification::Warning(said))) => {
                assert_eq!(said.message, expected);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_refusal_names_the_method_the_text_and_the_code() {
    let (mut session, mut daemon) = FakeDaemon::session().await;
    let play = async {
        let call = daemon.hears().await;
        let error = json!({"code": -32600, "message": "no such thread", "data": {"kind": "x"}});
        daemon.says(json!({"error": error, "id": call["id"]})).await;
    };
    let (answer, ()) = tokio::join!(session.call(archive()), play);
    let error = answer.unwrap_err();
    assert_eq!(error.to_string(), "thread/archive: no such thread (code -32600)");
    assert!(matches!(error, Error::Call(call) if call.data == Some(json!({"kind": "x"}))));
}

#[tokio::test]
async fn an_answer_of_another_form_is_an_error_that_names_the_method() {
    let (mut session, mut daemon) = FakeDaemon::session().await;
    let params = ThreadReadParams { thread_id: "t".into(), include_turns: false };
    let play = async {
        let call = daemon.hears().await;
        daemon.says(json!({"id": call["id"], "result": {"thread": 5}})).await;
    };
    let (answer, ()) = tokio::join!(session.call(&params), play);
    assert_eq!(answer.unwrap_err().to_string(), "thread/read: the answer cannot be read");
}

#[tokio::test]
async fn a_daemon_that_goes_away_ends_the_wait_for_an_answer() {
    let (mut session, mut daemon) = FakeDaemon::session().await;
    let play = async move {
        daemon.hears().await;
    };
    let (answer, ()) = tokio::join!(session.call(archive()), play);
    assert!(matches!(answer, Err(Error::Closed)));
    assert!(session.next().await.unwrap().is_none());
}

#[tokio::test]
async fn a_question_is_answered_under_its_own_id() {
    let (mut session, mut daemon) = FakeDaemon::session().await;
    let params = json!({"threadId": "t", "turnId": "u", "itemId": "i", "startedAtMs": 1});
    let method = "item/fileChange/requestApproval";
    daemon.says(json!({"id": "q7", "method": method, "params": params})).await;
    let Some(Heard::Asked(id, ServerRequest::ItemFileChangeRequestApproval(_))) =
        session.next().await.unwrap()
    else {
        panic!("the question was not heard");
    };
    session.answer(id, &json!({"decision": "accept"})).await.unwrap();
    assert_eq!(daemon.hears().await, json!({"id": "q7", "result": {"decision": "accept"}}));
}

#[tokio::test]
async fn a_question_that_no_client_knows_is_refused_at_once() {
    let (mut session, mut daemon) = FakeDaemon::session().await;
    daemon.says(json!({"id": 3, "method": "new/question", "params": {}})).await;
    daemon.says(warning("after")).await;
    assert!(matches!(session.next().await.unwrap(), Some(Heard::Said(_))));
    let refusal = daemon.hears().await;
    assert_eq!(refusal["id"], 3);
    assert_eq!(refusal["error"]["code"], -32601);
}

#[tokio::test]
async fn lines_that_cannot_be_read_and_unknown_notifications_are_passed_over() {
    let (mut session, daemon) = FakeDaemon::session().await;
    daemon.says_text("not json").await;
    daemon.says(json!({"method": "new/notice", "params": {}})).await;
    daemon.says(json!({"method": "turn/completed", "params": {"odd": 1}})).await;
    daemon.says(json!({"id": 99, "result": {}})).await;
    daemon.says(warning("readable")).await;
    match session.next().await.unwrap() {
        Some(Heard::Said(ServerNotification::Warning(said))) => {
            assert_eq!(said.message, "readable");
        }
        other => panic!("{other:?}"),
    }
}
