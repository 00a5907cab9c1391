//! Requests for permission to run a command or to change files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::ThreadId;
use crate::v2::{
    AdditionalPermissionProfile, CommandAction, GrantedPermissionProfile, LegacyAppPathString,
    PermissionGrantScope, RequestPermissionProfile,
};

/// Params of `item/commandExecution/requestApproval`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CommandExecutionRequestApprovalParams {
    #[serde(default)]
    pub kind: CommandExecutionApprovalKind,
    pub thread_id: String,
    pub turn_id: String,
    pub item_id: String,
    pub started_at_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<LegacyAppPathString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_actions: Option<Vec<CommandAction>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed_execpolicy_amendment: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available_decisions: Option<Vec<CommandExecutionApprovalDecision>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_permissions: Option<AdditionalPermissionProfile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network_approval_context: Option<NetworkApprovalContext>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed_network_policy_amendments: Option<Vec<NetworkPolicyAmendment>>,
}

/// Answers to a request to run a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum CommandExecutionApprovalDecision {
    /// Run it this time.
    Accept,
    /// Run it, and do not ask again in this session.
    AcceptForSession,
    /// Run it, and let commands with this beginning run from now on.
    AcceptWithExecpolicyAmendment { execpolicy_amendment: Vec<String> },
    /// Keep a rule about the host.
    ApplyNetworkPolicyAmendment { network_policy_amendment: NetworkPolicyAmendment },
    /// Do not run it; the turn goes on.
    Decline,
    /// Do not run it and end the turn.
    Cancel,
}

/// A rule about one host that a person can add.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct NetworkPolicyAmendment {
    pub action: NetworkPolicyRuleAction,
    pub host: String,
}

/// What a rule about a host says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum NetworkPolicyRuleAction {
    Allow,
    Deny,
}

/// What an approval of a command is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum CommandExecutionApprovalKind {
    #[default]
    Command,
    WriteStdin,
    /// A command that a person gave.
    HumanCommand,
}

/// Which host a command wants to reach.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct NetworkApprovalContext {
    pub host: String,
    pub protocol: NetworkApprovalProtocol,
}

/// How a host is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum NetworkApprovalProtocol {
    Http,
    Https,
    Socks5Tcp,
    Socks5Udp,
}

/// Answer to `item/commandExecution/requestApproval`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct CommandExecutionRequestApprovalResponse {
    pub decision: CommandExecutionApprovalDecision,
}

/// Params of `item/fileChange/requestApproval`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileChangeRequestApprovalParams {
    pub thread_id: String,
    pub turn_id: String,
    pub item_id: String,
    pub started_at_ms: i64,
    pub grant_root: Option<String>,
    pub reason: Option<String>,
}

/// Answer to `item/fileChange/requestApproval`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct FileChangeRequestApprovalResponse {
    pub decision: FileChangeApprovalDecision,
}

/// Answers to a request to change files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum FileChangeApprovalDecision {
    /// Change the files this time.
    Accept,
    /// Change them, and do not ask again for these files in this session.
    AcceptForSession,
    /// Leave them; the turn goes on.
    Decline,
    /// Leave them and end the turn.
    Cancel,
}

/// Params of `item/permissions/requestApproval`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PermissionsRequestApprovalParams {
    pub thread_id: String,
    pub turn_id: String,
    pub item_id: String,
    pub cwd: LegacyAppPathString,
    pub permissions: RequestPermissionProfile,
    pub started_at_ms: i64,
    pub environment_id: Option<String>,
    pub reason: Option<String>,
}

/// Answer to `item/permissions/requestApproval`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PermissionsRequestApprovalResponse {
    pub permissions: GrantedPermissionProfile,
    #[serde(default)]
    pub scope: PermissionGrantScope,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict_auto_review: Option<bool>,
}

/// Params of `applyPatchApproval`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ApplyPatchApprovalParams {
    pub call_id: String,
    pub conversation_id: ThreadId,
    pub file_changes: BTreeMap<String, FileChange>,
    pub grant_root: Option<String>,
    pub reason: Option<String>,
}

/// A change of one file, in the older form.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum FileChange {
    Add { content: String },
    Delete { content: String },
    Update { unified_diff: String, move_path: Option<String> },
}

/// Answer to `applyPatchApproval`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ApplyPatchApprovalResponse {
    pub decision: ReviewDecision,
}

/// Answers to the older requests for approval.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReviewDecision {
    /// Do it this time.
    Approved,
    /// Do it, and let commands with this beginning run from now on.
    ApprovedExecpolicyAmendment { proposed_execpolicy_amendment: Vec<String> },
    /// Do it, and do not ask again in this session.
    ApprovedForSession,
    /// Do it, and let this tool run from now on.
    ApprovedMcpPolicyAmendment,
    /// Keep a rule about the host.
    NetworkPolicyAmendment { network_policy_amendment: NetworkPolicyAmendment },
    /// Do not do it, and tell the agent why.
    Denied { rejection: String },
    /// Nobody answered in time.
    TimedOut,
    /// Do not do it and end the turn.
    Abort,
}

/// Params of `execCommandApproval`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExecCommandApprovalParams {
    pub call_id: String,
    pub command: Vec<String>,
    pub conversation_id: ThreadId,
    pub cwd: String,
    pub parsed_cmd: Vec<ParsedCommand>,
    pub approval_id: Option<String>,
    pub reason: Option<String>,
}

/// What a command does, in the older form.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ParsedCommand {
    Read { name: String, cmd: String, path: String },
    ListFiles { cmd: String, path: Option<String> },
    Search { cmd: String, path: Option<String>, query: Option<String> },
    Unknown { cmd: String },
}

/// Answer to `execCommandApproval`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(schemars::JsonSchema))]
pub struct ExecCommandApprovalResponse {
    pub decision: ReviewDecision,
}
