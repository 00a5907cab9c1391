//! The process's own standard input and output, one message a line.
//!
//! Pipes and sockets are read and written by the event loop. Files and terminals cannot be
//! waited for, so a thread each does that.

mod polled;
mod threaded;

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::FileType;

use self::polled::Polled;
use self::threaded::{Reader, Writer};
use super::frame::{Closing, Fault, Inbound, Inlet, Lines, MAX_LINE_BYTES, Outlet};
use crate::rpc::Packet;

/// How much is read at once.
const CHUNK_BYTES: usize = 64 << 10;

/// Takes standard input and output.
///
/// Must be called within the runtime. Dropping both halves restores the flags of the files.
///
/// # Errors
/// When one of them is closed.
pub fn open() -> io::Result<(StdioInlet, StdioOutlet)> {
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    Ok((StdioInlet::new(input)?, StdioOutlet::new(output)?))
}

fn can_be_polled(fd: &OwnedFd) -> io::Result<bool> {
    let kind = FileType::from_raw_mode(rustix::fs::fstat(fd)?.st_mode);
    Ok(matches!(kind, FileType::Fifo | FileType::Socket))
}

/// Where lines come from.
#[derive(Debug)]
pub struct StdioInlet {
    source: Source,
    lines: Lines,
    is_ended: bool,
}

#[derive(Debug)]
enum Source {
    Polled { fd: Polled, chunk: Box<[u8]> },
    Threaded(Reader),
}

impl StdioInlet {
    fn new(fd: OwnedFd) -> io::Result<Self> {
        let source = if can_be_polled(&fd)? {
            let chunk = vec![0; CHUNK_BYTES].into_boxed_slice();
            Source::Polled { fd: Polled::reader(fd)?, chunk }
        } else {
            Source::Threaded(Reader::start(fd)?)
        };
        Ok(Self { source, lines: Lines::new(MAX_LINE_BYTES), is_ended: false })
    }

    /// Reads once; `false` at the end.
    async fn fill(&mut self) -> io::Result<bool> {
        match &mut self.source {
            Source::Polled { fd, chunk } => {
                let len = fd.read(chunk).await?;
                self.lines.feed(&chunk[..len]);
                Ok(len > 0)
            }
            Source::Threaded(reader) => match reader.next().await {
                None => Ok(false),
                Some(chunk) => {
                    self.lines.feed(&chunk?);
                    Ok(true)
                }
            },
        }
    }
}

impl Inlet for StdioInlet {
    async fn next(&mut self) -> Result<Option<Inbound>, Fault> {
        loop {
            if let Some(line) = self.lines.next_line() {
                return Ok(Some(line));
            }
            if self.is_ended {
                return Ok(self.lines.last_line());
            }
            self.is_ended = !self.fill().await.map_err(Fault::Lost)?;
        }
    }
}

/// Where lines go.
#[derive(Debug)]
pub enum StdioOutlet {
    /// A pipe or socket.
    Polled(Polled),
    /// A file or terminal.
    Threaded(Writer),
}

impl StdioOutlet {
    fn new(fd: OwnedFd) -> io::Result<Self> {
        if can_be_polled(&fd)? {
            Polled::writer(fd).map(Self::Polled)
        } else {
            Writer::start(fd).map(Self::Threaded)
        }
    }
}

impl Outlet for StdioOutlet {
    async fn write(&mut self, packets: &[Packet]) -> io::Result<()> {
        match self {
            Self::Polled(fd) => fd.write_all(packets).await,
            Self::Threaded(writer) => {
                writer.write(packets.iter().map(|packet| packet.text().clone()).collect()).await
            }
        }
    }

    async fn broken(&self) {
        match self {
            Self::Polled(fd) => fd.broken().await,
            Self::Threaded(_) => std::future::pending().await,
        }
    }

    async fn close(&mut self, _: &Closing) {}
}

#[cfg(test)]
mod tests;
