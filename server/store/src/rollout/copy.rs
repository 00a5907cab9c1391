//! Copies of a part of a history into a file that stands alone.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::de::IgnoredAny;
use spindle_schema::ids::TurnId;
use spindle_schema::rollout::{RolloutItem, RolloutLine, SessionMeta};

use super::envelope::Envelope;
use super::history::Once;
use super::legacy;
use super::lineage::{Lineage, Segment};
use super::marks::Meaning;
use super::parse;
use super::scan::{Forward, Line};
use crate::disk::{Disk, write_all};
use crate::error::{Context as _, Error};

/// How much of a history a fork takes along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForkPoint {
    /// All of it.
    End,
    /// All up to the end of this turn.
    AfterTurn(TurnId),
    /// All before this turn.
    BeforeTurn(TurnId),
}

/// Where a copy ends: before this line of this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    segment: usize,
    offset: u64,
}

impl Cut {
    /// Finds where a fork ends.
    ///
    /// # Errors
    /// [`Error::NoTurn`] when the history has no such turn.
    pub(crate) fn find(lineage: &Lineage, point: &ForkPoint) -> Result<Self, Error> {
        let end = Self { segment: lineage.segments.len(), offset: 0 };
        let (turn, after) = match point {
            ForkPoint::End => return Ok(end),
            ForkPoint::AfterTurn(turn) => (turn, true),
            ForkPoint::BeforeTurn(turn) => (turn, false),
        };
        let numbered = is_numbered(&lineage.meta);
        let starts = if numbered { starts(lineage)? } else { legacy_starts(lineage)? };
        let at = starts.iter().position(|(id, _)| id == turn);
        let at = at.ok_or_else(|| Error::NoTurn(turn.clone()))?;
        // What stands between two turns belongs to the first of them.
        Ok(starts.get(at + usize::from(after)).map_or(end, |(_, cut)| *cut))
    }
}

/// Whether the lines of a history carry numbers.
pub(crate) fn is_numbered(meta: &SessionMeta) -> bool {
    meta.history_mode.as_deref() == Some("paginated")
}

/// All turns and where they begin.
fn starts(lineage: &Lineage) -> Result<Vec<(TurnId, Cut)>, Error> {
    let mut starts: Vec<(TurnId, Cut)> = Vec::new();
    each_line(lineage, &mut |segment, line, _| {
        let meaning = Envelope::read(line.bytes).and_then(|line| Meaning::of(&line));
        let turn = match meaning {
            Some(Meaning::Start(turn)) => turn,
            // A turn whose first line is lost begins with its first item.
            Some(Meaning::Item(item)) => item.turn,
            _ => return Ok(Go::On),
        };
        if !starts.iter().rev().any(|(known, _)| *known == turn) {
            starts.push((turn, Cut { segment, offset: line.offset }));
        }
        Ok(Go::On)
    })?;
    Ok(starts)
}

fn legacy_starts(lineage: &Lineage) -> Result<Vec<(TurnId, Cut)>, Error> {
    let turns = legacy::read(lineage)?;
    let mut wanted = turns.iter().peekable();
    let mut starts = Vec::new();
    let mut at = 0;
    each_line(lineage, &mut |segment, line, _| {
        if let Some(turn) = wanted.next_if(|turn| turn.line == at) {
            starts.push((turn.turn.id.clone(), Cut { segment, offset: line.offset }));
        }
        at += 1;
        Ok(Go::On)
    })?;
    Ok(starts)
}

enum Go {
    On,
    Stop,
}

/// Shows every line of a history in order.
fn each_line(
    lineage: &Lineage,
    show: &mut dyn FnMut(usize, Line<'_>, &Segment) -> Result<Go, Error>,
) -> Result<(), Error> {
    for (at, segment) in lineage.segments.iter().enumerate() {
        let mut lines = Forward::new(&segment.file, 0, segment.end);
        while let Some(line) = lines.next().context("read", &segment.path)? {
            if let Go::Stop = show(at, line, segment)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Writes a header and the records before the cut to a new file at `path`. Lines that cannot be
/// read and headers are left out, the others numbered anew.
///
/// # Errors
/// Those of reading and writing. A half-made file is removed.
pub(crate) fn write(
    disk: &dyn Disk,
    path: &Path,
    header: &RolloutLine,
    lineage: &Lineage,
    cut: Cut,
) -> Result<(), Error> {
    match disk.remove(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(error).context("remove", path);
        }
        _ => {}
    }
    let file = disk.create_append(path).context("create", path)?;
    let mut out = BufWriter::with_capacity(1 << 18, Sink { disk, file: &file });
    let written = fill(&mut out, path, header, lineage, cut)
        .and_then(|()| out.flush().context("write", path));
    if written.is_err() {
        // Nobody knows of it yet; what cannot be removed is replaced by the next try.
        drop(disk.remove(path));
    }
    // Bytes that a failed flush left in the buffer must not be written by its drop.
    drop(out.into_parts());
    written
}

fn fill(
    out: &mut impl Write,
    path: &Path,
    header: &RolloutLine,
    lineage: &Lineage,
    cut: Cut,
) -> Result<(), Error> {
    let numbered = header.ordinal.is_some();
    let mut text = serde_json::to_vec(header).map_err(Error::Encode)?;
    text.push(b'\n');
    out.write_all(&text).context("write", path)?;
    let mut once = Once::default();
    let mut ordinal = 1;
    each_line(lineage, &mut |at, line, segment| {
        if (Cut { segment: at, offset: line.offset }) == cut {
            return Ok(Go::Stop);
        }
        if let Some(text) = copied(line, segment, &mut once, numbered.then_some(ordinal))? {
            out.write_all(&text).context("write", path)?;
            ordinal += 1;
        }
        Ok(Go::On)
    })
}

/// A line with another number; `None` for one that is not copied.
fn copied(
    line: Line<'_>,
    segment: &Segment,
    once: &mut Once,
    ordinal: Option<u64>,
) -> Result<Option<Vec<u8>>, Error> {
    if let Some(envelope) = Envelope::read(line.bytes) {
        let beyond = segment.end_ordinal.is_some_and(|end| envelope.ordinal >= Some(end));
        let again = envelope.ordinal.is_some_and(|ordinal| !once.is_new(ordinal, line.bytes));
        if beyond || again || envelope.kind == "session_meta" {
            return Ok(None);
        }
    }
    if let Some(text) = Envelope::renumbered(line.bytes, ordinal) {
        let sound = serde_json::from_slice::<IgnoredAny>(line.bytes).is_ok()
            && std::str::from_utf8(line.bytes).is_ok();
        return Ok(sound.then_some(text));
    }
    let Ok(mut read) = parse::line(line.bytes) else { return Ok(None) };
    if matches!(read.item, RolloutItem::SessionMeta(_)) {
        return Ok(None);
    }
    read.ordinal = ordinal;
    let mut text = serde_json::to_vec(&read).map_err(Error::Encode)?;
    text.push(b'\n');
    Ok(Some(text))
}

/// A file behind the disk.
struct Sink<'a> {
    disk: &'a dyn Disk,
    file: &'a File,
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write_all(self.disk, self.file, bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
