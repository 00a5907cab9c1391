//! What a provider is told about a request beside its content (SPEC M5).
//!
//! One snapshot, whole under `x-codex-turn-metadata`; the flat members and the headers are
//! projections of it.

use serde_json::{Map, Value, json};
use spindle_schema::ids::{ThreadId, TurnId};

/// Facts about a request.
pub(crate) struct ResponsesMetadata<'a> {
    /// What the request is for.
    pub(crate) kind: RequestKind,
    /// This installation.
    pub(crate) installation_id: &'a str,
    /// The thread.
    pub(crate) thread_id: ThreadId,
    /// The turn.
    pub(crate) turn_id: &'a TurnId,
    /// The turn at the root of its tree.
    pub(crate) root_turn_id: &'a str,
    /// The turn that caused this one.
    pub(crate) parent_turn_id: Option<&'a str>,
    /// Why the turn was started.
    pub(crate) trigger: Option<&'a str>,
    /// The context window's id and number.
    pub(crate) window: (&'a str, u64),
    /// What holds commands.
    pub(crate) sandboxing: Sandboxing,
    /// The sandbox mode's name.
    pub(crate) sandbox_mode: &'a str,
    /// Whether a model answers approvals.
    pub(crate) auto_review: bool,
    /// Unix milliseconds.
    pub(crate) started_at_ms: i64,
    /// The model.
    pub(crate) model: &'a str,
    /// How hard it thinks.
    pub(crate) effort: Option<&'a str>,
    /// Members that the client gave; names used here win.
    pub(crate) extra: &'a Map<String, Value>,
}

/// What a request is for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RequestKind {
    /// The next answer of a turn.
    Turn,
    /// A summary; why and how, as an object.
    Compaction(Value),
}

/// What holds commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sandboxing {
    /// Nothing.
    None,
    /// The kernel.
    Kernel,
}

impl ResponsesMetadata<'_> {
    /// The whole snapshot as JSON text.
    pub(crate) fn whole(&self) -> String {
        let thread = self.thread_id.to_string();
        let mut map = Map::new();
        let mut put = |key: &str, value: Value| {
            map.insert(key.into(), value);
        };
        put("installation_id", self.installation_id.into());
        put("session_id", thread.as_str().into());
        put("thread_id", thread.as_str().into());
        put("agent_name", "/root".into());
        put("turn_id", self.turn_id.as_str().into());
        put("window_id", self.window_id().into());
        put("window_number", self.window.1.into());
        put("context_window_id", self.window.0.into());
        let kind = match self.kind {
            RequestKind::Turn => "turn",
            RequestKind::Compaction(_) => "compaction",
        };
        put("request_kind", kind.into());
        put("history_initialization", "new".into());
        put("root_turn_id", self.root_turn_id.into());
        if let Some(parent) = self.parent_turn_id {
            put("parent_turn_id", parent.into());
        }
        if let Some(trigger) = self.trigger {
            put("turn_trigger", trigger.into());
        }
        let sandbox = match self.sandboxing {
            Sandboxing::None => "none",
            Sandboxing::Kernel => "seccomp",
        };
        put("sandbox", sandbox.into());
        put("sandbox_mode", self.sandbox_mode.into());
        put("auto_review_enabled", self.auto_review.into());
        put("turn_started_at_unix_ms", self.started_at_ms.into());
        match &self.kind {
            RequestKind::Turn => {
                put("model", self.model.into());
                if let Some(effort) = self.effort {
                    put("reasoning_effort", effort.into());
                }
            }
            RequestKind::Compaction(why) => put("compaction", why.clone()),
        }
        for (key, value) in self.extra {
            if !map.contains_key(key) {
                map.insert(key.clone(), value.clone());
            }
        }
        Value::Object(map).to_string()
    }

    /// The `client_metadata` member of the body.
    pub(crate) fn client_metadata(&self, whole: &str) -> Value {
        let thread = self.thread_id.to_string();
        json!({
            "x-codex-installation-id": self.installation_id,
            "session_id": thread,
            "thread_id": thread,
            "turn_id": self.turn_id,
            "root_turn_id": self.root_turn_id,
            "x-codex-window-id": self.window_id(),
            "x-codex-turn-metadata": whole,
        })
    }

    /// Headers beside those of the client.
    pub(crate) fn headers(&self, whole: &str) -> Vec<(String, String)> {
        let thread = self.thread_id.to_string();
        [
            ("session-id", thread.clone()),
            ("thread-id", thread.clone()),
            ("x-client-request-id", thread),
            ("x-codex-window-id", self.window_id()),
            ("x-codex-turn-metadata", whole.to_owned()),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
    }

    fn window_id(&self) -> String {
        format!("{}:{}", self.thread_id, self.window.1)
    }
}
