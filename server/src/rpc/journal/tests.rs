use spindle_schema::ids::RequestId;
use spindle_schema::methods::{ServerNotification, ServerRequest};
use spindle_schema::v2::{
    AgentMessageDeltaNotification, DynamicToolCallParams, ThreadArchivedNotification,
};

use super::*;

const FIRST: u64 = 1_000;

fn archived() -> ServerNotification {
    ServerNotification::ThreadArchived(Box::new(ThreadArchivedNotification {
        thread_id: "t".into(),
    }))
}

fn delta() -> ServerNotification {
    ServerNotification::ItemAgentMessageDelta(Box::new(AgentMessageDeltaNotification {
        thread_id: "t".into(),
        turn_id: "u".into(),
        item_id: "i".into(),
        delta: String::new(),
    }))
}

fn request() -> ServerRequest {
    ServerRequest::ItemToolCall(Box::new(DynamicToolCallParams {
        thread_id: "t".into(),
        turn_id: "u".into(),
        call_id: "c".into(),
        namespace: None,
        tool: "x".into(),
        arguments: serde_json::Value::Null,
    }))
}

/// Keeps a packet with these pieces of a text.
fn keep(journal: &mut Journal, pieces: &[&str]) {
    let mut builder = journal.builder();
    builder.pieces(&delta(), pieces, 5);
    journal.keep(&builder.build().expect("there are pieces"));
}

/// Number and text of what is said again.
fn again(journal: &Journal, seen: u64) -> Vec<(u64, String)> {
    let packets: Vec<_> = journal.after(seen).collect();
    let messages = packets.iter().flat_map(Packet::messages);
    messages
        .map(|message| {
            let message: serde_json::Value = serde_json::from_slice(&message).expect("JSON");
            assert_eq!(message["emittedAtMs"], 5);
            let text = message["params"]["delta"].as_str().unwrap_or_default().to_owned();
            (message["seq"].as_u64().expect("a number"), text)
        })
        .collect()
}

fn numbered(texts: &[(u64, &str)]) -> Vec<(u64, String)> {
    texts.iter().map(|(number, text)| (FIRST + number, (*text).to_owned())).collect()
}

#[test]
fn whatever_was_seen_last_exactly_the_rest_is_said_again() {
    let mut journal = Journal::new(FIRST);
    assert!(journal.reaches(FIRST - 1), "nothing was said, so nothing was missed");
    keep(&mut journal, &["a", "b", "c"]);
    keep(&mut journal, &["d"]);
    let mut builder = journal.builder();
    builder.request(&RequestId::Integer(7), &request());
    builder.notification(&archived(), 5);
    builder.pieces(&delta(), &["e"], 5);
    journal.keep(&builder.build().expect("three messages"));
    let all = numbered(&[(0, "a"), (1, "b"), (2, "c"), (3, "d"), (4, ""), (5, "e")]);
    assert_eq!(journal.last(), FIRST + 5);
    for seen in 0..=all.len() {
        let number = FIRST + seen as u64 - 1;
        assert!(journal.reaches(number));
        assert_eq!(again(&journal, number), all[seen..]);
    }
    assert!(!journal.reaches(FIRST - 2), "a number of an earlier life");
    assert!(!journal.reaches(FIRST + 6), "a number that nobody was told");
}

#[test]
fn a_packet_of_requests_takes_no_number() {
    let mut journal = Journal::new(FIRST);
    let mut builder = journal.builder();
    builder.request(&RequestId::Integer(7), &request());
    journal.keep(&builder.build().expect("a request"));
    assert_eq!(journal.last(), FIRST - 1);
    keep(&mut journal, &["a"]);
    assert_eq!(again(&journal, FIRST - 1), numbered(&[(0, "a")]));
}

#[test]
fn what_is_kept_is_bounded_by_count_and_by_bytes() {
    let mut journal = Journal::new(FIRST);
    let pieces = vec!["x"; 100];
    for _ in 0..100 {
        keep(&mut journal, &pieces);
    }
    assert_eq!(journal.last(), FIRST + 9_999);
    assert!(!journal.reaches(FIRST));
    let oldest =
        (FIRST..=journal.last()).find(|&seen| journal.reaches(seen)).expect("some is kept");
    assert_eq!(again(&journal, oldest).len() as u64, journal.last() - oldest);
    assert!(journal.messages <= KEPT_MESSAGES && journal.bytes <= KEPT_BYTES);
    let long = "y".repeat(KEPT_BYTES / 3);
    for _ in 0..4 {
        keep(&mut journal, &[&long]);
    }
    assert!(journal.bytes <= KEPT_BYTES && journal.kept.len() == 2);
    keep(&mut journal, &[&"z".repeat(2 * KEPT_BYTES)]);
    assert!(journal.kept.is_empty() && journal.bytes == 0 && journal.messages == 0);
    assert!(journal.reaches(journal.last()), "whoever has seen all has missed nothing");
}

#[test]
fn numbers_go_on_when_all_was_let_go_of() {
    let mut journal = Journal::new(FIRST);
    keep(&mut journal, &["a", "b"]);
    journal.forget();
    assert_eq!(journal.kept.capacity(), 0, "the memory is given back");
    assert!(!journal.reaches(FIRST) && journal.reaches(FIRST + 1));
    keep(&mut journal, &["c"]);
    assert_eq!(again(&journal, FIRST + 1), numbered(&[(2, "c")]));
}
