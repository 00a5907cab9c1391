//! What is to be cleaned up when the server ends without doing it: a list that a process of its
//! own keeps (`guard/warden.rs`).

use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::OnceLock;

use parking_lot::Mutex;

/// The list has as many places as the warden's.
const PLACES: u32 = 1024;
const PATH_BYTES: usize = 500;

static LIST: OnceLock<List> = OnceLock::new();

struct List {
    /// Where the warden reads. It ends with this process, which is the sign it waits for.
    pipe: OwnedFd,
    places: Mutex<Places>,
}

#[derive(Default)]
struct Places {
    free: Vec<u32>,
    used: u32,
}

/// Something to clean up.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Task<'a> {
    /// Kill the process group that this process leads.
    KillGroup(i32),
    /// Kill what is left of a group whose leader was collected.
    KillRest(i32),
    /// Remove a folder if it is empty.
    RemoveFolder(&'a Path),
}

/// Begins a list that the process at the other end of `pipe` keeps. Done once.
pub(crate) fn begin(pipe: OwnedFd) {
    // A second list would have no reader; its pipe is closed here and its warden ends.
    let _ = LIST.set(List { pipe, places: Mutex::default() });
}

/// One entry of the list. Dropping it takes the entry off.
#[derive(Debug)]
pub(crate) struct Entry {
    place: u32,
}

impl Entry {
    /// Puts `task` on the list; `None` when there is no warden, no room, or the path is too long.
    pub(crate) fn new(task: Task<'_>) -> Option<Self> {
        let list = LIST.get()?;
        let record = Record::new(task)?;
        let place = {
            let mut places = list.places.lock();
            match places.free.pop() {
                Some(place) => place,
                None if places.used < PLACES => {
                    places.used += 1;
                    places.used - 1
                }
                None => return None,
            }
        };
        let entry = Self { place };
        entry.send(list, record);
        Some(entry)
    }

    /// Puts `task` in the place of what was there.
    pub(crate) fn change(&self, task: Task<'_>) {
        if let (Some(list), Some(record)) = (LIST.get(), Record::new(task)) {
            self.send(list, record);
        }
    }

    fn send(&self, list: &List, mut record: Record) {
        record.place = self.place;
        // One write is one record. It fails only when somebody has killed the warden.
        let _ = rustix::io::write(&list.pipe, &record.bytes());
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if let Some(list) = LIST.get() {
            self.send(list, Record::NOTHING);
            list.places.lock().free.push(self.place);
        }
    }
}

/// One line of the list as the warden reads it: three numbers and a path that ends with a zero.
struct Record {
    place: u32,
    kind: u32,
    group: i32,
    path: [u8; PATH_BYTES],
}

impl Record {
    const NOTHING: Self = Self { place: 0, kind: 0, group: 0, path: [0; PATH_BYTES] };

    fn new(task: Task<'_>) -> Option<Self> {
        let mut record = Self::NOTHING;
        match task {
            Task::KillGroup(group) => (record.kind, record.group) = (1, group),
            Task::KillRest(group) => (record.kind, record.group) = (2, group),
            Task::RemoveFolder(path) => {
                let path = path.as_os_str().as_bytes();
                record.kind = 3;
                record.path[..PATH_BYTES - 1].get_mut(..path.len())?.copy_from_slice(path);
            }
        }
        Some(record)
    }

    fn bytes(&self) -> [u8; 12 + PATH_BYTES] {
        let mut bytes = [0; 12 + PATH_BYTES];
        bytes[..4].copy_from_slice(&self.place.to_ne_bytes());
        bytes[4..8].copy_from_slice(&self.kind.to_ne_bytes());
        bytes[8..12].copy_from_slice(&self.group.to_ne_bytes());
        bytes[12..].copy_from_slice(&self.path);
        bytes
    }
}
