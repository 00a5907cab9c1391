//! What is said to a turn that already runs.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use spindle_schema::item::UserInput;
use tokio::sync::Notify;

/// Inputs that may wait at once.
const MOST: usize = 256;
/// Commands of the person's that may run beside a turn, or have ended and wait to be told, at
/// once.
const MOST_COMMANDS: usize = 32;

/// Where steering waits until the next sampling. Cheap to clone; the session puts in, the turn
/// takes out.
///
/// The turn closes it in the same breath in which it finds it empty for the last time: input is
/// therefore either taken by this turn or refused, never lost between the two. It stays open
/// while the output of a person's command is expected, since a turn is over only when these are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mailbox(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    inner: Mutex<Inner>,
    /// Tells the turn, if it waits, to look again.
    changed: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    mail: VecDeque<Mail>,
    notes: Vec<String>,
    /// Notes that are still to come.
    expected: usize,
    closed: bool,
    replaced: bool,
}

/// One steering input.
#[derive(Debug)]
pub(crate) struct Mail {
    /// The parts.
    pub(crate) input: Vec<UserInput>,
    /// The client's own id of the message.
    pub(crate) client_id: Option<Box<str>>,
}

/// What became of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offer {
    /// The turn will take it up.
    Taken,
    /// The turn is past its end.
    Closed,
    /// Too much waits already.
    Full,
}

/// What became of the wish to run a command beside the turn.
#[derive(Debug)]
pub(crate) enum Expecting {
    /// The turn will wait for its output.
    Note(Expected),
    /// The turn is past its end.
    Closed,
    /// Too many run already.
    Full,
}

/// The right to give a turn one note. Dropping it tells the turn that none will come.
#[derive(Debug)]
pub(crate) struct Expected(Mailbox);

impl Mailbox {
    /// Puts an input in, unless the turn takes no more.
    pub(crate) fn offer(&self, input: Vec<UserInput>, client_id: Option<Box<str>>) -> Offer {
        let mut inner = self.0.inner.lock();
        if inner.closed {
            return Offer::Closed;
        }
        if inner.mail.len() >= MOST {
            return Offer::Full;
        }
        inner.mail.push_back(Mail { input, client_id });
        self.0.changed.notify_one();
        Offer::Taken
    }

    /// Makes the turn wait for a note, unless it takes no more.
    pub(crate) fn expect(&self) -> Expecting {
        let mut inner = self.0.inner.lock();
        if inner.closed {
            return Expecting::Closed;
        }
        if inner.expected + inner.notes.len() >= MOST_COMMANDS {
            return Expecting::Full;
        }
        inner.expected += 1;
        Expecting::Note(Expected(self.clone()))
    }

    /// Takes all input that waits.
    pub(crate) fn take(&self) -> Vec<Mail> {
        self.0.inner.lock().mail.drain(..).collect()
    }

    /// Takes all notes that wait.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.0.inner.lock().notes)
    }

    /// Whether input waits.
    pub(crate) fn has_input(&self) -> bool {
        !self.0.inner.lock().mail.is_empty()
    }

    /// Waits until something can be taken or nothing more is expected. Cancel safe; for one
    /// waiter, the turn.
    pub(crate) async fn arrival(&self) {
        loop {
            {
                let inner = self.0.inner.lock();
                let waits = !inner.mail.is_empty() || !inner.notes.is_empty();
                if waits || inner.expected == 0 {
                    return;
                }
            }
            self.0.changed.notified().await;
        }
    }

    /// Waits until no note is expected any more. Cancel safe; for one waiter, the turn.
    pub(crate) async fn settled(&self) {
        while self.0.inner.lock().expected > 0 {
            self.0.changed.notified().await;
        }
    }

    /// Closes the mailbox if nothing waits and nothing is expected, and tells whether it did.
    pub(crate) fn close_if_empty(&self) -> bool {
        let mut inner = self.0.inner.lock();
        if inner.mail.is_empty() && inner.notes.is_empty() && inner.expected == 0 {
            inner.closed = true;
        }
        inner.closed
    }

    /// Closes the mailbox and takes the input that still waits.
    pub(crate) fn close(&self) -> Vec<Mail> {
        let mut inner = self.0.inner.lock();
        inner.closed = true;
        inner.mail.drain(..).collect()
    }

    /// Notes that the turn is ended because another takes its place.
    pub(crate) fn replace(&self) {
        self.0.inner.lock().replaced = true;
    }

    /// Whether another turn takes this one's place.
    pub(crate) fn is_replaced(&self) -> bool {
        self.0.inner.lock().replaced
    }
}

impl Expected {
    /// Gives the note.
    pub(crate) fn deliver(self, note: String) {
        self.0.0.inner.lock().notes.push(note);
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.0.0.inner.lock().expected -= 1;
        self.0.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests;
