use std::os::unix::fs::PermissionsExt as _;

use super::*;

fn blobs() -> (tempfile::TempDir, Blobs) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let blobs = Blobs::new(dir.path().join("blobs"));
    (dir, blobs)
}

#[test]
fn what_is_kept_is_read_back_and_kept_once() {
    let (_dir, blobs) = blobs();
    let digest = blobs.keep(b"text").expect("kept");
    assert_eq!(blobs.keep(b"text").expect("kept"), digest);
    assert_eq!(blobs.read(digest).expect("there"), b"text");
    assert_eq!((blobs.added(), blobs.len(digest)), (4, Some(4)));
    assert_eq!(blobs.all(), HashMap::from([(digest, 4)]));
    let text = serde_json::to_string(&digest).expect("a digest is a text");
    assert_eq!(serde_json::from_str::<Digest>(&text).expect("and back"), digest);
}

#[test]
fn nobody_else_may_look() {
    let (dir, blobs) = blobs();
    let digest = blobs.keep(b"secret").expect("kept");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&blobs.path(digest)), 0o600);
    assert_eq!(mode(&dir.path().join("blobs")), 0o700);
}

#[test]
fn damage_is_noticed() {
    let (_dir, blobs) = blobs();
    let digest = blobs.keep(b"text").expect("kept");
    fs::write(blobs.path(digest), b"tex!").expect("written");
    assert_eq!(blobs.read(digest).expect_err("damaged").kind(), io::ErrorKind::InvalidData);
}

#[test]
fn a_sweep_takes_what_is_old_and_unwanted() {
    let (_dir, blobs) = blobs();
    let wanted = blobs.keep(b"wanted").expect("kept");
    let old = blobs.keep(b"old").expect("kept");
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1);
    for digest in [wanted, old] {
        let file = File::options().write(true).open(blobs.path(digest)).expect("there");
        file.set_modified(long_ago).expect("set");
    }
    let young = blobs.keep(b"young").expect("kept");
    blobs.sweep(long_ago + Duration::from_mins(1), |digest| digest == wanted);
    assert_eq!(blobs.all().len(), 2);
    assert!(blobs.len(wanted).is_some() && blobs.len(young).is_some());
    let again = blobs.keep(b"wanted").expect("kept");
    blobs.sweep(long_ago + Duration::from_mins(1), |_| false);
    assert!(blobs.len(again).is_some(), "what is kept again is young again");
}

#[test]
fn a_large_file_is_kept_whether_it_can_be_cloned_or_not() {
    let (dir, blobs) = blobs();
    let bytes = vec![7; CLONED_FROM + 1];
    let path = dir.path().join("large");
    fs::write(&path, &bytes).expect("written");
    let file = File::open(&path).expect("there");
    let digest = blobs.keep_file(&bytes, &file).expect("kept");
    assert_eq!(blobs.read(digest).expect("there"), bytes);
}
