use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

use proptest::prelude::*;

use super::super::{Limits, Manifest, Scan};
use super::*;
use crate::patch::{Patch, Plan};

struct Rig {
    dir: tempfile::TempDir,
    root: PathBuf,
    blobs: Blobs,
}

impl Rig {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let top = dir.path().canonicalize().expect("there");
        fs::create_dir(top.join("ws")).expect("made");
        Self { root: top.join("ws"), blobs: Blobs::new(top.join("blobs")), dir }
    }

    fn look(&self, base: Option<&Manifest>) -> Manifest {
        let limits = Limits {
            paths: 1000,
            file_bytes: 10_000,
            bytes: 1_000_000,
            time: Duration::from_mins(1),
        };
        let scan = Scan {
            root: &self.root,
            base,
            same_rules: true,
            blobs: &self.blobs,
            limits,
            leave_out: &[],
            // Everything has just been written.
            now: 0,
        };
        scan.run().expect("the folder can be looked at")
    }

    /// What was done by `work`.
    fn changes(&self, work: impl FnOnce(&Path)) -> Vec<Change> {
        let before = self.look(None);
        work(&self.root);
        before.changes(&self.look(Some(&before)))
    }

    fn tree(&self) -> BTreeMap<PathBuf, State> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("readable").flatten() {
                let state = read(&entry.path()).expect("readable");
                if matches!(state, State::Folder { .. }) {
                    folders.push(entry.path());
                }
                found.insert(entry.path(), state);
            }
        }
        found
    }

    fn fill(&self) {
        fs::create_dir_all(self.root.join("d/e")).expect("made");
        for (path, text) in [("a", "one"), ("d/b", "two"), ("d/e/c", "three")] {
            fs::write(self.root.join(path), text).expect("written");
        }
    }
}

fn whys(error: &RestoreError) -> Vec<Why> {
    match error {
        RestoreError::Conflicts(list) => list.iter().map(|conflict| conflict.why.clone()).collect(),
        other => panic!("{other}"),
    }
}

#[test]
fn a_file_that_somebody_changed_since_stops_all() {
    let rig = Rig::new();
    rig.fill();
    let changes = rig.changes(|root| {
        fs::write(root.join("a"), "1").expect("written");
        fs::write(root.join("new"), "n").expect("written");
        fs::remove_file(root.join("d/b")).expect("removed");
    });
    fs::write(rig.root.join("a"), "mine").expect("written");
    fs::remove_file(rig.root.join("new")).expect("removed");
    fs::write(rig.root.join("d/b"), "mine").expect("written");
    let state = rig.tree();
    let error = restore(&changes, &rig.blobs).expect_err("three files are in the way");
    // What a change made and is gone again is as it was.
    assert_eq!(whys(&error), [Why::Changed, Why::Appeared]);
    assert_eq!(rig.tree(), state);
    let back = changes.into_iter().map(Change::reversed).collect::<Vec<_>>();
    let error = restore(&back, &rig.blobs).expect_err("made again is no other thing");
    assert_eq!(whys(&error), [Why::Changed, Why::Changed]);
}

#[test]
fn nothing_is_written_behind_a_link_that_took_a_folders_place() {
    let rig = Rig::new();
    rig.fill();
    let changes = rig.changes(|root| fs::write(root.join("d/b"), "changed").expect("written"));
    let outside = rig.dir.path().join("outside");
    fs::create_dir(&outside).expect("made");
    fs::write(outside.join("b"), "changed").expect("written");
    fs::rename(rig.root.join("d"), rig.root.join("old")).expect("renamed");
    symlink(&outside, rig.root.join("d")).expect("linked");
    let error = restore(&changes, &rig.blobs).expect_err("the link is not followed");
    assert!(matches!(whys(&error)[..], [Why::Unreachable(_)]), "{error:?}");
    assert_eq!(fs::read_to_string(outside.join("b")).expect("there"), "changed");
}

#[test]
fn a_folder_that_holds_something_of_others_stays() {
    let rig = Rig::new();
    let changes = rig.changes(|root| {
        fs::create_dir(root.join("new")).expect("made");
        fs::write(root.join("new/a"), "").expect("written");
    });
    fs::write(rig.root.join("new/mine"), "").expect("written");
    restore(&changes, &rig.blobs).expect("it can stay");
    let left: Vec<_> = rig.tree().into_keys().collect();
    assert_eq!(left, [rig.root.join("new"), rig.root.join("new/mine")]);
}

#[test]
fn files_and_folders_that_took_each_others_place_change_back() {
    let rig = Rig::new();
    rig.fill();
    let before = rig.tree();
    let changes = rig.changes(|root| {
        fs::remove_dir_all(root.join("d")).expect("removed");
        fs::write(root.join("d"), "a file now").expect("written");
        fs::remove_file(root.join("a")).expect("removed");
        fs::create_dir_all(root.join("a/x")).expect("made");
        fs::write(root.join("a/x/y"), "").expect("written");
    });
    restore(&changes, &rig.blobs).expect("restored");
    assert_eq!(rig.tree(), before);
}

#[test]
fn folders_and_links_that_took_each_others_place_change_back() {
    let rig = Rig::new();
    rig.fill();
    symlink("a", rig.root.join("link")).expect("linked");
    let before = rig.tree();
    let changes = rig.changes(|root| {
        fs::rename(root.join("d"), root.join("old")).expect("renamed");
        symlink("old", root.join("d")).expect("linked");
        fs::remove_file(root.join("link")).expect("removed");
        fs::create_dir(root.join("link")).expect("made");
        fs::write(root.join("link/x"), "").expect("written");
    });
    let after = rig.tree();
    restore(&changes, &rig.blobs).expect("restored");
    assert_eq!(rig.tree(), before);
    let again: Vec<Change> = changes.into_iter().map(Change::reversed).collect();
    restore(&again, &rig.blobs).expect("made again");
    assert_eq!(rig.tree(), after);
}

#[test]
fn what_was_begun_and_cut_off_is_finished_by_the_next_try() {
    let rig = Rig::new();
    rig.fill();
    let before = rig.tree();
    let changes = rig.changes(|root| {
        for path in ["a", "d/b", "d/e/c", "n"] {
            fs::write(root.join(path), "changed").expect("written");
        }
    });
    restore(&changes[..2], &rig.blobs).expect("half of it");
    restore(&changes, &rig.blobs).expect("all of it");
    assert_eq!(rig.tree(), before);
    assert!(look(&changes, &rig.blobs).iter().all(|standing| *standing == Standing::Done));
}

#[test]
fn when_one_file_cannot_be_put_back_none_is() {
    let rig = Rig::new();
    rig.fill();
    let changes = rig.changes(|root| {
        fs::write(root.join("a"), "changed").expect("written");
        fs::write(root.join("0new"), "new").expect("written");
        fs::write(root.join("d/e/c"), "changed").expect("written");
    });
    let state = rig.tree();
    let State::File { content, .. } = changes[2].before else { panic!("{changes:?}") };
    let name = content.to_string();
    let kept = rig.dir.path().join("blobs").join(&name[..2]).join(&name[2..]);
    fs::write(&kept, "damaged").expect("written");
    let error = restore(&changes, &rig.blobs).expect_err("its content is damaged");
    assert!(matches!(error, RestoreError::Write { .. }), "{error}");
    assert_eq!(rig.tree(), state);
    fs::remove_file(&kept).expect("removed");
    assert_eq!(whys(&restore(&changes, &rig.blobs).expect_err("it is gone")), [Why::Gone]);
}

#[test]
fn a_large_file_that_was_made_is_removed_only_while_nobody_wrote_to_it() {
    let rig = Rig::new();
    let large = "x".repeat(20_000);
    let changes = rig.changes(|root| fs::write(root.join("large"), &large).expect("written"));
    assert!(!changes[0].after.is_kept());
    fs::write(rig.root.join("large"), large.replace('x', "y")).expect("written");
    assert_eq!(whys(&restore(&changes, &rig.blobs).expect_err("written to")), [Why::Changed]);
    fs::remove_file(rig.root.join("large")).expect("removed");
    let changes = rig.changes(|root| fs::write(root.join("large"), &large).expect("written"));
    restore(&changes, &rig.blobs).expect("as the change left it");
    assert!(rig.tree().is_empty());
}

/// One thing that a command may do.
#[derive(Debug, Clone)]
enum Deed {
    Write(String, Vec<u8>),
    Remove(String),
    RemoveAll(String),
    Folder(String),
    Mode(String, u32),
    Link(String, String),
    Rename(String, String),
}

impl Deed {
    /// Does it; what is impossible is left.
    fn carry_out(&self, root: &Path) {
        let done = match self {
            Self::Write(path, bytes) => fs::write(root.join(path), bytes),
            Self::Remove(path) => fs::remove_file(root.join(path)),
            Self::RemoveAll(path) => fs::remove_dir_all(root.join(path)),
            Self::Folder(path) => fs::create_dir_all(root.join(path)),
            Self::Mode(path, mode) => {
                let path = root.join(path);
                if path.is_symlink() {
                    return;
                }
                fs::set_permissions(path, fs::Permissions::from_mode(*mode))
            }
            Self::Link(path, target) => symlink(target, root.join(path)),
            Self::Rename(from, to) => fs::rename(root.join(from), root.join(to)),
        };
        drop(done);
    }
}

fn path() -> impl Strategy<Value = String> {
    proptest::collection::vec("[abc]", 1..4).prop_map(|names| names.join("/"))
}

fn deed() -> impl Strategy<Value = Deed> {
    let bytes = proptest::collection::vec(any::<u8>(), 0..40);
    prop_oneof![
        4 => (path(), bytes).prop_map(|(path, bytes)| Deed::Write(path, bytes)),
        2 => path().prop_map(Deed::Remove),
        1 => path().prop_map(Deed::RemoveAll),
        3 => path().prop_map(Deed::Folder),
        2 => (path(), 0o700_u32..0o1000).prop_map(|(path, mode)| Deed::Mode(path, mode)),
        1 => (path(), path()).prop_map(|(path, target)| Deed::Link(path, target)),
        2 => (path(), path()).prop_map(|(from, to)| Deed::Rename(from, to)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn whatever_commands_do_is_undone_and_redone_byte_for_byte(
        start in proptest::collection::vec(deed(), 0..25),
        deeds in proptest::collection::vec(deed(), 0..25),
    ) {
        let rig = Rig::new();
        start.iter().for_each(|deed| deed.carry_out(&rig.root));
        let before = rig.tree();
        let changes = rig.changes(|root| deeds.iter().for_each(|deed| deed.carry_out(root)));
        let after = rig.tree();
        restore(&changes, &rig.blobs).expect("restored");
        prop_assert_eq!(rig.tree(), before);
        let again: Vec<Change> = changes.into_iter().map(Change::reversed).collect();
        restore(&again, &rig.blobs).expect("made again");
        prop_assert_eq!(rig.tree(), after);
    }

    #[test]
    fn a_patch_that_is_undone_leaves_every_byte_and_mode(
        lines in proptest::collection::vec("[a-z]{0,4}", 1..12),
        mode in 0o600_u32..0o1000,
        at in any::<prop::sample::Index>(),
        ending in prop_oneof![Just("\n"), Just("\r\n")],
        whole in any::<bool>(),
    ) {
        let rig = Rig::new();
        let mut text = lines.join(ending);
        if whole { text.push_str(ending); }
        fs::write(rig.root.join("f"), format!("start{ending}{text}")).expect("written");
        fs::write(rig.root.join("gone"), &text).expect("written");
        fs::set_permissions(rig.root.join("f"), fs::Permissions::from_mode(mode)).expect("set");
        let before = rig.tree();
        let added = at.get(&lines);
        let body = format!(
            "*** Update File: f\n*** Move to: sub/g\n@@\n start\n+{added}\n*** Delete File: gone\n\
             *** Add File: new/x\n+{added}"
        );
        let patch = format!("*** Begin Patch\n{body}\n*** End Patch\n");
        let plan = Plan::check(&Patch::parse(&patch).expect("well formed"), &rig.root).expect("fits");
        let changes: Vec<Change> = plan
            .rewrites()
            .map(|(path, before, after)| Change {
                path: path.to_owned(),
                before: State::of_patch(before),
                after: State::of_patch(after),
            })
            .collect();
        for (_, before, after) in plan.rewrites() {
            for state in [before, after] {
                if let crate::patch::FileState::File(content) = state {
                    rig.blobs.keep(&content.bytes).expect("kept");
                }
            }
        }
        plan.write().expect("written");
        restore(&changes, &rig.blobs).expect("restored");
        let files = |tree: BTreeMap<PathBuf, State>| -> Vec<_> {
            tree.into_iter().filter(|(_, state)| !matches!(state, State::Folder { .. })).collect()
        };
        prop_assert_eq!(files(rig.tree()), files(before));
    }
}
