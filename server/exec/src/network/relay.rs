//! Passing bytes on between two connections.

use std::io;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::time::{Instant, sleep_until};

use super::body::Body;

/// How long nothing may pass before both ends are given up.
const SILENCE: Duration = Duration::from_mins(10);
/// The same when one end has said all that it had to say.
const HALF_OPEN: Duration = Duration::from_mins(1);
/// Bytes that are under way in one direction, at most.
const BUFFER: usize = 16 * 1024;

/// When something passed last.
struct Activity(Mutex<Instant>);

impl Activity {
    fn note(&self) {
        *self.0.lock() = Instant::now();
    }

    /// Waits until nothing has passed for so long. Wakes once in that time, and only while a
    /// connection is open.
    async fn silence(&self, length: Duration) {
        loop {
            let last = *self.0.lock();
            sleep_until(last + length).await;
            if *self.0.lock() == last {
                return;
            }
        }
    }
}

/// Passes everything on in both directions until both have ended, one breaks, or all is silent.
pub(super) async fn tunnel(mut client: TcpStream, mut server: TcpStream) {
    let activity = Activity(Mutex::new(Instant::now()));
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let up = copy(&mut from_client, &mut to_server, &activity);
    let down = copy(&mut from_server, &mut to_client, &activity);
    tokio::pin!(up, down);
    tokio::select! {
        ended = &mut up => if ended.is_ok() {
            tokio::select! { _ = &mut down => {}, () = activity.silence(HALF_OPEN) => {} }
        },
        ended = &mut down => if ended.is_ok() {
            tokio::select! { _ = &mut up => {}, () = activity.silence(HALF_OPEN) => {} }
        },
        () = activity.silence(SILENCE) => {}
    }
}

/// A request that is passed on.
pub(super) struct Passing {
    /// Its head.
    pub(super) head: Vec<u8>,
    /// Its body.
    pub(super) body: Body,
    /// What of the body has come already.
    pub(super) early: Vec<u8>,
}

/// Passes one request on and what is answered, until the answer ends. What the client says after
/// its request stays unread.
pub(super) async fn exchange(mut client: TcpStream, mut server: TcpStream, request: Passing) {
    let activity = Activity(Mutex::new(Instant::now()));
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let answered = async {
        let answered = copy(&mut from_server, &mut to_client, &activity);
        let asked = ask(&mut from_client, &mut to_server, request, &activity);
        tokio::pin!(answered, asked);
        tokio::select! {
            _ = &mut answered => {}
            // A server may answer before it was asked all.
            asked = &mut asked => if asked.is_ok() { let _ = answered.await; },
        }
    };
    tokio::select! { () = answered => {}, () = activity.silence(SILENCE) => {} }
}

async fn ask(
    client: &mut ReadHalf<'_>,
    server: &mut WriteHalf<'_>,
    request: Passing,
    activity: &Activity,
) -> io::Result<()> {
    let Passing { head, mut body, early } = request;
    let malformed = |_| io::Error::from(io::ErrorKind::InvalidData);
    server.write_all(&head).await?;
    let taken = body.take(&early).map_err(malformed)?;
    server.write_all(&early[..taken]).await?;
    let mut buffer = vec![0; BUFFER];
    while !body.is_whole() {
        let count = client.read(&mut buffer).await?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        activity.note();
        let taken = body.take(&buffer[..count]).map_err(malformed)?;
        server.write_all(&buffer[..taken]).await?;
    }
    Ok(())
}

/// Copies until the end and passes that on too.
async fn copy(
    from: &mut (impl AsyncRead + Unpin),
    to: &mut (impl AsyncWrite + Unpin),
    activity: &Activity,
) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER];
    loop {
        let count = from.read(&mut buffer).await?;
        if count == 0 {
            return to.shutdown().await;
        }
        activity.note();
        to.write_all(&buffer[..count]).await?;
    }
}
