//! What carries a client's messages.

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use spindle_server::MemoryClient;
use tokio::net::{TcpStream, UnixStream};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// A connection to a daemon, of whatever kind.
#[derive(Debug)]
pub enum Wire {
    /// Within the process.
    Memory(MemoryClient),
    /// A WebSocket over TCP.
    Tcp(Box<WebSocketStream<TcpStream>>),
    /// A WebSocket over a Unix socket.
    Unix(Box<WebSocketStream<UnixStream>>),
}

impl Wire {
    /// Connects to `ws://ADDRESS` or `unix://PATH`.
    ///
    /// # Panics
    /// When nobody listens there.
    pub async fn open(url: &str) -> Self {
        if let Some(path) = url.strip_prefix("unix://") {
            let socket = UnixStream::connect(path).await.expect("the daemon listens");
            let (socket, _) = client_async("ws://localhost/rpc", socket).await.expect("upgraded");
            return Self::Unix(Box::new(socket));
        }
        let address = url.strip_prefix("ws://").expect("an address of a known kind");
        let socket = TcpStream::connect(address).await.expect("the daemon listens");
        let (socket, _) = client_async(url, socket).await.expect("upgraded");
        Self::Tcp(Box::new(socket))
    }

    /// Sends a message; one to a daemon that is gone is lost.
    pub(crate) async fn send(&mut self, text: String) {
        let lost = match self {
            Self::Memory(wire) => wire.send(text).await.is_err(),
            Self::Tcp(wire) => wire.send(Message::text(text)).await.is_err(),
            Self::Unix(wire) => wire.send(Message::text(text)).await.is_err(),
        };
        assert!(!lost, "the daemon listens");
    }

    /// The next message; `None` when the connection is closed.
    pub(crate) async fn next(&mut self) -> Option<Bytes> {
        loop {
            let message = match self {
                Self::Memory(wire) => return wire.next().await,
                Self::Tcp(wire) => text_of(wire.next().await),
                Self::Unix(wire) => text_of(wire.next().await),
            };
            match message {
                Some(text) if text.is_empty() => {}
                other => return other,
            }
        }
    }
}

/// The text of a frame; an empty one for frames that are no messages.
fn text_of(frame: Option<Result<Message, Error>>) -> Option<Bytes> {
    match frame? {
        Ok(Message::Text(text)) => Some(text.into()),
        Ok(Message::Close(_)) | Err(_) => None,
        Ok(_) => Some(Bytes::new()),
    }
}
