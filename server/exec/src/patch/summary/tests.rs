use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::super::parse::Patch;
use super::*;

const RECORDED: &str = "*** Begin Patch\n*** Add File: a.txt\n+new line\n+second\n*** Update File: b.txt\n\
                        @@\n one\n-two\n+TWO\n three\n*** Delete File: c.txt\n*** Update File: d.txt\n\
                        *** Move to: sub/e.txt\n@@\n-x\n+X\n y\n*** End Patch\n";

fn folder() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let root = dir.path().canonicalize().expect("the folder is there");
    for (name, text) in [("b.txt", "one\ntwo\nthree\n"), ("c.txt", "gone\n"), ("d.txt", "x\ny\n")] {
        fs::write(root.join(name), text).expect("files are made");
    }
    (dir, root)
}

fn plan(root: &Path, text: &str) -> Plan {
    let patch = Patch::parse(text).expect("the test's patch is well formed");
    Plan::check(&patch, root).expect("the test's patch fits")
}

#[test]
fn the_model_is_told_as_recorded() {
    let (_dir, root) = folder();
    assert_eq!(
        summary(&plan(&root, RECORDED)),
        "Success. Updated the following files:\nA a.txt\nM b.txt\nM sub/e.txt\nD c.txt\n"
    );
}

#[test]
fn clients_and_rollouts_get_the_recorded_changes() {
    let (_dir, root) = folder();
    let changes = plan(&root, RECORDED).changes();
    let update = |diff: &str, to: Option<&str>| FileUpdate::Update {
        unified_diff: diff.to_owned(),
        move_path: to.map(|to| root.join(to).display().to_string()),
    };
    let add = FileUpdate::Add { content: "new line\nsecond\n".to_owned() };
    let delete = FileUpdate::Delete { content: "gone\n".to_owned() };
    let moved = update("@@ -1,2 +1,2 @@\n-x\n+X\n y\n", Some("sub/e.txt"));
    let wanted = [
        (root.join("a.txt"), add.clone()),
        (root.join("b.txt"), update("@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n", None)),
        (root.join("c.txt"), delete),
        (root.join("d.txt"), moved),
    ];
    assert_eq!(changes, wanted);
    let json = serde_json::to_value(&add).expect("changes are plain data");
    assert_eq!(json, serde_json::json!({"type":"add","content":"new line\nsecond\n"}));
    let json = serde_json::to_value(update("d", None)).expect("changes are plain data");
    assert_eq!(json, serde_json::json!({"type":"update","unified_diff":"d","move_path":null}));
}

#[test]
fn adding_over_a_file_stays_an_addition() {
    let (_dir, root) = folder();
    let plan = plan(&root, "*** Begin Patch\n*** Add File: b.txt\n+over\n*** End Patch");
    let over = FileUpdate::Add { content: "over\n".to_owned() };
    assert_eq!(plan.changes(), [(root.join("b.txt"), over)]);
    assert_eq!(summary(&plan), "Success. Updated the following files:\nA b.txt\n");
}

#[test]
fn a_file_that_comes_twice_stands_once() {
    let (_dir, root) = folder();
    let twice = plan(
        &root,
        "*** Begin Patch\n*** Update File: b.txt\n@@\n-one\n+1\n*** Update File: b.txt\n@@\n-three\n+3\n\
         *** Add File: n\n+a\n*** Update File: n\n@@\n-a\n+b\n*** End Patch",
    );
    let diff = "@@ -1,3 +1,3 @@\n-one\n+1\n two\n-three\n+3\n".to_owned();
    let update = FileUpdate::Update { unified_diff: diff, move_path: None };
    let add = FileUpdate::Add { content: "b\n".to_owned() };
    assert_eq!(twice.changes(), [(root.join("b.txt"), update), (root.join("n"), add)]);
}

#[test]
fn a_missing_new_line_shows_in_the_hunk() {
    assert_eq!(hunks("a", "b\n"), "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n");
    assert_eq!(hunks("a\n", "a\n"), "");
}

/// Applies hunks as any tool for unified diffs would.
fn apply(before: &str, hunks: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let mut new: Vec<String> = Vec::new();
    let mut at = 0;
    for line in hunks.split_inclusive('\n') {
        if let Some(ranges) = line.strip_prefix("@@ -") {
            let (first, count) = ranges.split_once([' ', ',']).expect("a hunk names its lines");
            let first: usize = first.parse().expect("it is a number");
            let is_empty = ranges.contains(',') && count.starts_with("0 ");
            let start = if is_empty { first } else { first - 1 };
            new.extend(old[at..start].iter().map(|line| (*line).to_owned()));
            at = start;
            continue;
        }
        let text = line.get(1..).unwrap_or_default().to_owned();
        match line.as_bytes().first() {
            Some(b' ') => {
                assert_eq!(text, old[at], "context is the file's own");
                new.push(text);
                at += 1;
            }
            Some(b'-') => at += 1,
            Some(b'+') => new.push(text),
            // The line above has no end: in the old text, the new one, or both.
            Some(b'\\') => {
                if let Some(last) = new.last_mut().filter(|last| last.ends_with('\n')) {
                    last.pop();
                }
            }
            other => panic!("no line of a diff: {other:?}"),
        }
    }
    new.extend(old[at..].iter().map(|line| (*line).to_owned()));
    new.concat()
}

proptest! {
    #[test]
    fn hunks_lead_from_the_old_text_to_the_new_one(
        before in "([a-c]\n){0,20}",
        after in "([a-d]\n){0,20}",
    ) {
        prop_assert_eq!(apply(&before, &hunks(&before, &after)), after);
    }
}
