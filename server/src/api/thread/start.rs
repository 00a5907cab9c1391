//! `thread/start`.

use spindle_engine::threads::{StartThread, Started};
use spindle_schema::v2::{MultiAgentMode, ThreadStartParams, ThreadStartResponse};

use super::super::context::{Context, answering};
use super::super::convert::{settings, thread};
use super::origin::{Origin, SandboxBy};
use crate::rpc::Reply;

/// Makes a thread.
pub(in crate::api) fn start(
    context: &Context,
    params: ThreadStartParams,
    reply: Reply<ThreadStartParams>,
) {
    let origin = Origin {
        approval_policy: params.approval_policy,
        approvals_reviewer: params.approvals_reviewer,
        base_instructions: params.base_instructions,
        config: params.config,
        cwd: params.cwd,
        developer_instructions: params.developer_instructions,
        model: params.model,
        model_provider: params.model_provider,
        permissions: params.permissions,
        personality: params.personality,
        runtime_workspace_roots: params.runtime_workspace_roots,
        sandbox: params.sandbox,
        service_tier: params.service_tier,
    };
    let source = match origin.into_source(context, SandboxBy::Configuration) {
        Ok(source) => source,
        Err(error) => return reply.err(&error),
    };
    let request = StartThread {
        source,
        ephemeral: params.ephemeral.unwrap_or_default(),
        thread_source: params.thread_source.map(|source| source.0.into()),
        id: None,
    };
    context.engine.start(request, answering(reply, |started| response(&started)));
}

fn response(started: &Started) -> ThreadStartResponse {
    let set = settings::of(&started.settings);
    let roots = started.settings.workspace_roots.iter();
    ThreadStartResponse {
        thread: thread::of(&started.thread),
        model: set.model,
        model_provider: set.model_provider,
        service_tier: set.service_tier,
        disabled_plugin_ids: Vec::new(),
        cwd: set.cwd,
        runtime_workspace_roots: roots.map(|root| (&**root).into()).collect(),
        instruction_sources: sources(started),
        approval_policy: set.approval_policy,
        approvals_reviewer: set.approvals_reviewer,
        sandbox: set.sandbox_policy,
        active_permission_profile: None,
        reasoning_effort: set.effort,
        multi_agent_mode: MultiAgentMode::default(),
    }
}

/// The files whose text the model was given as instructions.
pub(super) fn sources(started: &Started) -> Vec<spindle_schema::v2::LegacyAppPathString> {
    started.instruction_sources.iter().map(|path| path.as_str().into()).collect()
}
