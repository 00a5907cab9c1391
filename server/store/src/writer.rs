//! The one thread that writes rollouts.
//!
//! Appends of all threads go through a bounded queue to it, so that a slow disk holds up records
//! and nothing else. It starts with the first record. A second after a record it hands the rows
//! that changed to the index, from a thread of their own because the index may wait for others,
//! and closes the files that are no longer in use. Without work it sleeps without a timer.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use spindle_schema::rollout::RolloutItem;
use tokio::sync::oneshot;

use crate::error::Error;
use crate::log::Tail;
use crate::rollout::append::Appended;
use crate::shared::Shared;

/// Commands that may wait. Each has a caller who waits for it.
const QUEUE: usize = 1024;
/// How long rows are gathered before the index gets them, and how long a file stays open.
const GATHER: Duration = Duration::from_secs(1);

/// What the writer is told.
pub(crate) enum Command {
    /// Write records.
    Append {
        tail: Arc<Tail>,
        items: Vec<RolloutItem>,
        reply: oneshot::Sender<Result<Appended, Error>>,
    },
    /// Answer when all that came before is done.
    Barrier(oneshot::Sender<()>),
    /// The same, and end.
    Close(oneshot::Sender<()>),
}

/// The way to the writer.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
enum State {
    /// Nothing has been written yet.
    #[default]
    Idle,
    Running(SyncSender<Command>),
    Closed,
}

impl Writer {
    /// Puts a command into the queue. Starts the thread when it is the first.
    ///
    /// # Errors
    /// [`Error::Overloaded`] when the queue is full, [`Error::Closed`] after the end.
    pub(crate) fn send(&self, shared: &Arc<Shared>, command: Command) -> Result<(), Error> {
        let mut state = self.state.lock();
        if let State::Idle = *state {
            *state = State::Running(start(shared)?);
        }
        let State::Running(sender) = &*state else { return Err(Error::Closed) };
        sender.try_send(command).map_err(|error| match error {
            TrySendError::Full(_) => Error::Overloaded,
            TrySendError::Disconnected(_) => Error::Closed,
        })
    }

    /// Waits until all records that were given before are written.
    pub(crate) async fn barrier(&self, shared: &Arc<Shared>) {
        if matches!(*self.state.lock(), State::Running(_)) {
            let (reply, done) = oneshot::channel();
            if self.send(shared, Command::Barrier(reply)).is_ok() {
                // No answer means that the thread is gone, and with it the records.
                drop(done.await);
            }
        }
    }

    /// Ends the thread after all records that were given before are written.
    pub(crate) async fn close(&self) {
        let running = std::mem::replace(&mut *self.state.lock(), State::Closed);
        if let State::Running(sender) = running {
            let (reply, done) = oneshot::channel();
            // The queue may be full; its thread is at work, so waiting a moment is right here.
            let sent = tokio::task::spawn_blocking(move || sender.send(Command::Close(reply)));
            if let Ok(Ok(())) = sent.await {
                drop(done.await);
            }
        }
    }
}

fn start(shared: &Arc<Shared>) -> Result<SyncSender<Command>, Error> {
    let (sender, receiver) = sync_channel(QUEUE);
    // The thread must not keep the store alive: it ends when the last handle goes.
    let weak = Arc::downgrade(shared);
    let home = shared.home.clone();
    thread::Builder::new()
        .name("spindle-writer".into())
        .spawn(move || {
            let mut active = Active::default();
            while let Some(command) = active.next(&receiver) {
                let Some(shared) = weak.upgrade() else { break };
                match command {
                    Next::Command(command) => {
                        if active.run(&shared, command) {
                            break;
                        }
                    }
                    Next::Quiet => active.settle(&shared),
                }
            }
        })
        .map_err(|source| Error::Io { action: "start the writer for", path: home, source })?;
    Ok(sender)
}

enum Next {
    Command(Command),
    /// A second has passed since the first of the recent records.
    Quiet,
}

/// The threads that were written to lately.
#[derive(Default)]
struct Active {
    /// Not owned: a thread that is let go is free for others at once.
    tails: Vec<Weak<Tail>>,
    since: Option<Instant>,
}

impl Active {
    /// Waits for what is to be done; `None` at the end.
    fn next(&self, receiver: &Receiver<Command>) -> Option<Next> {
        let Some(since) = self.since else {
            return receiver.recv().ok().map(Next::Command);
        };
        match receiver.recv_timeout(GATHER.saturating_sub(since.elapsed())) {
            Ok(command) => Some(Next::Command(command)),
            Err(RecvTimeoutError::Timeout) => Some(Next::Quiet),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Does one command; tells whether it was the last.
    fn run(&mut self, shared: &Arc<Shared>, command: Command) -> bool {
        match command {
            Command::Append { tail, items, reply } => {
                let outcome = tail.append(shared, items);
                self.since.get_or_insert_with(Instant::now);
                self.note(&tail);
                // The caller may let the thread go as soon as it has the answer.
                drop(tail);
                // A caller that went away loses the answer, not the records.
                drop(reply.send(outcome));
                if self.since.is_some_and(|since| since.elapsed() >= GATHER) {
                    self.settle(shared);
                }
                false
            }
            Command::Barrier(reply) => {
                self.rest(shared);
                let _ = reply.send(());
                false
            }
            Command::Close(reply) => {
                self.rest(shared);
                let _ = reply.send(());
                true
            }
        }
    }

    fn note(&mut self, tail: &Arc<Tail>) {
        if !self.tails.iter().any(|known| std::ptr::eq(known.as_ptr(), Arc::as_ptr(tail))) {
            self.tails.push(Arc::downgrade(tail));
        }
    }

    /// Closes files; tries once more to write what the disk had refused.
    fn rest(&mut self, shared: &Shared) {
        self.tails.retain(|tail| tail.upgrade().is_some_and(|tail| !tail.rest(shared)));
    }

    /// Closes files and hands rows to the index.
    fn settle(&mut self, shared: &Arc<Shared>) {
        self.rest(shared);
        // What is left waits for a disk that takes nothing, so it is worth another try.
        self.since = (!self.tails.is_empty()).then(Instant::now);
        let shared = Arc::clone(shared);
        let gathering = thread::Builder::new()
            .name("spindle-index".into())
            .spawn(move || shared.flush_rows_quietly());
        if let Err(error) = gathering {
            tracing::warn!(%error, "the index waits for the next record");
        }
    }
}
