//! The task that reads a command's output and collects its end.

use std::cell::RefCell;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::io::Interest;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::Shared;
use crate::group::{ExitStatus, Group};
use crate::output::{CHUNK_BYTES, Capture};
use crate::watched::{Watched, watch};

/// After the command has ended: how long its output must be silent to count as drained when
/// somebody still holds it.
const QUIET: Duration = Duration::from_millis(100);
/// And how long draining may take in all.
const DRAIN: Duration = Duration::from_secs(1);
/// How much is read at once.
const READ_BYTES: usize = CHUNK_BYTES;

/// Starts the pump of one command.
pub(super) fn start(
    shared: Arc<Shared>,
    output: Option<Arc<Watched>>,
    errors: Option<Arc<Watched>>,
    abandoned: CancellationToken,
) -> io::Result<()> {
    let end = watch(shared.group.as_fd().try_clone_to_owned()?, Interest::READABLE)?;
    let out = output.map(|fd| Source { fd, capture: Arc::clone(&shared.out) });
    let err = errors.zip(shared.err.clone()).map(|(fd, capture)| Source { fd, capture });
    let sources = Sources { out, err };
    tokio::spawn(pump(shared, sources, end, abandoned));
    Ok(())
}

async fn pump(
    shared: Arc<Shared>,
    mut sources: Sources,
    end: Watched,
    abandoned: CancellationToken,
) {
    let status = loop {
        tokio::select! {
            () = sources.read(), if sources.are_open() => {}
            status = ended(&shared.group, &end) => break status,
        }
    };
    drop(end);
    shared.input.end();
    if shared.ending.load(Ordering::Relaxed) || abandoned.is_cancelled() {
        shared.group.kill();
    }
    let is_held = tokio::select! {
        is_held = sources.drain() => is_held,
        () = abandoned.cancelled() => true,
    };
    shared.held_open.store(is_held, Ordering::Relaxed);
    shared.out.end();
    if let Some(err) = &shared.err {
        err.end();
    }
    shared.status.send_replace(Some(status));
    // Left-overs go on while somebody holds the command; a closed pipe would end them.
    while sources.are_open() {
        tokio::select! {
            () = sources.read() => {}
            () = abandoned.cancelled() => break,
        }
    }
}

/// Waits for the leader to end and collects it.
async fn ended(group: &Group, end: &Watched) -> ExitStatus {
    loop {
        let Ok(mut ready) = end.readable().await else {
            return ExitStatus { code: -1, signal: None }; // The runtime shuts down.
        };
        if let Some(status) = group.try_reap() {
            return status;
        }
        ready.clear_ready();
    }
}

thread_local! {
    /// Where output lands before it is kept. Nothing waits while it is used, so that the
    /// commands of one worker share it.
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; READ_BYTES]);
}

/// One stream and where it is kept.
struct Source {
    fd: Arc<Watched>,
    capture: Arc<Capture>,
}

impl Source {
    /// Waits for room, then for bytes, and takes them. Says whether the stream goes on.
    async fn read(&self) -> bool {
        self.capture.has_room().await;
        loop {
            let Ok(mut ready) = self.fd.readable().await else { return false };
            match ready.try_io(|fd| self.take(fd.get_ref())) {
                Err(_would_block) => {}
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                // A terminal whose last user has gone says EIO.
                Ok(Ok(0) | Err(_)) => return false,
                Ok(Ok(_)) => return true,
            }
        }
    }

    fn take(&self, fd: &OwnedFd) -> io::Result<usize> {
        SCRATCH.with_borrow_mut(|scratch| {
            let count = rustix::io::read(fd, &mut *scratch)?;
            self.capture.push(&scratch[..count]);
            Ok(count)
        })
    }
}

/// The streams of one command that are still open.
struct Sources {
    out: Option<Source>,
    err: Option<Source>,
}

impl Sources {
    fn are_open(&self) -> bool {
        self.out.is_some() || self.err.is_some()
    }

    /// Reads once from whichever stream has something.
    ///
    /// Cancel safe: bytes are taken and kept in one step.
    async fn read(&mut self) {
        tokio::task::coop::consume_budget().await;
        let (out, err) = (self.out.as_ref(), self.err.as_ref());
        tokio::select! {
            open = next(out), if out.is_some() => if !open { self.out = None },
            open = next(err), if err.is_some() => if !open { self.err = None },
            else => {}
        }
    }

    /// Reads what is left after the command's end. Says whether somebody still holds a stream.
    ///
    /// Time in which a reader is waited for does not count.
    async fn drain(&mut self) -> bool {
        let mut left = DRAIN;
        while self.are_open() {
            for source in [&self.out, &self.err].into_iter().flatten() {
                source.capture.has_room().await;
            }
            let since = Instant::now();
            if timeout(QUIET.min(left), self.read()).await.is_err() {
                return true;
            }
            left = left.saturating_sub(since.elapsed());
        }
        false
    }
}

async fn next(source: Option<&Source>) -> bool {
    match source {
        Some(source) => source.read().await,
        None => false,
    }
}
