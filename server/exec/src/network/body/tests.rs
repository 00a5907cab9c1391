use super::*;

fn pieces() -> Body {
    Body::Pieces(Pieces::default())
}

#[test]
fn a_body_of_known_length_ends_after_it() {
    let mut body = Body::Length(5);
    assert_eq!(body.take(b"abc"), Ok(3));
    assert!(!body.is_whole());
    assert_eq!(body.take(b"deGET"), Ok(2));
    assert!(body.is_whole());
    assert_eq!(body.take(b"more"), Ok(0));
}

#[test]
fn a_body_of_pieces_ends_where_it_ends_however_it_is_cut() {
    let text = b"3\r\nabc\r\nA;name=value\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n";
    let all: Vec<u8> = text.iter().chain(b"POST / HTTP/1.1").copied().collect();
    for size in 1..all.len() {
        let mut body = pieces();
        let mut taken = 0;
        for part in all.chunks(size) {
            let of_part = body.take(part).expect("well made");
            taken += of_part;
            if of_part < part.len() {
                break;
            }
        }
        assert!(body.is_whole(), "{size}");
        assert_eq!(taken, text.len(), "{size}");
    }
}

#[test]
fn a_body_that_could_be_read_in_two_ways_is_malformed() {
    for text in [
        "\r\n",
        "x\r\n",
        ";a\r\n",
        "3\nabc",
        "3\r\nabcd",
        "3\r\nabc\n",
        "-1\r\n",
        "0x3\r\n",
        "1 \nx",
        "0\r\na\n",
        "0\r\n\n",
        "10000000000000000\r\n",
    ] {
        assert_eq!(pieces().take(text.as_bytes()), Err(Malformed), "{text:?}");
    }
}

#[test]
fn what_stands_between_pieces_has_a_limit() {
    let mut body = pieces();
    let line = [b"1;".to_vec(), vec![b'x'; MAX_BETWEEN]].concat();
    assert_eq!(body.take(&line), Err(Malformed));
}
