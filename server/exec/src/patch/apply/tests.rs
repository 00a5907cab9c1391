use super::*;

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders are made");
            fs::write(path, text).expect("files are made");
        }
        Self { dir }
    }

    /// The folder without links, as paths are shown.
    fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().expect("the folder is there")
    }

    fn check(&self, body: &str) -> Result<Plan, String> {
        let text = format!("*** Begin Patch\n{body}\n*** End Patch\n");
        let patch = Patch::parse(&text).map_err(|error| error.to_string())?;
        let plan = Plan::check(&patch, &self.root());
        plan.map_err(|e| e.for_model().replace(&*self.root().to_string_lossy(), "$WS"))
    }

    fn error(&self, body: &str) -> String {
        self.check(body).expect_err("the patch does not fit")
    }

    fn targets(&self, body: &str) -> Vec<String> {
        let plan = self.check(body).expect("the patch fits");
        let root = self.root();
        let name = |path: &Path| path.strip_prefix(&root).unwrap_or(path).display().to_string();
        plan.targets().map(name).collect()
    }
}

#[test]
fn recorded_failures_have_the_recorded_words() {
    let place = Place::new(&[("b.txt", "one\n")]);
    assert_eq!(
        place.error("*** Update File: b.txt\n@@\n-nope\n+x"),
        "apply_patch verification failed: Failed to find expected lines in $WS/b.txt:\nnope"
    );
    assert_eq!(
        place.error("*** Update File: missing.txt\n@@\n-a\n+b"),
        "apply_patch verification failed: Failed to read file to update $WS/missing.txt: \
         No such file or directory (os error 2)"
    );
    let no_patch: VerifyError = Patch::parse("not a patch").expect_err("it is none").into();
    assert_eq!(
        no_patch.for_model(),
        "apply_patch verification failed: invalid patch: \
         The first line of the patch must be '*** Begin Patch'"
    );
}

#[test]
fn what_cannot_be_patched_is_said() {
    let place = Place::new(&[("dir/x", "")]);
    assert!(place.error("*** Delete File: gone").contains("Failed to delete file $WS/gone"));
    assert!(place.error("*** Delete File: dir").contains("directory"));
    assert!(place.error("*** Update File: dir\n@@\n-a").contains("directory"));
    assert!(place.error("*** Add File: dir\n+a").contains("directory"));
    assert!(place.error("*** Add File: dir/x/y\n+a").contains("Not a directory"));
    assert!(place.error("*** Update File: dir/x\n@@ f\n-a").contains("context 'f'"));
    std::os::unix::fs::symlink("loop", place.root().join("loop")).expect("a link is made");
    assert!(place.error("*** Update File: loop\n@@\n-a").contains("$WS/loop"));
}

#[test]
fn nothing_is_read_or_written_outside_the_named_files() {
    let place = Place::new(&[("a", "1\n"), ("b", "2\n")]);
    let body = "*** Update File: a\n@@\n-1\n+x\n*** Add File: new/deep/c\n+c\n*** Delete File: b";
    assert_eq!(place.targets(body), ["a", "new/deep/c", "b"]);
    assert!(!place.root().join("new").exists(), "checking makes no folder");
}

#[test]
fn targets_are_where_links_lead() {
    let place = Place::new(&[("real/f", "1\n")]);
    std::os::unix::fs::symlink("real/f", place.root().join("link")).expect("a link is made");
    std::os::unix::fs::symlink("real", place.root().join("folder")).expect("a link is made");
    std::os::unix::fs::symlink("real/fresh", place.root().join("dangling")).expect("a link");
    assert_eq!(place.targets("*** Update File: link\n@@\n-1\n+x"), ["real/f"]);
    assert_eq!(place.targets("*** Update File: folder/f\n@@\n-1\n+x"), ["real/f"]);
    assert_eq!(place.targets("*** Add File: folder/g/h\n+x"), ["real/g/h"]);
    assert_eq!(place.targets("*** Add File: dangling\n+x"), ["real/fresh"]);
    assert_eq!(place.targets("*** Delete File: link"), ["link"], "the link goes, not its target");
    let twice = "*** Update File: link\n@@\n-1\n+2\n*** Update File: real/f\n@@\n-2\n+3";
    assert_eq!(place.targets(twice), ["real/f"], "one file under two names");
}

#[test]
fn a_path_may_leave_the_folder_and_shows_where_it_goes() {
    let place = Place::new(&[("ws/a", "")]);
    let patch = Patch::parse("*** Begin Patch\n*** Add File: ../out\n+x\n*** End Patch");
    let patch = patch.expect("the patch is well formed");
    let plan = Plan::check(&patch, &place.root().join("ws")).expect("the patch fits");
    assert_eq!(plan.targets().collect::<Vec<_>>(), [place.root().join("out")]);
}

#[test]
fn later_entries_see_what_earlier_ones_did() {
    let place = Place::new(&[("a", "1\n")]);
    let body = "*** Update File: a\n*** Move to: b\n@@\n-1\n+2\n*** Update File: b\n@@\n-2\n+3";
    assert_eq!(place.targets(body), ["a", "b"]);
    let gone = place.error("*** Delete File: a\n*** Update File: a\n@@\n-1\n+2");
    assert!(gone.contains("No such file"), "{gone}");
    let same = "*** Update File: a\n@@\n-1\n+1";
    assert!(place.targets(same).is_empty(), "no change is no target");
}

#[test]
fn special_files_are_refused() {
    let place = Place::new(&[]);
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    let fifo = place.root().join("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, mode, 0)
        .expect("a pipe is made");
    assert!(place.error("*** Update File: fifo\n@@\n-a").contains("not a regular file"));
}
