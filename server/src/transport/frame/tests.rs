use super::*;

fn all(lines: &mut Lines) -> Vec<Inbound> {
    std::iter::from_fn(|| lines.next_line()).collect()
}

fn message(text: &'static str) -> Inbound {
    Inbound::Message(Bytes::from_static(text.as_bytes()))
}

#[test]
fn lines_are_the_same_wherever_the_stream_is_cut() {
    let stream = b"{\"a\":1}\n\n  \r\n{\"b\":2}\r\n{\"c\":3}\n";
    for cut in 0..stream.len() {
        let mut lines = Lines::new(100);
        lines.feed(&stream[..cut]);
        let mut seen = all(&mut lines);
        lines.feed(&stream[cut..]);
        seen.extend(all(&mut lines));
        assert_eq!(seen, [message("{\"a\":1}"), message("{\"b\":2}\r"), message("{\"c\":3}")]);
    }
}

#[test]
fn a_line_over_the_limit_costs_that_line_only() {
    let mut lines = Lines::new(8);
    lines.feed(b"0123456789");
    assert_eq!(all(&mut lines), [Inbound::TooLong(8)]);
    lines.feed(b"still the same line");
    assert_eq!(all(&mut lines), []);
    lines.feed(b"\nshort\n0123456789\nafter\n");
    assert_eq!(all(&mut lines), [message("short"), Inbound::TooLong(8), message("after")]);
}

#[test]
fn the_end_of_the_stream_ends_the_last_line() {
    let mut lines = Lines::new(8);
    lines.feed(b"one\ntwo");
    assert_eq!(all(&mut lines), [message("one")]);
    assert_eq!(lines.last_line(), Some(message("two")));
    assert_eq!(lines.last_line(), None);
    lines.feed(b"0123456789");
    assert_eq!(all(&mut lines), [Inbound::TooLong(8)]);
    lines.feed(b"tail");
    assert_eq!(lines.last_line(), None, "the tail of a skipped line is skipped too");
}

#[test]
fn bytes_that_are_not_text_are_a_line_like_any_other() {
    let mut lines = Lines::new(8);
    lines.feed(b"\xff\xfe\nok\n");
    assert_eq!(all(&mut lines), [Inbound::Message(Bytes::from_static(b"\xff\xfe")), message("ok")]);
}

#[test]
fn a_large_line_leaves_no_large_buffer_behind() {
    let mut lines = Lines::new(4 << 20);
    lines.feed(&vec![b'x'; 2 << 20]);
    lines.feed(b"\nnext");
    drop(lines.next_line());
    assert!(lines.buffer.capacity() < KEEP_BYTES, "{}", lines.buffer.capacity());
    lines.feed(b"\n");
    assert_eq!(all(&mut lines), [message("next")]);
}

#[test]
fn a_close_reason_fits_into_a_close_frame() {
    let closing = Closing::from(&Fault::Protocol("é".repeat(200)));
    assert_eq!(closing.code, 1002);
    assert!(closing.reason.len() <= 123);
}
