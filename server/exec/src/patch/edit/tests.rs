use proptest::prelude::*;

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

/// Lines of a file and what becomes of each: kept, removed, or kept with one more behind it.
fn edits() -> impl Strategy<Value = Vec<(String, u8)>> {
    prop::collection::vec(("[a-c]{0,2}", 0..3_u8), 1..12)
}

proptest! {
    #[test]
    fn a_patch_that_names_every_line_gives_exactly_the_new_file(
        edits in edits(),
        crlf in any::<bool>(),
        ended in any::<bool>(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let mut chunk = Chunk::default();
        let mut new: Vec<String> = Vec::new();
        for (text, kind) in &edits {
            if *kind == 1 {
                chunk.lines.push(Line::Remove(text.clone()));
                continue;
            }
            chunk.lines.push(Line::Keep(text.clone()));
            new.push(text.clone());
            if *kind == 2 {
                chunk.lines.push(Line::Insert("new".to_owned()));
                new.push("new".to_owned());
            }
        }
        let old: Vec<&str> = edits.iter().map(|(text, _)| text.as_str()).collect();
        let file = |lines: &[String]| {
            let all = lines.join(end);
            if ended && !lines.is_empty() { all + end } else { all }
        };
        let before = file(&old.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>());
        // Without a last line end, an empty last line is no line, and one line tells no line end.
        prop_assume!(ended || (old.last().is_some_and(|line| !line.is_empty()) && old.len() > 1));
        let after = apply_chunks(before.as_bytes(), &[chunk]);
        let after = after.map(|bytes| String::from_utf8(bytes).expect("text stays text"));
        prop_assert_eq!(after, Ok(file(&new)));
    }

    #[test]
    fn what_no_chunk_touches_keeps_every_byte(
        head in prop::collection::vec(any::<u8>(), 0..40),
        tail in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mark = b"\nthe one line\n";
        prop_assume!(![&head[..], &tail[..]].iter().any(|part| part.windows(12).any(|w| w == &mark[1..13])));
        let original = [&head[..], mark, &tail[..]].concat();
        let after = apply_chunks(&original, &chunks("@@\n-the one line\n+THE ONE LINE"));
        let after = after.expect("the line is there");
        let crlf = after.windows(14).any(|w| w == b"\nTHE ONE LINE\r");
        let new: &[u8] = if crlf { b"\nTHE ONE LINE\r\n" } else { b"\nTHE ONE LINE\n" };
        prop_assert_eq!(after, [&head[..], new, &tail[..]].concat());
    }
}
