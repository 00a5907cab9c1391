//! Whole JSON texts, both ways, whatever carries them.

use std::io;

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{self, Message};

/// Bytes both ways.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// One connection to a daemon.
pub(crate) enum Wire {
    /// A daemon of our own, one text a line.
    Child(Box<ChildWire>),
    /// A WebSocket, one text a message.
    Socket(Box<WebSocketStream<Box<dyn Stream>>>),
    /// A daemon in this process.
    Memory {
        /// Where requests go.
        sender: mpsc::Sender<Bytes>,
        /// Where answers come from.
        receiver: mpsc::Receiver<Bytes>,
    },
}

/// The pipes of a daemon that this process started.
pub(crate) struct ChildWire {
    /// Killed on drop, so that a client that fails leaves no daemon behind.
    child: Child,
    /// Where requests go; `None` once it is closed.
    stdin: Option<ChildStdin>,
    /// Where answers come from.
    stdout: BufReader<ChildStdout>,
    /// The line that is being read: a wait that is given up leaves its part here.
    line: Vec<u8>,
}

impl Wire {
    /// Takes the pipes of a daemon that was started with both of them.
    pub(crate) fn of_child(mut child: Child) -> io::Result<Self> {
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let stdout = BufReader::new(stdout);
        Ok(Self::Child(Box::new(ChildWire { child, stdin, stdout, line: Vec::new() })))
    }

    /// Sends one text.
    pub(crate) async fn send(&mut self, mut text: Vec<u8>) -> io::Result<()> {
        match self {
            Self::Child(wire) => {
                let stdin = wire.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
                text.push(b'\n');
                stdin.write_all(&text).await?;
                stdin.flush().await
            }
            Self::Socket(socket) => {
                let text = String::from_utf8(text).map_err(io::Error::other)?;
                socket.send(Message::text(text)).await.map_err(to_io)
            }
            Self::Memory { sender, .. } => {
                sender.send(text.into()).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
            }
        }
    }

    /// Waits for the next text; nothing when the other side is gone.
    ///
    /// Cancel safe: a text is either given out or kept for the next call.
    pub(crate) async fn receive(&mut self) -> io::Result<Option<Bytes>> {
        match self {
            Self::Child(wire) => wire.next_line().await,
            Self::Memory { receiver, .. } => Ok(receiver.recv().await),
            Self::Socket(socket) => loop {
                match socket.next().await {
                    Some(Ok(Message::Text(text))) => return Ok(Some(text.into())),
                    Some(Ok(Message::Close(_))) | None => return Ok(None),
                    Some(Ok(_)) => {}
                    Some(Err(error)) if is_end(&error) => return Ok(None),
                    Some(Err(error)) => return Err(to_io(error)),
                }
            },
        }
    }

    /// Says goodbye: closes the socket, or the daemon's input and waits for the daemon to end.
    pub(crate) async fn close(self) {
        match self {
            Self::Child(mut wire) => {
                drop(wire.stdin.take());
                let _ = wire.child.wait().await;
            }
            Self::Socket(mut socket) => {
                let _ = socket.close().await;
            }
            Self::Memory { .. } => {}
        }
    }

    /// The process id of a daemon that this process started.
    pub(crate) fn child_id(&self) -> Option<u32> {
        match self {
            Self::Child(wire) => wire.child.id(),
            Self::Socket(_) | Self::Memory { .. } => None,
        }
    }
}

impl ChildWire {
    async fn next_line(&mut self) -> io::Result<Option<Bytes>> {
        self.stdout.read_until(b'\n', &mut self.line).await?;
        if self.line.is_empty() {
            return Ok(None);
        }
        let mut line = std::mem::take(&mut self.line);
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        Ok(Some(line.into()))
    }
}

/// Whether the error only says that the other side has gone.
fn is_end(error: &tungstenite::Error) -> bool {
    match error {
        tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed => true,
        tungstenite::Error::Protocol(
            tungstenite::error::ProtocolError::ResetWithoutClosingHandshake,
        ) => true,
        tungstenite::Error::Io(error) => error.kind() == io::ErrorKind::ConnectionReset,
        _ => false,
    }
}

fn to_io(error: tungstenite::Error) -> io::Error {
    match error {
        tungstenite::Error::Io(error) => error,
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests;
