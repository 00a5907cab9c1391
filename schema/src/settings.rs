//! What a thread is set to: permissions, model, mode. The forms that rollouts use.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// When a person is asked before something runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalPolicy {
    /// Every command that is not known to be harmless.
    Untrusted,
    /// When the model asks for it, or a rule does.
    #[default]
    OnRequest,
    /// Never; what would need a question is refused.
    Never,
    /// As `OnRequest`, with kinds of questions switched off one by one.
    Granular(Granular),
}

/// The kinds of question that may be asked; a kind that is off is refused instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Granular {
    /// Leaving the sandbox.
    pub sandbox_approval: bool,
    /// Commands that a rule wants asked about.
    pub rules: bool,
    /// Scripts of skills.
    #[serde(default)]
    pub skill_approval: bool,
    /// The `request_permissions` tool.
    #[serde(default)]
    pub request_permissions: bool,
    /// Questions of tool servers.
    pub mcp_elicitations: bool,
}

/// Who answers an approval request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalsReviewer {
    /// The clients of the thread.
    #[default]
    User,
    /// A reviewing model.
    #[serde(alias = "guardian_subagent")]
    AutoReview,
}

/// What commands may touch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum SandboxPolicy {
    /// Everything.
    DangerFullAccess,
    /// Read all files, write none.
    ReadOnly {
        /// Whether the network is open.
        #[serde(default, skip_serializing_if = "is_false")]
        network_access: bool,
    },
    /// Somebody else's sandbox is around this program.
    ExternalSandbox {
        /// Whether the network is open.
        #[serde(default)]
        network_access: NetworkAccess,
    },
    /// Read all files, write in the workspace.
    WorkspaceWrite {
        /// Folders that may be written beside the thread's own. Absolute.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        writable_roots: Vec<String>,
        /// Whether the network is open.
        #[serde(default)]
        network_access: bool,
        /// Keeps `$TMPDIR` read-only.
        #[serde(default)]
        exclude_tmpdir_env_var: bool,
        /// Keeps `/tmp` read-only.
        #[serde(default)]
        exclude_slash_tmp: bool,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

impl SandboxPolicy {
    /// The name used in `config.toml` and in requests: `read-only`, `workspace-write`, …
    pub fn mode(&self) -> &'static str {
        match self {
            Self::DangerFullAccess => "danger-full-access",
            Self::ReadOnly { .. } => "read-only",
            Self::ExternalSandbox { .. } => "external-sandbox",
            Self::WorkspaceWrite { .. } => "workspace-write",
        }
    }
}

/// Network in an external sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum NetworkAccess {
    /// Closed.
    #[default]
    Restricted,
    /// Open.
    Enabled,
}

/// How the model and the person work together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CollaborationMode {
    /// Plan first, or just work.
    pub mode: ModeKind,
    /// What goes with the mode.
    pub settings: ModeSettings,
}

/// The kinds of collaboration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum ModeKind {
    /// The model makes a plan and changes nothing.
    Plan,
    /// The model works.
    #[default]
    #[serde(other)]
    Default,
}

impl ModeKind {
    /// The name in rollouts and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Default => "default",
        }
    }
}

/// What goes with a collaboration mode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModeSettings {
    /// The model.
    pub model: Box<str>,
    /// How hard it thinks; `None` is the model's default.
    pub reasoning_effort: Option<Box<str>>,
    /// Extra instructions; `None` is the mode's own text.
    pub developer_instructions: Option<Box<str>>,
}

/// How much of its reasoning the model tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum ReasoningSummary {
    /// The provider decides.
    Auto,
    /// A short one.
    Concise,
    /// A long one.
    Detailed,
    /// None.
    #[default]
    None,
}

/// Where a thread came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum SessionSource {
    /// A terminal.
    Cli,
    /// A client of the app-server protocol.
    #[default]
    Vscode,
    /// `exec`.
    Exec,
    /// Another tool server.
    Mcp,
    /// Nobody knows.
    Unknown,
    /// Anything else, kept as it came: `{"custom":…}`, `{"subagent":…}`.
    #[serde(untagged)]
    Other(Value),
}

/// A thread's settings, as the session holds them and events tell them.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreadSettings {
    /// The model's name.
    pub model: Box<str>,
    /// The provider's id in the configuration.
    pub model_provider: Box<str>,
    /// How hard the model thinks; `None` is its default.
    pub effort: Option<Box<str>>,
    /// How much of its reasoning is told; `None` is the model's default.
    pub summary: Option<ReasoningSummary>,
    /// The provider's service tier.
    pub service_tier: Option<Box<str>>,
    /// The tone: `friendly`, `pragmatic`, `none`.
    pub personality: Option<Box<str>>,
    /// Working folder. Absolute.
    pub cwd: Box<str>,
    /// The workspace folders; the first is `cwd` unless the client said otherwise.
    pub workspace_roots: Vec<Box<str>>,
    /// When a person is asked.
    pub approval_policy: ApprovalPolicy,
    /// Who answers.
    pub approvals_reviewer: ApprovalsReviewer,
    /// What commands may touch.
    pub sandbox_policy: SandboxPolicy,
    /// Plan first, or just work.
    pub mode: ModeKind,
    /// Extra instructions of the mode.
    pub mode_instructions: Option<Box<str>>,
}

impl ThreadSettings {
    /// The collaboration mode as rollouts and clients see it.
    pub fn collaboration_mode(&self) -> CollaborationMode {
        CollaborationMode {
            mode: self.mode,
            settings: ModeSettings {
                model: self.model.clone(),
                reasoning_effort: self.effort.clone(),
                developer_instructions: self.mode_instructions.clone(),
            },
        }
    }
}
