//! What a message is to a transport, and how a stream of bytes is cut into messages.

use std::future::Future;
use std::io;

use bytes::{Bytes, BytesMut};

use crate::rpc::Packet;

/// The longest line that is taken on a stream of bytes. The peer takes 64 MiB.
pub(crate) const MAX_LINE_BYTES: usize = 128 << 20;

/// A buffer that held more than this is not kept for the next message.
const KEEP_BYTES: usize = 256 << 10;

/// What came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Inbound {
    /// One message. Never blank; not checked to be UTF-8.
    Message(Bytes),
    /// A message longer than this many bytes. It was thrown away; the stream goes on.
    TooLong(usize),
}

/// Why no more messages come, other than by the end of the stream.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// A message or frame is longer than the transport takes, and the stream cannot go on.
    #[error("message too long: {0}")]
    TooLong(String),
    /// A text frame is not UTF-8.
    #[error("text frame is not UTF-8")]
    NotText,
    /// The other end breaks the rules of the transport.
    #[error("protocol violation: {0}")]
    Protocol(String),
    /// The connection is gone.
    #[error("connection lost")]
    Lost(#[source] io::Error),
}

/// How a client came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Via {
    /// Standard input and output.
    Stdio,
    /// Memory of this process.
    Memory,
    /// The Unix socket, which only the daemon's own user can open.
    Unix,
    /// TCP, from wherever: a port may be forwarded.
    WebSocket,
}

impl Via {
    /// Whether the client is on this machine and runs for the daemon's own user.
    pub(crate) fn is_local(self) -> bool {
        !matches!(self, Self::WebSocket)
    }
}

/// Why a connection is closed by us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Closing {
    /// The WebSocket close code.
    pub code: u16,
    /// For a person; at most 123 bytes.
    pub reason: String,
}

impl Closing {
    /// All is said.
    pub(crate) fn normal() -> Self {
        Self { code: 1000, reason: String::new() }
    }

    /// The daemon ends.
    pub(crate) fn going_away() -> Self {
        Self { code: 1001, reason: "server is shutting down".into() }
    }

    /// The client does not read what it is sent.
    pub(crate) fn too_slow(unread_bytes: usize) -> Self {
        Self { code: 1013, reason: format!("client reads too slowly: {unread_bytes} bytes unread") }
    }
}

impl From<&Fault> for Closing {
    fn from(fault: &Fault) -> Self {
        let code = match fault {
            Fault::TooLong(_) => 1009,
            Fault::NotText => 1007,
            Fault::Protocol(_) => 1002,
            Fault::Lost(_) => 1006,
        };
        let mut reason = fault.to_string();
        reason.truncate(reason.floor_char_boundary(123));
        Self { code, reason }
    }
}

/// Where the messages of a connection come from.
pub(crate) trait Inlet: Send + 'static {
    /// Waits for the next message; `None` is the end.
    ///
    /// Cancel safety: a dropped wait loses nothing.
    fn next(&mut self) -> impl Future<Output = Result<Option<Inbound>, Fault>> + Send;
}

/// Where the messages of a connection go to.
pub(crate) trait Outlet: Send + 'static {
    /// Writes packets in order and flushes once.
    ///
    /// Cancel safety: a dropped write may have written a part; only `close` may follow.
    fn write(&mut self, packets: &[Packet]) -> impl Future<Output = io::Result<()>> + Send;

    /// Waits until it is certain that nobody reads any more. May wait for ever.
    fn broken(&self) -> impl Future<Output = ()> + Send;

    /// Says why and ends.
    fn close(&mut self, why: &Closing) -> impl Future<Output = ()> + Send;
}

/// Takes the connections that a listener accepts.
pub(crate) trait Host: Clone + Send + Sync + 'static {
    /// Serves a connection to its end.
    fn serve<I: Inlet, O: Outlet>(
        &self,
        inlet: I,
        outlet: O,
        via: Via,
    ) -> impl Future<Output = ()> + Send;

    /// Whether new work is welcome; told to those who ask about readiness.
    fn is_ready(&self) -> bool;
}

/// Cuts a stream of bytes into lines.
///
/// Blank lines are skipped. A line over the limit is reported once and skipped up to its end.
#[derive(Debug)]
pub(crate) struct Lines {
    buffer: BytesMut,
    /// How much of `buffer` is known to hold no line end, so that no byte is looked at twice.
    scanned: usize,
    limit: usize,
    /// A line over the limit is being skipped.
    is_skipping: bool,
}

impl Lines {
    /// Takes lines of up to `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { buffer: BytesMut::new(), scanned: 0, limit, is_skipping: false }
    }

    /// Adds bytes that arrived.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// All bytes that were not taken yet.
    pub(crate) fn buffer(&mut self) -> &mut BytesMut {
        &mut self.buffer
    }

    /// Takes the next whole line, without its end.
    pub(crate) fn next_line(&mut self) -> Option<Inbound> {
        loop {
            let Some(at) = memchr::memchr(b'\n', &self.buffer[self.scanned..]) else {
                return self.keep_partial();
            };
            let line = self.cut(self.scanned + at + 1);
            if std::mem::take(&mut self.is_skipping) {
                continue;
            }
            let line = line.slice(..line.len() - 1);
            if line.len() > self.limit {
                return Some(Inbound::TooLong(self.limit));
            }
            if !line.trim_ascii().is_empty() {
                return Some(Inbound::Message(line));
            }
        }
    }

    /// Takes what is left when the stream has ended without a line end.
    pub(crate) fn last_line(&mut self) -> Option<Inbound> {
        let rest = self.cut(self.buffer.len());
        let is_line = !std::mem::take(&mut self.is_skipping) && !rest.trim_ascii().is_empty();
        is_line.then_some(Inbound::Message(rest))
    }

    fn keep_partial(&mut self) -> Option<Inbound> {
        self.scanned = self.buffer.len();
        if self.scanned <= self.limit && !self.is_skipping {
            return None;
        }
        self.buffer = BytesMut::new();
        self.scanned = 0;
        (!std::mem::replace(&mut self.is_skipping, true)).then_some(Inbound::TooLong(self.limit))
    }

    /// Cuts the first `len` bytes off. A large buffer is given up, so that it is returned to
    /// the system as soon as the line is dealt with.
    fn cut(&mut self, len: usize) -> Bytes {
        let line = self.buffer.split_to(len).freeze();
        self.scanned = 0;
        if len > KEEP_BYTES {
            self.buffer = BytesMut::from(&self.buffer[..]);
        }
        line
    }
}

#[cfg(test)]
mod tests;
