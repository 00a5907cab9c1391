//! A pipe or socket that is waited for by the event loop.

use std::io::{self, IoSlice};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use bytes::Bytes;
use rustix::fs::OFlags;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// The most parts handed to one write.
const MAX_PARTS: usize = 64;

/// A file that does not block.
#[derive(Debug)]
pub(crate) struct Polled(AsyncFd<NonBlocking>);

impl Polled {
    pub(super) fn reader(fd: OwnedFd) -> io::Result<Self> {
        Self::new(fd, Interest::READABLE)
    }

    pub(super) fn writer(fd: OwnedFd) -> io::Result<Self> {
        Self::new(fd, Interest::WRITABLE | Interest::ERROR)
    }

    #[expect(
        deprecated,
        reason = "the fault is with types that give away what they do not own; this one owns its \
                  file, and the successor is unsafe to call"
    )]
    fn new(fd: OwnedFd, interest: Interest) -> io::Result<Self> {
        AsyncFd::with_interest(NonBlocking::new(fd)?, interest).map(Self)
    }

    /// Reads what is there; 0 is the end.
    pub(super) async fn read(&self, chunk: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut guard = self.0.readable().await?;
            match guard.try_io(|fd| retried(|| rustix::io::read(&fd.get_ref().fd, &mut *chunk))) {
                Ok(read) => return read,
                Err(_would_block) => {}
            }
        }
    }

    /// Writes all texts, many with one call, without copying them.
    pub(super) async fn write_all(&self, texts: &[Bytes]) -> io::Result<()> {
        let mut parts: Vec<IoSlice<'_>> = texts.iter().map(|text| IoSlice::new(text)).collect();
        let mut rest = parts.as_mut_slice();
        while !rest.is_empty() {
            let some = &rest[..rest.len().min(MAX_PARTS)];
            let written = self.write_some(some).await?;
            IoSlice::advance_slices(&mut rest, written);
        }
        Ok(())
    }

    async fn write_some(&self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        loop {
            let mut guard = self.0.writable().await?;
            match guard.try_io(|fd| retried(|| rustix::io::writev(&fd.get_ref().fd, parts))) {
                Ok(Ok(0)) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => return written,
                Err(_would_block) => {}
            }
        }
    }

    /// Waits until the reader is gone.
    pub(super) async fn broken(&self) {
        loop {
            match self.0.ready(Interest::ERROR).await {
                Ok(guard) if guard.ready().is_error() || guard.ready().is_write_closed() => return,
                Ok(mut guard) => guard.clear_ready(),
                Err(_) => return,
            }
        }
    }
}

/// Runs a call again when a signal interrupted it.
fn retried<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(rustix::io::Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}

/// A file in non-blocking mode for as long as this lives.
///
/// The mode belongs to the open file, which the process that started us may share: so it is
/// put back at the end.
#[derive(Debug)]
struct NonBlocking {
    fd: OwnedFd,
    /// The flags to put back, when they were others.
    before: Option<OFlags>,
}

impl NonBlocking {
    fn new(fd: OwnedFd) -> io::Result<Self> {
        let flags = rustix::fs::fcntl_getfl(&fd)?;
        let before = (!flags.contains(OFlags::NONBLOCK)).then_some(flags);
        if before.is_some() {
            rustix::fs::fcntl_setfl(&fd, flags | OFlags::NONBLOCK)?;
        }
        Ok(Self { fd, before })
    }
}

impl AsRawFd for NonBlocking {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }
}

impl Drop for NonBlocking {
    fn drop(&mut self) {
        if let Some(flags) = self.before {
            // Nothing can be done about a failure at the end.
            let _ = rustix::fs::fcntl_setfl(&self.fd, flags);
        }
    }
}
