//! A tool call of the model.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use spindle_exec::env;
use spindle_exec::patch::TurnDiff;
use spindle_exec::sandbox::Mode;
use spindle_schema::ids::{ItemId, TurnId};
use spindle_schema::item::TurnItem;
use spindle_schema::model::ResponseItem;
use spindle_schema::rollout::{ItemCompleted, RecordedEvent, RolloutItem};
use spindle_schema::settings::ThreadSettings;
use tokio_util::sync::CancellationToken;

use crate::clock;
use crate::confinement::mode_of;
use crate::context::Recorder;
use crate::rooms::SessionRooms;
use crate::turn::Speaker;
use crate::undo::TurnUndo;

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
    pub(crate) diff: Arc<Mutex<TurnDiff>>,
    /// What the turn keeps of files before they change.
    pub(crate) undo: Arc<TurnUndo>,
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
    /// The environment that a command of this call runs in.
    pub(crate) fn environment(&self, sandbox: &Mode) -> env::Environment {
        let mut variables = environment(&self.rooms, Some(&self.call.call_id));
        if sandbox.is_offline() {
            env::overlay(&mut variables, [env::NO_NETWORK]);
        }
        variables
    }

    /// What a command of this call may touch.
    pub(crate) fn sandbox(&self, held: bool) -> Mode {
        if held { mode_of(&self.settings, &self.rooms.home) } else { Mode::FullAccess }
    }
}

/// The environment of a thread's commands: the person's, as far as the settings pass it on, and
/// what the program adds. `call` is the tool call that a command belongs to.
pub(super) fn environment(rooms: &SessionRooms, call: Option<&str>) -> env::Environment {
    let base = rooms.env.iter();
    let mut variables = rooms
        .config
        .environment
        .apply(base.map(|(name, value)| (OsString::from(name), OsString::from(value))));
    let thread = rooms.thread_id.to_string();
    let origin = env::Origin { thread: &thread, session: &thread, call, version: rooms.version };
    env::overlay(&mut variables, origin.variables());
    variables
}
