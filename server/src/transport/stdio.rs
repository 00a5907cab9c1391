//! The process's own standard input and output, one message a line.
//!
//! A client whose first message has a header with its length, as language servers have them,
//! is answered in the same way.
//!
//! Pipes and sockets are read and written by the event loop. Files and terminals cannot be
//! waited for, so a thread each does that.

mod polled;
mod threaded;

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::FileType;

use self::polled::Polled;
use self::threaded::{Reader, Writer};
use super::frame::{Closing, Fault, Inbound, Inlet, Lines, MAX_LINE_BYTES, Outlet};
use super::headed::{self, Headed, Kind};
use crate::rpc::Packet;

/// How much is read at once.
const CHUNK_BYTES: usize = 64 << 10;

/// Takes standard input and output.
///
/// Must be called within the runtime. Dropping both halves restores the flags of the files.
///
/// # Errors
/// When one of them is closed.
pub(crate) fn open() -> io::Result<(StdioInlet, StdioOutlet)> {
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    let is_headed = Arc::new(AtomicBool::new(false));
    Ok((StdioInlet::new(input, is_headed.clone())?, StdioOutlet::new(output, is_headed)?))
}

fn can_be_polled(fd: &OwnedFd) -> io::Result<bool> {
    let kind = FileType::from_raw_mode(rustix::fs::fstat(fd)?.st_mode);
    Ok(matches!(kind, FileType::Fifo | FileType::Socket))
}

/// Where messages come from.
#[derive(Debug)]
pub(crate) struct StdioInlet {
    source: Source,
    lines: Lines,
    headed: Headed,
    /// Which of the two cuts the stream; known from the first bytes on.
    kind: Kind,
    /// Tells the outlet.
    is_headed: Arc<AtomicBool>,
    is_ended: bool,
}

#[derive(Debug)]
enum Source {
    Polled { fd: Polled, chunk: Box<[u8]> },
    Threaded(Reader),
}

impl StdioInlet {
    fn new(fd: OwnedFd, is_headed: Arc<AtomicBool>) -> io::Result<Self> {
        let source = if can_be_polled(&fd)? {
            let chunk = vec![0; CHUNK_BYTES].into_boxed_slice();
            Source::Polled { fd: Polled::reader(fd)?, chunk }
        } else {
            Source::Threaded(Reader::start(fd)?)
        };
        let (lines, headed) = (Lines::new(MAX_LINE_BYTES), Headed::new(MAX_LINE_BYTES));
        Ok(Self { source, lines, headed, kind: Kind::Unclear, is_headed, is_ended: false })
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

impl StdioInlet {
    /// Takes a message out of what was read; `Ok(None)` when there is no whole one.
    fn cut(&mut self) -> Result<Option<Inbound>, Fault> {
        if self.kind == Kind::Unclear {
            self.kind = headed::kind_of(self.lines.buffer());
            self.is_headed.store(self.kind == Kind::Headed, Ordering::Relaxed);
        }
        match self.kind {
            Kind::Unclear => Ok(None),
            Kind::Lines => Ok(self.lines.next_line()),
            Kind::Headed => self.headed.next(self.lines.buffer()),
        }
    }

    /// Takes what is left at the end.
    fn cut_last(&mut self) -> Option<Inbound> {
        match self.kind {
            Kind::Unclear | Kind::Lines => self.lines.last_line(),
            Kind::Headed => None,
        }
    }
}

impl Inlet for StdioInlet {
    async fn next(&mut self) -> Result<Option<Inbound>, Fault> {
        loop {
            if let Some(message) = self.cut()? {
                return Ok(Some(message));
            }
            if self.is_ended {
                return Ok(self.cut_last());
            }
            self.is_ended = !self.fill().await.map_err(Fault::Lost)?;
        }
    }
}

/// Where messages go.
#[derive(Debug)]
pub(crate) struct StdioOutlet {
    sink: Sink,
    is_headed: Arc<AtomicBool>,
}

#[derive(Debug)]
enum Sink {
    Polled(Polled),
    Threaded(Writer),
}

impl StdioOutlet {
    fn new(fd: OwnedFd, is_headed: Arc<AtomicBool>) -> io::Result<Self> {
        let sink = if can_be_polled(&fd)? {
            Sink::Polled(Polled::writer(fd)?)
        } else {
            Sink::Threaded(Writer::start(fd)?)
        };
        Ok(Self { sink, is_headed })
    }
}

impl Outlet for StdioOutlet {
    async fn write(&mut self, packets: &[Packet]) -> io::Result<()> {
        let texts = if self.is_headed.load(Ordering::Relaxed) {
            vec![headed::with_headers(packets.iter().flat_map(Packet::messages))]
        } else {
            packets.iter().map(|packet| packet.text().clone()).collect()
        };
        match &mut self.sink {
            Sink::Polled(fd) => fd.write_all(&texts).await,
            Sink::Threaded(writer) => writer.write(texts).await,
        }
    }

    async fn broken(&self) {
        match &self.sink {
            Sink::Polled(fd) => fd.broken().await,
            Sink::Threaded(_) => std::future::pending().await,
        }
    }

    async fn close(&mut self, _: &Closing) {}
}

#[cfg(test)]
mod tests;
