//! Input for a turn that already runs.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use spindle_schema::item::UserInput;

/// Inputs that may wait at once.
const MOST: usize = 256;

/// Where steering waits until the next sampling. Cheap to clone; the session puts in, the turn
/// takes out.
///
/// The turn closes it in the same breath in which it finds it empty for the last time: input is
/// therefore either taken by this turn or refused, never lost between the two.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mailbox(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    mail: VecDeque<Mail>,
    closed: bool,
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

impl Mailbox {
    /// Puts an input in, unless the turn takes no more.
    pub(crate) fn offer(&self, input: Vec<UserInput>, client_id: Option<Box<str>>) -> Offer {
        let mut inner = self.0.lock();
        if inner.closed {
            return Offer::Closed;
        }
        if inner.mail.len() >= MOST {
            return Offer::Full;
        }
        inner.mail.push_back(Mail { input, client_id });
        Offer::Taken
    }

    /// Takes all that waits.
    pub(crate) fn take(&self) -> Vec<Mail> {
        self.0.lock().mail.drain(..).collect()
    }

    /// Closes the mailbox if nothing waits, and tells whether it did.
    pub(crate) fn close_if_empty(&self) -> bool {
        let mut inner = self.0.lock();
        if inner.mail.is_empty() {
            inner.closed = true;
        }
        inner.closed
    }

    /// Closes the mailbox and takes what still waits.
    pub(crate) fn close(&self) -> Vec<Mail> {
        let mut inner = self.0.lock();
        inner.closed = true;
        inner.mail.drain(..).collect()
    }
}

#[cfg(test)]
mod tests;
