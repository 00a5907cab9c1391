use std::fs as files;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::super::state::Change;
use super::*;

struct Rig {
    _dir: tempfile::TempDir,
    root: PathBuf,
    blobs: Blobs,
    limits: Limits,
    leave_out: Vec<PathBuf>,
}

/// Long after every file of these tests was made.
const LATER: i64 = i64::MAX;

impl Rig {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let top = dir.path().canonicalize().expect("there");
        files::create_dir(top.join("ws")).expect("made");
        let limits =
            Limits { paths: 100, file_bytes: 1000, bytes: 5000, time: Duration::from_mins(1) };
        let blobs = Blobs::new(top.join("blobs"));
        Self { root: top.join("ws"), blobs, limits, leave_out: Vec::new(), _dir: dir }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        files::create_dir_all(path.parent().expect("it has one")).expect("made");
        files::write(path, text).expect("written");
    }

    fn scan<'a>(&'a self, base: Option<&'a Manifest>) -> Scan<'a> {
        Scan {
            root: &self.root,
            base,
            same_rules: base.is_some(),
            blobs: &self.blobs,
            limits: self.limits,
            leave_out: &self.leave_out,
            now: LATER,
        }
    }

    fn look(&self, base: Option<&Manifest>) -> Manifest {
        self.scan(base).run().expect("the folder can be looked at")
    }

    fn paths(&self) -> Vec<String> {
        let look = self.look(None);
        look.entries.iter().map(|entry| entry.path.display().to_string()).collect()
    }
}

#[test]
fn everything_is_found_but_what_is_left_out() {
    let mut rig = Rig::new();
    for path in [
        "a",
        "d/b",
        ".git/HEAD",
        "node_modules/x",
        "d/target/y",
        "home/undo/z",
        "x.log",
        ".gitignore",
        "d/.gitignore",
        "d/c",
        "d/keep.log",
    ] {
        rig.write(path, path);
    }
    rig.write(".gitignore", "*.log\n");
    rig.write("d/.gitignore", "/c\n!keep.log\n");
    rig.leave_out.push(rig.root.join("home"));
    assert_eq!(rig.paths(), [".gitignore", "a", "d", "d/.gitignore", "d/b", "d/keep.log"]);
}

#[test]
fn the_rules_of_the_repository_around_a_folder_hold_in_it() {
    let rig = Rig::new();
    let top = rig.root.parent().expect("it has one");
    files::create_dir_all(top.join(".git/info")).expect("made");
    files::write(top.join(".git/info/exclude"), "private\n").expect("written");
    files::write(top.join(".gitignore"), "/ws/out\n/out2\n").expect("written");
    ["out", "out2", "private", "x"].iter().for_each(|path| rig.write(path, ""));
    assert_eq!(rig.paths(), ["out2", "x"]);
}

#[test]
fn what_a_look_vouches_for_is_not_read_again() {
    let rig = Rig::new();
    rig.write("a", "one");
    let first = rig.look(None);
    rig.blobs
        .sweep(std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(u64::MAX / 4), |_| false);
    let second = rig.look(Some(&first));
    assert_eq!(second, first);
    assert!(rig.blobs.all().is_empty(), "nothing was read");
    // The same size and, once set back, the same time of writing.
    let path = rig.root.join("a");
    let time = files::metadata(&path).and_then(|meta| meta.modified()).expect("there");
    rig.write("a", "two");
    let file = File::options().write(true).open(&path).expect("there");
    file.set_modified(time).expect("set");
    assert_eq!(first.changes(&rig.look(Some(&first))).len(), 1);
}

#[test]
fn what_has_just_been_written_is_read_again() {
    let rig = Rig::new();
    rig.write("a", "one");
    let mut just_now = rig.scan(None);
    just_now.now = 0;
    let first = just_now.run().expect("looked");
    assert!(!first.entries[0].settled);
    let mut forged = first.clone();
    forged.entries[0].state = State::Missing;
    assert_eq!(rig.look(Some(&forged)).entries[0].state, first.entries[0].state);
}

#[test]
fn rules_that_change_do_not_make_old_files_new() {
    let rig = Rig::new();
    rig.write(".gitignore", "secret\n");
    rig.write("secret", "s");
    rig.write("b", "b");
    let before = rig.look(None);
    rig.write(".gitignore", "b\n");
    rig.write("fresh/.gitignore", "junk\n");
    rig.write("fresh/junk", "");
    let changed = |later: &Manifest| -> Vec<String> {
        let names =
            |change: Change| change.path.strip_prefix(&rig.root).map(|p| p.display().to_string());
        before.changes(later).into_iter().filter_map(|change| names(change).ok()).collect()
    };
    assert_eq!(changed(&rig.look(Some(&before))), [".gitignore", "fresh", "fresh/.gitignore"]);
}

#[test]
fn links_are_not_followed_and_special_files_are_no_content() {
    let rig = Rig::new();
    symlink("/etc", rig.root.join("link")).expect("linked");
    let fifo = rig.root.join("fifo");
    fs::mknodat(fs::CWD, &fifo, FileType::Fifo, Mode::RUSR, 0).expect("made");
    let look = rig.look(None);
    assert_eq!(look.entries.len(), 1);
    assert_eq!(look.entries[0].state, State::Link { target: PathBuf::from("/etc") });
    let through = Scan { root: &rig.root.join("link"), ..rig.scan(None) };
    assert!(matches!(through.run(), Err(ScanError::Root { .. })));
}

#[test]
fn what_is_beyond_a_limit_is_known_and_not_kept() {
    let mut rig = Rig::new();
    rig.write("a", &"x".repeat(1001));
    rig.write("b", &"y".repeat(600));
    rig.write("c", &"z".repeat(600));
    rig.limits.bytes = 1000;
    let look = rig.look(None);
    let why = |at: usize| match look.entries[at].state {
        State::Unkept { why, .. } => Some(why),
        _ => None,
    };
    let whys = [why(0), why(1), why(2)];
    assert_eq!(whys.iter().filter(|why| why.is_none()).count(), 1);
    assert_eq!(whys[0], Some(Unkept::TooLarge));
    assert!(whys.contains(&Some(Unkept::TooMuch)));
    rig.limits.time = Duration::ZERO;
    rig.limits.bytes = 5000;
    std::thread::sleep(Duration::ZERO);
    assert!(rig.look(None).entries.iter().all(|entry| !entry.state.is_kept()));
    let later = Rig { limits: Limits { time: Duration::from_mins(1), ..rig.limits }, ..rig };
    let kept = later.look(Some(&look));
    assert!(kept.entries[1].state.is_kept() && kept.entries[2].state.is_kept());
    assert_eq!(look.changes(&kept), vec![], "reading a file late is no change of it");
}

#[test]
fn too_many_paths_are_refused() {
    let mut rig = Rig::new();
    (0..5).for_each(|number| rig.write(&format!("f{number}"), ""));
    rig.limits.paths = 4;
    assert!(matches!(rig.scan(None).run(), Err(ScanError::TooManyPaths { limit: 4, .. })));
}

#[test]
fn a_mode_is_a_change() {
    let rig = Rig::new();
    rig.write("d/a", "one");
    let before = rig.look(None);
    files::set_permissions(rig.root.join("d/a"), files::Permissions::from_mode(0o700))
        .expect("set");
    files::set_permissions(rig.root.join("d"), files::Permissions::from_mode(0o750)).expect("set");
    let changes = before.changes(&rig.look(Some(&before)));
    assert_eq!(changes.len(), 2);
    assert_eq!(changes[0].after, State::Folder { mode: 0o750 });
}
