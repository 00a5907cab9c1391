//! What the tests of this room share: small threads and homes, and a disk that fails.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use serde_json::{Value, json};
use spindle_schema::ids::ThreadId;
use spindle_schema::rollout::{RolloutItem, RolloutLine, SessionMeta};

use crate::disk::{Disk, RealDisk};
use crate::rollout::parse;

/// The header of a thread like those this program makes.
pub(crate) fn meta(id: ThreadId) -> SessionMeta {
    let mut meta = parse::meta(id, "2026-11-30T13:45:18.123Z", "/work");
    meta.history_mode = Some("paginated".into());
    meta.model_provider = Some("mock".into());
    meta.originator = "lab".into();
    meta
}

/// A record from its type and payload.
pub(crate) fn item(kind: &str, payload: &Value) -> RolloutItem {
    let line = json!({"timestamp": "", "type": kind, "payload": payload});
    RolloutLine::parse(line.to_string().as_bytes()).unwrap().item
}

/// A record of an event.
pub(crate) fn event(payload: &Value) -> RolloutItem {
    item("event_msg", payload)
}

/// What the person says, as model item and as client item.
pub(crate) fn user(turn: &str, words: &str) -> Vec<RolloutItem> {
    vec![
        item(
            "response_item",
            &json!({"type": "message", "id": format!("msg_{turn}_u"), "role": "user",
            "content": [{"type": "input_text", "text": words}]}),
        ),
        event(&json!({"type": "item_completed", "thread_id": ThreadId::default(), "turn_id": turn,
            "item": {"type": "UserMessage", "id": format!("{turn}-u"),
                "content": [{"type": "text", "text": words, "text_elements": []}]},
            "started_at_ms": 1, "completed_at_ms": 2})),
    ]
}

/// What the model says, as client item and as model item.
pub(crate) fn agent(turn: &str, words: &str) -> Vec<RolloutItem> {
    vec![
        event(&json!({"type": "item_completed", "thread_id": ThreadId::default(), "turn_id": turn,
            "item": {"type": "AgentMessage", "id": format!("{turn}-a"),
                "content": [{"type": "Text", "text": words}]},
            "started_at_ms": 3, "completed_at_ms": 4})),
        item(
            "response_item",
            &json!({"type": "message", "id": format!("{turn}-a"), "role": "assistant",
            "content": [{"type": "output_text", "text": words}]}),
        ),
    ]
}

/// The start of a turn.
pub(crate) fn begin(turn: &str) -> Vec<RolloutItem> {
    vec![
        event(
            &json!({"type": "task_started", "turn_id": turn, "started_at": 1, "model_context_window": 1000,
            "collaboration_mode_kind": "default"}),
        ),
        item(
            "turn_context",
            &json!({"turn_id": turn, "cwd": "/work", "model": format!("model-{turn}"), "effort": "low"}),
        ),
    ]
}

/// The end of a turn.
pub(crate) fn end(turn: &str, words: &str) -> Vec<RolloutItem> {
    vec![event(&json!({"type": "task_complete", "turn_id": turn, "last_agent_message": words,
        "started_at": 1, "completed_at": 2, "duration_ms": 1000}))]
}

/// A whole turn.
pub(crate) fn turn(id: &str, question: &str, answer: &str) -> Vec<RolloutItem> {
    [begin(id), user(id, question), agent(id, answer), end(id, answer)].concat()
}

/// Lines as they stand in a file.
pub(crate) fn text(lines: &[Value]) -> String {
    let mut text = String::new();
    for line in lines {
        text += &line.to_string();
        text.push('\n');
    }
    text
}

/// A disk that counts its calls and fails one of them.
#[derive(Default)]
pub(crate) struct Faults {
    calls: AtomicUsize,
    plan: Mutex<Option<(usize, Fault)>>,
    log: Mutex<Vec<&'static str>>,
}

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// With this error, nothing done.
    Error(i32),
    /// A write puts down half of the bytes and says so.
    Short,
    /// A write puts down half of the bytes, the one after it fails: the disk is full.
    Full,
}

impl Faults {
    /// Fails the call of that number, counted from 0 from now on.
    pub(crate) fn plan(&self, call: usize, fault: Fault) {
        self.calls.store(0, Ordering::SeqCst);
        *self.plan.lock() = Some((call, fault));
    }

    /// Fails no call any more.
    pub(crate) fn heal(&self) {
        *self.plan.lock() = None;
    }

    /// The names of all calls so far.
    pub(crate) fn log(&self) -> Vec<&'static str> {
        self.log.lock().clone()
    }

    fn next(&self, name: &'static str) -> Option<Fault> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        self.log.lock().push(name);
        let mut plan = self.plan.lock();
        match *plan {
            Some((at, fault)) if at == call => {
                *plan = match fault {
                    Fault::Full => Some((call + 1, Fault::Error(28))),
                    _ => None,
                };
                Some(fault)
            }
            _ => None,
        }
    }

    fn check(&self, name: &'static str) -> io::Result<()> {
        match self.next(name) {
            Some(Fault::Error(code)) => Err(io::Error::from_raw_os_error(code)),
            _ => Ok(()),
        }
    }
}

/// The disk that [`Faults`] rules.
pub(crate) struct FaultyDisk(pub(crate) Arc<Faults>);

impl Disk for FaultyDisk {
    fn open_append(&self, path: &Path) -> io::Result<File> {
        self.0.check("open")?;
        RealDisk.open_append(path)
    }

    fn create_append(&self, path: &Path) -> io::Result<File> {
        self.0.check("create")?;
        RealDisk.create_append(path)
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize> {
        match self.0.next("write") {
            Some(Fault::Error(code)) => Err(io::Error::from_raw_os_error(code)),
            Some(Fault::Short | Fault::Full) => RealDisk.write(file, &bytes[..bytes.len() / 2]),
            None => RealDisk.write(file, bytes),
        }
    }

    fn truncate(&self, file: &File, len: u64) -> io::Result<()> {
        self.0.check("truncate")?;
        RealDisk.truncate(file, len)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.0.check("sync")?;
        RealDisk.sync(file)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.check("rename")?;
        RealDisk.rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.check("link")?;
        RealDisk.link(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.0.check("remove")?;
        RealDisk.remove(path)
    }

    fn create_folders(&self, path: &Path) -> io::Result<()> {
        self.0.check("folders")?;
        RealDisk.create_folders(path)
    }
}

/// Puts a file of a thread where the peer would, and says where.
pub(crate) fn place(home: &Path, id: ThreadId, text: &str) -> PathBuf {
    place_at(home, "2026-11-30T13-45-18", &id.to_string(), text)
}

/// The same with a time and an id as the name holds them.
pub(crate) fn place_at(home: &Path, made: &str, id: &str, text: &str) -> PathBuf {
    let folder = home.join("sessions").join(made[..10].replace('-', "/"));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("rollout-{made}-{id}.jsonl"));
    std::fs::write(&path, text).unwrap();
    path
}
