//! A connection within the process.

use std::io;

use bytes::Bytes;
use tokio::sync::mpsc;

use super::frame::{Closing, Fault, Inbound, Inlet, Outlet};
use crate::rpc::Packet;

/// How many messages wait in each direction before the sender has to.
const WAITING_MESSAGES: usize = 64;

/// The client's end of a connection within the process.
///
/// Dropping it closes the connection.
#[derive(Debug)]
pub struct MemoryClient {
    sender: mpsc::Sender<Bytes>,
    receiver: mpsc::Receiver<Bytes>,
}

impl MemoryClient {
    /// Sends one message; waits while the server is busy.
    ///
    /// # Errors
    /// `BrokenPipe` when the server has closed the connection.
    pub async fn send(&self, message: impl Into<Bytes>) -> io::Result<()> {
        self.sender.send(message.into()).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Waits for the next message, without a line end; `None` when the connection is closed.
    ///
    /// Cancel safety: a dropped wait loses nothing.
    pub async fn next(&mut self) -> Option<Bytes> {
        self.receiver.recv().await
    }

    /// Parts the two directions, for clients that send and receive in different tasks.
    pub fn split(self) -> (mpsc::Sender<Bytes>, mpsc::Receiver<Bytes>) {
        (self.sender, self.receiver)
    }
}

/// Where a client's messages arrive.
#[derive(Debug)]
pub(crate) struct MemoryInlet(mpsc::Receiver<Bytes>);

/// Where a client's messages go.
#[derive(Debug)]
pub(crate) struct MemoryOutlet(Option<mpsc::Sender<Bytes>>);

/// Makes both ends of a connection.
pub(crate) fn pair() -> (MemoryClient, MemoryInlet, MemoryOutlet) {
    let (to_server, from_client) = mpsc::channel(WAITING_MESSAGES);
    let (to_client, from_server) = mpsc::channel(WAITING_MESSAGES);
    let client = MemoryClient { sender: to_server, receiver: from_server };
    (client, MemoryInlet(from_client), MemoryOutlet(Some(to_client)))
}

impl Inlet for MemoryInlet {
    async fn next(&mut self) -> Result<Option<Inbound>, Fault> {
        loop {
            match self.0.recv().await {
                None => return Ok(None),
                Some(blank) if blank.trim_ascii().is_empty() => {}
                Some(message) => return Ok(Some(Inbound::Message(message))),
            }
        }
    }
}

impl Outlet for MemoryOutlet {
    async fn write(&mut self, packets: &[Packet]) -> io::Result<()> {
        let sender = self.0.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        for message in packets.iter().flat_map(Packet::messages) {
            sender.send(message).await.map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(())
    }

    async fn broken(&self) {
        if let Some(sender) = &self.0 {
            sender.closed().await;
        }
    }

    async fn close(&mut self, _: &Closing) {
        self.0 = None;
    }
}
