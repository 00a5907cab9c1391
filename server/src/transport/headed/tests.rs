use super::*;

fn all(headed: &mut Headed, buffer: &mut BytesMut) -> Vec<Inbound> {
    std::iter::from_fn(|| headed.next(buffer).expect("headers are fine")).collect()
}

fn message(text: &'static str) -> Inbound {
    Inbound::Message(Bytes::from_static(text.as_bytes()))
}

#[test]
fn the_first_bytes_tell_the_kind_of_the_stream() {
    assert_eq!(kind_of(b""), Kind::Unclear);
    assert_eq!(kind_of(b"\r\n Conte"), Kind::Unclear);
    assert_eq!(kind_of(b"CONTENT-length: 5"), Kind::Headed);
    assert_eq!(kind_of(b"{\"id\":1}"), Kind::Lines);
    assert_eq!(kind_of(b"Content: no"), Kind::Lines);
}

#[test]
fn messages_are_the_same_wherever_the_stream_is_cut() {
    let stream = b"Content-Length: 2\r\n\r\n{}Content-Type: x\r\ncontent-length:3\r\n\r\n[1]\
                   Content-Length: 2\r\n\r\n  Content-Length: 4\r\n\r\n\"\n\n\"";
    for cut in 0..stream.len() {
        let (mut headed, mut buffer) = (Headed::new(100), BytesMut::from(&stream[..cut]));
        let mut seen = all(&mut headed, &mut buffer);
        buffer.extend_from_slice(&stream[cut..]);
        seen.extend(all(&mut headed, &mut buffer));
        assert_eq!(seen, [message("{}"), message("[1]"), message("\"\n\n\"")], "cut at {cut}");
    }
}

#[test]
fn a_message_over_the_limit_costs_that_message_only() {
    let (mut headed, mut buffer) =
        (Headed::new(4), BytesMut::from(&b"Content-Length: 6\r\n\r\n12"[..]));
    assert_eq!(all(&mut headed, &mut buffer), [Inbound::TooLong(4)]);
    buffer.extend_from_slice(b"3456Content-Length: 2\r\n\r\n{}");
    assert_eq!(all(&mut headed, &mut buffer), [message("{}")]);
}

#[test]
fn a_header_that_cannot_be_read_ends_the_stream() {
    let endless = [b'x'; MAX_HEADER_BYTES + 1];
    let streams: [&[u8]; 3] = [b"Content-Length: x\r\n\r\n", b"Length: 2\r\n\r\n", &endless];
    for stream in streams {
        let (mut headed, mut buffer) = (Headed::new(100), BytesMut::from(stream));
        assert!(matches!(headed.next(&mut buffer), Err(Fault::Protocol(_))));
    }
}

#[test]
fn what_is_written_can_be_read() {
    let texts = ["{}", "{\"a\":\"é\"}"];
    let written = with_headers(texts.iter().map(|text| Bytes::from_static(text.as_bytes())));
    let (mut headed, mut buffer) = (Headed::new(100), BytesMut::from(&written[..]));
    assert_eq!(all(&mut headed, &mut buffer), texts.map(message));
}
