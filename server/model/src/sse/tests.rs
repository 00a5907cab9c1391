use proptest::prelude::*;

use super::{MAX_EVENT_BYTES, Scanner, TooLarge};

fn events_of(chunks: &[&[u8]]) -> Vec<String> {
    let mut scanner = Scanner::default();
    let mut events = Vec::new();
    for chunk in chunks {
        scanner
            .push::<TooLarge>(chunk, |data| {
                events.push(data.to_owned());
                Ok(())
            })
            .expect("no event of a test is too large");
    }
    events
}

fn one(text: &str) -> Vec<String> {
    events_of(&[text.as_bytes()])
}

#[test]
fn data_of_each_event_is_handed_on_in_order() {
    assert_eq!(one("event: a\ndata: {\"x\":1}\n\nevent: b\ndata: 2\n\n"), ["{\"x\":1}", "2"]);
}

#[test]
fn an_event_line_is_not_needed() {
    assert_eq!(one("data: 1\n\ndata: 2\n\n"), ["1", "2"]);
}

#[test]
fn comment_lines_are_passed_over() {
    assert_eq!(one(":\n\n: keep-alive\n\ndata: 1\n: in between\n\n"), ["1"]);
}

#[test]
fn every_line_ending_is_understood() {
    assert_eq!(one("data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n"), ["1", "2", "3"]);
    assert_eq!(events_of(&[b"data: 1\r", b"\n\r", b"\ndata: 2\r\n\r", b"\n"]), ["1", "2"]);
    assert_eq!(events_of(&[b"data: 1\r", b"\r", b"data: 2\r\r"]), ["1", "2"]);
}

#[test]
fn several_data_lines_are_joined() {
    assert_eq!(one("data: a\ndata: b\ndata\n\n"), ["a\nb\n"]);
    assert_eq!(events_of(&[b"data: a\n", b"data: b\n\n"]), ["a\nb"]);
}

#[test]
fn one_blank_after_the_colon_is_cut() {
    assert_eq!(one("data:a\n\ndata:  b\n\n"), ["a", " b"]);
}

#[test]
fn unknown_fields_and_bare_words_are_passed_over() {
    assert_eq!(one("nonsense\nx-field: 1\nid: 7\nretry: soon\ndata: 1\n\n"), ["1"]);
}

#[test]
fn an_event_without_its_blank_line_is_not_handed_on() {
    assert_eq!(one("data: 1\n\ndata: half"), ["1"]);
    assert_eq!(one("data: 1\n\ndata: half\n"), ["1"]);
}

#[test]
fn a_byte_order_mark_at_the_start_is_cut() {
    assert_eq!(events_of(&[b"\xEF\xBB", b"\xBFdata: 1\n\n"]), ["1"]);
}

#[test]
fn text_is_whole_wherever_it_is_cut() {
    let body = "data: größe 你好 🚀\n\ndata: ende\n\n".as_bytes();
    for cut in 0..=body.len() {
        let (head, tail) = body.split_at(cut);
        assert_eq!(events_of(&[head, tail]), ["größe 你好 🚀", "ende"], "cut at {cut}");
    }
}

#[test]
fn broken_utf8_is_repaired() {
    assert_eq!(events_of(&[b"data: a\xFFb\n\n"]), ["a\u{FFFD}b"]);
}

#[test]
fn the_callers_error_stops_the_reading() {
    let mut seen = 0;
    let result = Scanner::default().push::<TooLarge>(b"data: 1\n\ndata: 2\n\n", |_| {
        seen += 1;
        Err(TooLarge)
    });
    assert_eq!((result, seen), (Err(TooLarge), 1));
}

#[test]
fn an_endless_line_is_refused() {
    let mut scanner = Scanner::default();
    let chunk = vec![b'x'; MAX_EVENT_BYTES / 4];
    let results: Vec<_> = (0..5).map(|_| scanner.push::<TooLarge>(&chunk, |_| Ok(()))).collect();
    assert_eq!(results[3], Ok(()));
    assert_eq!(results[4], Err(TooLarge));
}

proptest! {
    #[test]
    fn cutting_never_changes_what_is_read(
        body in proptest::collection::vec(
            prop_oneof![Just("data: "), Just("data"), Just("\n"), Just("\r"), Just("\r\n"), Just(":"), Just("é"), Just("x"), Just("event: e")],
            0..40,
        ),
        cuts in proptest::collection::vec(0usize..200, 0..6),
    ) {
        let body = body.concat().into_bytes();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(body.len())).collect();
        cuts.sort_unstable();
        let mut chunks = Vec::new();
        let mut from = 0;
        for cut in cuts {
            chunks.push(&body[from..cut]);
            from = cut;
        }
        chunks.push(&body[from..]);
        prop_assert_eq!(events_of(&chunks), events_of(&[&body]));
    }
}
