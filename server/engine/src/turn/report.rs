//! What a turn says to its session.

use std::sync::Arc;

use spindle_schema::event::{EventMsg, ItemEvent, Question, TimedItem};
use spindle_schema::ids::{QuestionId, TurnId};
use spindle_schema::item::TurnItem;
use spindle_schema::note::ReadState;
use tokio::sync::mpsc;

use super::outcome::Outcome;
use crate::clock;

/// One report. A command that outlives its turn reports under the turn's id.
#[derive(Debug)]
pub(crate) struct Report {
    /// The turn.
    pub(crate) turn_id: TurnId,
    /// What it says.
    pub(crate) msg: ReportMsg,
}

/// What a report says.
#[derive(Debug)]
pub(crate) enum ReportMsg {
    /// Events to pass on, in order.
    Say(Vec<EventMsg>),
    /// A question was opened.
    Asked(Arc<Question>),
    /// A question was opened about an item that begins with it.
    AskedAbout(Arc<ItemEvent>, Arc<Question>),
    /// A question was answered, and what follows from it.
    Settled {
        /// The question.
        question: QuestionId,
        /// Events that belong to the answer.
        also: Vec<EventMsg>,
    },
    /// What of the thread nobody has read once the turn is over; said before its end.
    Unread(ReadState),
    /// The turn is over. Its last report.
    Ended(Outcome),
}

/// The turn's voice. Cheap to clone. A report waits when the session is behind; if the session
/// is gone, it is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Speaker {
    turn_id: TurnId,
    sender: mpsc::Sender<Report>,
}

impl Speaker {
    /// The voice of a turn.
    pub(crate) fn new(turn_id: TurnId, sender: mpsc::Sender<Report>) -> Self {
        Self { turn_id, sender }
    }

    /// The turn.
    pub(crate) fn turn_id(&self) -> &TurnId {
        &self.turn_id
    }

    /// Reports.
    pub(crate) async fn report(&self, msg: ReportMsg) {
        // A session that is gone hears nothing more; its turn is being cancelled then.
        drop(self.sender.send(Report { turn_id: self.turn_id.clone(), msg }).await);
    }

    /// Passes events on.
    pub(crate) async fn say(&self, events: Vec<EventMsg>) {
        if !events.is_empty() {
            self.report(ReportMsg::Say(events)).await;
        }
    }

    /// An item that begins now, as an event and as what must be remembered for its end.
    pub(crate) fn started(&self, item: TurnItem) -> Arc<ItemEvent> {
        let item = TimedItem { item, started_at_ms: Some(clock::now_ms()), completed_at_ms: None };
        Arc::new(ItemEvent { turn_id: self.turn_id.clone(), item })
    }

    /// An item that is whole now.
    pub(crate) fn completed(&self, item: TurnItem, started_at_ms: i64) -> Arc<ItemEvent> {
        let item = TimedItem {
            item,
            started_at_ms: Some(started_at_ms),
            completed_at_ms: Some(clock::now_ms()),
        };
        Arc::new(ItemEvent { turn_id: self.turn_id.clone(), item })
    }
}
