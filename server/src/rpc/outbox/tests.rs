use spindle_schema::v2::{AgentMessageDeltaNotification, ThreadArchivedNotification};

use super::super::packet::Builder;
use super::*;

const TINY: Limits = Limits { join: 0, warn: 3000, cut_stalled: 4000, cut: 6000 };

fn delta(item: &str, piece: &str) -> Packet {
    let mut builder = Builder::default();
    let frame =
        ServerNotification::ItemAgentMessageDelta(Box::new(AgentMessageDeltaNotification {
            thread_id: "t".into(),
            turn_id: "u".into(),
            item_id: item.into(),
            delta: String::new(),
        }));
    builder.pieces(&frame, &[piece], 1);
    builder.build().expect("there is a piece")
}

fn archived(thread: &str) -> Packet {
    let params = ThreadArchivedNotification { thread_id: thread.into() };
    Packet::notification(&ServerNotification::ThreadArchived(Box::new(params)), 1)
}

fn answer(id: usize) -> Packet {
    Packet::response(format!("{{\"id\":{id},\"result\":{{}}}}\n").into_bytes())
}

async fn drain(outbox: &Outbox) -> (Vec<String>, Taken) {
    outbox.finish();
    let mut packets = Vec::new();
    let end = loop {
        match outbox.take(&mut packets).await {
            Taken::Packets => {}
            end => break end,
        }
    };
    let texts = packets.iter().flat_map(Packet::messages);
    (texts.map(|m| String::from_utf8(m.to_vec()).expect("text")).collect(), end)
}

#[tokio::test]
async fn messages_leave_in_the_order_in_which_they_came() {
    let outbox = Outbox::new(Limits::SHARED);
    outbox.send(answer(1));
    outbox.tell(delta("i", "a"));
    outbox.send(answer(2));
    outbox.tell(delta("i", "b"));
    let (texts, end) = drain(&outbox).await;
    assert_eq!(end, Taken::Finished);
    let kinds: Vec<bool> = texts.iter().map(|text| text.contains("delta")).collect();
    assert_eq!(kinds, [false, true, false, true]);
}

#[tokio::test]
async fn a_write_is_not_much_larger_than_its_cap() {
    let outbox = Outbox::new(Limits::SHARED);
    for id in 0..10_000 {
        outbox.send(answer(id));
    }
    let mut packets = Vec::new();
    assert_eq!(outbox.take(&mut packets).await, Taken::Packets);
    assert!(packets.len() < 1000, "{} at once", packets.len());
}

#[tokio::test]
async fn pieces_of_one_text_are_joined_while_the_client_is_slow() {
    let outbox = Outbox::new(TINY);
    for piece in ["a", "b", "c"] {
        outbox.tell(delta("i", piece));
    }
    outbox.tell(archived("t"));
    outbox.tell(delta("i", "d"));
    outbox.tell(delta("j", "e"));
    let (texts, _) = drain(&outbox).await;
    let deltas: Vec<&str> = texts
        .iter()
        .filter_map(|text| text.split_once("\"delta\":\"")?.1.split('"').next())
        .collect();
    assert_eq!(deltas, ["abc", "d", "e"], "{texts:?}");
    assert_eq!(texts.len(), 4);
}

#[tokio::test]
async fn a_fast_client_gets_every_piece_by_itself() {
    let outbox = Outbox::new(Limits::SHARED);
    outbox.tell(delta("i", "a"));
    outbox.tell(delta("i", "b"));
    assert_eq!(drain(&outbox).await.0.len(), 2);
}

#[tokio::test]
async fn a_slow_client_is_warned_once_and_then_cut() {
    let outbox = Outbox::new(TINY);
    for _ in 0..15 {
        outbox.tell(archived(&"x".repeat(100)));
    }
    let mut packets = Vec::new();
    outbox.take(&mut packets).await;
    let warnings = packets.iter().flat_map(Packet::messages);
    let warnings = warnings.filter(|m| m.starts_with(b"{\"method\":\"warning\""));
    assert_eq!(warnings.count(), 1);
    for _ in 0..40 {
        outbox.tell(archived(&"x".repeat(100)));
    }
    let (texts, end) = drain(&outbox).await;
    assert!(matches!(end, Taken::Cut(unread) if unread > TINY.cut), "{end:?}");
    assert!(texts.is_empty());
    assert!(outbox.is_cut().await > TINY.cut);
}

#[tokio::test]
async fn answers_do_not_count_towards_the_limit_and_are_never_dropped() {
    let outbox = Outbox::new(TINY);
    for id in 0..1000 {
        outbox.send(answer(id));
    }
    outbox.tell(archived("t"));
    let (texts, end) = drain(&outbox).await;
    assert_eq!((texts.len(), end), (1001, Taken::Finished));
}

#[tokio::test]
async fn joined_text_counts_towards_the_limit() {
    let outbox = Outbox::new(TINY);
    for _ in 0..100 {
        outbox.tell(delta("i", &"x".repeat(100)));
    }
    assert!(outbox.is_cut().await > TINY.cut);
}

#[tokio::test]
async fn a_client_that_asks_without_reading_is_not_read_from() {
    let outbox = Outbox::new(Limits::SHARED);
    outbox.has_room().await;
    let large = format!("{{\"id\":1,\"result\":\"{}\"}}\n", "x".repeat(FULL_BYTES));
    outbox.send(Packet::response(large.into_bytes()));
    let waiting = outbox.has_room();
    tokio::pin!(waiting);
    assert!(futures_util::poll!(&mut waiting).is_pending());
    outbox.take(&mut Vec::new()).await;
    waiting.await;
}

#[tokio::test]
async fn unwanted_methods_are_left_out() {
    let outbox = Outbox::new(Limits::SHARED);
    outbox.leave_out(HashSet::from(["thread/archived".into()]));
    outbox.tell(archived("t"));
    outbox.tell(delta("i", "a"));
    assert_eq!(drain(&outbox).await.0.len(), 1);
}

#[tokio::test]
async fn nothing_enters_a_finished_outbox() {
    let outbox = Outbox::new(Limits::SHARED);
    outbox.send(answer(1));
    outbox.finish();
    outbox.send(answer(2));
    outbox.tell(archived("t"));
    assert_eq!(drain(&outbox).await.0.len(), 1);
}

#[tokio::test]
async fn what_is_told_waits_for_an_answer_that_must_come_first() {
    let outbox = Arc::new(Outbox::new(Limits::SHARED));
    outbox.tell(delta("i", "before"));
    let (hold, other) = (outbox.hold(), outbox.hold());
    outbox.tell(delta("i", "after"));
    drop(other);
    outbox.send(answer(1));
    drop(hold);
    let (texts, _) = drain(&outbox).await;
    assert!(texts[0].contains("before"), "{texts:?}");
    assert!(texts[1].contains("\"id\":1"), "{texts:?}");
    assert!(texts[2].contains("after"), "{texts:?}");
}

#[tokio::test]
async fn a_client_is_cut_off_while_an_answer_is_being_made_too() {
    let outbox = Arc::new(Outbox::new(TINY));
    let hold = outbox.hold();
    for _ in 0..100 {
        outbox.tell(archived(&"x".repeat(100)));
    }
    assert!(outbox.is_cut().await > TINY.cut);
    drop(hold);
    assert!(matches!(drain(&outbox).await, (texts, Taken::Cut(_)) if texts.is_empty()));
}

#[tokio::test]
async fn a_client_that_takes_nothing_is_cut_off_earlier() {
    let outbox = Outbox::new(TINY);
    for _ in 0..10 {
        outbox.tell(archived(&"x".repeat(100)));
    }
    outbox.set_stalled(true);
    let cut = outbox.is_cut();
    tokio::pin!(cut);
    assert!(futures_util::poll!(&mut cut).is_pending());
    outbox.tell(archived(&"x".repeat(1000)));
    let unread = cut.await;
    assert!((TINY.cut_stalled..TINY.cut).contains(&unread), "{unread}");
}

#[tokio::test]
async fn a_client_that_has_left_much_unread_is_cut_off_when_it_stalls() {
    let outbox = Outbox::new(TINY);
    for _ in 0..19 {
        outbox.tell(archived(&"x".repeat(100)));
    }
    outbox.set_stalled(true);
    assert!(outbox.is_cut().await > TINY.cut_stalled);
}

#[tokio::test]
async fn whoever_tells_no_faster_than_it_is_read_waits_and_goes_on() {
    let outbox = Outbox::new(Limits::SHARED);
    outbox.is_calm().await;
    outbox.tell_now(archived(&"x".repeat(CALM_BYTES)));
    let (mut one, mut two) = (Box::pin(outbox.is_calm()), Box::pin(outbox.is_calm()));
    for wait in [&mut one, &mut two] {
        let waited = tokio::time::timeout(std::time::Duration::from_millis(1), wait).await;
        assert!(waited.is_err(), "much is unread");
    }
    let mut packets = Vec::new();
    outbox.take(&mut packets).await;
    tokio::join!(one, two);
}

#[tokio::test]
async fn what_has_its_place_among_the_answers_is_not_held_back() {
    let outbox = Arc::new(Outbox::new(Limits::SHARED));
    let hold = outbox.hold();
    outbox.tell(archived("held"));
    outbox.tell_now(archived("now"));
    outbox.send(answer(1));
    drop(hold);
    let (texts, _) = drain(&outbox).await;
    let place = |word: &str| texts.iter().position(|text| text.contains(word));
    assert!(place("now") < place("result") && place("result") < place("held"), "{texts:?}");
}
