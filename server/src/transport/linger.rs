//! A socket that ends without losing its last words.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

/// How long a closed socket still swallows what the other end sends.
const LINGER: Duration = Duration::from_secs(2);
/// How much of it.
const LINGER_BYTES: u64 = 256 << 20;

/// A socket that, when dropped first by us, reads on for a moment.
///
/// The kernel resets a connection that is closed while bytes wait unread, and a reset takes
/// away what the other end has not read yet: the close frame that says why.
#[derive(Debug)]
pub(crate) struct Lingering<S: Socket> {
    /// `None` only while dropping.
    socket: Option<S>,
    /// The other end has closed; there is nothing to swallow.
    is_ended: bool,
}

/// A stream socket.
pub(crate) trait Socket: AsyncRead + AsyncWrite + Send + Unpin + 'static {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin + 'static> Socket for S {}

impl<S: Socket> Lingering<S> {
    /// Wraps a socket.
    pub(crate) fn new(socket: S) -> Self {
        Self { socket: Some(socket), is_ended: false }
    }

    fn socket(&mut self) -> Pin<&mut S> {
        Pin::new(self.socket.as_mut().expect("the socket is there until drop"))
    }
}

impl<S: Socket> Drop for Lingering<S> {
    fn drop(&mut self) {
        let socket = self.socket.take().filter(|_| !self.is_ended);
        if let (Some(socket), Ok(runtime)) = (socket, tokio::runtime::Handle::try_current()) {
            runtime.spawn(swallow(socket));
        }
    }
}

async fn swallow<S: Socket>(mut socket: S) {
    let all = async {
        socket.shutdown().await?;
        tokio::io::copy(&mut socket.take(LINGER_BYTES), &mut tokio::io::sink()).await
    };
    // Whether it ended well does not matter: the socket is closed either way.
    let _ = tokio::time::timeout(LINGER, all).await;
}

impl<S: Socket> AsyncRead for Lingering<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let room = buffer.remaining();
        let polled = self.socket().poll_read(cx, buffer);
        self.is_ended |= match &polled {
            Poll::Pending => false,
            Poll::Ready(Ok(())) => room > 0 && buffer.filled().len() == before,
            Poll::Ready(Err(_)) => true,
        };
        polled
    }
}

impl<S: Socket> AsyncWrite for Lingering<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.socket().poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.socket().poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.socket().poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.socket().poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
}
