//! The story of a turn: begin, sample, run the calls, repeat, end.

use std::sync::Arc;

use parking_lot::Mutex;
use spindle_exec::patch::TurnDiff;
use spindle_model::Provider;
use spindle_model::catalog::{ApplyPatch, ModelInfo, Resolved};
use spindle_schema::ids::TurnId;
use spindle_schema::model::TokenUsage;
use spindle_schema::model::{ResponseItem, Role};
use spindle_schema::rollout::{RecordedEvent, TaskComplete, TurnAborted};

use super::outcome::{Outcome, Stop};
use super::plan::TurnPlan;
use super::report::{ReportMsg, Speaker};
use crate::context::{Conversation, Draft, ItemNote, TURN_ABORTED};
use crate::rooms::SessionRooms;
use crate::tools::{Offer, Registry};
use crate::{clock, config};

/// A turn that runs. Owns the conversation until it gives it back.
pub(crate) struct Turn {
    /// What the session decided.
    pub(super) plan: TurnPlan,
    /// What the session's turns share.
    pub(super) rooms: Arc<SessionRooms>,
    /// The history and what grows with it.
    pub(super) conversation: Conversation,
    /// The way to the session.
    pub(super) speaker: Speaker,
    /// What the model can do.
    pub(super) model: Arc<ModelInfo>,
    /// Where the model lives.
    pub(super) provider: Arc<Provider>,
    /// What the model may ask for.
    pub(super) tools: Registry,
    /// All that the turn has changed in files.
    pub(super) diff: Arc<Mutex<TurnDiff>>,
    /// What the turn has used.
    pub(super) usage: TokenUsage,
    /// The model's last words.
    pub(super) last_message: Option<String>,
    /// When the first output came. Unix milliseconds.
    pub(super) first_output_at_ms: Option<i64>,
    /// Whether the catalogue has the model.
    pub(super) model_is_known: bool,
}

impl Turn {
    /// Settles what a turn needs: the model and where it lives.
    ///
    /// # Errors
    /// When the provider cannot be used; the conversation comes back untouched.
    pub(crate) fn prepare(
        plan: TurnPlan,
        rooms: Arc<SessionRooms>,
        conversation: Conversation,
        speaker: Speaker,
    ) -> Result<Self, (Box<Conversation>, config::Error)> {
        let provider = match rooms.config.provider(&plan.settings.model_provider) {
            Ok(provider) => Arc::new(provider),
            Err(error) => return Err((Box::new(conversation), error)),
        };
        let Resolved { info: model, known } = rooms.catalog.resolve(&plan.settings.model);
        let tools = Registry::new(Offer {
            update_plan: rooms.config.tool.update_plan == Some(true),
            apply_patch: model.apply_patch_tool_type == Some(ApplyPatch::Freeform),
        });
        let diff = TurnDiff::new(plan.settings.cwd.as_ref());
        Ok(Self {
            plan,
            rooms,
            conversation,
            speaker,
            model,
            provider,
            tools,
            diff: Arc::new(Mutex::new(diff)),
            usage: TokenUsage::default(),
            last_message: None,
            first_output_at_ms: None,
            model_is_known: known,
        })
    }

    /// Tells the story and gives the conversation back. The last report says how it ended.
    pub(crate) async fn run(mut self) -> Conversation {
        let outcome = match self.story().await {
            Ok(()) => Outcome::Completed,
            Err(Stop::Interrupted) => Outcome::Interrupted,
            Err(Stop::Failed(error)) => Outcome::Failed(error),
        };
        let outcome = match self.end(&outcome).await {
            Ok(()) => outcome,
            // An end that could not be written is no good end.
            Err(Stop::Failed(error)) => Outcome::Failed(error),
            Err(Stop::Interrupted) => Outcome::Interrupted,
        };
        if outcome != Outcome::Interrupted
            && let Some(unread) = self.conversation.recorder.note_unread(self.id()).await
        {
            self.speaker.report(ReportMsg::Unread(unread)).await;
        }
        self.speaker.report(ReportMsg::Ended(outcome)).await;
        self.conversation
    }

    async fn story(&mut self) -> Result<(), Stop> {
        self.begin().await?;
        loop {
            self.take_mail().await?;
            let follow_up = self.sample_until_done().await?;
            // Whoever steered until now is heard; whoever comes later finds the door closed.
            if !follow_up && self.plan.mailbox.close_if_empty() {
                return Ok(());
            }
        }
    }

    /// Takes up what clients said while the turn ran (SPEC T4).
    async fn take_mail(&mut self) -> Result<(), Stop> {
        for mail in self.plan.mailbox.take() {
            self.record_input(&mail.input, mail.client_id).await?;
        }
        Ok(())
    }

    /// Records how the turn ended. Input that nobody took up stays in the history.
    async fn end(&mut self, outcome: &Outcome) -> Result<(), Stop> {
        let unread = self.plan.mailbox.close();
        let mut draft = Draft::default();
        if *outcome == Outcome::Interrupted {
            self.rooms.processes.end_those_of(&self.plan.id).await;
            let note = ItemNote::harness(&self.plan.id, vec!["generic.turn_aborted"]);
            draft.item(ResponseItem::text(Role::User, TURN_ABORTED), note);
        }
        self.conversation.record(std::mem::take(&mut draft)).await?;
        for mail in unread {
            self.record_input(&mail.input, mail.client_id).await?;
        }
        draft.event(self.end_event(outcome));
        self.conversation.record(draft).await?;
        Ok(())
    }

    fn end_event(&self, outcome: &Outcome) -> RecordedEvent {
        let now_ms = clock::now_ms();
        let started_ms = self.plan.started_at_ms;
        let root_turn_id = Some(self.plan.root.clone());
        let error = match outcome {
            Outcome::Interrupted => {
                return RecordedEvent::TurnAborted(TurnAborted {
                    turn_id: Some(self.plan.id.clone()),
                    root_turn_id,
                    reason: "interrupted".into(),
                    started_at: Some(started_ms / 1000),
                    completed_at: Some(now_ms / 1000),
                    duration_ms: Some(now_ms - started_ms),
                });
            }
            Outcome::Completed => None,
            Outcome::Failed(error) => Some(error.clone()),
        };
        RecordedEvent::TaskComplete(TaskComplete {
            turn_id: self.plan.id.clone(),
            root_turn_id,
            last_agent_message: self.last_message.clone().filter(|_| error.is_none()),
            started_at: Some(started_ms / 1000),
            completed_at: Some(now_ms / 1000),
            duration_ms: Some(now_ms - started_ms),
            time_to_first_token_ms: self.first_output_at_ms.map(|at| at - started_ms),
            error,
        })
    }

    /// The turn's id.
    pub(super) fn id(&self) -> &TurnId {
        &self.plan.id
    }
}
