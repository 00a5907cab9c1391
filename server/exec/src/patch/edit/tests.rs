use super::super::parse::{FileOp, Patch};
use super::*;

fn chunks(body: &str) -> Vec<Chunk> {
    let text = format!("*** Begin Patch\n*** Update File: f\n{body}\n*** End Patch");
    match Patch::parse(&text).expect("the test's patch is well formed").ops.pop() {
        Some(FileOp::Update { chunks, .. }) => chunks,
        other => panic!("one update, not {other:?}"),
    }
}

fn edit(original: &str, body: &str) -> String {
    let bytes = apply_chunks(original.as_bytes(), &chunks(body)).expect("the patch fits");
    String::from_utf8(bytes).expect("text stays text")
}

#[test]
fn lines_are_replaced_added_and_removed() {
    assert_eq!(edit("one\ntwo\nthree\n", "@@\n one\n-two\n+TWO\n three"), "one\nTWO\nthree\n");
    assert_eq!(edit("a\nb\n", "@@\n a\n+x\n b"), "a\nx\nb\n");
    assert_eq!(edit("a\nb\nc\n", "@@\n-b"), "a\nc\n");
    assert_eq!(edit("a\n", "@@\n-a"), "");
}

#[test]
fn chunks_apply_from_the_top_down() {
    assert_eq!(edit("x\ny\nx\ny\n", "@@\n-x\n+1\n@@\n-x\n+2"), "1\ny\n2\ny\n");
    assert_eq!(edit("f\nx\ng\nx\n", "@@ g\n-x\n+1"), "f\nx\ng\n1\n");
    assert_eq!(
        edit("c\nf\nx\nc\nf\nx\n", "@@ c\n@@ f\n-x\n+1\n@@ c\n@@ f\n-x\n+2"),
        "c\nf\n1\nc\nf\n2\n"
    );
}

#[test]
fn a_repeated_context_line_is_forgiven() {
    assert_eq!(edit("f\nx\ng\nx\n", "@@ g\n g\n-x\n+1"), "f\nx\ng\n1\n");
}

#[test]
fn an_addition_without_context_goes_to_the_end_or_below_its_header() {
    assert_eq!(edit("a\nb\n", "@@\n+c"), "a\nb\nc\n");
    assert_eq!(edit("a\nb\n", "@@ a\n+x"), "a\nx\nb\n");
    assert_eq!(edit("", "@@\n+c"), "c\n");
    assert_eq!(edit("a\nb\na\n", "@@\n-a\n+z\n*** End of File"), "a\nb\nz\n");
}

#[test]
fn context_lines_keep_the_files_own_spelling() {
    assert_eq!(edit("\ta  \nb\n", "@@\n a\n-b\n+c"), "\ta  \nc\n");
    assert_eq!(edit("it’s\nb\n", "@@\n it's\n-b\n+c"), "it’s\nc\n");
}

#[test]
fn crlf_files_stay_crlf() {
    assert_eq!(edit("one\r\ntwo\r\n", "@@\n one\n-two\n+TWO\n+x"), "one\r\nTWO\r\nx\r\n");
    assert_eq!(edit("a\r\nb\r\nc\n", "@@\n a\n+x\n b"), "a\r\nx\r\nb\r\nc\n", "the frequent end");
    assert_eq!(edit("a\nb\nc\r\n", "@@\n-c\n+x"), "a\nb\nx\n");
}

#[test]
fn a_missing_new_line_at_the_end_stays_missing() {
    assert_eq!(edit("a\nb", "@@\n-a\n+x"), "x\nb");
    assert_eq!(edit("a\nb", "@@\n-b\n+x"), "a\nx");
    assert_eq!(edit("a\nb", "@@\n b\n+x"), "a\nb\nx");
    assert_eq!(edit("a\nb", "@@\n-b"), "a");
    assert_eq!(edit("a\r\nb", "@@\n b\n+x"), "a\r\nb\r\nx");
}

#[test]
fn a_byte_order_mark_stays_at_the_start() {
    assert_eq!(edit("\u{feff}a\nb\n", "@@\n-a\n+x"), "\u{feff}x\nb\n");
}

#[test]
fn bytes_that_are_no_text_are_kept() {
    let original = b"\xff\xfe\x00\na\n\x80b\n";
    let bytes = apply_chunks(original, &chunks("@@\n-a\n+x")).expect("the patch fits");
    assert_eq!(bytes, b"\xff\xfe\x00\nx\n\x80b\n");
}

#[test]
fn an_empty_last_context_line_may_be_missing_in_the_file() {
    assert_eq!(edit("a\nb\n", "@@\n-b\n+x\n"), "a\nx\n");
}

#[test]
fn what_is_not_found_is_named() {
    let lines = apply_chunks(b"one\n", &chunks("@@\n-nope\n+x"));
    assert_eq!(lines, Err(Misfit::Lines(vec!["nope".to_owned()])));
    let context = apply_chunks(b"one\n", &chunks("@@ fn f\n-one\n+x"));
    assert_eq!(context, Err(Misfit::Context("fn f".to_owned())));
    let above = apply_chunks(b"a\nb\n", &chunks("@@\n-b\n@@\n-a"));
    assert_eq!(above, Err(Misfit::Lines(vec!["a".to_owned()])));
}
