//! What a thread is made with: the part that starting, resuming and copying share.

use serde_json::{Map, Value};
use spindle_engine::threads::ThreadSource;
use spindle_schema::ids::ThreadId;
use spindle_schema::maybe::Maybe;
use spindle_schema::op::SettingsUpdate;
use spindle_schema::v2::{
    AbsolutePathBuf, ApprovalsReviewer, AskForApproval, Personality, SandboxMode,
};

use super::super::context::{Context, session_id};
use super::super::convert::settings;
use super::super::errors::Refusal;
use crate::rpc::RpcError;

/// The members that the three methods share.
#[derive(Debug, Default)]
pub(super) struct Origin {
    pub(super) approval_policy: Option<AskForApproval>,
    pub(super) approvals_reviewer: Option<ApprovalsReviewer>,
    pub(super) base_instructions: Option<String>,
    pub(super) config: Option<Map<String, Value>>,
    pub(super) cwd: Option<String>,
    pub(super) developer_instructions: Option<String>,
    pub(super) model: Option<String>,
    pub(super) model_provider: Option<String>,
    pub(super) permissions: Option<String>,
    pub(super) personality: Option<Personality>,
    pub(super) runtime_workspace_roots: Option<Vec<AbsolutePathBuf>>,
    pub(super) sandbox: Option<SandboxMode>,
    pub(super) service_tier: Maybe<String>,
}

/// The [`Origin`] in params that have its members by the same names. A personality is given apart,
/// as copying takes none.
macro_rules! origin {
    ($params:ident, personality: $personality:expr) => {
        $crate::api::thread::origin::Origin {
            approval_policy: $params.approval_policy,
            approvals_reviewer: $params.approvals_reviewer,
            base_instructions: $params.base_instructions,
            config: $params.config,
            cwd: $params.cwd,
            developer_instructions: $params.developer_instructions,
            model: $params.model,
            model_provider: $params.model_provider,
            permissions: $params.permissions,
            personality: $personality,
            runtime_workspace_roots: $params.runtime_workspace_roots,
            sandbox: $params.sandbox,
            service_tier: $params.service_tier,
        }
    };
}

/// The result `$form` about a thread that was started, with the members that the three results
/// share; those that follow are its own.
macro_rules! opened {
    ($form:ident { $thread:expr, $started:expr, $set:ident $(, $member:ident: $value:expr)* $(,)? }) => {
        $form {
            thread: $thread,
            model: $set.model,
            model_provider: $set.model_provider,
            service_tier: $set.service_tier,
            disabled_plugin_ids: Vec::new(),
            cwd: $set.cwd,
            runtime_workspace_roots: {
                let roots = $started.settings.workspace_roots.iter();
                roots.map(|root| (&**root).into()).collect()
            },
            instruction_sources: {
                let paths = $started.instruction_sources.iter();
                paths.map(|path| path.as_str().into()).collect()
            },
            approval_policy: $set.approval_policy,
            approvals_reviewer: $set.approvals_reviewer,
            sandbox: $set.sandbox_policy,
            active_permission_profile: None,
            reasoning_effort: $set.effort,
            multi_agent_mode: spindle_schema::v2::MultiAgentMode::default(),
            $($member: $value,)*
        }
    };
}

pub(super) use {opened, origin};

/// The stored thread that params name; `None` when they name a path instead.
pub(super) fn named(id: &str, path: Option<&String>) -> Result<Option<ThreadId>, RpcError> {
    match (id, path) {
        ("", Some(_)) => Ok(None),
        (text, _) => session_id(text).map(Some),
    }
}

/// How a sandbox's name reaches the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SandboxBy {
    /// As a setting, so that the details come from the configuration.
    Configuration,
    /// As a policy of its own, which outweighs what a stored thread had.
    Policy,
}

impl Origin {
    /// As the engine takes it.
    pub(super) fn into_source(
        self,
        context: &Context,
        sandbox_by: SandboxBy,
    ) -> Result<ThreadSource, RpcError> {
        let sandbox = match self.permissions.as_deref() {
            None => self.sandbox,
            Some(profile) => Some(profile_mode(profile)?),
        };
        let mut config = self.config;
        let mut sandbox_policy = None;
        match (sandbox, sandbox_by) {
            (None, _) => {}
            (Some(mode), SandboxBy::Policy) => {
                sandbox_policy = Some(settings::sandbox_of_mode(mode));
            }
            (Some(mode), SandboxBy::Configuration) => {
                let name = Value::from(settings::mode_name(mode));
                config.get_or_insert_default().insert("sandbox_mode".into(), name);
            }
        }
        let update = SettingsUpdate {
            model: self.model.map(Into::into),
            service_tier: value(self.service_tier),
            personality: self.personality.map(settings::personality_from),
            cwd: self.cwd.map(Into::into),
            workspace_roots: self.runtime_workspace_roots.map(roots),
            approval_policy: self.approval_policy.as_ref().map(settings::approval_from),
            approvals_reviewer: self.approvals_reviewer.map(settings::reviewer_from),
            sandbox_policy,
            ..SettingsUpdate::default()
        };
        Ok(ThreadSource {
            connection: context.client.id,
            originator: context.originator(),
            settings: update,
            model_provider: self.model_provider.map(Into::into),
            config,
            base_instructions: self.base_instructions,
            developer_instructions: self.developer_instructions,
        })
    }
}

/// The sandbox that a built-in permission profile stands for.
pub(in crate::api) fn profile_mode(profile: &str) -> Result<SandboxMode, RpcError> {
    match profile {
        ":read-only" => Ok(SandboxMode::ReadOnly),
        ":workspace" => Ok(SandboxMode::WorkspaceWrite),
        ":danger-full-access" => Ok(SandboxMode::DangerFullAccess),
        other => Err(Refusal::UnknownProfile(other).into()),
    }
}

/// The value, if there is one. The engine cannot clear a setting.
pub(in crate::api) fn value(member: Maybe<String>) -> Option<Box<str>> {
    match member {
        Maybe::Value(text) => Some(text.into()),
        Maybe::Absent | Maybe::Null => None,
    }
}

/// Workspace folders as the engine takes them.
pub(in crate::api) fn roots(roots: Vec<AbsolutePathBuf>) -> Vec<Box<str>> {
    roots.into_iter().map(|root| root.0.into()).collect()
}
