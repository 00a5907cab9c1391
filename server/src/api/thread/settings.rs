//! `thread/settings/update`, and the settings that a turn brings along.

use spindle_schema::op::SettingsUpdate;
use spindle_schema::v2::{
    CollaborationMode, ThreadSettingsUpdateParams, ThreadSettingsUpdateResponse,
    TurnEnvironmentParams,
};

use super::super::context::{Context, answering, thread_id};
use super::super::convert::settings;
use super::super::errors::Refusal;
use super::origin::{profile_mode, value};
use crate::rpc::{Reply, RpcError};

/// Changes the settings of later turns.
pub(in crate::api) fn update(
    context: &Context,
    params: ThreadSettingsUpdateParams,
    reply: Reply<ThreadSettingsUpdateParams>,
) {
    match parse(params) {
        Ok((id, update)) => {
            let answer = answering(reply, |()| ThreadSettingsUpdateResponse {});
            context.engine.update_settings(id, update, answer);
        }
        Err(error) => reply.err(&error),
    }
}

fn parse(
    params: ThreadSettingsUpdateParams,
) -> Result<(spindle_schema::ids::ThreadId, SettingsUpdate), RpcError> {
    let id = thread_id(&params.thread_id)?;
    let mut update = SettingsUpdate {
        model: params.model.map(Into::into),
        effort: params.effort.map(|effort| effort.0.into()),
        summary: params.summary.map(settings::summary_from),
        service_tier: value(params.service_tier),
        personality: params.personality.map(settings::personality_from),
        cwd: params.cwd.map(Into::into),
        approval_policy: params.approval_policy.as_ref().map(settings::approval_from),
        approvals_reviewer: params.approvals_reviewer.map(settings::reviewer_from),
        sandbox_policy: params.sandbox_policy.map(settings::sandbox_from),
        ..SettingsUpdate::default()
    };
    set_profile(&mut update, params.permissions.as_deref())?;
    set_environments(&mut update, params.environments)?;
    set_mode(&mut update, params.collaboration_mode);
    Ok((id, update))
}

/// A built-in permission profile is a sandbox by another name.
pub(in crate::api) fn set_profile(
    update: &mut SettingsUpdate,
    profile: Option<&str>,
) -> Result<(), RpcError> {
    if let Some(profile) = profile {
        update.sandbox_policy = Some(settings::sandbox_of_mode(profile_mode(profile)?));
    }
    Ok(())
}

/// A mode brings its own model and effort, which outweigh those beside it.
pub(in crate::api) fn set_mode(update: &mut SettingsUpdate, mode: Option<CollaborationMode>) {
    let Some(CollaborationMode { mode, settings: with }) = mode else { return };
    update.mode = Some(settings::mode_from(mode));
    update.model = Some(with.model.into());
    if let Some(effort) = with.reasoning_effort {
        update.effort = Some(effort.0.into());
    }
    update.mode_instructions = Some(with.developer_instructions.map(Into::into));
}

/// The one environment there is may come with a folder.
pub(in crate::api) fn set_environments(
    update: &mut SettingsUpdate,
    environments: Option<Vec<TurnEnvironmentParams>>,
) -> Result<(), RpcError> {
    let Some(environments) = environments else { return Ok(()) };
    if let Some(unknown) = environments.iter().find(|it| it.environment_id != "local") {
        return Err(Refusal::UnknownEnvironment(&unknown.environment_id).into());
    }
    let Some(local) = environments.into_iter().next() else {
        return Err(Refusal::NoEnvironment.into());
    };
    update.cwd = Some(local.cwd.0.into());
    if let Some(roots) = local.runtime_workspace_roots {
        update.workspace_roots = Some(roots.into_iter().map(|root| root.0.into()).collect());
    }
    Ok(())
}
