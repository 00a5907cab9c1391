//! The story of a turn: begin, sample, run the calls, repeat, end.

use std::sync::Arc;

use parking_lot::Mutex;
use spindle_model::Provider;
use spindle_model::catalog::{ApplyPatch, ModelInfo, Resolved};
use spindle_schema::event::{EventMsg, TurnText};
use spindle_schema::ids::TurnId;
use spindle_schema::model::{ResponseItem, Role, TokenUsage};
use spindle_schema::op::ShellCommand;
use spindle_schema::rollout::{RecordedEvent, TaskComplete, TurnAborted};

use super::calls::too_late;
use super::compact::Reason;
use super::mailbox::Expecting;
use super::outcome::{Outcome, Stop};
use super::plan::{Task, TurnPlan};
use super::report::{ReportMsg, Speaker};
use super::sample::Sampled;
use crate::approvals::Grants;
use crate::context::{Conversation, Draft, ItemNote, TURN_ABORTED};
use crate::rooms::SessionRooms;
use crate::tools::{Changes, Offer, Registry, UserCommand};
use crate::undo::TurnUndo;
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
    pub(super) changes: Arc<Mutex<Changes>>,
    /// What a person allowed for the turn, beyond the sandbox.
    pub(super) grants: Arc<Grants>,
    /// What is kept of files before they change.
    pub(super) undo: Arc<TurnUndo>,
    /// What the turn has used.
    pub(super) usage: TokenUsage,
    /// The model's last words.
    pub(super) last_message: Option<String>,
    /// When the first output came. Unix milliseconds.
    pub(super) first_output_at_ms: Option<i64>,
    /// Whether the catalogue has the model.
    pub(super) model_is_known: bool,
    /// Whether the model was asked about the history as it stands, so that it may hold more than
    /// the model has room for.
    pub(super) was_asked: bool,
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
        let model = rooms.config.sized(model);
        let offer = Offer {
            update_plan: rooms.config.tool.update_plan == Some(true),
            apply_patch: model.apply_patch_tool_type == Some(ApplyPatch::Freeform),
            request_permissions: rooms.config.features.enabled("request_permissions_tool"),
            additional_permissions: rooms.config.features.enabled("exec_permission_approvals"),
        };
        let tools = Registry::new(offer, rooms.client_tools.clone());
        let changes = Changes::new(&plan.settings.cwd);
        let undo = rooms.undo.turn(plan.id.clone(), &plan.settings);
        Ok(Self {
            plan,
            rooms,
            conversation,
            speaker,
            model,
            provider,
            tools,
            changes: Arc::new(Mutex::new(changes)),
            grants: Arc::default(),
            undo,
            usage: TokenUsage::default(),
            last_message: None,
            first_output_at_ms: None,
            model_is_known: known,
            was_asked: false,
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
        if self.has_news(&outcome)
            && let Some(unread) = self.conversation.recorder.note_unread(self.id()).await
        {
            self.speaker.report(ReportMsg::Unread(unread)).await;
        }
        self.speaker.report(ReportMsg::Ended(outcome)).await;
        self.conversation
    }

    /// Whether the turn leaves something to read: an answer, or word of its failure.
    fn has_news(&self, outcome: &Outcome) -> bool {
        match (outcome, &self.plan.task) {
            (Outcome::Interrupted, _) | (Outcome::Completed, Task::Compact) => false,
            (Outcome::Failed(_), _) | (Outcome::Completed, Task::Regular) => true,
            (Outcome::Completed, Task::Shell(_)) => self.last_message.is_some(),
        }
    }

    async fn story(&mut self) -> Result<(), Stop> {
        match self.plan.task.clone() {
            Task::Regular => {
                self.begin().await?;
                self.converse().await
            }
            Task::Shell(command) => {
                self.open().await?;
                self.run_command(command);
                if !self.wait_for_input().await? {
                    return Ok(());
                }
                // Something was said meanwhile: it is a turn like any other from here on.
                self.plan.task = Task::Regular;
                self.catch_up(Draft::default()).await?;
                self.converse().await
            }
            Task::Compact => {
                self.open().await?;
                self.compact(Reason::Asked).await
            }
        }
    }

    /// Talks with the model until neither it nor the person has more to say.
    async fn converse(&mut self) -> Result<(), Stop> {
        loop {
            self.take_mail().await?;
            let follow_up = match self.sample_until_done().await? {
                Sampled::Whole { follow_up } => follow_up,
                // What the turn itself has gathered is too much: it makes room and goes on.
                Sampled::OutOfRoom(_) if self.was_asked => true,
                Sampled::OutOfRoom(error) => return Err(Stop::Failed(error)),
            };
            if !follow_up && !self.wait_for_input().await? {
                self.tell_changes().await;
                return Ok(());
            }
            if self.needs_room() {
                self.compact(Reason::DuringTurn).await?;
            }
            self.tell_saved_rules().await?;
        }
    }

    /// Waits until the person says something more; `false` when the turn is over. It is not
    /// while commands of the person run in it.
    ///
    /// Whoever steered until now is heard; whoever comes later finds the door closed.
    async fn wait_for_input(&mut self) -> Result<bool, Stop> {
        loop {
            self.take_notes().await?;
            if self.plan.mailbox.has_input() {
                return Ok(true);
            }
            if self.plan.mailbox.close_if_empty() {
                return Ok(false);
            }
            tokio::select! {
                biased;
                () = self.plan.cancel.cancelled() => return Err(Stop::Interrupted),
                () = self.plan.mailbox.arrival() => {}
            }
        }
    }

    /// Starts a person's command beside the turn.
    fn run_command(&self, command: ShellCommand) {
        if let Expecting::Note(ticket) = self.plan.mailbox.expect() {
            let command = UserCommand {
                rooms: self.rooms.clone(),
                speaker: self.speaker.clone(),
                recorder: self.conversation.recorder.clone(),
                settings: Arc::new(self.plan.settings.clone()),
                cancel: self.plan.cancel.clone(),
                command,
                ticket,
            };
            command.start();
        }
    }

    /// Takes up what the person's commands printed.
    async fn take_notes(&mut self) -> Result<(), Stop> {
        let mut draft = Draft::default();
        for text in self.plan.mailbox.take_notes() {
            let note = ItemNote::harness(&self.plan.id, vec!["shell.user_command"]);
            draft.item(ResponseItem::text(Role::User, text), note);
        }
        Ok(self.conversation.record(draft).await?)
    }

    /// Takes up what clients did and said while the turn ran (SPEC T4).
    async fn take_mail(&mut self) -> Result<(), Stop> {
        self.take_notes().await?;
        for mail in self.plan.mailbox.take() {
            self.record_input(&mail.input, mail.client_id).await?;
        }
        Ok(())
    }

    /// Tells once more what the turn has changed in files, now that it is over.
    async fn tell_changes(&self) {
        let text = self.changes.lock().last();
        if let Some(text) = text {
            let text = TurnText { turn_id: self.plan.id.clone(), text };
            self.speaker.say(vec![EventMsg::TurnDiffUpdated(Box::new(text))]).await;
        }
    }

    /// Records how the turn ended. Input that nobody took up stays in the history.
    async fn end(&mut self, outcome: &Outcome) -> Result<(), Stop> {
        tokio::select! {
            () = self.plan.mailbox.settled() => {}
            () = too_late(&self.plan.cancel) => tracing::warn!("a person's command did not end"),
        }
        let unread = self.plan.mailbox.close();
        self.take_notes().await?;
        let mut draft = Draft::default();
        if *outcome == Outcome::Interrupted {
            self.rooms.processes.end_those_of(&self.plan.id).await;
        }
        if *outcome == Outcome::Interrupted && self.leaves_work() {
            let note = ItemNote::harness(&self.plan.id, vec!["generic.turn_aborted"]);
            draft.item(ResponseItem::text(Role::User, TURN_ABORTED), note);
        }
        self.close_undo().await;
        self.conversation.record(std::mem::take(&mut draft)).await?;
        for mail in unread {
            self.record_input(&mail.input, mail.client_id).await?;
        }
        draft.event(self.end_event(outcome));
        self.conversation.record(draft).await?;
        Ok(())
    }

    /// Writes down what the turn did to files, and tells what of it cannot be taken back.
    async fn close_undo(&self) {
        let running = self.rooms.processes.any_running();
        let told = self.undo.finish(running).await;
        self.speaker
            .say(told.into_iter().map(|text| EventMsg::Warning(text.into())).collect())
            .await;
        self.rooms.undo.tidy_if_grown();
    }

    /// Whether an interrupt leaves work half done that the model should know of.
    fn leaves_work(&self) -> bool {
        match self.plan.task {
            Task::Regular => !self.plan.mailbox.is_replaced(),
            Task::Shell(_) | Task::Compact => false,
        }
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
                    reason: self.reason_of_interrupt().into(),
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

    fn reason_of_interrupt(&self) -> &'static str {
        if self.plan.mailbox.is_replaced() { "replaced" } else { "interrupted" }
    }

    /// The turn's id.
    pub(super) fn id(&self) -> &TurnId {
        &self.plan.id
    }
}
