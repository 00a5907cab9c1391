//! A tool asks a question and waits.

use std::sync::Arc;
use std::time::Duration;

use spindle_schema::event::{AnswerMsg, ItemEvent, Question, QuestionKind};
use tokio::time::Instant;

use super::broker::QuestionTag;
use crate::clock;
use crate::tools::CallContext;
use crate::turn::ReportMsg;

/// What a question is about.
pub(crate) enum About {
    /// Nothing that clients see as an item.
    Nothing,
    /// An item that begins with the question.
    Item(Arc<ItemEvent>),
}

/// What came of a question.
pub(crate) enum Asked {
    /// An answer. The asker reports the question as settled, with what follows from it.
    Answered(AnswerMsg),
    /// The turn ended after this time; the session takes the question back.
    Cancelled(Duration),
}

impl CallContext {
    /// Asks the clients of the thread and waits for the first answer. With nobody there, it
    /// waits on.
    pub(crate) async fn ask(&self, kind: QuestionKind, about: About) -> Asked {
        match self.ask_unsettled(kind, about).await {
            (id, Asked::Answered(answer)) => {
                self.speaker.report(ReportMsg::Settled { question: id, also: Vec::new() }).await;
                Asked::Answered(answer)
            }
            (_, cancelled) => cancelled,
        }
    }

    /// Asks; the caller reports the question as settled.
    pub(crate) async fn ask_unsettled(
        &self,
        kind: QuestionKind,
        about: About,
    ) -> (spindle_schema::ids::QuestionId, Asked) {
        let since = Instant::now();
        let only = match &kind {
            QuestionKind::DynamicTool(_) => self.rooms.client_tools.owner(),
            _ => None,
        };
        let tag = QuestionTag::from(&kind);
        let (id, answer) = self.rooms.broker.open(self.rooms.thread_id, tag, only);
        let question = Arc::new(Question {
            id,
            turn_id: self.turn_id().clone(),
            item_id: self.call.item_id(),
            started_at_ms: clock::now_ms(),
            only,
            kind,
        });
        let report = match about {
            About::Nothing => ReportMsg::Asked(question),
            About::Item(item) => ReportMsg::AskedAbout(item, question),
        };
        self.speaker.report(report).await;
        let asked = tokio::select! {
            biased;
            () = self.cancel.cancelled() => Asked::Cancelled(since.elapsed()),
            answer = answer => match answer {
                Ok(answer) => Asked::Answered(answer),
                Err(_) => Asked::Cancelled(since.elapsed()),
            },
        };
        (id, asked)
    }
}
