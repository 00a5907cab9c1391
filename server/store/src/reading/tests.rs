use serde_json::json;
use spindle_schema::event::{ItemsView, TurnStatus};
use spindle_schema::ids::TurnId;

use super::*;
use crate::index::Direction;
use crate::log::Log;
use crate::testing::{agent, begin, end, event, meta, place, text, turn, user};

async fn with_turns(count: usize) -> (tempfile::TempDir, Store, Log) {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let log = store.create(meta(ThreadId::new()));
    for at in 0..count {
        log.append(turn(&format!("t{at}"), &format!("q{at}"), &format!("a{at}"))).await.unwrap();
    }
    (home, store, log)
}

fn turns_query(limit: usize, direction: Direction, cursor: Option<Box<str>>) -> TurnsQuery {
    TurnsQuery { cursor, limit, direction, view: ItemsView::Summary }
}

fn ids(page: &Page<TurnSnapshot>) -> Vec<&str> {
    page.items.iter().map(|turn| turn.id.as_str()).collect()
}

fn cursor(id: ThreadId, ordinal: u64, included: bool, kind: &str) -> Box<str> {
    format!(
        "{{\"requestedThreadId\":\"{id}\",\"rolloutOrdinal\":{ordinal},\"includeAnchor\":{included},\
         \"scope\":{{\"kind\":\"{kind}\"}}}}"
    )
    .into()
}

#[tokio::test]
async fn cursors_have_the_recorded_shape_and_walk_from_either_end() {
    let (_home, store, log) = with_turns(3).await;
    let id = log.id();
    let page =
        |limit, direction, cursor| store.turns_page(id, turns_query(limit, direction, cursor));
    let last = page(1, Direction::Descending, None).await.unwrap();
    assert_eq!(ids(&last), ["t2"]);
    assert_eq!(last.next, Some(cursor(id, 15, false, "turns")));
    assert_eq!(last.back, Some(cursor(id, 15, true, "turns")));
    let before = page(1, Direction::Descending, last.next.clone()).await.unwrap();
    assert_eq!(ids(&before), ["t1"]);
    assert_eq!(ids(&page(1, Direction::Descending, last.back).await.unwrap()), ["t2"]);
    let first = page(2, Direction::Ascending, None).await.unwrap();
    assert_eq!(ids(&first), ["t0", "t1"]);
    assert_eq!(first.next, Some(cursor(id, 8, false, "turns")));
    assert_eq!(first.back, Some(cursor(id, 1, true, "turns")));
    let none = page(5, Direction::Ascending, last.next).await.unwrap();
    assert_eq!(ids(&none), [""; 0]);
    assert_eq!((none.next, none.back), (None, None));
    assert_eq!(page(0, Direction::Descending, None).await.unwrap().items.len(), 1);
}

#[tokio::test]
async fn items_walk_over_turns_or_within_one() {
    let (_home, store, log) = with_turns(3).await;
    let id = log.id();
    let query = |turn: Option<&str>, limit, direction, cursor| ItemsQuery {
        turn: turn.map(TurnId::new),
        cursor,
        limit,
        direction,
    };
    let of = |page: &Page<PlacedItem>| {
        page.items.iter().map(|item| item.item.item.id().to_owned()).collect::<Vec<_>>()
    };
    let first = store.items_page(id, query(None, 3, Direction::Ascending, None)).await.unwrap();
    assert_eq!(of(&first), ["t0-u", "t0-a", "t1-u"]);
    assert_eq!(first.next, Some(cursor(id, 11, false, "itemsByCreatedAtOrdinal")));
    assert_eq!(first.back, Some(cursor(id, 4, true, "itemsByCreatedAtOrdinal")));
    let next =
        store.items_page(id, query(None, 2, Direction::Ascending, first.next)).await.unwrap();
    assert_eq!(of(&next), ["t1-a", "t2-u"]);
    let last = store.items_page(id, query(None, 2, Direction::Descending, None)).await.unwrap();
    assert_eq!(of(&last), ["t2-a", "t2-u"]);
    for direction in [Direction::Ascending, Direction::Descending] {
        let one = store.items_page(id, query(Some("t1"), 9, direction, None)).await.unwrap();
        assert_eq!((one.items.len(), one.next), (2, None));
        assert!(one.items.iter().all(|item| item.turn_id.as_str() == "t1"));
    }
    let none =
        store.items_page(id, query(Some("junk"), 9, Direction::Ascending, None)).await.unwrap();
    assert_eq!((none.items.len(), none.back), (0, None));
}

#[tokio::test]
async fn what_is_no_cursor_of_the_list_is_refused() {
    let (_home, store, log) = with_turns(1).await;
    let id = log.id();
    let others = [
        "junk".into(),
        "".into(),
        cursor(id, 1, true, "itemsByCreatedAtOrdinal"),
        cursor(ThreadId::new(), 1, true, "turns"),
    ];
    for cursor in others {
        let query = turns_query(1, Direction::Descending, Some(cursor.clone()));
        let error = store.turns_page(id, query).await.unwrap_err();
        assert_eq!(error.to_string(), format!("invalid cursor: {cursor}"));
    }
}

#[tokio::test]
async fn a_view_says_how_many_items_come_along() {
    let (_home, store, log) = with_turns(0).await;
    let command = event(
        &json!({"type": "item_completed", "thread_id": log.id(), "turn_id": "t", "item": {
        "type": "CommandExecution", "id": "c", "command": ["ls"], "cwd": "file:///work", "parsed_cmd": [],
        "source": "unified_exec_startup", "status": "completed"}}),
    );
    let items = [
        begin("t"),
        user("t", "one"),
        agent("t", "a"),
        vec![command],
        user("t", "two"),
        agent("u", "b"),
    ];
    log.append(items.concat()).await.unwrap();
    let count = |view| {
        let query = TurnsQuery { view, ..TurnsQuery::default() };
        let page = store.turns_page(log.id(), query);
        async move { page.await.unwrap().items.iter().map(|turn| turn.items.len()).collect::<Vec<_>>() }
    };
    assert_eq!(count(ItemsView::NotLoaded).await, [0, 0]);
    assert_eq!(count(ItemsView::Summary).await, [2, 1]);
    // The second message of the person has the id of the first one: it was recorded again.
    assert_eq!(count(ItemsView::Full).await, [3, 1]);
}

#[tokio::test]
async fn turns_tell_how_they_ended() {
    let (_home, store, log) = with_turns(1).await;
    let failed =
        event(&json!({"type": "task_complete", "turn_id": "bad", "last_agent_message": null,
        "started_at": 5, "completed_at": 7, "duration_ms": 2000, "error": {"message": "no"}}));
    let aborted = event(
        &json!({"type": "turn_aborted", "turn_id": "cut", "reason": "interrupted", "started_at": 8}),
    );
    let records =
        [begin("bad"), vec![failed], begin("cut"), vec![aborted], begin("open"), user("open", "x")];
    log.append(records.concat()).await.unwrap();
    let turns = store.turns_page(log.id(), TurnsQuery::default()).await.unwrap().items;
    let status: Vec<_> = turns.iter().map(|turn| (turn.id.as_str(), turn.status)).collect();
    let (done, bad, cut) = (TurnStatus::Completed, TurnStatus::Failed, TurnStatus::Interrupted);
    assert_eq!(status, [("t0", done), ("bad", bad), ("cut", cut), ("open", cut)]);
    assert_eq!(turns[1].error.as_ref().unwrap().message, "no");
    assert_eq!((turns[1].completed_at, turns[1].duration_ms), (Some(7), Some(2000)));
}

#[tokio::test]
async fn a_page_of_a_growing_thread_has_what_was_added_since_the_last_one() {
    let (_home, store, log) = with_turns(2).await;
    let all = || async {
        let query = turns_query(10, Direction::Descending, None);
        store.turns_page(log.id(), query).await.unwrap().items
    };
    assert_eq!(all().await.len(), 2);
    log.append([begin("t2"), user("t2", "q")].concat()).await.unwrap();
    assert_eq!((all().await.len(), all().await[0].items.len()), (3, 1));
    log.append([agent("t2", "a"), end("t2", "a"), turn("t3", "q", "a")].concat()).await.unwrap();
    let turns = all().await;
    assert_eq!((turns.len(), turns[1].items.len(), turns[1].status), (4, 2, TurnStatus::Completed));
}

#[tokio::test]
async fn a_file_that_was_replaced_is_read_anew() {
    let (_home, store, log) = with_turns(3).await;
    let query = || turns_query(10, Direction::Descending, None);
    assert_eq!(store.turns_page(log.id(), query()).await.unwrap().items.len(), 3);
    let text = std::fs::read_to_string(log.path()).unwrap();
    let lines: Vec<&str> = text.lines().take(8).collect();
    std::fs::write(log.path(), lines.join("\n") + "\n").unwrap();
    assert_eq!(store.turns_page(log.id(), query()).await.unwrap().items.len(), 1);
}

#[tokio::test]
async fn a_long_file_is_read_from_its_end() {
    use std::os::unix::fs::FileExt as _;
    let (home, store, log) = with_turns(2).await;
    let written = std::fs::read(log.path()).unwrap();
    let id = ThreadId::new();
    let path = place(home.path(), id, "");
    // A hole of a terabyte between the header and the turns: whoever reads it never comes back.
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    let header = written.iter().position(|b| *b == b'\n').unwrap() + 1;
    file.write_all_at(&written[..header], 0).unwrap();
    file.write_all_at(b"\n", 1 << 40).unwrap();
    file.write_all_at(&written[header..], (1 << 40) + 1).unwrap();
    let page = store.turns_page(id, turns_query(1, Direction::Descending, None)).await.unwrap();
    assert_eq!(ids(&page), ["t1"]);
    assert!(page.next.is_some());
}

#[tokio::test]
async fn damaged_lines_cost_themselves_alone() {
    let (home, store, log) = with_turns(3).await;
    let bytes = std::fs::read(log.path()).unwrap();
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let at = lines[11].len() - 12;
    lines[11][at] = 0xff;
    lines.insert(5, b"{broken\n".to_vec());
    lines.insert(5, b"\n".to_vec());
    let again = lines[3..7].to_vec();
    lines.splice(7..7, again);
    lines.push(vec![0; 4096]);
    let id = ThreadId::new();
    place(home.path(), id, "");
    let path =
        store.row(id).await.unwrap().map_or_else(|| place(home.path(), id, ""), |row| row.path);
    std::fs::write(&path, lines.concat()).unwrap();
    let turns = store.turns_page(id, TurnsQuery::default()).await.unwrap().items;
    let shape: Vec<_> = turns.iter().map(|turn| (turn.id.as_str(), turn.items.len())).collect();
    assert_eq!(shape, [("t0", 2), ("t1", 1), ("t2", 2)]);
}

/// The rollout of the recorded scenario `old_format`.
fn old(id: ThreadId) -> String {
    let at = "2025-10-02T10:00:00.000Z";
    let line = |kind: &str, payload: serde_json::Value| json!({"timestamp": at, "type": kind, "payload": payload});
    let said = |role: &str, part: &str, text: &str| {
        line(
            "response_item",
            json!({"type": "message", "role": role, "content": [{"type": part, "text": text}]}),
        )
    };
    text(&[
        line(
            "session_meta",
            json!({"id": id, "timestamp": at, "cwd": "/work", "originator": "codex_cli_rs",
            "cli_version": "0.40.0", "instructions": null, "git": {}}),
        ),
        said(
            "user",
            "input_text",
            "<environment_context>\n  <cwd>/x</cwd>\n</environment_context>",
        ),
        said("user", "input_text", "old question"),
        line(
            "event_msg",
            json!({"type": "user_message", "message": "old question", "kind": "plain"}),
        ),
        line(
            "turn_context",
            json!({"cwd": "/work", "approval_policy": "on-request",
            "sandbox_policy": {"mode": "read-only"}, "model": "gpt-5", "summary": "auto"}),
        ),
        line("event_msg", json!({"type": "agent_message", "message": "old answer"})),
        said("assistant", "output_text", "old answer"),
    ])
}

#[tokio::test]
async fn an_old_rollout_is_listed_read_and_continued() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let id = ThreadId::new();
    place(home.path(), id, &old(id));
    let row = store.row(id).await.unwrap().unwrap();
    assert_eq!((row.preview.as_deref(), &*row.history_mode), (Some("old question"), "legacy"));
    assert_eq!((row.git, &*row.cli_version), (None, "0.40.0"));
    let page = store.turns_page(id, turns_query(5, Direction::Descending, None)).await.unwrap();
    let [turn] = &page.items[..] else { panic!("one turn") };
    assert_eq!((turn.id.as_str(), turn.status), ("rollout-3", TurnStatus::Completed));
    let items: Vec<_> = turn.items.iter().map(|item| item.item.id().to_owned()).collect();
    assert_eq!(items, ["item-1", "item-2"]);
    assert_eq!(page.back.as_deref(), Some("{\"turnId\":\"rollout-3\",\"includeAnchor\":true}"));
    let crate::Loaded { log, history } = store.open(id).await.unwrap();
    assert_eq!(history.lines.len(), 3);
    log.append(crate::testing::turn("new", "more", "yes")).await.unwrap();
    assert!(!std::fs::read_to_string(log.path()).unwrap().contains("ordinal"));
    let page = store.turns_page(id, turns_query(1, Direction::Descending, None)).await.unwrap();
    assert_eq!((ids(&page), page.items[0].items.len()), (vec!["new"], 2));
    let older =
        store.turns_page(id, turns_query(1, Direction::Descending, page.next)).await.unwrap();
    assert_eq!(ids(&older), ["rollout-3"]);
}

#[tokio::test]
async fn the_oldest_form_is_read_too() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let id = ThreadId::new();
    place(
        home.path(),
        id,
        &text(&[
            json!({"id": id, "timestamp": "2025-07-02T10:00:00.000Z", "instructions": null}),
            json!({"record_type": "state"}),
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "very old"}]}),
            json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "indeed"}]}),
        ]),
    );
    assert_eq!(store.read(id).await.unwrap().lines.len(), 2);
    let turns = store.turns_page(id, TurnsQuery::default()).await.unwrap().items;
    assert_eq!((turns[0].id.as_str(), turns[0].items.len()), ("rollout-2", 2));
    let row = store.list(crate::ListQuery::default()).await.unwrap().items.remove(0);
    assert_eq!((row.id, row.preview.as_deref()), (id, Some("very old")));
    let items =
        store.items_page(id, ItemsQuery { limit: 1, ..ItemsQuery::default() }).await.unwrap();
    assert_eq!(items.next, Some(cursor(id, 2, false, "itemsByCreatedAtOrdinal")));
}
