//! Which files make up one history.
//!
//! A fork or revert of the peer does not copy: its header names another rollout and how much of
//! it comes before. Our own files stand alone.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::append::ends_whole;
use super::envelope::Envelope;
use super::parse;
use super::path::FileName;
use super::scan::{Backward, Forward};
use crate::damage::{Damage, DamageKind};
use crate::error::{Context as _, Error};
use crate::find::Finder;
use crate::index::facts::stamp;
use spindle_schema::rollout::{HistoryBase, RolloutItem, SessionMeta};

/// Files that continue one another are followed no further than this.
const DEPTH: usize = 256;

/// A part of a history that lies in one file.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The file.
    pub(crate) path: PathBuf,
    /// The same, open.
    pub(crate) file: File,
    /// The part ends at this byte.
    pub(crate) end: u64,
    /// Lines from this number on are not part of it.
    pub(crate) end_ordinal: Option<u64>,
}

/// The files of one history.
#[derive(Debug)]
pub(crate) struct Lineage {
    /// The header of the newest file.
    pub(crate) meta: SessionMeta,
    /// The files, oldest first. The last one is the thread's own.
    pub(crate) segments: Vec<Segment>,
    /// What is wrong with headers and references.
    pub(crate) damage: Vec<Damage>,
}

impl Lineage {
    /// Opens a rollout and all that it continues.
    ///
    /// # Errors
    /// [`Error::Empty`] when the file holds no record, and those of opening and reading. A rollout
    /// that is continued and gone is told as damage.
    pub(crate) fn open(home: &Path, path: &Path) -> Result<Self, Error> {
        Self::with(&Finder::new(home), path)
    }

    /// The same, for many rollouts of one home.
    pub(crate) fn with(files: &Finder<'_>, path: &Path) -> Result<Self, Error> {
        let own = whole(path)?;
        if own.end == 0 {
            return Err(Error::Empty { path: path.to_owned() });
        }
        let mut damage = Vec::new();
        let meta = match header(&own)? {
            Some(meta) => meta,
            None => {
                damage.push(Damage {
                    path: path.to_owned(),
                    offset: 0,
                    kind: DamageKind::NoHeader,
                });
                without_header(&own)?
            }
        };
        let mut lineage = Self { segments: vec![own], damage, meta };
        lineage.follow(files)?;
        Ok(lineage)
    }

    fn follow(&mut self, files: &Finder<'_>) -> Result<(), Error> {
        let mut base = self.meta.history_base.clone();
        while let Some(wanted) = base.take() {
            if self.segments.len() >= DEPTH {
                break;
            }
            match self.find(files, &wanted)? {
                Some((segment, next)) => {
                    self.segments.insert(0, segment);
                    base = next;
                }
                None => {
                    let path = self.segments[0].path.clone();
                    self.damage.push(Damage { path, offset: 0, kind: DamageKind::MissingBase });
                }
            }
        }
        Ok(())
    }

    /// The file that holds the lines before `wanted`'s end, and what that one continues.
    ///
    /// A thread that was reverted has several files. The right one has a line with the last
    /// wanted number right before the byte that the reference names; failing that, the newest
    /// one that begins early enough.
    fn find(
        &self,
        files: &Finder<'_>,
        wanted: &HistoryBase,
    ) -> Result<Option<(Segment, Option<HistoryBase>)>, Error> {
        let mut second = None;
        for path in files.files_of(wanted.thread_id) {
            if self.segments.iter().any(|segment| segment.path == *path) {
                continue;
            }
            let Ok(mut segment) = whole(path) else { continue };
            segment.end_ordinal = Some(wanted.end_ordinal_exclusive);
            let next = header(&segment)?.and_then(|meta| meta.history_base);
            if ends_with(&segment, wanted)? {
                segment.end = wanted.end_byte_offset;
                return Ok(Some((segment, next)));
            }
            if second.is_none() && first_ordinal(&segment)? < wanted.end_ordinal_exclusive {
                second = Some((segment, next));
            }
        }
        Ok(second)
    }
}

fn whole(path: &Path) -> Result<Segment, Error> {
    let file = File::open(path).context("open", path)?;
    let end = file.metadata().context("examine", path)?.len();
    Ok(Segment { path: path.to_owned(), file, end, end_ordinal: None })
}

/// The header, if the first line that is not blank is one.
fn header(segment: &Segment) -> Result<Option<SessionMeta>, Error> {
    let mut lines = Forward::new(&segment.file, 0, segment.end);
    while let Some(line) = lines.next().context("read", &segment.path)? {
        if line.is_blank() {
            continue;
        }
        return Ok(match parse::line(line.bytes) {
            Ok(line) => match line.item {
                RolloutItem::SessionMeta(meta) => Some(*meta),
                _ => None,
            },
            Err(_) => None,
        });
    }
    Ok(None)
}

/// What the file's name and its lines tell of a thread whose header is lost.
fn without_header(segment: &Segment) -> Result<SessionMeta, Error> {
    let Some(name) = FileName::parse(&segment.path) else {
        return Err(Error::Empty { path: segment.path.clone() });
    };
    let mut cwd = Box::default();
    let (mut numbered, mut empty) = (false, true);
    let mut lines = Forward::new(&segment.file, 0, segment.end);
    while let Some(line) = lines.next().context("read", &segment.path)? {
        let Ok(read) = parse::line(line.bytes) else { continue };
        empty = false;
        numbered |= read.ordinal.is_some();
        if let RolloutItem::TurnContext(context) = read.item {
            cwd = context.cwd;
            break;
        }
    }
    if empty {
        return Err(Error::Empty { path: segment.path.clone() });
    }
    let mut meta = parse::meta(name.id, &stamp(name.made_ms()), &cwd);
    meta.history_mode = numbered.then(|| "paginated".into());
    Ok(meta)
}

fn ends_with(segment: &Segment, wanted: &HistoryBase) -> Result<bool, Error> {
    let end = wanted.end_byte_offset;
    let Some(last) = wanted.end_ordinal_exclusive.checked_sub(1) else { return Ok(false) };
    if end == 0 || end > segment.end {
        return Ok(false);
    }
    let ends = || {
        let line = Backward::new(&segment.file, end)
            .prev()?
            .and_then(|line| Envelope::read(line.bytes).map(|line| line.ordinal));
        Ok(ends_whole(&segment.file, end)? && line == Some(Some(last)))
    };
    ends().context("read", &segment.path)
}

fn first_ordinal(segment: &Segment) -> Result<u64, Error> {
    let mut lines = Forward::new(&segment.file, 0, segment.end);
    while let Some(line) = lines.next().context("read", &segment.path)? {
        if let Some(ordinal) = Envelope::read(line.bytes).and_then(|line| line.ordinal) {
            return Ok(ordinal);
        }
    }
    Ok(u64::MAX)
}
