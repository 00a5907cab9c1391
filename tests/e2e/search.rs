//! Finding what was said.

use serde_json::json;
use spindle_tests::{Rig, Step};

#[tokio::test]
async fn what_was_said_is_found_in_threads_and_within_one() {
    let mut rig = Rig::new([Step::Stream(vec!["the answer is a lighthouse".into()])]).await;
    let (mut client, thread) = rig.thread().await;
    let params = json!({"threadId": thread, "input": [{"type": "text", "text": "what is it?"}]});
    client.call("turn/start", params).await.expect("started");
    client.turn_end().await;
    for method in ["thread/search", "thread/search/stream"] {
        let found = client.call(method, json!({"searchTerm": "LIGHTHOUSE"})).await.expect("found");
        assert_eq!(found["data"][0]["thread"]["id"], thread.as_str(), "{method}");
        assert_eq!(found["data"][0]["snippet"], "the answer is a lighthouse");
    }
    let within = json!({"threadId": thread, "searchTerm": "lighthouse"});
    let found = client.call("thread/searchOccurrences", within).await.expect("found");
    let place = &found["data"][0];
    assert_eq!(place["snippetMatchRange"], json!({"start": 16, "end": 26}));
    let page = json!({"threadId": thread, "cursor": place["turnCursor"], "limit": 1});
    let turns = client.call("thread/turns/list", page).await.expect("read");
    assert_eq!(turns["data"][0]["id"], place["turnId"]);
    let items = json!({"threadId": thread, "turnId": place["turnId"],
        "itemIds": [place["itemId"], "absent"]});
    let items = client.call("thread/items/read", items).await.expect("read");
    assert_eq!(items["data"].as_array().expect("a list").len(), 1);
    let none = client.call("thread/search", json!({"searchTerm": ""})).await.expect_err("no term");
    assert_eq!(none.message, "thread/search requires a non-empty searchTerm");
    client.call("thread/search/cancel", json!({"requestId": "none"})).await.expect("no error");
}

#[tokio::test]
async fn a_timeline_tells_turns_and_items_in_the_order_of_the_file_page_by_page() {
    let mut rig = Rig::new([]).await;
    let (mut client, thread) = rig.thread().await;
    for text in ["one", "two"] {
        let params = json!({"threadId": thread, "input": [{"type": "text", "text": text}]});
        client.call("turn/start", params).await.expect("started");
        client.turn_end().await;
    }
    let (mut kinds, mut positions, mut cursor) = (Vec::new(), Vec::new(), json!(null));
    loop {
        let params = json!({"threadId": thread, "limit": 3, "cursor": cursor});
        let page = client.call("thread/timeline/list", params).await.expect("read");
        for entry in page["data"].as_array().expect("a list") {
            kinds.push(entry["type"].as_str().expect("a kind").to_owned());
            positions.push(entry["position"].as_u64().expect("a number"));
        }
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    let turn = ["turnStarted", "item", "item", "turnCompleted"];
    assert_eq!(kinds, [turn, turn].concat());
    assert!(positions.is_sorted_by(|a, b| a < b), "{positions:?}");
    let summary = json!({"conversationId": thread});
    let summary = client.call("getConversationSummary", summary).await.expect("read");
    assert_eq!(summary["summary"]["preview"], "one");
}
