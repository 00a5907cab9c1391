use std::os::unix::fs::{MetadataExt, PermissionsExt};

use super::*;

fn folder() -> (tempfile::TempDir, PathBuf, Folder) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let root = dir.path().canonicalize().expect("the folder is there");
    let folder = Folder::open(&root).expect("it has no links");
    (dir, root, folder)
}

fn names(root: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(root).expect("the folder is there");
    let name = |entry: io::Result<std::fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
    entries.filter_map(name).collect()
}

#[test]
fn missing_folders_are_made_and_named_outermost_first() {
    let (_dir, root, _) = folder();
    let (made_in, made) = Folder::create(&root.join("a/b/c")).expect("they are made");
    assert_eq!(made, [root.join("a"), root.join("a/b"), root.join("a/b/c")]);
    let staged = made_in.stage(b"x", None, OsStr::new("f")).expect("it is written");
    assert_eq!(std::fs::read(root.join("a/b/c").join(staged)).expect("it is there"), b"x");
    let (_, again) = Folder::create(&root.join("a/b")).expect("it is there");
    assert!(again.is_empty());
}

#[test]
fn links_on_the_way_are_refused() {
    let (_dir, root, _) = folder();
    std::fs::create_dir(root.join("real")).expect("it is made");
    std::os::unix::fs::symlink("real", root.join("link")).expect("it is made");
    assert!(Folder::open(&root.join("link")).is_err());
    assert!(Folder::create(&root.join("link/sub")).is_err());
    assert!(Folder::open(&root.join("real")).is_ok());
}

#[test]
fn a_file_in_the_way_of_a_folder_is_an_error() {
    let (_dir, root, _) = folder();
    std::fs::write(root.join("f"), "").expect("it is made");
    assert!(Folder::create(&root.join("f/sub")).is_err());
    assert!(Folder::open(&root.join("gone")).is_err());
}

#[test]
fn staged_files_have_the_mode_they_shall_have() {
    let (_dir, root, folder) = folder();
    let name = OsStr::new("f");
    let staged = folder.stage(b"x", Some(0o640), name).expect("it is written");
    let mode = |name: &OsStr| root.join(name).metadata().expect("it is there").permissions().mode();
    assert_eq!(mode(&staged) & 0o7777, 0o640);
    folder.rename(&staged, name).expect("it is renamed");
    assert_eq!(names(&root), ["f"]);
}

#[test]
fn a_kept_name_is_the_same_file() {
    let (_dir, root, folder) = folder();
    std::fs::write(root.join("f"), "old").expect("it is made");
    let kept = folder.keep(OsStr::new("f")).expect("it is linked");
    let inode = |name: &OsStr| root.join(name).metadata().expect("it is there").ino();
    assert_eq!(inode(&kept), inode(OsStr::new("f")));
    folder.remove(OsStr::new("f")).expect("it is removed");
    assert_eq!(std::fs::read(root.join(&kept)).expect("it is there"), b"old");
    assert!(folder.stat(OsStr::new("f")).expect("the folder is readable").is_none());
}

#[test]
fn a_staged_link_keeps_its_target_as_it_is() {
    let (_dir, root, folder) = folder();
    let staged = folder.stage_link(Path::new("../some where")).expect("it is made");
    assert_eq!(
        std::fs::read_link(root.join(staged)).expect("it is a link"),
        Path::new("../some where")
    );
}
