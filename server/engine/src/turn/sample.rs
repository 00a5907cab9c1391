//! One sampling: a request, its stream, its calls, and its retries (SPEC T5, T6, T7).

use spindle_model::ModelError;
use spindle_model::ModelEvent;
use spindle_model::retry::{Decision, Retry};
use spindle_schema::event::{ErrorEvent, EventMsg, RateLimits, TurnError};
use spindle_schema::model::{ResponseItem, Role};
use spindle_schema::rollout::RolloutItem;

use super::calls::Calls;
use super::outcome::Stop;
use super::run::Turn;
use super::streaming::Streaming;
use super::usage::no_limits;
use crate::context::{Draft, ItemNote};
use crate::tools::ToolOutput;

/// What became of a sampling.
pub(super) enum Sampled {
    /// A response came whole. Whether the model must be asked again.
    Whole { follow_up: bool },
    /// The history is longer than what the model can see.
    OutOfRoom(TurnError),
}

/// Why a sampling gave no whole response.
pub(super) enum Broken {
    /// The provider or the way to it.
    Model(ModelError),
    /// The turn itself stops.
    Stop(Stop),
}

impl From<Stop> for Broken {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<spindle_store::Error> for Broken {
    fn from(error: spindle_store::Error) -> Self {
        Self::Stop(error.into())
    }
}

/// A response that came whole.
pub(super) struct Finished {
    /// What it cost, if the provider told.
    usage_line: Option<RolloutItem>,
    /// Whether the provider wants to be asked again.
    wants_more: bool,
}

/// Whether an item that begins is a command. What it may change is looked at while the model
/// still writes it.
fn names_a_command(item: &ResponseItem) -> bool {
    matches!(item, ResponseItem::FunctionCall(call) if &*call.name == "exec_command")
}

impl Turn {
    /// Samples until a response came whole, or it is no use.
    pub(super) async fn sample_until_done(&mut self) -> Result<Sampled, Stop> {
        let mut retry = Retry::new(&self.provider.retry);
        loop {
            match self.sample().await {
                Ok(follow_up) => {
                    self.was_asked = true;
                    return Ok(Sampled::Whole { follow_up });
                }
                Err(Broken::Stop(stop)) => return Err(stop),
                Err(Broken::Model(error)) if error.is_context_window() => {
                    self.note_full().await?;
                    return Ok(Sampled::OutOfRoom(error.to_turn_error()));
                }
                Err(Broken::Model(error)) => self.wait_or_fail(&mut retry, &error).await?,
            }
        }
    }

    /// One try. Calls that were started are waited for and recorded whatever becomes of it,
    /// so that a further try sees their outputs and none of them runs twice.
    async fn sample(&mut self) -> Result<bool, Broken> {
        let mut calls = Calls::default();
        let mut limits = None;
        let streamed = self.stream(&mut calls, &mut limits).await;
        let called = !calls.is_empty();
        let outputs = calls.join(&self.plan.cancel).await;
        let mut draft = Draft::default();
        if let Ok(Finished { usage_line: Some(line), .. }) = &streamed {
            draft.line(line.clone());
        }
        for (call, output) in outputs {
            let note = ToolOutput::note(self.id());
            draft.item(output.into_item(&call), note);
        }
        for saved in self.rooms.network.take_saved() {
            let note = ItemNote::harness(self.id(), vec!["network_proxy.rule_saved"]);
            draft.item(ResponseItem::text(Role::Developer, saved), note);
        }
        let finished = match streamed {
            Ok(finished) => finished,
            Err(broken) => {
                let told = self.tell_limits(&broken, limits.as_ref(), &mut draft);
                self.conversation.record(draft).await?;
                self.speaker.say(told).await;
                return Err(broken);
            }
        };
        let (line, events) = self.tell_usage(limits.as_ref());
        draft.event(line);
        self.conversation.record(draft).await?;
        self.speaker.say(events).await;
        if self.plan.cancel.is_cancelled() {
            return Err(Stop::Interrupted.into());
        }
        Ok(called || finished.wants_more)
    }

    async fn stream(
        &mut self,
        calls: &mut Calls,
        limits: &mut Option<RateLimits>,
    ) -> Result<Finished, Broken> {
        let cancel = self.plan.cancel.clone();
        let request = self.request();
        let asked_through = self.conversation.sequence();
        let opened = self.rooms.model.stream(&self.provider, request, cancel.clone());
        let mut stream = match opened.await {
            Ok(stream) => stream,
            Err(error) if error.is_cancelled() => return Err(Stop::Interrupted.into()),
            Err(error) => {
                *limits = error.rate_limits().cloned();
                return Err(Broken::Model(error));
            }
        };
        *limits = Some(no_limits());
        let mut streaming = Streaming::default();
        loop {
            let batch = tokio::select! {
                biased;
                () = cancel.cancelled() => None,
                batch = stream.next_batch() => batch,
            };
            if cancel.is_cancelled() {
                self.keep_partial(streaming).await?;
                return Err(Stop::Interrupted.into());
            }
            let events = match batch {
                Some(Ok(events)) => events,
                Some(Err(error)) => return Err(Broken::Model(error)),
                // A stream ends with its completion or with an error; after that it is not asked.
                None => return Err(Stop::Interrupted.into()),
            };
            if events.iter().any(|event| matches!(event, ModelEvent::ItemDone(_))) {
                self.conversation.mark_sampled(asked_through);
            }
            if let Some(finished) = self.take_batch(events, &mut streaming, calls, limits).await? {
                return Ok(finished);
            }
        }
    }

    /// Takes what one chunk of the network brought. Gives the end of the response if it is in it.
    async fn take_batch(
        &mut self,
        events: Vec<ModelEvent>,
        streaming: &mut Streaming,
        calls: &mut Calls,
        limits: &mut Option<RateLimits>,
    ) -> Result<Option<Finished>, Stop> {
        for event in events {
            match event {
                ModelEvent::ItemAdded(ref item) if names_a_command(item) => self.undo.foresee(),
                ModelEvent::ItemDone(item) => {
                    self.take_item(*item, streaming, calls).await?;
                }
                ModelEvent::Completed { response_id, usage, end_turn } => {
                    self.speaker.say(streaming.take_events()).await;
                    let record = usage.map(|usage| self.count(&response_id, usage));
                    let usage_line = record.map(|it| RolloutItem::TokenUsage(Box::new(it)));
                    let wants_more = end_turn == Some(false);
                    return Ok(Some(Finished { usage_line, wants_more }));
                }
                ModelEvent::RateLimits(told) => *limits = Some(*told),
                ModelEvent::Created { .. } => {}
                other => {
                    let raw = self.rooms.config.tool.show_raw_reasoning;
                    streaming.push(other, &self.speaker, raw);
                }
            }
        }
        self.note_first_output(streaming);
        self.speaker.say(streaming.take_events()).await;
        Ok(None)
    }

    /// Waits for the next try, or gives up.
    pub(super) async fn wait_or_fail(
        &self,
        retry: &mut Retry,
        error: &ModelError,
    ) -> Result<(), Stop> {
        let (delay, announce) = match retry.on_error(error) {
            Decision::Fail => return Err(Stop::Failed(error.to_turn_error())),
            Decision::Wait { delay, announce } => (delay, announce),
        };
        let event =
            ErrorEvent { turn_id: self.id().clone(), error: announce.into(), will_retry: true };
        self.speaker.say(vec![EventMsg::Error(Box::new(event))]).await;
        tokio::select! {
            biased;
            () = self.plan.cancel.cancelled() => Err(Stop::Interrupted),
            () = tokio::time::sleep(delay) => Ok(()),
        }
    }

    /// What is told of limits when an answer broke off: those that came with it.
    fn tell_limits(
        &self,
        broken: &Broken,
        limits: Option<&RateLimits>,
        draft: &mut Draft,
    ) -> Vec<EventMsg> {
        let told = matches!(broken, Broken::Model(_) | Broken::Stop(Stop::Interrupted));
        let Some(limits) = limits.filter(|_| told) else { return Vec::new() };
        draft.event(self.limits_line(limits));
        vec![EventMsg::RateLimitsUpdated(Box::new(limits.clone()))]
    }
}
