use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> Patch {
    Patch::parse(text).expect("the patch is well formed")
}

fn error(text: &str) -> String {
    Patch::parse(text).expect_err("the patch is not well formed").to_string()
}

#[test]
fn every_kind_of_change_is_read() {
    let patch = parse(
        "*** Begin Patch\n*** Add File: a.txt\n+new line\n+\n*** Update File: b.txt\n\
         *** Move to: sub/e.txt\n@@ fn x()\n one\n-two\n+TWO\n\n*** End of File\n\
         *** Delete File: c.txt\n*** End Patch\n",
    );
    let chunk = Chunk {
        context: vec!["fn x()".to_owned()],
        lines: vec![
            Line::Keep("one".to_owned()),
            Line::Remove("two".to_owned()),
            Line::Insert("TWO".to_owned()),
            Line::Keep(String::new()),
        ],
        at_end: true,
    };
    let ops = [
        FileOp::Add { path: "a.txt".to_owned(), lines: vec!["new line".to_owned(), String::new()] },
        FileOp::Update {
            path: "b.txt".to_owned(),
            move_to: Some("sub/e.txt".to_owned()),
            chunks: vec![chunk],
        },
        FileOp::Delete { path: "c.txt".to_owned() },
    ];
    assert_eq!(patch.ops, ops);
}

#[test]
fn recorded_errors_have_the_recorded_words() {
    let begin = "invalid patch: The first line of the patch must be '*** Begin Patch'";
    assert_eq!(error("not a patch"), begin);
    assert_eq!(error(""), begin);
}

#[test]
fn errors_name_line_and_text() {
    assert_eq!(
        error("*** Begin Patch\n*** Add File: a\n+x"),
        "invalid patch: The last line of the patch must be '*** End Patch'"
    );
    assert!(error("*** Begin Patch\n*** End Patch").contains("changes no file"));
    let header = error("*** Begin Patch\n*** Rename File: a\n*** End Patch");
    assert!(header.contains("line 2") && header.contains("'*** Rename File: a'"), "{header}");
    let sign = error("*** Begin Patch\n*** Update File: a\n@@\nplain\n*** End Patch");
    assert!(sign.contains("line 4") && sign.contains("'plain'"), "{sign}");
    let empty = error("*** Begin Patch\n*** Update File: a\n*** End Patch");
    assert!(empty.contains("line 2") && empty.contains("'a'"), "{empty}");
    let path = error("*** Begin Patch\n*** Add File: \n*** End Patch");
    assert!(path.contains("path is missing"), "{path}");
    assert!(
        error("*** Begin Patch\n*** Delete File: a\n*** End Patch\nmore").contains("End Patch")
    );
}

#[test]
fn what_models_get_wrong_is_forgiven() {
    let plain = parse("*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch");
    for text in [
        "\n\n*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch  \n\n",
        "<<'EOF'\n*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch\nEOF\n",
        "*** Begin Patch\r\n*** Update File: a\r\n@@\r\n-x\r\n+y\r\n*** End Patch\r\n",
        "*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch",
        "*** Begin Patch\n\n  *** Update File: a\n@@ -1,2 +1,2 @@\n-x\n+y\n*** End Patch",
        "*** Begin Patch\n*** Update File: a\n@@\n@@\n-x\n+y\n@@\n*** End Patch",
    ] {
        assert_eq!(parse(text), plain, "{text:?}");
    }
}

#[test]
fn several_context_lines_narrow_one_place() {
    let patch = parse(
        "*** Begin Patch\n*** Update File: a\n@@ class A\n@@ def f\n-x\n@@ def g\n+y\n*** End Patch",
    );
    let [FileOp::Update { chunks, .. }] = patch.ops.as_slice() else { panic!("one update") };
    let contexts: Vec<_> = chunks.iter().map(|chunk| chunk.context.join("|")).collect();
    assert_eq!(contexts, ["class A|def f", "def g"]);
}

#[test]
fn lines_that_look_like_headers_stay_lines_behind_their_sign() {
    let text = "*** Begin Patch\n*** Add File: a\n+*** End Patch\n*** Update File: b\n@@\n \
                *** Begin Patch\n-@@\n+*** End of File\n*** End Patch\n";
    assert_eq!(parse(text).to_string(), text);
}

#[test]
fn a_move_alone_is_enough() {
    let patch = parse("*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch");
    assert!(matches!(&patch.ops[..], [FileOp::Update { move_to: Some(to), chunks, .. }]
        if to == "b" && chunks.is_empty()));
}

fn path() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9/._ -]{0,12}[a-z]"
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,12}",
        "[^\r\n]{0,6}",
        Just("*** End Patch".to_owned()),
        Just("@@".to_owned())
    ]
}

fn chunk() -> impl Strategy<Value = Chunk> {
    let line = (0..3, text()).prop_map(|(kind, text)| match kind {
        0 => Line::Keep(text),
        1 => Line::Remove(text),
        _ => Line::Insert(text),
    });
    let context = prop::collection::vec("[a-z(){} ]{0,8}[a-z]", 0..3);
    (context, prop::collection::vec(line, 1..5), any::<bool>())
        .prop_map(|(context, lines, at_end)| Chunk { context, lines, at_end })
}

fn op() -> impl Strategy<Value = FileOp> {
    prop_oneof![
        (path(), prop::collection::vec(text(), 0..4))
            .prop_map(|(path, lines)| FileOp::Add { path, lines }),
        path().prop_map(|path| FileOp::Delete { path }),
        (path(), prop::option::of(path()), prop::collection::vec(chunk(), 1..4))
            .prop_map(|(path, move_to, chunks)| FileOp::Update { path, move_to, chunks }),
    ]
}

proptest! {
    #[test]
    fn a_printed_patch_reads_back_the_same(ops in prop::collection::vec(op(), 1..5)) {
        let patch = Patch { ops };
        prop_assert_eq!(Patch::parse(&patch.to_string()), Ok(patch));
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>()) {
        let _ = Patch::parse(&text);
    }

    #[test]
    fn any_mix_of_patch_lines_is_read_without_a_panic(
        lines in prop::collection::vec(
            prop::sample::select(vec![
                "*** Begin Patch", "*** End Patch", "*** Add File: a", "*** Update File: b",
                "*** Delete File: c", "*** Move to: d", "*** End of File", "@@", "@@ x", "+a", "-b",
                " c", "", "é", "<<EOF", "EOF", "***", "+", "@@ -1 +1 @@",
            ]),
            0..12,
        ),
    ) {
        if let Ok(patch) = Patch::parse(&lines.join("\n")) {
            prop_assert_eq!(Patch::parse(&patch.to_string()), Ok(patch));
        }
    }
}
