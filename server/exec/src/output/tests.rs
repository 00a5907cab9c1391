use std::sync::Arc;

use proptest::prelude::*;

use super::*;

fn forgetting(keep_bytes: usize) -> Limits {
    Limits { keep_bytes, when_full: WhenFull::Forget }
}

fn filled(keep: usize, bytes: &[u8]) -> OutputBuffer {
    let mut buffer = OutputBuffer::new(keep);
    for piece in bytes.chunks(7) {
        buffer.push(piece);
    }
    buffer
}

#[test]
fn short_output_is_kept_whole() {
    let collected = filled(10, b"0123456789").collected();
    assert_eq!(collected.total_bytes, 10);
    assert_eq!(collected.omitted_bytes, 0);
    assert_eq!(collected.into_bytes(), b"0123456789");
}

#[test]
fn long_output_keeps_both_ends_and_counts_the_middle() {
    let collected = filled(10, b"abcdefghijklmnopqrstuvwxyz").collected();
    assert_eq!(collected.head, b"abcde");
    assert_eq!(collected.tail, b"vwxyz");
    assert_eq!((collected.total_bytes, collected.omitted_bytes), (26, 16));
}

#[test]
fn memory_stays_flat_whatever_is_pushed() {
    let mut buffer = OutputBuffer::new(4096);
    let piece = [b'x'; 1000];
    for _ in 0..10_000 {
        buffer.push(&piece);
    }
    buffer.push(&vec![b'y'; 100_000]);
    assert_eq!(buffer.total(), 10_100_000);
    assert!(buffer.head.capacity() <= 4096 && buffer.tail.capacity() <= 8192);
}

#[test]
fn the_cut_ends_of_long_output_are_whole_characters() {
    let collected = filled(8, "aééééééééé".as_bytes()).collected();
    assert_eq!(collected.head, "aé".as_bytes());
    assert_eq!(collected.tail, "éé".as_bytes());
    assert_eq!(collected.text(), "aééé");
    assert_eq!(collected.omitted_bytes, 12);
}

#[test]
fn a_buffer_that_keeps_nothing_still_counts() {
    let collected = filled(0, b"abc").collected();
    assert_eq!((collected.total_bytes, collected.omitted_bytes), (3, 3));
}

#[tokio::test]
async fn a_reader_gets_what_was_printed_before_it_looked() {
    let capture = Capture::new(forgetting(100));
    capture.push(b"early ");
    let mut first = capture.reader();
    let mut later = capture.reader();
    capture.push(b"late");
    capture.end();
    assert_eq!(first.next().await.as_deref(), Some(&b"early late"[..]));
    assert_eq!(first.next().await, None);
    assert_eq!(later.next().await.as_deref(), Some(&b"late"[..]));
    assert_eq!(later.next().await, None);
}

#[tokio::test]
async fn a_character_cut_between_two_reads_comes_whole() {
    let capture = Capture::new(forgetting(100));
    let mut reader = capture.reader();
    capture.push(b"a\xe2\x82");
    assert_eq!(reader.try_next().as_deref(), Some(&b"a"[..]));
    assert_eq!(reader.try_next(), None);
    capture.push(b"\xac!");
    assert_eq!(reader.next().await.as_deref(), Some("€!".as_bytes()));
}

#[tokio::test]
async fn a_character_cut_by_the_end_is_given_as_it_is() {
    let capture = Capture::new(forgetting(100));
    let mut reader = capture.reader();
    capture.push(b"a\xf0\x9f\x98");
    assert_eq!(reader.next().await.as_deref(), Some(&b"a"[..]));
    capture.end();
    assert_eq!(reader.next().await.as_deref(), Some(&b"\xf0\x9f\x98"[..]));
    assert_eq!(reader.next().await, None);
}

#[tokio::test]
async fn a_slow_reader_skips_to_what_is_kept_and_is_told() {
    let capture = Capture::new(forgetting(8));
    let mut reader = capture.reader();
    capture.push(b"01");
    assert_eq!(reader.next().await.as_deref(), Some(&b"01"[..]));
    capture.push(b"23456789abcdef");
    assert_eq!(reader.next().await.as_deref(), Some(&b"23"[..]));
    assert_eq!(reader.missed(), 0);
    assert_eq!(reader.next().await.as_deref(), Some(&b"cdef"[..]));
    assert_eq!(reader.missed(), 8);
}

#[tokio::test]
async fn a_waiting_reader_is_woken_by_output_and_by_the_end() {
    let capture = Capture::new(forgetting(8));
    let mut reader = capture.reader();
    let task = tokio::spawn(async move { (reader.next().await, reader.next().await) });
    tokio::task::yield_now().await;
    capture.push(b"x");
    tokio::task::yield_now().await;
    capture.end();
    let (first, second) = task.await.expect("the task ends");
    assert_eq!((first.as_deref(), second), (Some(&b"x"[..]), None));
}

fn pieces_of(text: &[u8], cuts: &[usize], keep: usize) -> (Vec<Bytes>, u64) {
    let capture = Capture::new(forgetting(keep));
    let mut reader = capture.reader();
    let mut pieces = Vec::new();
    let mut rest = text;
    for cut in cuts {
        let (now, later) = rest.split_at((*cut).min(rest.len()));
        capture.push(now);
        pieces.extend(std::iter::from_fn(|| reader.try_next()));
        rest = later;
    }
    capture.push(rest);
    capture.end();
    pieces.extend(std::iter::from_fn(|| reader.try_next()));
    assert_eq!(Arc::strong_count(&capture), 2);
    (pieces, reader.missed())
}

proptest! {
    #[test]
    fn no_piece_of_valid_text_cuts_a_character(
        text in ".{0,60}",
        cuts in prop::collection::vec(0usize..9, 0..20),
    ) {
        let (pieces, missed) = pieces_of(text.as_bytes(), &cuts, 4096);
        for piece in &pieces {
            prop_assert!(std::str::from_utf8(piece).is_ok());
        }
        prop_assert_eq!(pieces.concat(), text.as_bytes());
        prop_assert_eq!(missed, 0);
    }

    #[test]
    fn every_byte_is_either_read_or_counted_as_missed(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        cuts in prop::collection::vec(0usize..60, 0..6),
        keep in 0usize..40,
    ) {
        let (pieces, missed) = pieces_of(&bytes, &cuts, keep);
        let read: usize = pieces.iter().map(Bytes::len).sum();
        prop_assert_eq!(read as u64 + missed, bytes.len() as u64);
    }
}

#[tokio::test]
async fn who_waits_for_its_reader_has_room_again_when_the_reader_has_read() {
    let capture = Capture::new(Limits::lossless());
    let mut reader = capture.reader();
    capture.push(&vec![1; CHUNK_BYTES]);
    capture.has_room().await;
    capture.push(&vec![2; CHUNK_BYTES]);
    let mut room = Box::pin(capture.has_room());
    assert!(is_pending(&mut room).await, "nothing was read");
    assert_eq!(reader.next().await.expect("there is output"), vec![1; CHUNK_BYTES]);
    room.await;
    assert_eq!(reader.next().await.expect("there is output"), vec![2; CHUNK_BYTES]);
    assert_eq!(reader.missed(), 0);
}

/// Says whether a future has nothing to give yet.
async fn is_pending(future: &mut (impl Future<Output = ()> + Unpin)) -> bool {
    std::future::poll_fn(|context| {
        std::task::Poll::Ready(std::pin::Pin::new(&mut *future).poll(context).is_pending())
    })
    .await
}

#[tokio::test]
async fn bytes_for_a_reader_that_is_waited_for_come_at_once_even_half_a_character() {
    let capture = Capture::new(Limits::lossless());
    let mut reader = capture.reader();
    capture.push(b"a\xe2");
    assert_eq!(reader.next().await.expect("there is output")[..], *b"a\xe2");
}
