//! The open questions of the process.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};

use parking_lot::Mutex;
use spindle_schema::event::{AnswerMsg, Answerer, QuestionKind};
use spindle_schema::ids::{ConnectionId, QuestionId, ThreadId};
use tokio::sync::oneshot;

/// What kind of answer a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionTag {
    /// A decision about a command.
    Command,
    /// A decision about a patch.
    FileChange,
    /// Answers to the model's questions.
    UserInput,
    /// A grant.
    Permissions,
    /// The result of a client's own tool.
    DynamicTool,
}

impl From<&QuestionKind> for QuestionTag {
    fn from(kind: &QuestionKind) -> Self {
        match kind {
            QuestionKind::Command(_) | QuestionKind::Network(_) => Self::Command,
            QuestionKind::FileChange(_) => Self::FileChange,
            QuestionKind::UserInput(_) => Self::UserInput,
            QuestionKind::Permissions(_) => Self::Permissions,
            QuestionKind::DynamicTool(_) => Self::DynamicTool,
        }
    }
}

/// Owns every open question under one number, counted from 0 over the whole process.
///
/// A question is answered once: whoever comes later, or after it was withdrawn, changes nothing.
#[derive(Debug, Default)]
pub(crate) struct Broker {
    next: AtomicI64,
    open: Mutex<HashMap<QuestionId, Open>>,
    /// Who gave the answers that were not told yet.
    answered: Mutex<HashMap<QuestionId, Answerer>>,
}

#[derive(Debug)]
struct Open {
    tag: QuestionTag,
    thread: ThreadId,
    only: Option<ConnectionId>,
    sender: oneshot::Sender<AnswerMsg>,
}

impl Broker {
    /// Opens a question and gives its number and the place where the answer arrives.
    ///
    /// `only` is the one client that is asked, if it is one; when it goes, the question counts as
    /// answered badly.
    pub(crate) fn open(
        &self,
        thread: ThreadId,
        tag: QuestionTag,
        only: Option<ConnectionId>,
    ) -> (QuestionId, oneshot::Receiver<AnswerMsg>) {
        let id = QuestionId(self.next.fetch_add(1, Ordering::Relaxed));
        let (sender, receiver) = oneshot::channel();
        self.open.lock().insert(id, Open { tag, thread, only, sender });
        (id, receiver)
    }

    /// The thread that asks, and what kind of answer it takes; `None` when the question is not
    /// open.
    pub(crate) fn about(&self, id: QuestionId) -> Option<(ThreadId, QuestionTag)> {
        self.open.lock().get(&id).map(|open| (open.thread, open.tag))
    }

    /// Whether a question of this number was ever asked.
    pub(crate) fn knows(&self, id: QuestionId) -> bool {
        (0..self.next.load(Ordering::Relaxed)).contains(&id.0)
    }

    /// Gives the answer to whoever asked, and tells whether the question was open.
    pub(crate) fn answer(&self, id: QuestionId, from: Answerer, answer: AnswerMsg) -> bool {
        let Some(open) = self.open.lock().remove(&id) else { return false };
        // Known before the answer is: whoever waits for it may be quick.
        self.answered.lock().insert(id, from);
        let is_taken = open.sender.send(answer).is_ok();
        if !is_taken {
            self.answered.lock().remove(&id);
        }
        is_taken
    }

    /// Who answered a question; asked once, when its end is told.
    pub(crate) fn settle(&self, id: QuestionId) -> Option<Answerer> {
        self.answered.lock().remove(&id)
    }

    /// A client is gone: what only it was asked has no other answer.
    pub(crate) fn gone(&self, connection: ConnectionId) {
        let mut open = self.open.lock();
        let orphans: Vec<_> =
            open.iter().filter(|(_, o)| o.only == Some(connection)).map(|(id, _)| *id).collect();
        for orphan in orphans.iter().filter_map(|id| open.remove(id)) {
            // Whoever asked may be gone too.
            let _ = orphan.sender.send(AnswerMsg::Unusable("the client is gone".into()));
        }
    }

    /// Takes a question back.
    pub(crate) fn withdraw(&self, id: QuestionId) {
        self.open.lock().remove(&id);
    }
}

#[cfg(test)]
mod tests;
