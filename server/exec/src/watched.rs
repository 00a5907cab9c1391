//! Descriptors that the runtime watches.
#![expect(unsafe_code, reason = "the runtime asks for a promise about each descriptor")]

use std::io;
use std::os::fd::OwnedFd;

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A descriptor of ours that the runtime watches.
pub(crate) type Watched = AsyncFd<OwnedFd>;

/// Has the runtime watch `fd` for `interest`.
pub(crate) fn watch(fd: OwnedFd, interest: Interest) -> io::Result<Watched> {
    // SAFETY: an `OwnedFd` always is the same open descriptor, and it is open as long as it lives.
    Ok(unsafe { AsyncFd::register_with_interest(fd, interest) }?)
}
