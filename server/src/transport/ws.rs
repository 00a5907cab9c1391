//! WebSocket: one message a text frame, over TCP or a Unix socket.

use std::io;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::Listener;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Error as WireError;
use tokio_util::sync::CancellationToken;

use super::auth::{Guard, Refused};
use super::frame::{Closing, Fault, Host, Inbound, Inlet, Outlet, Via};
use super::linger::Lingering;
use crate::clock;
use crate::rpc::Packet;

/// The largest message in one frame.
pub(crate) const MAX_FRAME_BYTES: usize = 16 << 20;
/// The largest message in several frames.
pub(crate) const MAX_MESSAGE_BYTES: usize = 64 << 20;
/// How much is read at once. Kept by each idle connection.
const READ_BYTES: usize = 16 << 10;
/// How much is gathered before it is written without a flush.
const WRITE_BYTES: usize = 64 << 10;

/// Tells clients up to which size a message may come in one frame.
const FRAME_LIMIT_HEADER: HeaderName =
    HeaderName::from_static("x-codex-websocket-max-unfragmented-message-bytes");

/// Who may come in.
#[derive(Debug, Clone)]
pub(crate) enum Visitors {
    /// Programs only: a request with an `Origin` header comes from a web page, and is refused.
    Programs {
        /// Who looks at their tokens; `None` lets all in.
        guard: Option<Arc<Guard>>,
    },
    /// Whoever can open the socket.
    All,
}

impl Visitors {
    fn check(&self, headers: &HeaderMap) -> Result<(), Refused> {
        match self {
            Self::Programs { guard: Some(guard) } => guard.check(headers, clock::unix_ms() / 1000),
            Self::Programs { guard: None } | Self::All => Ok(()),
        }
    }
}

/// Serves WebSocket connections until the token is cancelled.
///
/// `/healthz` and `/readyz` answer health checks; any other path upgrades.
///
/// # Errors
/// When the listener fails for good.
pub(crate) async fn serve<L>(
    listener: L,
    visitors: Visitors,
    host: impl Host,
    stop: CancellationToken,
) -> io::Result<()>
where
    L: Listener,
    L::Addr: std::fmt::Debug,
{
    let router = router(visitors, host);
    axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await
}

fn router(visitors: Visitors, host: impl Host) -> Router {
    let ready = host.clone();
    let router = Router::new()
        .route("/healthz", get(|| async { StatusCode::OK }))
        .route("/readyz", get(async move || readiness(&ready)));
    match visitors {
        Visitors::Programs { .. } => {
            let router = router.fallback(async move |headers: HeaderMap, request: Upgrade| {
                match visitors.check(&headers) {
                    Ok(()) => upgrade(request, host, Via::WebSocket),
                    Err(refused) => refused.into_response(),
                }
            });
            router.layer(middleware::from_fn(refuse_browsers))
        }
        Visitors::All => router.fallback(async move |request: Upgrade| {
            let mut response = upgrade(request, host, Via::Unix);
            let limit = HeaderValue::from(MAX_FRAME_BYTES);
            response.headers_mut().insert(FRAME_LIMIT_HEADER, limit);
            response
        }),
    }
}

/// A request to upgrade, or the refusal of one that is none.
type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (StatusCode::UNAUTHORIZED, self.to_string()).into_response()
    }
}

fn readiness(host: &impl Host) -> StatusCode {
    if host.is_ready() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
}

async fn refuse_browsers(request: Request, next: Next) -> Response {
    if request.headers().contains_key(header::ORIGIN) {
        return StatusCode::FORBIDDEN.into_response();
    }
    next.run(request).await
}

fn upgrade(request: Upgrade, host: impl Host, via: Via) -> Response {
    let upgrade = match request {
        Ok(upgrade) => upgrade,
        Err(refusal) => return refusal.into_response(),
    };
    upgrade
        .max_frame_size(MAX_FRAME_BYTES)
        .max_message_size(MAX_MESSAGE_BYTES)
        .read_buffer_size(READ_BYTES)
        .write_buffer_size(WRITE_BYTES)
        .on_upgrade(async move |socket| {
            let (outlet, inlet) = socket.split();
            host.serve(WsInlet(inlet), WsOutlet(outlet), via).await;
        })
}

/// Text frames as they come.
#[derive(Debug)]
pub(crate) struct WsInlet(SplitStream<WebSocket>);

impl Inlet for WsInlet {
    async fn next(&mut self) -> Result<Option<Inbound>, Fault> {
        loop {
            match self.0.next().await {
                None => return Ok(None),
                Some(Err(error)) => return fault(error).map_or(Ok(None), Err),
                Some(Ok(Message::Text(text))) if !text.trim_ascii().is_empty() => {
                    return Ok(Some(Inbound::Message(text.into())));
                }
                // Pings and close frames are answered beneath us, while the next frame is read.
                Some(Ok(_)) => {}
            }
        }
    }
}

/// What went wrong; `None` when the connection merely ended.
fn fault(error: axum::Error) -> Option<Fault> {
    let error = match error.into_inner().downcast::<WireError>() {
        Ok(error) => *error,
        Err(other) => return Some(Fault::Lost(io::Error::other(other))),
    };
    match error {
        WireError::ConnectionClosed | WireError::AlreadyClosed => None,
        WireError::Io(error) => Some(Fault::Lost(error)),
        WireError::Capacity(error) => Some(Fault::TooLong(error.to_string())),
        WireError::Utf8(_) => Some(Fault::NotText),
        WireError::Protocol(error) => Some(Fault::Protocol(error.to_string())),
        other => Some(Fault::Protocol(other.to_string())),
    }
}

/// Text frames to send.
#[derive(Debug)]
pub(crate) struct WsOutlet(SplitSink<WebSocket, Message>);

impl Outlet for WsOutlet {
    async fn write(&mut self, packets: &[Packet]) -> io::Result<()> {
        for message in packets.iter().flat_map(Packet::messages) {
            let text = Utf8Bytes::try_from(message)
                .map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
            self.0.feed(Message::Text(text)).await.map_err(io::Error::other)?;
        }
        self.0.flush().await.map_err(io::Error::other)
    }

    async fn broken(&self) {
        // The reading half notices.
        std::future::pending::<()>().await;
    }

    async fn close(&mut self, why: &Closing) {
        let frame = axum::extract::ws::CloseFrame {
            code: why.code,
            reason: Utf8Bytes::from(why.reason.as_str()),
        };
        // The other end may be gone already; then there is nobody to tell.
        let _ = self.0.send(Message::Close(Some(frame))).await;
    }
}

/// Accepts TCP connections, without delay for small messages.
#[derive(Debug)]
pub(crate) struct TcpDoor(TcpListener);

impl TcpDoor {
    /// Listens on an address; port 0 takes a free one.
    ///
    /// # Errors
    /// When the address cannot be listened on, for example because it is in use.
    pub(crate) async fn bind(address: SocketAddr) -> io::Result<Self> {
        TcpListener::bind(address).await.map(Self)
    }

    /// Takes over a socket that listens already.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn of(socket: OwnedFd) -> io::Result<Self> {
        let listener = std::net::TcpListener::from(socket);
        listener.set_nonblocking(true)?;
        TcpListener::from_std(listener).map(Self)
    }

    /// The address with the real port.
    ///
    /// # Errors
    /// When the system does not tell.
    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

impl Listener for TcpDoor {
    type Io = Lingering<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        let (socket, address) = Listener::accept(&mut self.0).await;
        if let Err(error) = socket.set_nodelay(true) {
            tracing::debug!(%error, "small messages to {address} may be delayed");
        }
        (Lingering::new(socket), address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

#[cfg(test)]
mod tests;
