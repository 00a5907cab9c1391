use super::*;
use crate::disk::RealDisk;

#[test]
fn the_second_taker_hears_who_has_it() {
    let home = tempfile::tempdir().unwrap();
    let id = ThreadId::new();
    let first = WriterLock::take(&RealDisk, home.path(), id).unwrap();
    let second = WriterLock::take(&RealDisk, home.path(), id).unwrap_err();
    assert!(matches!(second, Error::Busy { pid: Some(pid), .. } if pid == std::process::id()));
    drop(first);
    WriterLock::take(&RealDisk, home.path(), id).unwrap();
}

#[test]
fn a_removed_lock_leaves_no_file_and_can_be_taken_again() {
    let home = tempfile::tempdir().unwrap();
    let id = ThreadId::new();
    let lock = WriterLock::take(&RealDisk, home.path(), id).unwrap();
    lock.remove(&RealDisk).unwrap();
    assert!(!path(home.path(), id).exists());
    WriterLock::take(&RealDisk, home.path(), id).unwrap();
}

#[test]
fn a_lock_file_of_the_peer_is_empty_and_still_a_lock() {
    let home = tempfile::tempdir().unwrap();
    let id = ThreadId::new();
    let path = path(home.path(), id);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let theirs = File::create(&path).unwrap();
    theirs.lock().unwrap();
    let ours = WriterLock::take(&RealDisk, home.path(), id).unwrap_err();
    assert!(matches!(ours, Error::Busy { pid: None, .. }));
}
