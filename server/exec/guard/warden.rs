//! The process that cleans up after the server.

use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char};

use crate::system;

const SIGKILL: i32 = 9;
const ESRCH: isize = -3;

/// How many things can be on the list at once.
const PLACES: usize = 1024;

/// One line of the list, as the server sends it: `place` on the list and what to do there.
#[derive(Clone, Copy)]
#[repr(C)]
struct Record {
    place: u32,
    kind: u32,
    group: i32,
    path: [u8; 500],
}

struct List(UnsafeCell<[Record; PLACES]>);

// SAFETY: this program has one thread.
unsafe impl Sync for List {}

const NOTHING: u32 = 0;
/// Kill a process group whose leader the server has not collected.
const KILL_GROUP: u32 = 1;
/// Kill what is left of a group whose leader is gone.
const KILL_REST: u32 = 2;
/// Remove an empty folder.
const REMOVE_FOLDER: u32 = 3;

impl Record {
    const EMPTY: Self = Self { place: 0, kind: NOTHING, group: 0, path: [0; 500] };

    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: a record has no padding and every pattern of bytes is one.
        unsafe { core::slice::from_raw_parts_mut((&raw mut *self).cast(), size_of::<Self>()) }
    }

    fn act(&self) {
        match self.kind {
            KILL_GROUP => _ = system::kill(-self.group, SIGKILL),
            // When there is a process of that number again, it is somebody else's.
            KILL_REST if system::kill(self.group, 0) == ESRCH => {
                system::kill(-self.group, SIGKILL);
            }
            REMOVE_FOLDER if CStr::from_bytes_until_nul(&self.path).is_ok() => {
                system::remove_folder(self.path.as_ptr().cast::<c_char>());
            }
            _ => {}
        }
    }
}

/// Keeps the list until standard input ends, then works it off and ends.
pub(crate) fn watch() -> ! {
    // The server has no children but its commands.
    system::detach();
    system::set_name(c"spindle-warden");
    // Half a megabyte that costs no memory until it is written to.
    static LIST: List = List(UnsafeCell::new([Record::EMPTY; PLACES]));
    // SAFETY: this function runs once and nothing else names the list.
    let list = unsafe { &mut *LIST.0.get() };
    let mut record = Record::EMPTY;
    while receive(record.bytes()) {
        if let Some(place) = list.get_mut(record.place as usize) {
            *place = record;
        }
    }
    // Processes first: they may be at work in the folders.
    list.iter().filter(|record| record.kind != REMOVE_FOLDER).for_each(Record::act);
    list.iter().filter(|record| record.kind == REMOVE_FOLDER).for_each(Record::act);
    system::exit(0)
}

/// Reads until `buffer` is full; false at the end.
fn receive(buffer: &mut [u8]) -> bool {
    const EINTR: isize = -4;
    let mut filled = 0;
    while filled < buffer.len() {
        match system::read(0, &mut buffer[filled..]) {
            EINTR => {}
            ..=0 => return false,
            count => filled += count.unsigned_abs(),
        }
    }
    true
}
