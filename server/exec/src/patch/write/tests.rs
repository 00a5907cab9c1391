use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use proptest::prelude::*;

use super::super::parse::Patch;
use super::*;
use crate::generated::{Source, files, patch};

type Tree = BTreeMap<PathBuf, (Vec<u8>, u32)>;

/// Every file below `root` with its bytes and mode; links with their target.
fn tree(root: &Path) -> Tree {
    let mut found = Tree::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("entries are readable").path();
            let meta = path.symlink_metadata().expect("it is there");
            if meta.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = if meta.is_symlink() {
                let target = fs::read_link(&path).expect("it is a link");
                target.into_os_string().into_encoded_bytes()
            } else {
                fs::read(&path).expect("it is a file")
            };
            found.insert(path, (bytes, meta.permissions().mode()));
        }
    }
    found
}

fn plan(root: &Path, body: &str) -> Plan {
    let text = format!("*** Begin Patch\n{body}\n*** End Patch\n");
    let patch = Patch::parse(&text).expect("the test's patch is well formed");
    Plan::check(&patch, root).expect("the test's patch fits")
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let root = dir.path().canonicalize().expect("the folder is there");
    (dir, root)
}

const ALL_KINDS: &str = "*** Add File: new/deep/a.txt\n+new\n*** Update File: b.txt\n@@\n-two\n+TWO\n\
                         *** Delete File: c.txt\n*** Update File: d.txt\n*** Move to: sub/e.txt\n@@\n-x\n+X";

fn all_kinds(root: &Path) {
    for (name, text) in [("b.txt", "one\ntwo\n"), ("c.txt", "gone\n"), ("d.txt", "x\ny\n")] {
        fs::write(root.join(name), text).expect("files are made");
    }
}

#[test]
fn every_kind_of_change_is_written_and_nothing_is_left_behind() {
    let (_dir, root) = folder();
    all_kinds(&root);
    plan(&root, ALL_KINDS).write().expect("it is written");
    let names: Vec<_> =
        tree(&root).into_keys().map(|p| p.strip_prefix(&root).unwrap().to_owned()).collect();
    let wanted = ["b.txt", "new/deep/a.txt", "sub/e.txt"].map(PathBuf::from);
    assert_eq!(names, wanted);
    assert_eq!(fs::read_to_string(root.join("b.txt")).unwrap(), "one\nTWO\n");
    assert_eq!(fs::read_to_string(root.join("sub/e.txt")).unwrap(), "X\ny\n");
}

#[test]
fn reverting_gives_back_files_modes_and_folders() {
    let (_dir, root) = folder();
    all_kinds(&root);
    fs::set_permissions(root.join("c.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    let before = tree(&root);
    let applied = plan(&root, ALL_KINDS).write().expect("it is written");
    assert_ne!(tree(&root), before);
    applied.revert().expect("it is taken back");
    assert_eq!(tree(&root), before);
    assert!(!root.join("new").exists() && !root.join("sub").exists());
}

#[test]
fn a_revert_refuses_what_changed_since() {
    let (_dir, root) = folder();
    all_kinds(&root);
    let applied = plan(&root, ALL_KINDS).write().expect("it is written");
    fs::write(root.join("b.txt"), "mine").unwrap();
    let after = tree(&root);
    assert!(
        matches!(applied.revert(), Err(ApplyError::Changed { path }) if path.ends_with("b.txt"))
    );
    assert_eq!(tree(&root), after, "nothing was touched");
}

#[test]
fn mode_bits_are_kept_and_follow_a_move() {
    let (_dir, root) = folder();
    fs::write(root.join("run.sh"), "a\n").unwrap();
    fs::set_permissions(root.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    plan(&root, "*** Update File: run.sh\n@@\n-a\n+b").write().expect("it is written");
    let mode = |name: &str| root.join(name).metadata().unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode("run.sh"), 0o755);
    plan(&root, "*** Update File: run.sh\n*** Move to: go.sh").write().expect("it is written");
    assert_eq!(mode("go.sh"), 0o755);
    plan(&root, "*** Add File: go.sh\n+c").write().expect("it is written");
    assert_eq!(mode("go.sh"), 0o755, "an overwritten file keeps its mode");
}

#[test]
fn links_are_written_through() {
    let (_dir, root) = folder();
    fs::create_dir(root.join("real")).unwrap();
    fs::write(root.join("real/f"), "a\n").unwrap();
    std::os::unix::fs::symlink("real/f", root.join("link")).unwrap();
    plan(&root, "*** Update File: link\n@@\n-a\n+b").write().expect("it is written");
    assert_eq!(fs::read_link(root.join("link")).unwrap(), Path::new("real/f"));
    assert_eq!(fs::read_to_string(root.join("real/f")).unwrap(), "b\n");
    let applied = plan(&root, "*** Delete File: link").write().expect("it is written");
    assert!(root.join("real/f").exists() && root.join("link").symlink_metadata().is_err());
    applied.revert().expect("the link comes back");
    assert_eq!(fs::read_link(root.join("link")).unwrap(), Path::new("real/f"));
}

#[test]
fn a_moved_link_leaves_its_target_alone() {
    let (_dir, root) = folder();
    fs::write(root.join("f"), "a\n").unwrap();
    std::os::unix::fs::symlink("f", root.join("link")).unwrap();
    plan(&root, "*** Update File: link\n*** Move to: copy\n@@\n-a\n+b").write().expect("written");
    assert_eq!(fs::read_to_string(root.join("f")).unwrap(), "a\n");
    assert_eq!(fs::read_to_string(root.join("copy")).unwrap(), "b\n");
    assert!(root.join("link").symlink_metadata().is_err());
}

#[test]
fn a_file_that_changed_after_the_check_stops_everything() {
    let (_dir, root) = folder();
    all_kinds(&root);
    let plan = plan(&root, ALL_KINDS);
    fs::write(root.join("c.txt"), "edited meanwhile").unwrap();
    let before = tree(&root);
    assert!(matches!(plan.write(), Err(ApplyError::Changed { path }) if path.ends_with("c.txt")));
    assert_eq!(tree(&root), before);
    assert!(!root.join("new").exists());
}

#[test]
fn one_file_that_cannot_be_written_leaves_all_as_they_were() {
    let (_dir, root) = folder();
    all_kinds(&root);
    fs::create_dir(root.join("blocked")).unwrap();
    fs::write(root.join("blocked/x"), "a\n").unwrap();
    // The last step fails: a folder has come to stand where the file should go, which the check
    // of the first moment cannot see. `put` is driven by hand for that.
    let plan = plan(
        &root,
        "*** Update File: b.txt\n@@\n-two\n+2\n*** Delete File: c.txt\n*** Add File: z\n+z",
    );
    let before = tree(&root);
    let (mut steps, mut made) = (Vec::new(), Vec::new());
    stage_all(&plan.files, &mut steps, &mut made).expect("staging works");
    fs::create_dir(root.join("z")).unwrap();
    let (last, first) = steps.split_last_mut().expect("three steps");
    for step in first.iter_mut() {
        step.put(false).expect("the first two go well");
    }
    let error = last.put(false).expect_err("a folder is in the way");
    let error = undo(&mut steps, &root.join("z"), error);
    assert!(matches!(error, ApplyError::Write { .. }), "{error}");
    steps.iter().for_each(Step::clean);
    fs::remove_dir(root.join("z")).unwrap();
    assert_eq!(tree(&root), before);
}

#[test]
fn a_link_put_in_place_of_a_folder_is_not_followed() {
    let (_dir, root) = folder();
    fs::create_dir_all(root.join("ws/sub")).unwrap();
    fs::create_dir(root.join("outside")).unwrap();
    let plan = plan(&root, "*** Add File: ws/sub/f\n+x");
    fs::remove_dir(root.join("ws/sub")).unwrap();
    std::os::unix::fs::symlink(root.join("outside"), root.join("ws/sub")).unwrap();
    assert!(plan.write().is_err());
    assert_eq!(fs::read_dir(root.join("outside")).unwrap().count(), 0);
}

#[test]
fn a_file_with_a_second_name_leaves_the_other_name_alone() {
    let (_dir, root) = folder();
    fs::write(root.join("a"), "1\n").unwrap();
    fs::hard_link(root.join("a"), root.join("b")).unwrap();
    plan(&root, "*** Update File: a\n@@\n-1\n+2").write().expect("it is written");
    assert_eq!(fs::read_to_string(root.join("b")).unwrap(), "1\n");
}

/// Contents with every line end, with and without a last one, and bytes that are no text.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let line = (prop::sample::select(vec!["a", "b", "", "\t x", "é", "\u{feff}"]), 0..4_u8);
    let lines = prop::collection::vec(line, 0..6);
    (lines, any::<bool>()).prop_map(|(lines, binary)| {
        let ends = ["\n", "\r\n", "\n", "\r\n"];
        let mut bytes: Vec<u8> = if binary { b"\xff\x00\n".to_vec() } else { Vec::new() };
        let last = lines.len().saturating_sub(1);
        for (at, (text, end)) in lines.into_iter().enumerate() {
            bytes.extend_from_slice(text.as_bytes());
            if at < last || end > 1 {
                bytes.extend_from_slice(ends[usize::from(end)].as_bytes());
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn applying_and_reverting_gives_back_every_byte_and_mode(
        files in prop::collection::vec((content(), prop::sample::select(vec![0o644_u32, 0o600, 0o755, 0o444])), 3),
        kinds in prop::collection::vec(0..5_u8, 3),
    ) {
        let (_dir, root) = folder();
        let mut body = Vec::new();
        for (at, ((bytes, mode), kind)) in files.iter().zip(&kinds).enumerate() {
            let name = format!("f{at}");
            fs::write(root.join(&name), bytes).unwrap();
            fs::set_permissions(root.join(&name), fs::Permissions::from_mode(*mode)).unwrap();
            body.push(match kind {
                0 => format!("*** Delete File: {name}"),
                1 => format!("*** Add File: {name}\n+over"),
                2 => format!("*** Update File: {name}\n*** Move to: sub/{name}\n@@\n+end"),
                3 => format!("*** Update File: {name}\n@@\n+end"),
                _ => format!("*** Add File: sub/new{at}\n+x"),
            });
        }
        let before = tree(&root);
        let writable = files.iter().zip(&kinds).all(|((_, mode), kind)| mode & 0o200 != 0 || *kind > 3);
        let text = format!("*** Begin Patch\n{}\n*** End Patch", body.join("\n"));
        let patch = Patch::parse(&text).expect("the patch is well formed");
        // Root may write everything; for others a file without the write bit refuses the patch.
        match Plan::check(&patch, &root) {
            Err(_) => prop_assert!(!writable),
            Ok(plan) => {
                let applied = plan.write().expect("it is written");
                applied.revert().expect("it is taken back");
            }
        }
        prop_assert_eq!(tree(&root), before);
        prop_assert!(!root.join("sub").exists());
    }

    #[test]
    fn whatever_a_patch_did_to_any_files_is_taken_back(
        bytes in prop::collection::vec(any::<u8>(), 0..160),
    ) {
        let (_dir, root) = folder();
        let mut source = Source(&bytes);
        let files = files(&mut source);
        for file in &files {
            let path = root.join(file.path);
            fs::create_dir_all(path.parent().expect("it has one")).unwrap();
            fs::write(&path, &file.bytes).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(file.mode)).unwrap();
        }
        let before = tree(&root);
        let text = patch(&mut source, &files);
        if let Ok(patch) = Patch::parse(&text)
            && let Ok(plan) = Plan::check(&patch, &root)
            && let Ok(applied) = plan.write()
        {
            applied.revert().expect("nobody has changed the files since");
        }
        prop_assert_eq!(tree(&root), before, "{}", text);
    }
}
