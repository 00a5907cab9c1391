//! The open questions of the process.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};

use parking_lot::Mutex;
use spindle_schema::event::{AnswerMsg, QuestionKind};
use spindle_schema::ids::{ConnectionId, QuestionId};
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
}

#[derive(Debug)]
struct Open {
    tag: QuestionTag,
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
        tag: QuestionTag,
        only: Option<ConnectionId>,
    ) -> (QuestionId, oneshot::Receiver<AnswerMsg>) {
        let id = QuestionId(self.next.fetch_add(1, Ordering::Relaxed));
        let (sender, receiver) = oneshot::channel();
        self.open.lock().insert(id, Open { tag, only, sender });
        (id, receiver)
    }

    /// What kind of answer an open question takes; `None` when it is not open.
    pub(crate) fn tag(&self, id: QuestionId) -> Option<QuestionTag> {
        self.open.lock().get(&id).map(|open| open.tag)
    }

    /// Gives the answer to whoever asked, and tells whether the question was open.
    pub(crate) fn answer(&self, id: QuestionId, answer: AnswerMsg) -> bool {
        let open = self.open.lock().remove(&id);
        open.is_some_and(|open| open.sender.send(answer).is_ok())
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
