use serde_json::json;
use spindle_schema::v2::Thread;

use super::matching;
use crate::client::fake::{self, FakeDaemon};
use crate::find;

fn thread(id: &str, name: Option<&str>) -> Thread {
    serde_json::from_value(fake::thread(id, name)).unwrap()
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

/// Answers lists: two pages, then nothing more.
async fn two_pages(daemon: &mut FakeDaemon) -> Vec<serde_json::Value> {
    let mut asked = Vec::new();
    for (name, next) in [("one", Some("c2")), ("two", None)] {
        let call = daemon.expect("thread/list").await;
        asked.push(call.params.clone());
        let data = [fake::thread(&format!("id-{name}"), Some(name))];
        daemon.answer(&call, json!({"data": data, "nextCursor": next})).await;
    }
    asked
}

#[tokio::test]
async fn a_thread_is_looked_for_on_every_page() {
    let (mut session, mut daemon) = FakeDaemon::session().await;
    let (found, asked) = tokio::join!(find::thread(&mut session, "two"), two_pages(&mut daemon));
    assert_eq!(found.unwrap(), "id-two");
    assert_eq!(asked[0].get("cursor"), None);
    assert_eq!(asked[1]["cursor"], "c2");
    assert_eq!(asked[0].get("archived"), None);
}

#[tokio::test]
async fn an_id_needs_no_question() {
    let (mut session, _daemon) = FakeDaemon::session().await;
    let id = "01a22cb7-49a4-7e63-bccc-25b6a10ab4e9";
    assert_eq!(find::thread(&mut session, id).await.unwrap(), id);
}

#[tokio::test]
async fn threads_that_were_put_away_are_looked_for_among_those() {
    let (mut session, mut daemon) = FakeDaemon::session().await;
    let search = find::archived_thread(&mut session, "one");
    let (found, asked) = tokio::join!(search, two_pages(&mut daemon));
    assert_eq!(found.unwrap(), "id-one");
    assert!(asked.iter().all(|params| params["archived"] == true));
}

#[tokio::test]
async fn the_last_thread_is_the_first_of_a_list_of_one() {
    let (mut session, mut daemon) = FakeDaemon::session().await;
    let play = async {
        let call = daemon.expect("thread/list").await;
        assert_eq!(call.params["limit"], 1);
        assert_eq!(call.params["cwd"], "/w");
        assert_eq!(call.params["sortKey"], "updated_at");
        daemon.answer(&call, json!({"data": [fake::thread("t", None)], "nextCursor": "x"})).await;
        let call = daemon.expect("thread/list").await;
        assert_eq!(call.params.get("cwd"), None);
        daemon.answer(&call, json!({"data": [], "nextCursor": null})).await;
    };
    let search = async {
        let here = find::last_thread(&mut session, Some("/w".as_ref())).await;
        (here, find::last_thread(&mut session, None).await)
    };
    let ((here, anywhere), ()) = tokio::join!(search, play);
    assert_eq!(here.unwrap(), "t");
    assert_eq!(anywhere.unwrap_err().to_string(), "no thread yet");
}
