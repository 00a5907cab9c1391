//! What the daemon asks of the system for itself, and what safe calls cannot do.
#![expect(unsafe_code, reason = "files by their number, and the C library's allocator")]

use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

/// Takes over a file that this process was started with, as a service manager hands sockets over.
/// Programs that are started later do not get it.
///
/// To be called once for each number, before anything else opens files: whoever calls says that
/// the file is nobody else's.
///
/// # Errors
/// When no file has this number, or it is one of the standard streams.
pub fn take_inherited(number: RawFd) -> io::Result<OwnedFd> {
    if number <= libc::STDERR_FILENO {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: asks and sets flags of a number; a number without a file is an error.
    let is_set = unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) } == 0;
    if !is_set {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the file is open, as the call before has shown, and the caller says that nobody
    // else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Gives memory that is free back to the system. Worth it when much was freed: it may take
/// milliseconds.
pub fn give_memory_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: the call only looks at free memory, and takes the allocator's own locks.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
mod tests;
