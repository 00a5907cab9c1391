use std::fs;
use std::sync::Arc;

use super::super::apply::Content;
use super::super::parse::Patch;
use super::*;

fn file(text: &str) -> FileState {
    FileState::File(Content { bytes: Arc::from(text.as_bytes()), mode: Some(0o644) })
}

fn turn() -> TurnDiff {
    TurnDiff::new("/ws")
}

#[test]
fn the_recorded_turn_gives_the_recorded_diff() {
    let mut turn = turn();
    let path = |name: &str| Path::new("/ws").join(name);
    turn.change(&path("a.txt"), FileState::Missing, file("new line\nsecond\n"));
    turn.change(&path("b.txt"), file("one\ntwo\nthree\n"), file("one\nTWO\nthree\n"));
    turn.change(&path("c.txt"), file("gone\n"), FileState::Missing);
    turn.change(&path("d.txt"), file("x\ny\n"), FileState::Missing);
    turn.change(&path("sub/e.txt"), FileState::Missing, file("X\ny\n"));
    turn.moved(&path("d.txt"), &path("sub/e.txt"));
    turn.change(&path("a.txt"), file("new line\nsecond\n"), file("newer line\nsecond\n"));
    let recorded = "\
diff --git a/a.txt b/a.txt
new file mode 100644
index 0000000000000000000000000000000000000000..c50066ceeb2b5ff50844fc34f03bbb466d0ee496
--- /dev/null
+++ b/a.txt
@@ -0,0 +1,2 @@
+newer line
+second
diff --git a/b.txt b/b.txt
index 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402..ddc897f039f57aa91e16efa6dfde386c4255206f
--- a/b.txt
+++ b/b.txt
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
diff --git a/c.txt b/c.txt
deleted file mode 100644
index 286c5f5776916d7d7d5849988ca9d83e722cf9c2..0000000000000000000000000000000000000000
--- a/c.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/d.txt b/sub/e.txt
index b77b4eb1d946f923f61785536da9ca5af6909f06..215c42fc8ae61f0cb15b48fa4100e0386f1505fc
--- a/d.txt
+++ b/sub/e.txt
@@ -1,2 +1,2 @@
-x
+X
 y
";
    assert_eq!(turn.render(), recorded);
}

#[test]
fn a_change_that_was_taken_back_is_no_change() {
    let mut turn = turn();
    turn.change(Path::new("/ws/a"), file("1\n"), file("2\n"));
    assert!(!turn.render().is_empty());
    turn.change(Path::new("/ws/a"), file("2\n"), file("1\n"));
    turn.change(Path::new("/ws/n"), FileState::Missing, file("x"));
    turn.change(Path::new("/ws/n"), file("x"), FileState::Missing);
    assert_eq!(turn.render(), "");
}

#[test]
fn a_file_is_followed_over_several_moves() {
    let mut turn = turn();
    let (a, b, c) = (Path::new("/ws/a"), Path::new("/ws/b"), Path::new("/ws/c"));
    turn.change(a, file("1\n"), FileState::Missing);
    turn.change(b, FileState::Missing, file("1\n"));
    turn.moved(a, b);
    turn.change(b, file("1\n"), FileState::Missing);
    turn.change(c, FileState::Missing, file("1\n"));
    turn.moved(b, c);
    let renamed = "diff --git a/a b/c\nsimilarity index 100%\nrename from a\nrename to c\n";
    assert_eq!(turn.render(), renamed);
    turn.change(c, file("1\n"), FileState::Missing);
    turn.change(a, FileState::Missing, file("1\n"));
    turn.moved(c, a);
    assert_eq!(turn.render(), "", "back where it was");
}

#[test]
fn a_name_that_is_used_again_is_no_move() {
    let mut turn = turn();
    let (a, b) = (Path::new("/ws/a"), Path::new("/ws/b"));
    turn.change(a, file("1\n"), FileState::Missing);
    turn.change(b, file("old\n"), file("1\n"));
    turn.moved(a, b);
    let diff = turn.render();
    assert!(diff.contains("deleted file mode") && diff.contains("-old\n+1\n"), "{diff}");
}

#[test]
fn files_outside_the_root_show_their_whole_path() {
    let mut turn = turn();
    turn.change(Path::new("/else/o"), FileState::Missing, file("x\n"));
    assert!(turn.render().starts_with("diff --git a//else/o b//else/o\n"));
}

#[test]
fn modes_links_and_bytes_are_shown_as_git_does() {
    let mut turn = turn();
    let run = FileState::File(Content { bytes: Arc::from(&b"x\n"[..]), mode: Some(0o755) });
    turn.change(Path::new("/ws/m"), file("x\n"), run);
    let bytes = FileState::File(Content { bytes: Arc::from(&b"\xff\x00"[..]), mode: None });
    turn.change(Path::new("/ws/n"), FileState::Missing, bytes);
    turn.change(Path::new("/ws/o"), FileState::Link("t".into()), FileState::Missing);
    turn.change(Path::new("/ws/p"), file("a"), file("b"));
    turn.change(Path::new("/ws/q"), FileState::Missing, file(""));
    let diff = turn.render();
    for part in [
        "diff --git a/m b/m\nold mode 100644\nnew mode 100755\n",
        "Binary files /dev/null and b/n differ\n",
        "deleted file mode 120000\n",
        "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n",
        "b/q\nnew file mode 100644\nindex 0000000000000000000000000000000000000000..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\n",
    ] {
        assert!(diff.contains(part), "{part:?} in {diff}");
    }
}

#[test]
fn patches_are_followed_over_a_turn() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let root = dir.path().canonicalize().expect("the folder is there");
    fs::write(root.join("d.txt"), "x\ny\n").expect("files are made");
    let mut turn = TurnDiff::new(&root);
    for body in [
        "*** Add File: a.txt\n+1",
        "*** Update File: d.txt\n*** Move to: sub/e.txt\n@@\n-x\n+X",
        "*** Update File: a.txt\n@@\n-1\n+2",
        "*** Update File: sub/e.txt\n@@\n-y\n+Y",
    ] {
        let text = format!("*** Begin Patch\n{body}\n*** End Patch\n");
        let patch = Patch::parse(&text).expect("the patch is well formed");
        let plan = Plan::check(&patch, &root).expect("the patch fits");
        plan.write().expect("it is written");
        turn.record(&plan);
    }
    let diff = turn.render();
    let lines: Vec<&str> = diff.lines().filter(|line| !line.starts_with("index ")).collect();
    assert_eq!(
        lines,
        [
            "diff --git a/a.txt b/a.txt",
            "new file mode 100644",
            "--- /dev/null",
            "+++ b/a.txt",
            "@@ -0,0 +1 @@",
            "+2",
            "diff --git a/d.txt b/sub/e.txt",
            "--- a/d.txt",
            "+++ b/sub/e.txt",
            "@@ -1,2 +1,2 @@",
            "-x",
            "-y",
            "+X",
            "+Y",
        ]
    );
}

#[test]
fn a_move_alone_and_a_move_with_a_change_of_mode_are_shown() {
    let mut turn = turn();
    let (a, b) = (Path::new("/ws/a"), Path::new("/ws/b"));
    let run = FileState::File(Content { bytes: Arc::from(&b"1\n"[..]), mode: Some(0o755) });
    turn.change(a, file("1\n"), FileState::Missing);
    turn.change(b, FileState::Missing, run);
    turn.moved(a, b);
    assert_eq!(
        turn.render(),
        "diff --git a/a b/b\nold mode 100644\nnew mode 100755\nsimilarity index 100%\n\
         rename from a\nrename to b\n"
    );
}
