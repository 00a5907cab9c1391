//! The guard: the small program (`guard/main.rs`) that is process 1 of a sandbox and cleans up
//! after the server.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

/// The name under which the guard is process 1 of a sandbox.
pub(crate) const INIT: &CStr = c"spindle-init";
/// The name under which it cleans up after the server.
pub(crate) const WARDEN: &CStr = c"spindle-warden";

static IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/guard"));

/// Returns the guard as a file that lives in memory and cannot be changed.
pub(crate) fn program() -> io::Result<BorrowedFd<'static>> {
    static FILE: OnceLock<OwnedFd> = OnceLock::new();
    if let Some(file) = FILE.get() {
        return Ok(file.as_fd());
    }
    let file = make()?;
    Ok(FILE.get_or_init(|| file).as_fd())
}

fn make() -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    // Kernels before 6.3 do not know the flag and let every such file be run.
    let file = memfd_create("spindle-guard", flags | MemfdFlags::EXEC)
        .or_else(|_| memfd_create("spindle-guard", flags))?;
    let mut rest = IMAGE;
    while !rest.is_empty() {
        rest = &rest[rustix::io::write(&file, rest)?..];
    }
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    fcntl_add_seals(&file, seals)?;
    Ok(file)
}
