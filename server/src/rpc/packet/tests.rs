use spindle_schema::v2::{
    AgentMessageDeltaNotification, ReasoningSummaryTextDeltaNotification,
    ThreadArchivedNotification,
};

use super::*;

fn delta(item: &str) -> ServerNotification {
    ServerNotification::ItemAgentMessageDelta(Box::new(AgentMessageDeltaNotification {
        thread_id: "t".into(),
        turn_id: "u".into(),
        item_id: item.into(),
        delta: String::new(),
    }))
}

fn summary(index: i64) -> ServerNotification {
    let params = ReasoningSummaryTextDeltaNotification {
        thread_id: "t".into(),
        turn_id: "u".into(),
        item_id: "i".into(),
        delta: String::new(),
        summary_index: index,
    };
    ServerNotification::ItemReasoningSummaryTextDelta(Box::new(params))
}

fn archived() -> ServerNotification {
    ServerNotification::ThreadArchived(Box::new(ThreadArchivedNotification {
        thread_id: "t".into(),
    }))
}

fn pieces(frame: &ServerNotification, pieces: &[&str], at_ms: i64) -> Packet {
    let mut builder = Builder::default();
    builder.pieces(frame, pieces, at_ms);
    builder.build().expect("there are pieces")
}

fn texts(packet: &Packet) -> Vec<String> {
    packet.messages().map(|m| String::from_utf8(m.to_vec()).expect("messages are text")).collect()
}

#[test]
fn pieces_are_encoded_as_the_notification_itself_would_be() {
    let tricky = ["a", "\"quoted\"\n", "\u{1F600}\\", ""];
    let packet = pieces(&delta("\"delta\":\"\""), &tricky, 5);
    let expected: Vec<String> = tricky
        .iter()
        .map(|piece| {
            let ServerNotification::ItemAgentMessageDelta(mut params) = delta("\"delta\":\"\"")
            else {
                unreachable!("delta makes this variant");
            };
            params.delta = (*piece).to_owned();
            let mut text = Vec::new();
            let whole = ServerNotification::ItemAgentMessageDelta(params);
            write_notification(&mut text, Dialect::Bare, &whole, 5);
            String::from_utf8(text).expect("JSON is text")
        })
        .collect();
    assert_eq!(texts(&packet), expected);
    assert!(packet.text().ends_with(b"\n"));
}

#[test]
fn a_strict_packet_differs_by_the_member_alone() {
    let mut builder = Builder::default();
    builder.notification(&archived(), 7);
    builder.pieces(&delta("i"), &["x", "y"], 7);
    let packet = builder.build().expect("three messages");
    let strict = packet.to_strict();
    let expected: Vec<String> =
        texts(&packet).iter().map(|text| text.replacen('{', "{\"jsonrpc\":\"2.0\",", 1)).collect();
    assert_eq!(texts(&strict), expected);
    let mut joined = Joined::begin(&pieces(&delta("i"), &["a"], 1).to_strict()).expect("a piece");
    assert!(joined.add(&pieces(&delta("i"), &["b"], 2).to_strict()));
    assert_eq!(texts(&joined.finish()), texts(&pieces(&delta("i"), &["ab"], 2).to_strict()));
}

#[test]
fn unwanted_methods_are_left_out_and_answers_never() {
    let unwanted = HashSet::from(["thread/archived".into(), "no/such".into()]);
    let mut builder = Builder::default();
    builder.notification(&archived(), 7);
    builder.pieces(&delta("i"), &["x"], 7);
    let left = builder.build().and_then(|packet| packet.without(&unwanted)).expect("one is left");
    assert_eq!(texts(&left), texts(&pieces(&delta("i"), &["x"], 7)));
    assert!(Packet::notification(&archived(), 7).without(&unwanted).is_none());
    let answer = Packet::response(b"{\"id\":1,\"result\":{}}\n".to_vec());
    assert!(answer.without(&unwanted).is_some());
}

#[test]
fn pieces_of_one_text_become_one_message_with_the_last_time() {
    let mut joined = Joined::begin(&pieces(&delta("i"), &["a", "\n"], 1)).expect("pieces");
    assert!(joined.add(&pieces(&delta("i"), &["b"], 20)));
    assert_eq!(texts(&joined.finish()), texts(&pieces(&delta("i"), &["a\nb"], 20)));
}

#[test]
fn pieces_of_different_texts_are_never_joined() {
    let mut joined = Joined::begin(&pieces(&delta("i"), &["a"], 1)).expect("a piece");
    assert!(!joined.add(&pieces(&delta("j"), &["b"], 1)));
    assert!(!joined.add(&pieces(&summary(0), &["b"], 1)));
    assert!(!joined.add(&Packet::notification(&archived(), 1)));
    let mut joined = Joined::begin(&pieces(&summary(0), &["a"], 1)).expect("a piece");
    assert!(!joined.add(&pieces(&summary(1), &["b"], 1)));
    assert!(joined.add(&pieces(&summary(0), &["b"], 1)));
    assert_eq!(texts(&joined.finish()), texts(&pieces(&summary(0), &["ab"], 1)));
}

#[test]
fn a_mixed_packet_is_not_joined() {
    let mut builder = Builder::default();
    builder.pieces(&delta("i"), &["x"], 7);
    builder.notification(&archived(), 7);
    assert!(Joined::begin(&builder.build().expect("two messages")).is_none());
}

fn numbers(packet: &Packet) -> Vec<serde_json::Value> {
    let number = |text: &String| {
        let mut message: serde_json::Value = serde_json::from_str(text).expect("JSON");
        message["seq"].take()
    };
    texts(packet).iter().map(number).collect()
}

#[test]
fn every_notification_of_a_numbered_packet_has_its_own_number() {
    let mut builder = Builder::numbered(9);
    builder.notification(&archived(), 7);
    builder.pieces(&delta("i"), &["x", "\"y\""], 7);
    builder.notification(&archived(), 7);
    let packet = builder.build().expect("four messages");
    assert_eq!(numbers(&packet), [9, 10, 11, 12]);
    assert_eq!(numbers(&packet.to_strict()), [9, 10, 11, 12]);
    let text = texts(&packet).remove(1);
    assert!(text.ends_with("\"emittedAtMs\":7,\"seq\":10}"), "{text}");
}

#[test]
fn joined_pieces_have_the_last_number() {
    let numbered = |first: u64, texts: &[&str]| {
        let mut builder = Builder::numbered(first);
        builder.pieces(&delta("i"), texts, 7);
        builder.build().expect("there are pieces")
    };
    // From one digit to two: the ends differ in length.
    let mut joined = Joined::begin(&numbered(8, &["a", "b"])).expect("pieces");
    assert!(joined.add(&numbered(10, &["c", "d"])));
    assert_eq!(texts(&joined.finish()), texts(&numbered(11, &["abcd"])));
}
