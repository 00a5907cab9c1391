//! Takes the connections of one command and decides where they go.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::connect::{Failure, Resolve, connect};
use super::http::{self, Request, What};
use super::limit::{Limits, Refusal, Target};
use super::relay::{self, Passing};
use super::socks::{self, Reply};

#[cfg(test)]
mod tests;

/// Connections that one command may have at once; more wait until one ends.
const MAX_CONNECTIONS: usize = 128;
/// How long a client may take to say what it wants.
const GREETING: Duration = Duration::from_secs(30);
/// How long a client that was refused may take to hear it.
const FAREWELL: Duration = Duration::from_secs(2);
/// Bytes that are thrown away meanwhile, at most.
const FAREWELL_BYTES: u64 = 1024 * 1024;
/// How long to wait when the system gives no connections.
const PAUSE: Duration = Duration::from_millis(200);

/// Something that comes later.
pub type Soon<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The place where a command's connections come out of its network.
#[derive(Debug)]
pub struct Entrance(TcpListener);

impl Entrance {
    /// Uses a listener, which must not block.
    ///
    /// # Errors
    /// When the runtime cannot watch it.
    pub(crate) fn new(listener: std::net::TcpListener) -> io::Result<Self> {
        TcpListener::from_std(listener).map(Self)
    }
}

/// Decides about the connections of one command.
pub trait Gate: Send + Sync + 'static {
    /// Returns what addresses and methods are judged by.
    fn limits(&self) -> &Limits;

    /// Says whether a connection may be made. May take as long as a person takes to answer.
    ///
    /// Cancel safe: it is dropped when the command ends.
    fn judge<'a>(&'a self, target: &'a Target) -> Soon<'a, Result<(), Refusal>>;

    /// Hears that a connection was refused, after the command was told.
    fn refused(&self, target: &Target, refusal: Refusal);
}

/// A proxy for one command. Ends, with all its connections, when it is dropped.
#[derive(Debug)]
pub struct Proxy {
    task: JoinHandle<()>,
}

impl Proxy {
    /// Begins to serve what comes out at `entrance`.
    ///
    /// Order: called inside a runtime.
    pub fn serve(entrance: Entrance, gate: Arc<dyn Gate>, resolver: Arc<dyn Resolve>) -> Self {
        let shared = Arc::new(Shared { gate, resolver });
        Self { task: tokio::spawn(accept(entrance.0, shared)) }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What all connections of a command share.
struct Shared {
    gate: Arc<dyn Gate>,
    resolver: Arc<dyn Resolve>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

/// Takes connections as long as there is room for them. Dropping this ends them all.
async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let shared = Arc::clone(&shared);
                connections.spawn(async move {
                    if let Err(error) = shared.serve(stream).await {
                        tracing::debug!(%error, "a connection of a command broke");
                    }
                    drop(place);
                });
            }
            Err(error) => {
                tracing::debug!(%error, "no connection can be taken");
                tokio::time::sleep(PAUSE).await;
            }
        }
        while connections.try_join_next().is_some() {}
    }
}

impl Shared {
    async fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        let mut first = [0];
        let greeting = async {
            if stream.peek(&mut first).await? == 0 {
                return Ok(None);
            }
            if first[0] == socks::VERSION {
                let target = socks::greet(&mut stream).await?;
                return Ok(target.map(Wish::Socks));
            }
            read_request(&mut stream).await.map(Some)
        };
        let wish: io::Result<Option<Wish>> = timeout(GREETING, greeting).await.unwrap_or(Ok(None));
        match wish? {
            None => Ok(()),
            Some(Wish::Socks(target)) => self.serve_socks(stream, target).await,
            Some(Wish::Http(request, early)) => self.serve_http(stream, *request, early).await,
            Some(Wish::Malformed(why)) => {
                say(&mut stream, &http::answer("400 Bad Request", why)).await
            }
        }
    }

    async fn serve_socks(&self, mut stream: TcpStream, target: Target) -> io::Result<()> {
        match self.open(&target).await {
            Ok(server) => {
                socks::answer(&mut stream, Reply::Connected).await?;
                relay::tunnel(stream, server).await;
                Ok(())
            }
            Err(Failure::Refused(refusal)) => {
                let told = socks::answer(&mut stream, Reply::NotAllowed).await;
                self.gate.refused(&target, refusal);
                told?;
                part(&mut stream).await
            }
            Err(Failure::Unknown | Failure::Unreachable(_)) => {
                socks::answer(&mut stream, Reply::Unreachable).await?;
                part(&mut stream).await
            }
        }
    }

    async fn serve_http(
        &self,
        mut stream: TcpStream,
        request: Request,
        early: Vec<u8>,
    ) -> io::Result<()> {
        let Request { target, what, .. } = request;
        let opened = match &what {
            What::Pass { method, .. } if !self.gate.limits().allows_method(method) => {
                Err(Failure::Refused(Refusal::Reach))
            }
            _ => self.open(&target).await,
        };
        let mut server = match opened {
            Ok(server) => server,
            Err(failure) => return self.tell_failure(stream, &target, failure).await,
        };
        match what {
            What::Pass { head, body, .. } => {
                relay::exchange(stream, server, Passing { head, body, early }).await;
            }
            What::Tunnel => {
                stream.write_all(http::CONNECTED.as_bytes()).await?;
                server.write_all(&early).await?;
                relay::tunnel(stream, server).await;
            }
        }
        Ok(())
    }

    async fn tell_failure(
        &self,
        mut stream: TcpStream,
        target: &Target,
        failure: Failure,
    ) -> io::Result<()> {
        match failure {
            Failure::Refused(refusal) => {
                let text = target.refused(refusal);
                let told = stream.write_all(http::answer("403 Forbidden", &text).as_bytes()).await;
                self.gate.refused(target, refusal);
                told?;
                part(&mut stream).await
            }
            Failure::Unknown => {
                let text = format!("the name {} cannot be resolved", target.host);
                say(&mut stream, &http::answer("502 Bad Gateway", &text)).await
            }
            Failure::Unreachable(error) => {
                let text = format!("{target} cannot be reached: {error}");
                say(&mut stream, &http::answer("502 Bad Gateway", &text)).await
            }
        }
    }

    async fn open(&self, target: &Target) -> Result<TcpStream, Failure> {
        self.gate.judge(target).await.map_err(Failure::Refused)?;
        connect(target, self.gate.limits(), &*self.resolver).await
    }
}

/// What a client wants.
enum Wish {
    /// A connection to a host.
    Socks(Target),
    /// The same by `CONNECT`, or one request; with what came after its head.
    Http(Box<Request>, Vec<u8>),
    /// Nothing that can be understood.
    Malformed(&'static str),
}

async fn read_request(stream: &mut TcpStream) -> io::Result<Wish> {
    let mut bytes = Vec::with_capacity(2048);
    loop {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match http::read(&bytes) {
            Ok(None) => {}
            Ok(Some(request)) => {
                let early = bytes.split_off(request.length);
                return Ok(Wish::Http(Box::new(request), early));
            }
            Err(http::Fault(why)) => return Ok(Wish::Malformed(why)),
        }
    }
}

/// Says something and parts.
async fn say(stream: &mut TcpStream, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes()).await?;
    part(stream).await
}

/// Ends a connection in such a way that the last words are heard: a connection that is closed with
/// bytes unread takes back what was said.
async fn part(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown().await?;
    let mut rest = stream.take(FAREWELL_BYTES);
    let mut nowhere = tokio::io::sink();
    // Whether there was a rest does not matter any more.
    let _ = timeout(FAREWELL, tokio::io::copy(&mut rest, &mut nowhere)).await;
    Ok(())
}
