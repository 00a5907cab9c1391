//! The history makes room: the model's own summary takes its place (SPEC H5, T1, T9).

use bytes::Bytes;
use serde_json::{Map, Value, json};
use spindle_model::ModelEvent;
use spindle_model::retry::Retry;
use spindle_schema::event::{ErrorInfo, EventMsg, RateLimits, TurnError};
use spindle_schema::ids::ItemId;
use spindle_schema::item::{Bare, TurnItem};
use spindle_schema::model::{ContentPart, ResponseItem, Role};
use spindle_schema::rollout::{RolloutItem, TokenUsageRecord};

use super::outcome::Stop;
use super::run::Turn;
use super::sample::Broken;
use super::streaming::give_id;
use super::usage::no_limits;
use crate::config::AutoCompactScope;
use crate::context::{Draft, ItemNote, Limit, Summary, World};

/// How often the oldest half of what is summarised may be left out.
const MOST_CUTS: u32 = 8;

/// Why room is made, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// A person asked for it.
    Asked,
    /// A turn begins.
    BeforeTurn,
    /// A turn is to go on.
    DuringTurn,
}

impl Reason {
    /// What the provider is told.
    fn metadata(self) -> Value {
        let (trigger, reason, phase) = match self {
            Self::Asked => ("manual", "user_requested", "standalone_turn"),
            Self::BeforeTurn => ("auto", "context_limit", "pre_turn"),
            Self::DuringTurn => ("auto", "context_limit", "mid_turn"),
        };
        json!({
            "trigger": trigger,
            "reason": reason,
            "implementation": "responses",
            "phase": phase,
            "strategy": "memento",
        })
    }
}

/// What the model wrote.
struct Written {
    /// The message as it came.
    item: ResponseItem,
    /// Its text.
    text: String,
    /// The provider's id of the response.
    response_id: Box<str>,
    /// What it cost, if the provider told.
    usage: Option<TokenUsageRecord>,
    /// The account's limits.
    limits: RateLimits,
}

/// What of the history is summarised: less each time the model has no room for it.
enum Cut {
    /// All items from a place on.
    From { place: usize, cuts: u32 },
    /// The person's messages alone, within a budget.
    SaidOnly,
}

impl Turn {
    /// Whether the history must make room before the next request.
    pub(super) fn needs_room(&self) -> bool {
        self.conversation.needs_room(self.limit(), self.base_tokens())
    }

    /// The person's limit or the model's own, but never more than nine tenths of the window: the
    /// answer needs room too.
    fn limit(&self) -> Option<Limit> {
        let settings = &self.rooms.config.model;
        let own =
            settings.auto_compact_token_limit.map(|own| i64::try_from(own).unwrap_or(i64::MAX));
        let wanted = own.or(self.model.auto_compact_token_limit).filter(|wanted| *wanted > 0);
        let most = self.model.context_window.map(|window| window / 10 * 9);
        let tokens = match (wanted, most) {
            (Some(wanted), Some(most)) => wanted.min(most),
            (wanted, most) => wanted.or(most)?,
        };
        let without_head = settings.auto_compact_scope == AutoCompactScope::BodyAfterPrefix;
        Some(Limit { tokens, without_head })
    }

    /// Puts a summary in the place of the history. If that fails or is interrupted, the history
    /// is as it was.
    pub(super) async fn compact(&mut self, reason: Reason) -> Result<(), Stop> {
        let item = TurnItem::ContextCompaction(Bare { id: ItemId::unique() });
        let started = self.speaker.started(item.clone());
        let since = started.item.started_at_ms.unwrap_or_default();
        self.speaker.say(vec![EventMsg::ItemStarted(started)]).await;
        let written = self.summary(reason).await?;
        self.replace(written, item, since).await
    }

    /// Asks for a summary until there is one. Each time the model has no room for the history,
    /// it is shown less of it; people are told, since what it is not shown is lost.
    async fn summary(&mut self, reason: Reason) -> Result<Written, Stop> {
        let mut retry = Retry::new(&self.provider.retry);
        let mut cut = Cut::From { place: 0, cuts: 0 };
        loop {
            let items = self.items_of(&cut);
            match self.ask_for_summary(items, reason).await {
                Ok(written) => return Ok(written),
                Err(Broken::Stop(stop)) => return Err(stop),
                Err(Broken::Model(error)) if error.is_context_window() => {
                    let Some(shorter) = self.cut_more(&cut) else {
                        return Err(Stop::Failed(error.to_turn_error()));
                    };
                    if let Cut::From { cuts: 0, .. } = cut {
                        self.speaker.say(vec![EventMsg::Warning(LEFT_OUT.into())]).await;
                    }
                    cut = shorter;
                }
                Err(Broken::Model(error)) => self.wait_or_fail(&mut retry, &error).await?,
            }
        }
    }

    fn items_of(&self, cut: &Cut) -> Vec<Bytes> {
        match *cut {
            Cut::From { place, .. } => self.conversation.history.prompt_from(place),
            Cut::SaidOnly => self.conversation.said_only(),
        }
    }

    fn cut_more(&self, cut: &Cut) -> Option<Cut> {
        let Cut::From { place, cuts } = *cut else { return None };
        let history = &self.conversation.history;
        let next = history.half_from(place);
        let fits = next < history.len() && cuts < MOST_CUTS;
        Some(if fits { Cut::From { place: next, cuts: cuts + 1 } } else { Cut::SaidOnly })
    }

    async fn ask_for_summary(
        &mut self,
        items: Vec<Bytes>,
        reason: Reason,
    ) -> Result<Written, Broken> {
        let cancel = self.plan.cancel.clone();
        let request = self.summary_request(items, reason.metadata());
        let opened = self.rooms.model.stream(&self.provider, request, cancel.clone());
        let mut stream = match opened.await {
            Ok(stream) => stream,
            Err(error) if error.is_cancelled() => return Err(Stop::Interrupted.into()),
            Err(error) => return Err(Broken::Model(error)),
        };
        self.tell_opened().await?;
        let mut limits = no_limits();
        let mut message = None;
        loop {
            let batch = tokio::select! {
                biased;
                () = cancel.cancelled() => None,
                batch = stream.next_batch() => batch,
            };
            // A stream ends with its completion or with an error; after that it is not asked.
            let events = batch.ok_or(Stop::Interrupted)?.map_err(Broken::Model)?;
            for event in events {
                match event {
                    ModelEvent::ItemDone(item) if is_answer(&item) => message = Some(*item),
                    ModelEvent::RateLimits(told) => limits = *told,
                    ModelEvent::Completed { response_id, usage, .. } => {
                        let usage = usage.map(|usage| self.count(&response_id, usage));
                        let (item, text) = message.and_then(text_of).ok_or_else(no_summary)?;
                        return Ok(Written { item, text, response_id, usage, limits });
                    }
                    _ => {}
                }
            }
        }
    }

    /// Tells the figures as they stand, now that the provider has taken the request.
    async fn tell_opened(&mut self) -> Result<(), Stop> {
        let (line, mut events) = self.tell_usage(None);
        if !self.has_figures() {
            events.retain(|event| !matches!(event, EventMsg::TokenUsageUpdated(_)));
        }
        let mut draft = Draft::default();
        draft.event(line);
        self.conversation.record(draft).await?;
        self.speaker.say(events).await;
        Ok(())
    }

    /// Records the summary and all that follows from it at once, and then tells it.
    async fn replace(&mut self, written: Written, item: TurnItem, since: i64) -> Result<(), Stop> {
        let Written { item: message, text, response_id, usage, limits } = written;
        let mut draft = Draft::default();
        let note = ItemNote { summary: true, ..ItemNote::by_model(self.id(), &message) };
        draft.line(self.conversation.beside(message, &note));
        let mut extra = Map::new();
        extra.insert("compaction_response_id".into(), json!(response_id));
        if let Some(record) = usage {
            extra.insert("latest_token_usage_record".into(), json!(record));
            draft.line(RolloutItem::TokenUsage(Box::new(record)));
        }
        let (line, mut events) = self.tell_usage(Some(&limits));
        draft.event(line);
        let mut told = Draft::default();
        let world = World::advance(None, &self.surroundings(), &self.plan.id, &mut told);
        let turn_id = self.id().clone();
        let summary = Summary { turn_id: &turn_id, text: &text, extra };
        let shorter = self.conversation.shorten(told, summary, &mut draft);
        draft.line(RolloutItem::TurnContext(Box::new(self.turn_context())));
        draft.event(self.settings_event());
        let base = self.base_tokens();
        let (line, more) = self.tell_shorter(base + shorter.tokens);
        draft.event(line).event(self.item_event(&item, since));
        self.conversation.adopt(shorter, draft, base).await?;
        self.conversation.world = Some(world);
        self.was_asked = false;
        events.extend(more);
        events.push(EventMsg::ItemCompleted(self.speaker.completed(item, since)));
        self.speaker.say(events).await;
        Ok(())
    }
}

/// What people are told when the model cannot be shown all that it is to summarise.
const LEFT_OUT: &str = "The conversation is longer than the model can read at once. Its oldest \
                        part was left out of the summary.";

fn is_answer(item: &ResponseItem) -> bool {
    matches!(item, ResponseItem::Message(message) if message.role == Role::Assistant)
}

/// A message and its text, if it has any.
fn text_of(mut item: ResponseItem) -> Option<(ResponseItem, String)> {
    give_id(&mut item);
    let ResponseItem::Message(message) = &item else { return None };
    let text: String = message.content.iter().filter_map(ContentPart::text).collect();
    (!text.trim().is_empty()).then_some((item, text))
}

fn no_summary() -> Stop {
    Stop::Failed(TurnError {
        message: "the model gave no summary; the conversation was left as it was".into(),
        codex_error_info: Some(ErrorInfo::Other),
        additional_details: None,
    })
}
