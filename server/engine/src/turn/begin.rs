//! The beginning of a turn: who, where, with what, and what the person said (SPEC T1).

use std::path::Path;

use serde_json::{Map, Value, json};
use spindle_schema::event::EventMsg;
use spindle_schema::ids::ItemId;
use spindle_schema::item::{TurnItem, UserInput, UserMessage};
use spindle_schema::model::{ResponseItem, Role};
use spindle_schema::rollout::{
    ItemCompleted, RecordedEvent, RolloutItem, TaskStarted, TurnContext,
};

use super::compact::Reason;
use super::outcome::Stop;
use super::plan::Task;
use super::run::Turn;
use crate::clock;
use crate::context::{Draft, ItemNote, Surroundings, World, permission_profile, to_content};

impl Turn {
    /// Records the turn, what the model must know of the world, and the input.
    ///
    /// Where room must be made first, the input is not in what is summarised; it stays, though,
    /// when that fails.
    pub(super) async fn begin(&mut self) -> Result<(), Stop> {
        let opening = self.opening();
        let caught_up = self.catch_up(opening).await;
        if caught_up.is_ok() && !self.model_is_known {
            let text = spindle_model::catalog::unknown_warning(&self.plan.settings.model);
            self.speaker.say(vec![EventMsg::Warning(text.into())]).await;
        }
        let input = std::mem::take(&mut self.plan.input.input);
        let client_id = self.plan.input.client_id.take();
        self.record_input(&input, client_id).await?;
        caught_up
    }

    /// Records that the turn has begun, and nothing else.
    pub(super) async fn open(&mut self) -> Result<(), Stop> {
        let opening = self.opening();
        Ok(self.conversation.record(opening).await?)
    }

    fn opening(&self) -> Draft {
        let mut draft = Draft::default();
        if self.plan.record_settings && self.conversation.world.is_some() {
            draft.event(self.settings_event());
        }
        draft.event(self.started_event());
        draft
    }

    /// Records a draft and what the model must know of the world, in a history that has room.
    pub(super) async fn catch_up(&mut self, mut draft: Draft) -> Result<(), Stop> {
        if self.needs_room() {
            self.conversation.record(draft).await?;
            return self.compact(Reason::BeforeTurn).await;
        }
        let first = self.conversation.world.is_none();
        let told = self.conversation.world.as_ref();
        let world = World::advance(told, &self.surroundings(), &self.plan.id, &mut draft);
        draft.line(RolloutItem::TurnContext(Box::new(self.turn_context())));
        if let Some(news) = self.rooms.undo.news().await {
            let note = ItemNote::harness(&self.plan.id, vec!["generic.undo"]);
            draft.item(ResponseItem::text(Role::Developer, news), note);
        }
        if first {
            draft.event(self.settings_event());
        }
        self.conversation.record(draft).await?;
        self.conversation.world = Some(world);
        Ok(())
    }

    /// What the world is made of.
    pub(super) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            settings: &self.plan.settings,
            shell: self.rooms.shell.kind().name(),
            developer_instructions: self.rooms.developer_instructions.as_deref(),
            project_instructions: self.rooms.project_instructions.as_deref(),
        }
    }

    /// Records a person's input and tells it as an item. Empty input is nothing.
    pub(super) async fn record_input(
        &mut self,
        input: &[UserInput],
        client_id: Option<Box<str>>,
    ) -> Result<(), Stop> {
        if input.is_empty() {
            return Ok(());
        }
        let started_at_ms = clock::now_ms();
        let cwd = self.plan.settings.cwd.clone();
        let content = to_content(input, Path::new(&*cwd), self.model.takes_images()).await;
        let item = TurnItem::UserMessage(UserMessage {
            id: ItemId::unique(),
            client_id,
            content: input.to_vec(),
        });
        let mut draft = Draft::default();
        let note = ItemNote {
            kinds: content.kinds,
            provenance: content.provenance,
            attributed: true,
            ..ItemNote::here(&self.plan.id)
        };
        draft.item(ResponseItem::message(Role::User, content.parts), note);
        draft.event(self.item_event(&item, started_at_ms));
        self.conversation.record(draft).await?;
        let started =
            EventMsg::ItemStarted(std::sync::Arc::new(spindle_schema::event::ItemEvent {
                turn_id: self.plan.id.clone(),
                item: spindle_schema::event::TimedItem {
                    item: item.clone(),
                    started_at_ms: Some(started_at_ms),
                    completed_at_ms: None,
                },
            }));
        let completed = EventMsg::ItemCompleted(self.speaker.completed(item, started_at_ms));
        self.speaker.say(vec![started, completed]).await;
        Ok(())
    }

    /// The line that says that an item is whole.
    pub(super) fn item_event(&self, item: &TurnItem, started_at_ms: i64) -> RecordedEvent {
        RecordedEvent::ItemCompleted(ItemCompleted {
            thread_id: self.rooms.thread_id,
            turn_id: self.plan.id.clone(),
            item: item.clone(),
            started_at_ms: Some(started_at_ms),
            completed_at_ms: Some(clock::now_ms()),
        })
    }

    fn started_event(&self) -> RecordedEvent {
        let input = &self.plan.input;
        let mut attribution = Map::new();
        attribution.insert("turn_id".into(), json!(self.plan.id));
        attribution.insert("root_turn_id".into(), json!(self.plan.root));
        attribution.insert("parent_turn_id".into(), json!(input.parent_turn_id));
        attribution.insert("initiating_agent_path".into(), Value::Null);
        attribution.insert("turn_trigger".into(), json!(input.trigger));
        RecordedEvent::TaskStarted(TaskStarted {
            turn_id: self.plan.id.clone(),
            root_turn_id: Some(self.plan.root.clone()),
            started_at: Some(self.plan.started_at_ms / 1000),
            model_context_window: self.model.effective_context_window(),
            collaboration_mode_kind: Some(self.plan.settings.mode.as_str().into()),
            turn_attribution: (self.plan.task != Task::Compact).then_some(attribution),
        })
    }

    pub(super) fn turn_context(&self) -> TurnContext {
        let settings = &self.plan.settings;
        let mut extra = Map::new();
        let mut put = |key: &str, value: Value| {
            extra.insert(key.into(), value);
        };
        put("root_turn_id", json!(self.plan.root));
        put("disabled_plugin_ids", json!([]));
        put("approval_policy", json!(settings.approval_policy));
        put("approvals_reviewer", json!(settings.approvals_reviewer));
        put("sandbox_policy", json!(settings.sandbox_policy));
        put("permission_profile", permission_profile(settings));
        put("collaboration_mode", json!(settings.collaboration_mode()));
        put("realtime_active", json!(false));
        put("summary", json!(settings.summary.unwrap_or_default()));
        put("multi_agent_version", json!("disabled"));
        if let Some(personality) = &settings.personality {
            put("personality", json!(personality));
        }
        TurnContext {
            turn_id: Some(self.plan.id.clone()),
            cwd: settings.cwd.clone(),
            model: settings.model.clone(),
            effort: settings.effort.clone(),
            extra,
        }
    }

    pub(super) fn settings_event(&self) -> RecordedEvent {
        let settings = &self.plan.settings;
        let mut map = Map::new();
        map.insert("thread_id".into(), json!(self.rooms.thread_id));
        let mut inner = json!({
            "model": settings.model,
            "model_provider_id": settings.model_provider,
            "approval_policy": settings.approval_policy,
            "approvals_reviewer": settings.approvals_reviewer,
            "requested_approvals_reviewer": settings.approvals_reviewer,
            "permission_profile": permission_profile(settings),
            "cwd": settings.cwd,
            "runtime_workspace_roots": settings.workspace_roots,
            "collaboration_mode": settings.collaboration_mode(),
            "disabled_plugin_ids": [],
        });
        if let Some(effort) = &settings.effort {
            inner["reasoning_effort"] = json!(effort);
        }
        if let Some(summary) = settings.summary {
            inner["reasoning_summary"] = json!(summary);
        }
        map.insert("thread_settings".into(), inner);
        RecordedEvent::ThreadSettingsApplied(map)
    }
}
