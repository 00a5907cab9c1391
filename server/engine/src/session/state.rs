//! What a session is at a moment.

use std::collections::VecDeque;
use std::sync::Arc;

use spindle_schema::event::{
    ActiveFlags, DeltaKind, Deltas, Question, QuestionKind, ThreadSnapshot, ThreadStatus,
    TimedItem, TokenUsageUpdate, TurnSnapshot,
};
use spindle_schema::ids::TurnId;
use spindle_schema::item::{AgentContent, TurnItem};
use spindle_schema::note::ReadState;
use spindle_schema::op::TurnInput;
use spindle_schema::settings::ThreadSettings;
use tokio_util::sync::CancellationToken;

use crate::config::Requirements;
use crate::threads::StartedTurn;
use crate::threads::subscribers::Subscribers;
use crate::turn::{Mailbox, Task};
use crate::{Answer, Error};

/// What does not change while a session lives, and little that does.
#[derive(Debug)]
pub(crate) struct ThreadFacts {
    /// The thread as it was loaded; status, settings and times are filled in when it is told.
    pub(crate) base: ThreadSnapshot,
    /// The files whose text was given to the model as instructions.
    pub(crate) instruction_sources: Vec<String>,
    /// What the machine's owner demands of the settings.
    pub(crate) requirements: Arc<Requirements>,
}

/// A session at a moment.
#[derive(Debug)]
pub(crate) struct State {
    /// The thread.
    pub(crate) facts: ThreadFacts,
    /// What later turns are set to.
    pub(crate) settings: ThreadSettings,
    /// Whether the settings changed since they were last recorded.
    pub(crate) settings_unrecorded: bool,
    /// What is going on.
    pub(crate) phase: Phase,
    /// Turns that wait for the running one to end.
    pub(crate) queue: VecDeque<QueuedTurn>,
    /// Who listens.
    pub(crate) subscribers: Arc<Subscribers>,
    /// What was last told of use, for those who join.
    pub(crate) usage: Option<TokenUsageUpdate>,
}

/// What is going on.
#[derive(Debug)]
pub(crate) enum Phase {
    /// Nothing. Whether the last turn failed.
    Idle { failed: bool },
    /// A turn runs.
    Running(Box<ActiveTurn>),
    /// The session ends as soon as the turn has; who waits for that.
    Closing(Option<Box<ActiveTurn>>, Vec<Answer<()>>),
}

/// A turn that runs.
#[derive(Debug)]
pub(crate) struct ActiveTurn {
    /// Its id.
    pub(crate) id: TurnId,
    /// The turn at the root of its tree.
    pub(crate) root: Box<str>,
    /// Unix milliseconds.
    pub(crate) started_at_ms: i64,
    /// What it does.
    pub(crate) kind: Kind,
    /// Ends it.
    pub(crate) cancel: CancellationToken,
    /// Its items so far, for those who join.
    pub(crate) items: Vec<TimedItem>,
    /// What it waits for.
    pub(crate) questions: Vec<Arc<Question>>,
    /// What nobody has read once it is over.
    pub(crate) unread: Option<ReadState>,
}

/// What a turn that runs does (SPEC S7). Where nothing can be said to a turn, there is no mailbox.
#[derive(Debug)]
pub(crate) enum Kind {
    /// It talks with the model.
    Regular(Mailbox),
    /// It runs a command of the person's, and talks with the model once there is something to say.
    Shell(Mailbox),
    /// It puts a summary in the place of the history.
    Compact,
}

/// A turn that waits.
#[derive(Debug)]
pub(crate) struct QueuedTurn {
    /// Its id.
    pub(crate) id: TurnId,
    /// What it does.
    pub(crate) task: Task,
    /// Its input.
    pub(crate) input: Box<TurnInput>,
    /// Who waits to hear that it began.
    pub(crate) caller: Caller,
}

/// Who waits to hear that a turn began.
#[derive(Debug)]
pub(crate) enum Caller {
    /// Somebody who wants to know the turn.
    Turn(Answer<StartedTurn>),
    /// Somebody who wants to know that it begins.
    Plain(Answer<()>),
    /// Nobody any more.
    Answered,
}

impl State {
    /// The turn that runs, also while the session is closing.
    pub(crate) fn active(&self) -> Option<&ActiveTurn> {
        match &self.phase {
            Phase::Running(turn) | Phase::Closing(Some(turn), _) => Some(turn),
            Phase::Idle { .. } | Phase::Closing(None, _) => None,
        }
    }

    /// The turn that runs, to be changed.
    pub(crate) fn active_mut(&mut self) -> Option<&mut ActiveTurn> {
        match &mut self.phase {
            Phase::Running(turn) | Phase::Closing(Some(turn), _) => Some(turn),
            Phase::Idle { .. } | Phase::Closing(None, _) => None,
        }
    }

    /// How the thread stands.
    pub(crate) fn status(&self) -> ThreadStatus {
        match (&self.phase, self.active()) {
            (_, Some(turn)) => ThreadStatus::Active(turn.flags()),
            (Phase::Idle { failed: true }, None) => ThreadStatus::SystemError,
            _ => ThreadStatus::Idle,
        }
    }

    /// The thread as clients see it.
    pub(crate) fn snapshot(&self) -> Arc<ThreadSnapshot> {
        let mut snapshot = self.facts.base.clone();
        snapshot.status = self.status();
        snapshot.cwd.clone_from(&self.settings.cwd);
        snapshot.workspace_roots.clone_from(&self.settings.workspace_roots);
        snapshot.model_provider.clone_from(&self.settings.model_provider);
        snapshot.model = Some(self.settings.model.clone());
        snapshot.effort.clone_from(&self.settings.effort);
        Arc::new(snapshot)
    }
}

impl ActiveTurn {
    /// Where what is said to the turn goes.
    ///
    /// # Errors
    /// [`Error::NotSteerable`] when nothing can be said to it.
    pub(crate) fn mailbox(&self) -> Result<&Mailbox, Error> {
        match &self.kind {
            Kind::Regular(mailbox) | Kind::Shell(mailbox) => Ok(mailbox),
            Kind::Compact => Err(Error::NotSteerable("compact")),
        }
    }

    /// What the turn waits for.
    pub(crate) fn flags(&self) -> ActiveFlags {
        let asks_person = |q: &&Arc<Question>| matches!(q.kind, QuestionKind::UserInput(_));
        let own = |q: &&Arc<Question>| matches!(q.kind, QuestionKind::DynamicTool(_));
        ActiveFlags {
            waiting_on_approval: self.questions.iter().any(|q| !asks_person(&q) && !own(&q)),
            waiting_on_user_input: self.questions.iter().any(|q| asks_person(&q)),
        }
    }

    /// The turn as clients see it, with its items so far.
    pub(crate) fn snapshot(&self) -> TurnSnapshot {
        use spindle_schema::event::{ItemsView, TurnStatus};
        TurnSnapshot {
            id: self.id.clone(),
            root_turn_id: Some(self.root.clone()),
            status: TurnStatus::InProgress,
            error: None,
            started_at: Some(self.started_at_ms / 1000),
            completed_at: None,
            duration_ms: None,
            items: self.items.clone(),
            view: ItemsView::Full,
        }
    }

    /// Remembers an item that began or became whole.
    pub(crate) fn note_item(&mut self, item: &TimedItem) {
        match self.items.iter_mut().rev().find(|known| known.item.id() == item.item.id()) {
            Some(known) => *known = item.clone(),
            None => self.items.push(item.clone()),
        }
    }

    /// Remembers text that an item got.
    pub(crate) fn note_deltas(&mut self, deltas: &Deltas) {
        let known = self.items.iter_mut().rev().find(|i| i.item.id() == deltas.item_id.as_str());
        let Some(known) = known else { return };
        match (&mut known.item, deltas.kind) {
            (TurnItem::AgentMessage(message), DeltaKind::AgentMessage) => {
                if message.content.is_empty() {
                    message.content.push(AgentContent::Text { text: String::new() });
                }
                if let Some(AgentContent::Text { text }) = message.content.last_mut() {
                    deltas.pieces.iter().for_each(|piece| text.push_str(piece));
                }
            }
            (TurnItem::Reasoning(item), DeltaKind::SummaryPartAdded(_)) => {
                item.summary_text.push(String::new());
            }
            (TurnItem::Reasoning(item), DeltaKind::ReasoningSummary(index)) => {
                append_part(&mut item.summary_text, index, &deltas.pieces);
            }
            (TurnItem::Reasoning(item), DeltaKind::ReasoningText(index)) => {
                append_part(&mut item.raw_content, index, &deltas.pieces);
            }
            (TurnItem::Plan(item), DeltaKind::Plan) => {
                deltas.pieces.iter().for_each(|piece| item.text.push_str(piece));
            }
            _ => {}
        }
    }
}

fn append_part(parts: &mut Vec<String>, index: i64, pieces: &[Box<str>]) {
    let index = usize::try_from(index).unwrap_or(0).min(1024);
    if parts.len() <= index {
        parts.resize(index + 1, String::new());
    }
    pieces.iter().for_each(|piece| parts[index].push_str(piece));
}
