//! A tool call of the model.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use spindle_exec::env;
use spindle_exec::sandbox::Mode;
use spindle_schema::ids::{ItemId, TurnId};
use spindle_schema::item::TurnItem;
use spindle_schema::model::ResponseItem;
use spindle_schema::rollout::{ItemCompleted, RecordedEvent, RolloutItem};
use spindle_schema::settings::{SandboxPolicy, ThreadSettings};
use tokio_util::sync::CancellationToken;

use super::changes::Changes;
use crate::approvals::{Grant, Grants};
use crate::clock;
use crate::context::{PROTECTED, Recorder};
use crate::rooms::SessionRooms;
use crate::turn::Speaker;

/// A call: which tool, with what (SPEC C6). Arguments are not parsed here.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolCall {
    /// The tool.
    pub(crate) name: Box<str>,
    /// The namespace the name belongs to.
    pub(crate) namespace: Option<Box<str>>,
    /// Ties the call to its output.
    pub(crate) call_id: Box<str>,
    /// What it is called with.
    pub(crate) payload: Payload,
}

/// What a tool is called with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Payload {
    /// JSON text, as the model wrote it.
    Function(String),
    /// Free text.
    Custom(String),
}

impl ToolCall {
    /// The call in an item, if it is one.
    pub(crate) fn from_item(item: &ResponseItem) -> Option<Self> {
        match item {
            ResponseItem::FunctionCall(call) => Some(Self {
                name: call.name.clone(),
                namespace: call.namespace.clone(),
                call_id: call.call_id.clone(),
                payload: Payload::Function(call.arguments.clone()),
            }),
            ResponseItem::CustomToolCall(call) => Some(Self {
                name: call.name.clone(),
                namespace: call.namespace.clone(),
                call_id: call.call_id.clone(),
                payload: Payload::Custom(call.input.clone()),
            }),
            _ => None,
        }
    }

    /// The client's id of the item that the call makes.
    pub(crate) fn item_id(&self) -> ItemId {
        ItemId::new(&*self.call_id)
    }
}

/// What a handler may use.
#[derive(Clone)]
pub(crate) struct CallContext {
    /// The call.
    pub(crate) call: ToolCall,
    /// What the session's turns share.
    pub(crate) rooms: Arc<SessionRooms>,
    /// The way to the session.
    pub(crate) speaker: Speaker,
    /// The way to the rollout.
    pub(crate) recorder: Recorder,
    /// The turn's settings.
    pub(crate) settings: Arc<ThreadSettings>,
    /// The turn's end. A handler that is cancelled cleans up and gives an output.
    pub(crate) cancel: CancellationToken,
    /// All that the turn has changed in files.
    pub(crate) changes: Arc<Mutex<Changes>>,
    /// What a person allowed for the turn, beyond the sandbox.
    pub(crate) grants: Arc<Grants>,
    /// Whether the model takes pictures.
    pub(crate) sees_images: bool,
}

impl CallContext {
    /// The turn.
    pub(crate) fn turn_id(&self) -> &TurnId {
        self.speaker.turn_id()
    }

    /// A path of the model's, made absolute.
    pub(crate) fn absolute(&self, path: &str) -> PathBuf {
        let cwd = Path::new(&*self.settings.cwd);
        if path.is_empty() { cwd.to_owned() } else { cwd.join(path) }
    }

    /// Records that an item is whole. What is recorded may be told.
    pub(crate) async fn record_completed(
        &self,
        item: &TurnItem,
        started_at_ms: i64,
    ) -> Result<(), spindle_store::Error> {
        let event = RecordedEvent::ItemCompleted(ItemCompleted {
            thread_id: self.rooms.thread_id,
            turn_id: self.turn_id().clone(),
            item: item.clone(),
            started_at_ms: Some(started_at_ms),
            completed_at_ms: Some(clock::now_ms()),
        });
        self.recorder.append(vec![RolloutItem::event(event)]).await
    }
}

impl CallContext {
    /// What stays read-only although it is below a writable folder: our own home, and what
    /// decides over a project.
    fn protected(&self) -> Vec<PathBuf> {
        let names = PROTECTED.iter().map(PathBuf::from);
        let rules = self.rooms.rule_folders.iter().cloned();
        names.chain([self.rooms.home.clone()]).chain(rules).collect()
    }

    /// What a person allowed so far, beyond the sandbox.
    pub(crate) fn granted(&self) -> Grant {
        let mut all = self.rooms.grants.all();
        all.add(&self.grants.all());
        all
    }

    /// The environment that a command of this call runs in.
    pub(crate) fn environment(&self, sandbox: &Mode) -> env::Environment {
        let policy = &self.rooms.config.environment;
        let base = self.rooms.env.iter();
        let mut variables =
            policy.apply(base.map(|(name, value)| (OsString::from(name), OsString::from(value))));
        let thread = self.rooms.thread_id.to_string();
        let origin = env::Origin {
            thread: &thread,
            session: &thread,
            call: Some(&self.call.call_id),
            version: self.rooms.version,
        };
        env::overlay(&mut variables, origin.variables());
        if sandbox.is_offline() {
            env::overlay(&mut variables, [env::NO_NETWORK]);
        }
        variables
    }

    /// What a command of this call may touch in the sandbox, with what was granted so far and
    /// `extra`.
    pub(crate) fn sandbox(&self, extra: &Grant) -> Mode {
        let mut granted = self.granted();
        granted.add(extra);
        let base = self.base_sandbox(granted.network);
        if granted.write.is_empty() || !base.is_sandboxed() {
            return base;
        }
        Mode::Widened { base: Box::new(base), writable: granted.write, protected: self.protected() }
    }

    /// The sandbox by the settings; with `network`, it does not keep commands from the network.
    fn base_sandbox(&self, network: bool) -> Mode {
        match &self.settings.sandbox_policy {
            SandboxPolicy::DangerFullAccess => Mode::FullAccess,
            SandboxPolicy::ExternalSandbox { .. } => Mode::External,
            SandboxPolicy::ReadOnly { network_access } => {
                Mode::ReadOnly { network: network || *network_access }
            }
            SandboxPolicy::WorkspaceWrite {
                writable_roots,
                network_access,
                exclude_tmpdir_env_var,
                exclude_slash_tmp,
            } => {
                let own = self.settings.workspace_roots.iter().map(|root| PathBuf::from(&**root));
                let more = writable_roots.iter().map(PathBuf::from);
                Mode::WorkspaceWrite {
                    roots: own.chain(more).collect(),
                    exclude_tmp: *exclude_tmpdir_env_var,
                    exclude_slash_tmp: *exclude_slash_tmp,
                    network: network || *network_access,
                    protected: self.protected(),
                }
            }
        }
    }
}
