//! `turn/start`, `turn/steer`, `turn/interrupt`.

use serde_json::{Map, Value};
use spindle_schema::ids::{ThreadId, TurnId};
use spindle_schema::op::{Interrupt, SettingsUpdate, Steer, TurnInput};
use spindle_schema::v2::{
    TurnInterruptParams, TurnInterruptResponse, TurnStartParams, TurnStartResponse,
    TurnSteerParams, TurnSteerResponse, UserInput,
};

use super::context::{Context, answering, thread_id};
use super::convert::{input, settings, turn};
use super::errors::Refusal;
use super::thread::origin::{roots, value};
use super::thread::settings::{set_environments, set_mode, set_profile};
use crate::rpc::{Reply, RpcError};

/// Starts a turn, or steers the one that runs.
pub(super) fn start(context: &Context, params: TurnStartParams, reply: Reply<TurnStartParams>) {
    match parse_start(params) {
        Ok((id, input)) => {
            let answer = answering(reply, |started: spindle_engine::threads::StartedTurn| {
                TurnStartResponse { turn: turn::of(&started.turn) }
            });
            context.engine.start_turn(id, input, answer);
        }
        Err(error) => reply.err(&error),
    }
}

fn parse_start(params: TurnStartParams) -> Result<(ThreadId, TurnInput), RpcError> {
    let id = thread_id(&params.thread_id)?;
    let absent = |field| RpcError::from(Refusal::AbsentParam { method: "turn/start", field });
    if params.tool_output.is_some() {
        return Err(absent("toolOutput"));
    }
    if params.additional_context.is_some_and(|context| !context.is_empty()) {
        return Err(absent("additionalContext"));
    }
    let mut update = SettingsUpdate {
        model: params.model.map(Into::into),
        effort: params.effort.map(|effort| effort.0.into()),
        summary: params.summary.map(settings::summary_from),
        service_tier: value(params.service_tier),
        personality: params.personality.map(settings::personality_from),
        cwd: params.cwd.map(Into::into),
        workspace_roots: params.runtime_workspace_roots.map(roots),
        approval_policy: params.approval_policy.as_ref().map(settings::approval_from),
        approvals_reviewer: params.approvals_reviewer.map(settings::reviewer_from),
        sandbox_policy: params.sandbox_policy.map(settings::sandbox_from),
        ..SettingsUpdate::default()
    };
    set_profile(&mut update, params.permissions.as_deref())?;
    set_environments(&mut update, params.environments)?;
    set_mode(&mut update, params.collaboration_mode);
    let input = TurnInput {
        input: parts(params.input),
        client_id: params.client_user_message_id.map(Into::into),
        settings: update,
        output_schema: params.output_schema,
        service_tier_for_turn: value(params.service_tier_for_turn),
        trigger: params.turn_trigger.map(Into::into),
        parent_turn_id: params.parent_turn_id.map(Into::into),
        root_turn_id: params.root_turn_id.map(Into::into),
        client_metadata: texts(params.responsesapi_client_metadata.unwrap_or_default()),
    };
    Ok((id, input))
}

fn parts(input: Vec<UserInput>) -> Vec<spindle_schema::item::UserInput> {
    input.into_iter().map(input::from_wire).collect()
}

fn texts(members: std::collections::BTreeMap<String, String>) -> Map<String, Value> {
    members.into_iter().map(|(name, text)| (name, Value::String(text))).collect()
}

/// Gives input to the turn that runs.
pub(super) fn steer(context: &Context, params: TurnSteerParams, reply: Reply<TurnSteerParams>) {
    match parse_steer(params) {
        Ok((id, steer)) => {
            let answer =
                answering(reply, |turn: TurnId| TurnSteerResponse { turn_id: turn.to_string() });
            context.engine.steer(id, steer, answer);
        }
        Err(error) => reply.err(&error),
    }
}

fn parse_steer(params: TurnSteerParams) -> Result<(ThreadId, Steer), RpcError> {
    let id = thread_id(&params.thread_id)?;
    if params.expected_turn_id.is_empty() {
        return Err(Refusal::EmptyExpectedTurn.into());
    }
    if params.additional_context.is_some_and(|context| !context.is_empty()) {
        return Err(
            Refusal::AbsentParam { method: "turn/steer", field: "additionalContext" }.into()
        );
    }
    let steer = Steer {
        expected_turn: TurnId::new(params.expected_turn_id),
        input: parts(params.input),
        client_id: params.client_user_message_id.map(Into::into),
    };
    Ok((id, steer))
}

/// Ends the turn that runs. The answer comes at once, the end is told.
pub(super) fn interrupt(
    context: &Context,
    params: TurnInterruptParams,
    reply: Reply<TurnInterruptParams>,
) {
    match thread_id(&params.thread_id) {
        Ok(id) => {
            let interrupt = Interrupt { turn: TurnId::new(params.turn_id) };
            let answer = answering(reply, |()| TurnInterruptResponse {});
            context.engine.interrupt(id, interrupt, answer);
        }
        Err(error) => reply.err(&error),
    }
}
