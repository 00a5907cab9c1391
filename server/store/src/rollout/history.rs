//! What a resume needs of a thread: the live part of its history, and the last of each setting.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};
use spindle_schema::event::{RateLimits, TurnStatus};
use spindle_schema::ids::TurnId;
use spindle_schema::rollout::{
    RecordedEvent, RolloutItem, RolloutLine, SessionMeta, TokenInfo, TokenUsageRecord, TurnContext,
};

use super::append::{End, ends_whole};
use super::envelope::Envelope;
use super::lineage::{Lineage, Segment};
use super::parse;
use super::scan::{Backward, Forward, Line};
use crate::damage::{Damage, DamageKind};
use crate::error::{Context as _, Error};
use crate::index::row::is_archived;

/// What a resume needs of a thread.
#[derive(Debug)]
pub struct History {
    /// The header.
    pub meta: Arc<SessionMeta>,
    /// The rollout. Absolute.
    pub path: PathBuf,
    /// Whether the thread is archived.
    pub archived: bool,
    /// The live part, in order, each record once: items of the model, world states, unknown
    /// kinds. Begins with the last `compacted` that holds a new history, if there is one.
    pub lines: Vec<RolloutLine>,
    /// The settings of the last turn.
    pub turn_context: Option<TurnContext>,
    /// The last `thread_settings_applied`: members `thread_id`, `thread_settings`.
    pub settings: Option<Map<String, Value>>,
    /// The last figures of use.
    pub token_info: Option<TokenInfo>,
    /// The last limits.
    pub rate_limits: Option<RateLimits>,
    /// What the last response cost.
    pub usage: Option<TokenUsageRecord>,
    /// The last turn.
    pub last_turn: Option<LastTurn>,
    /// The number that the next record gets.
    pub next_ordinal: u64,
    /// What could not be read.
    pub warnings: Vec<Damage>,
}

/// The last turn of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastTurn {
    /// The turn; `None` where old rollouts tell no id.
    pub id: Option<TurnId>,
    /// How it ended; in progress when the file holds no end of it.
    pub status: TurnStatus,
}

/// Where the live part begins.
#[derive(Debug, Clone, Copy)]
struct Start {
    segment: usize,
    offset: u64,
}

/// What a walk from the end has found.
#[derive(Default)]
struct Found {
    start: Option<Start>,
    turn_context: Option<TurnContext>,
    settings: Option<Map<String, Value>>,
    token_info: Option<TokenInfo>,
    rate_limits: Option<RateLimits>,
    usage: Option<TokenUsageRecord>,
    last_turn: Option<LastTurn>,
    next_ordinal: Option<u64>,
    damage: Vec<Damage>,
}

impl History {
    /// Reads a rollout and what it continues.
    ///
    /// # Errors
    /// [`Error::Empty`] and those of reading.
    pub(crate) fn read(home: &Path, path: &Path) -> Result<(Self, End), Error> {
        let lineage = Lineage::open(home, path)?;
        let mut found = Found::default();
        found.walk(&lineage.segments)?;
        let lines = live(&lineage.segments, &mut found)?;
        let own = &lineage.segments[lineage.segments.len() - 1];
        let next_ordinal = match found.next_ordinal {
            Some(next) => next,
            None => count(own).context("read", path)?,
        };
        let cut = !ends_whole(&own.file, own.end).context("read", path)?;
        let end = End { len: own.end, cut, next_ordinal };
        let mut warnings = lineage.damage;
        found.damage.sort_by_key(|damage| damage.offset);
        warnings.append(&mut found.damage);
        let history = Self {
            meta: Arc::new(lineage.meta),
            path: path.to_owned(),
            archived: is_archived(path),
            lines,
            turn_context: found.turn_context,
            settings: found.settings,
            token_info: found.token_info,
            rate_limits: found.rate_limits,
            usage: found.usage,
            last_turn: found.last_turn,
            next_ordinal,
            warnings,
        };
        Ok((history, end))
    }
}

impl Found {
    /// Walks from the end until all is found, or to the beginning.
    fn walk(&mut self, segments: &[Segment]) -> Result<(), Error> {
        for (at, segment) in segments.iter().enumerate().rev() {
            let mut lines = Backward::new(&segment.file, segment.end);
            while let Some(line) = lines.prev().context("read", &segment.path)? {
                self.look(at, segment, line);
                if self.is_complete() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.start.is_some()
            && self.turn_context.is_some()
            && self.settings.is_some()
            && self.token_info.is_some()
            && self.last_turn.is_some()
    }

    fn look(&mut self, segment: usize, of: &Segment, line: Line<'_>) {
        let whole =
            line.ended || serde_json::from_slice::<serde::de::IgnoredAny>(line.bytes).is_ok();
        let Some(envelope) = Envelope::read(line.bytes).filter(|_| whole) else {
            if !line.is_blank() && parse::line(line.bytes).is_err() {
                self.damage.push(unreadable(of, line, "not a record"));
            }
            return;
        };
        if of.end_ordinal.is_some_and(|end| envelope.ordinal >= Some(end)) {
            return;
        }
        self.next_ordinal = self.next_ordinal.max(envelope.ordinal.map(|ordinal| ordinal + 1));
        match &*envelope.kind {
            "turn_context" if self.turn_context.is_none() => {
                if let Ok(RolloutItem::TurnContext(context)) = item(line) {
                    self.turn_context = Some(*context);
                }
            }
            "compacted" if self.start.is_none() => {
                if let Ok(RolloutItem::Compacted(compacted)) = item(line)
                    && compacted.replacement_history.is_some()
                {
                    self.start = Some(Start { segment, offset: line.offset });
                }
            }
            "token_usage_record" if self.usage.is_none() => {
                if let Ok(RolloutItem::TokenUsage(record)) = item(line) {
                    self.usage = Some(*record);
                }
            }
            "event_msg" => self.look_at_event(&envelope, line),
            _ => {}
        }
    }

    fn look_at_event(&mut self, envelope: &Envelope<'_>, line: Line<'_>) {
        let wanted = match envelope.event().as_deref() {
            Some("thread_settings_applied") => self.settings.is_none(),
            Some("token_count") => self.token_info.is_none() || self.rate_limits.is_none(),
            Some(
                "task_started" | "turn_started" | "task_complete" | "turn_complete"
                | "turn_aborted",
            ) => self.last_turn.is_none(),
            _ => false,
        };
        if !wanted {
            return;
        }
        let Ok(RolloutItem::Event(event)) = item(line) else { return };
        match *event {
            RecordedEvent::ThreadSettingsApplied(settings) => self.settings = Some(settings),
            RecordedEvent::TokenCount(count) => {
                self.token_info = self.token_info.take().or(count.info);
                self.rate_limits = self.rate_limits.take().or(count.rate_limits);
            }
            RecordedEvent::TaskStarted(turn) => {
                self.ended(Some(turn.turn_id), TurnStatus::InProgress);
            }
            RecordedEvent::TaskComplete(turn) => {
                let failed = turn.error.is_some();
                let status = if failed { TurnStatus::Failed } else { TurnStatus::Completed };
                self.ended(Some(turn.turn_id), status);
            }
            RecordedEvent::TurnAborted(turn) => self.ended(turn.turn_id, TurnStatus::Interrupted),
            RecordedEvent::ItemCompleted(_) | RecordedEvent::Other(_) => {}
        }
    }

    fn ended(&mut self, id: Option<TurnId>, status: TurnStatus) {
        self.last_turn = Some(LastTurn { id, status });
    }
}

/// Reads the live part in order.
fn live(segments: &[Segment], found: &mut Found) -> Result<Vec<RolloutLine>, Error> {
    let start = found.start.unwrap_or(Start { segment: 0, offset: 0 });
    let mut once = Once::default();
    let mut live = Vec::new();
    for (at, segment) in segments.iter().enumerate().skip(start.segment) {
        let from = if at == start.segment { start.offset } else { 0 };
        let mut lines = Forward::new(&segment.file, from, segment.end);
        while let Some(line) = lines.next().context("read", &segment.path)? {
            if let Some(read) = take(segment, line, &mut once, &mut found.damage) {
                live.push(read);
            }
        }
    }
    Ok(live)
}

/// Reads one line if it belongs to the live part.
fn take(
    segment: &Segment,
    line: Line<'_>,
    once: &mut Once,
    damage: &mut Vec<Damage>,
) -> Option<RolloutLine> {
    let envelope = Envelope::read(line.bytes);
    if let Some(envelope) = &envelope {
        if segment.end_ordinal.is_some_and(|end| envelope.ordinal >= Some(end)) {
            return None;
        }
        if let Some(ordinal) = envelope.ordinal
            && !once.is_new(ordinal, line.bytes)
        {
            let kind = DamageKind::Duplicate { ordinal };
            damage.push(Damage { path: segment.path.clone(), offset: line.offset, kind });
            return None;
        }
        // Most bytes of a rollout are in records that the model never sees.
        if NOT_LIVE.contains(&&*envelope.kind) {
            return None;
        }
    }
    match parse::line(line.bytes) {
        Ok(read) => (!matches!(read.item, RolloutItem::SessionMeta(_))).then_some(read),
        Err(reason) => {
            // Lines that are no record at all have been told already.
            if envelope.is_some() && line.ended {
                damage.push(unreadable(segment, line, &reason));
            }
            None
        }
    }
}

/// Kinds of record that the model never sees.
const NOT_LIVE: [&str; 4] = ["event_msg", "turn_context", "token_usage_record", "session_meta"];

fn unreadable(segment: &Segment, line: Line<'_>, reason: &str) -> Damage {
    let kind = if line.ended {
        DamageKind::Unreadable { reason: reason.into() }
    } else {
        DamageKind::Torn
    };
    Damage { path: segment.path.clone(), offset: line.offset, kind }
}

fn item(line: Line<'_>) -> Result<RolloutItem, Box<str>> {
    parse::line(line.bytes).map(|line| line.item)
}

/// Lines of the file, for files whose lines carry no number.
fn count(segment: &Segment) -> io::Result<u64> {
    let mut lines = Forward::new(&segment.file, 0, segment.end);
    let mut count = 0;
    while lines.next()?.is_some() {
        count += 1;
    }
    Ok(count)
}

/// Finds lines that stand in a file twice: the same number and the same bytes. Another line with
/// the number of an earlier one is not the same record, and both are kept.
#[derive(Debug, Default)]
pub(crate) struct Once {
    seen: HashMap<u64, (usize, [u8; 64])>,
}

impl Once {
    /// Notes a line; tells whether it is there for the first time.
    pub(crate) fn is_new(&mut self, ordinal: u64, line: &[u8]) -> bool {
        let mut ends = [0; 64];
        let (start, end) = ends.split_at_mut(32);
        let short = line.len().min(32);
        start[..short].copy_from_slice(&line[..short]);
        end[..short].copy_from_slice(&line[line.len() - short..]);
        self.seen.insert(ordinal, (line.len(), ends)) != Some((line.len(), ends))
    }
}

#[cfg(test)]
mod tests;
