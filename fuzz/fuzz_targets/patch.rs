//! Any text is read as a patch without a panic, whole or as a stream; a patch that fits files is
//! written as planned, and taking it back gives every byte and mode back.
#![no_main]

#[expect(dead_code, reason = "each target uses a part of it")]
#[path = "../../server/exec/src/generated.rs"]
mod generated;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use generated::{Source, files, patch};
use libfuzzer_sys::fuzz_target;
use spindle_exec::patch::{Patch, PatchStream, Plan};

/// What a folder holds: bytes and mode of each file.
type Snapshot = BTreeMap<PathBuf, (Vec<u8>, u32)>;

fn snapshot(folder: &Path, into: &mut Snapshot) {
    for entry in fs::read_dir(folder).expect("it is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            snapshot(&path, into);
        } else {
            let mode = fs::metadata(&path).expect("it is there").permissions().mode();
            into.insert(path.clone(), (fs::read(&path).expect("it can be read"), mode));
        }
    }
}

fn read(text: &str, pieces: usize) -> Option<Patch> {
    let mut stream = PatchStream::new();
    let mut rest = text;
    while !rest.is_empty() {
        let cut = rest.char_indices().nth(pieces).map_or(rest.len(), |(at, _)| at);
        stream.push(&rest[..cut]);
        rest = &rest[cut..];
    }
    let _ = stream.changes();
    Patch::parse(text).ok()
}

fuzz_target!(|data: &[u8]| {
    let mut source = Source(data);
    let is_made = source.below(4) != 0;
    let pieces = source.below(9) + 1;
    if !is_made {
        read(&String::from_utf8_lossy(source.0), pieces);
        return;
    }
    let files = files(&mut source);
    let text = patch(&mut source, &files);
    let Some(patch) = read(&text, pieces) else { return };
    let folder = tempfile::tempdir_in("/dev/shm").expect("a folder");
    for file in &files {
        let path = folder.path().join(file.path);
        fs::create_dir_all(path.parent().expect("it has one")).expect("folders");
        fs::write(&path, &file.bytes).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(file.mode)).expect("its mode");
    }
    let state = || {
        let mut state = Snapshot::new();
        snapshot(folder.path(), &mut state);
        state
    };
    let before = state();
    let Ok(plan) = Plan::check(&patch, folder.path()) else {
        assert_eq!(before, state(), "a check writes nothing");
        return;
    };
    assert!(plan.targets().all(|path| path.starts_with(folder.path())));
    match plan.write() {
        Ok(applied) => applied.revert().expect("nobody has changed the files since"),
        Err(error) => assert_eq!(before, state(), "{error}"),
    }
    assert_eq!(before, state(), "{text}");
});
