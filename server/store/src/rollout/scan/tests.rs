use std::io::Write as _;

use proptest::prelude::*;

use super::*;

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

type Plain = (u64, Vec<u8>, bool);

fn forward(bytes: &[u8]) -> Vec<Plain> {
    let file = file(bytes);
    let mut lines = Forward::new(&file, 0, bytes.len() as u64);
    let mut all = Vec::new();
    while let Some(line) = lines.next().unwrap() {
        all.push((line.offset, line.bytes.to_vec(), line.ended));
    }
    all
}

fn backward(bytes: &[u8]) -> Vec<Plain> {
    let file = file(bytes);
    let mut lines = Backward::new(&file, bytes.len() as u64);
    let mut all = Vec::new();
    while let Some(line) = lines.prev().unwrap() {
        all.push((line.offset, line.bytes.to_vec(), line.ended));
    }
    all.reverse();
    all
}

fn expected(bytes: &[u8]) -> Vec<Plain> {
    let mut all = Vec::new();
    let mut at = 0;
    for part in bytes.split_inclusive(|b| *b == b'\n') {
        let ended = part.ends_with(b"\n");
        all.push((at, part[..part.len() - usize::from(ended)].to_vec(), ended));
        at += part.len() as u64;
    }
    all
}

#[test]
fn both_ends_see_the_same_lines() {
    for text in ["", "a", "a\n", "a\nb", "\n", "\n\n", "\na\n\nb\n", "a\n\n"] {
        assert_eq!(forward(text.as_bytes()), expected(text.as_bytes()), "{text:?}");
        assert_eq!(backward(text.as_bytes()), expected(text.as_bytes()), "{text:?}");
    }
}

#[test]
fn lines_longer_than_blocks_are_whole() {
    let mut bytes = Vec::new();
    for len in [10, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK, 0, 3] {
        bytes.extend(std::iter::repeat_n(b'x', len));
        bytes.push(b'\n');
    }
    bytes.extend(std::iter::repeat_n(b'y', 2 * BLOCK));
    assert_eq!(forward(&bytes), expected(&bytes));
    assert_eq!(backward(&bytes), expected(&bytes));
}

#[test]
fn a_limit_ends_the_lines() {
    let bytes = b"one\ntwo\nthree\n";
    let file = file(bytes);
    let mut lines = Forward::new(&file, 4, 8);
    assert_eq!(lines.next().unwrap().unwrap().bytes, b"two");
    assert!(lines.next().unwrap().is_none());
}

proptest! {
    #[test]
    fn any_bytes_split_the_same_from_both_ends(bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..300)) {
        prop_assert_eq!(forward(&bytes), expected(&bytes));
        prop_assert_eq!(backward(&bytes), expected(&bytes));
    }
}
