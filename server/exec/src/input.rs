//! A command's standard input, from our side.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::io::Interest;
use tokio_util::sync::CancellationToken;

use crate::error::WriteError;
use crate::watched::{Watched, watch};

/// What a terminal takes for the end of its input (`Ctrl-D`).
const END_OF_INPUT: u8 = 0x04;

/// Our end of a command's standard input.
#[derive(Debug)]
pub(crate) struct Input {
    /// Gone once it was closed.
    end: Mutex<Option<Arc<Watched>>>,
    kind: Kind,
    /// Keeps one write whole while another waits.
    turn: tokio::sync::Mutex<()>,
    /// Ends writes that wait for a command that does not read.
    closed: CancellationToken,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pipe,
    Terminal,
}

impl Input {
    /// Makes an input that was never open.
    pub(crate) fn none() -> Self {
        Self::new(None, Kind::Pipe)
    }

    /// Makes the input of a pipe.
    pub(crate) fn pipe(fd: OwnedFd) -> io::Result<Self> {
        let end = watch(fd, Interest::WRITABLE)?;
        Ok(Self::new(Some(Arc::new(end)), Kind::Pipe))
    }

    /// Makes the input of a terminal.
    pub(crate) fn terminal(end: Arc<Watched>) -> Self {
        Self::new(Some(end), Kind::Terminal)
    }

    fn new(end: Option<Arc<Watched>>, kind: Kind) -> Self {
        Self {
            end: Mutex::new(end),
            kind,
            turn: tokio::sync::Mutex::new(()),
            closed: CancellationToken::new(),
        }
    }

    /// Writes all of `bytes`, after what others are writing.
    pub(crate) async fn write(&self, bytes: &[u8]) -> Result<(), WriteError> {
        let Some(end) = self.end.lock().clone() else { return Err(WriteError::StdinClosed) };
        let write = async {
            let _turn = self.turn.lock().await;
            write_all(&end, bytes).await
        };
        tokio::select! {
            biased;
            () = self.closed.cancelled() => Err(WriteError::StdinClosed),
            written = write => written.map_err(|error| match error.raw_os_error() {
                Some(libc::EPIPE | libc::EIO) => WriteError::StdinClosed,
                _ => WriteError::Io(error),
            }),
        }
    }

    /// Closes a pipe; tells a terminal's reader that the input ends, more can be written then.
    pub(crate) fn close(&self) {
        match self.kind {
            Kind::Pipe => self.end(),
            Kind::Terminal => {
                if let Some(end) = &*self.end.lock() {
                    // A terminal that takes no more has a reader that does not read.
                    let _ = rustix::io::write(end.get_ref(), &[END_OF_INPUT]);
                }
            }
        }
    }

    /// Closes it for good.
    pub(crate) fn end(&self) {
        self.end.lock().take();
        self.closed.cancel();
    }
}

async fn write_all(end: &Watched, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let mut ready = end.writable().await?;
        match ready.try_io(|fd| Ok(rustix::io::write(fd.get_ref(), bytes)?)) {
            Err(_would_block) => {}
            Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(written) => bytes = &bytes[written?..],
        }
    }
    Ok(())
}
