//! A line as a record, the oldest forms included.

use serde_json::{Map, Value};
use spindle_schema::ids::ThreadId;
use spindle_schema::model::ResponseItem;
use spindle_schema::rollout::{RecordedItem, RolloutItem, RolloutLine, SessionMeta};
use spindle_schema::settings::SessionSource;

/// Reads a line.
///
/// The oldest files have no envelope: their first line is the header itself, the others are
/// bare items of the model.
///
/// # Errors
/// What is wrong with it, in words.
pub(crate) fn line(bytes: &[u8]) -> Result<RolloutLine, Box<str>> {
    match RolloutLine::parse(bytes) {
        Ok(line) => Ok(line),
        Err(error) => bare(bytes).ok_or_else(|| error.to_string().into()),
    }
}

fn bare(bytes: &[u8]) -> Option<RolloutLine> {
    let map: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
    if map.contains_key("payload") {
        return None;
    }
    let text = |name: &str| map.get(name).and_then(Value::as_str).unwrap_or_default();
    let item = match text("type") {
        "" => header(text("id"), text("timestamp"))?,
        _ => match ResponseItem::from_map(map) {
            ResponseItem::Other(_) => return None,
            item => RolloutItem::Response(Box::new(RecordedItem { item, metadata: None })),
        },
    };
    Some(RolloutLine { timestamp: Box::default(), ordinal: None, item })
}

fn header(id: &str, timestamp: &str) -> Option<RolloutItem> {
    let id = ThreadId::parse(id).ok()?;
    Some(RolloutItem::SessionMeta(Box::new(meta(id, timestamp, ""))))
}

/// A header with as much as can be known without one.
pub(crate) fn meta(id: ThreadId, timestamp: &str, cwd: &str) -> SessionMeta {
    SessionMeta {
        session_id: None,
        id,
        timestamp: timestamp.into(),
        cwd: cwd.into(),
        originator: Box::default(),
        cli_version: Box::default(),
        source: SessionSource::default(),
        thread_source: None,
        model_provider: None,
        base_instructions: None,
        history_mode: None,
        forked_from_id: None,
        history_base: None,
        parent_thread_id: None,
        git: None,
        extra: Map::new(),
    }
}
