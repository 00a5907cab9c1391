use super::super::parse::Patch;
use super::*;

const PATCH: &str = "*** Begin Patch\n*** Add File: a.txt\n+new\n+two\n*** Update File: b\n\
                     *** Move to: c\n@@ f\n-x\n+y\n*** Delete File: d\n*** End Patch\n";

#[test]
fn a_patch_grows_line_by_line() {
    let mut stream = PatchStream::new();
    let mut shown = Vec::new();
    let text = "*** Begin Patch\n*** Add File: a.txt\n+new\n+two\n*** End Patch\n";
    for piece in text.as_bytes().chunks(24) {
        let piece = std::str::from_utf8(piece).expect("the patch is ASCII");
        if stream.push(piece) {
            shown.push(stream.changes());
        }
    }
    let whole = ("a.txt".to_owned(), FileUpdate::Add { content: "new\ntwo\n".to_owned() });
    assert_eq!(shown, [[whole.clone()], [whole]], "as recorded for pieces of 24 bytes");
}

#[test]
fn wherever_it_is_cut_the_end_is_the_same() {
    let mut whole = PatchStream::new();
    assert!(whole.push(PATCH));
    for cut in 0..PATCH.len() {
        let mut stream = PatchStream::new();
        stream.push(&PATCH[..cut]);
        stream.push(&PATCH[cut..]);
        assert_eq!(stream.changes(), whole.changes(), "cut at {cut}");
    }
    assert_eq!(whole.changes().len(), Patch::parse(PATCH).expect("it is well formed").ops.len());
}

#[test]
fn half_a_line_is_not_shown() {
    let mut stream = PatchStream::new();
    assert!(!stream.push("*** Begin Patch\n"));
    assert!(!stream.push("*** Add File: a"));
    assert!(stream.push("\n"));
    assert!(!stream.push("+x"));
    assert_eq!(stream.changes(), [("a".to_owned(), FileUpdate::Add { content: String::new() })]);
}

#[test]
fn an_update_shows_its_chunks_and_where_it_goes() {
    let mut stream = PatchStream::new();
    stream.push(PATCH);
    let update = FileUpdate::Update {
        unified_diff: "@@ f\n-x\n+y\n".to_owned(),
        move_path: Some("c".into()),
    };
    assert_eq!(stream.changes().get(1), Some(&("b".to_owned(), update)));
}

#[test]
fn text_that_is_no_patch_shows_nothing_more() {
    let mut stream = PatchStream::new();
    assert!(!stream.push("hello\nworld\n"));
    let mut broken = PatchStream::new();
    assert!(broken.push("*** Begin Patch\n*** Delete File: a\n"));
    assert!(!broken.push("nonsense\n*** Delete File: b\n"));
    assert_eq!(broken.changes().len(), 1);
}
