//! What a command printed: the first and the last part of it, and how much there was.
//!
//! A buffer never grows past its limit, whatever is printed. Readers are cursors into it, so output
//! is held once however many listen, and one who is slow loses the middle, not the end, unless the
//! command was started to wait for its reader.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::command::{Limits, WhenFull};

#[cfg(test)]
mod tests;

/// The most a reader is given at once, in bytes.
pub const CHUNK_BYTES: usize = 64 * 1024;

/// Keeps the head and the tail of a stream of bytes and counts the rest.
#[derive(Debug)]
pub struct OutputBuffer {
    head: Vec<u8>,
    head_limit: usize,
    tail: VecDeque<u8>,
    tail_limit: usize,
    total: u64,
}

/// What a buffer holds at one moment.
///
/// When nothing was left out, all of it is in `head` and `tail`, one after the other. When
/// something was, `head` ends and `tail` begins between two UTF-8 characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Collected {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes, without those that are in `head`.
    pub tail: Vec<u8>,
    /// How many bytes were printed in all.
    pub total_bytes: u64,
    /// How many of them, between `head` and `tail`, were not kept.
    pub omitted_bytes: u64,
}

impl Collected {
    /// Returns head and tail as one piece, with nothing in place of what was left out.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.head.append(&mut self.tail);
        self.head
    }

    /// Returns head and tail as text, with U+FFFD for what is not UTF-8.
    pub fn text(&self) -> String {
        let mut all = Vec::with_capacity(self.head.len() + self.tail.len());
        all.extend_from_slice(&self.head);
        all.extend_from_slice(&self.tail);
        String::from_utf8(all).unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into())
    }
}

/// A piece cut out of a buffer for one reader.
struct Piece {
    bytes: Vec<u8>,
    /// Bytes between the reader's place and the piece that are gone.
    missed: u64,
}

impl OutputBuffer {
    /// Makes an empty buffer that keeps at most `keep_bytes`, half of it head and half of it tail.
    pub fn new(keep_bytes: usize) -> Self {
        let head_limit = keep_bytes / 2;
        Self::parted(head_limit, keep_bytes - head_limit)
    }

    fn parted(head_limit: usize, tail_limit: usize) -> Self {
        Self { head: Vec::new(), head_limit, tail: VecDeque::new(), tail_limit, total: 0 }
    }

    /// Appends `bytes`; the oldest of the tail make room.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = self.head_limit - self.head.len();
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        let rest = &rest[rest.len().saturating_sub(self.tail_limit)..];
        let excess = (self.tail.len() + rest.len()).saturating_sub(self.tail_limit);
        self.tail.drain(..excess);
        self.tail.extend(rest);
    }

    /// Returns how many bytes were pushed in all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Copies out what is kept.
    pub fn collected(&self) -> Collected {
        let mut head = self.head.clone();
        let (front, back) = self.tail.as_slices();
        let mut tail = [front, back].concat();
        if self.tail_start() > head.len() as u64 {
            head.truncate(head.len() - cut_character(&head));
            tail.drain(..continuation_bytes(&tail));
        }
        let kept = (head.len() + tail.len()) as u64;
        Collected { head, tail, total_bytes: self.total, omitted_bytes: self.total - kept }
    }

    fn tail_start(&self) -> u64 {
        self.total - self.tail.len() as u64
    }

    /// Cuts the next piece at `offset`, at most `CHUNK_BYTES`, whole characters only unless
    /// nothing can follow. Returns `None` when there is nothing to give yet.
    fn piece(&self, offset: u64, ended: bool) -> Option<Piece> {
        let head_len = self.head.len() as u64;
        let tail_start = self.tail_start();
        let gap = tail_start > head_len;
        let mut bytes = Vec::new();
        let mut missed = 0;
        if offset < head_len {
            let from = &self.head[offset as usize..];
            bytes.extend_from_slice(&from[..from.len().min(CHUNK_BYTES)]);
        }
        let at = offset + bytes.len() as u64;
        if at >= head_len && !(gap && offset < head_len) {
            let start = at.max(tail_start);
            missed = start - at;
            let from = (start - tail_start) as usize;
            let until = (from + CHUNK_BYTES - bytes.len()).min(self.tail.len());
            bytes.extend(self.tail.range(from..until));
        }
        if missed > 0 {
            let cut = continuation_bytes(&bytes);
            bytes.drain(..cut);
            missed += cut as u64;
        }
        let end = offset + missed + bytes.len() as u64;
        let nothing_follows = (ended && end == self.total) || (gap && end == head_len);
        if !nothing_follows {
            bytes.truncate(bytes.len() - cut_character(&bytes));
        }
        (!bytes.is_empty()).then_some(Piece { bytes, missed })
    }
}

/// Returns how many bytes at the end are the beginning of a character whose rest is missing.
fn cut_character(bytes: &[u8]) -> usize {
    for (back, byte) in bytes.iter().rev().take(3).enumerate() {
        let needed = match byte {
            0x80..=0xbf => continue,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return 0,
        };
        return if back + 1 < needed { back + 1 } else { 0 };
    }
    0
}

/// Returns how many bytes at the beginning belong to a character that began earlier.
fn continuation_bytes(bytes: &[u8]) -> usize {
    bytes.iter().take(3).take_while(|byte| matches!(byte, 0x80..=0xbf)).count()
}

/// How far a stream has come; what readers wait on.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    total: u64,
    ended: bool,
}

/// One stream of a running command: its buffer and the means to follow it.
#[derive(Debug)]
pub(crate) struct Capture {
    buffer: Mutex<OutputBuffer>,
    progress: watch::Sender<Progress>,
    /// Whether somebody listens or has listened: the first reader starts at the first byte.
    followed: AtomicBool,
    /// How far the reader has come that the command waits for; `None` when it waits for nobody.
    taken: Option<watch::Sender<u64>>,
}

impl Capture {
    pub(crate) fn new(limits: Limits) -> Arc<Self> {
        let (buffer, taken) = match limits.when_full {
            WhenFull::Forget => (OutputBuffer::new(limits.keep_bytes), None),
            WhenFull::Wait => {
                // Room for what is being read and for what waits for the reader.
                let window = limits.keep_bytes.max(2 * CHUNK_BYTES);
                (OutputBuffer::parted(0, window), Some(watch::Sender::new(0)))
            }
        };
        Arc::new(Self {
            buffer: Mutex::new(buffer),
            progress: watch::Sender::new(Progress::default()),
            followed: AtomicBool::new(false),
            taken,
        })
    }

    /// Waits until [`CHUNK_BYTES`] more can be pushed without losing anything that has to be kept.
    ///
    /// Cancel safe.
    pub(crate) async fn has_room(&self) {
        let Some(taken) = &self.taken else { return };
        let (total, window) = {
            let buffer = self.buffer.lock();
            (buffer.total(), buffer.tail_limit as u64)
        };
        let mut taken = taken.subscribe();
        // Fails only when the sender is gone, which is a part of ourselves.
        let _ = taken.wait_for(|taken| total - taken + CHUNK_BYTES as u64 <= window).await;
    }

    pub(crate) fn push(&self, bytes: &[u8]) {
        let total = {
            let mut buffer = self.buffer.lock();
            buffer.push(bytes);
            buffer.total()
        };
        self.progress.send_modify(|progress| progress.total = total);
    }

    /// Says that readers need not wait for more.
    pub(crate) fn end(&self) {
        self.progress.send_modify(|progress| progress.ended = true);
    }

    pub(crate) fn collected(&self) -> Collected {
        self.buffer.lock().collected()
    }

    pub(crate) fn reader(self: &Arc<Self>) -> OutputReader {
        let mut progress = self.progress.subscribe();
        let first = !self.followed.swap(true, Ordering::Relaxed);
        let offset = if first { 0 } else { self.buffer.lock().total() };
        progress.mark_changed();
        OutputReader { capture: Arc::clone(self), progress, offset, missed: 0 }
    }
}

/// Follows what a command prints.
///
/// Holds no output itself: a reader that falls behind by more than the buffer keeps goes on at
/// the oldest byte that is still there.
#[derive(Debug, Clone)]
pub struct OutputReader {
    capture: Arc<Capture>,
    progress: watch::Receiver<Progress>,
    offset: u64,
    missed: u64,
}

impl OutputReader {
    /// Waits for the next bytes, at most [`CHUNK_BYTES`]; `None` at the end of the command.
    ///
    /// A UTF-8 character is never cut between two answers, unless the command waits for its
    /// reader. Bytes that are not UTF-8 come as they are.
    ///
    /// Cancel safe: nothing is lost when the future is dropped.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            // Read before the buffer: what is pushed before the end is then in the buffer.
            let ended = self.progress.borrow_and_update().ended;
            if let Some(bytes) = self.take(ended) {
                return Some(bytes);
            }
            if ended || self.progress.changed().await.is_err() {
                return None;
            }
        }
    }

    /// Returns what is there now without waiting; `None` when there is nothing.
    pub fn try_next(&mut self) -> Option<Bytes> {
        let ended = self.progress.borrow_and_update().ended;
        self.take(ended)
    }

    /// Returns how many bytes this reader has lost so far by being slow.
    pub fn missed(&self) -> u64 {
        self.missed
    }

    fn take(&mut self, ended: bool) -> Option<Bytes> {
        let buffer = self.capture.buffer.lock();
        // A program that waits for an answer to these very bytes prints no more before it has one.
        let as_is = ended || self.capture.taken.is_some();
        let Some(piece) = buffer.piece(self.offset, as_is) else {
            if ended {
                self.missed += buffer.total() - self.offset;
                self.offset = buffer.total();
            }
            return None;
        };
        self.offset += piece.missed + piece.bytes.len() as u64;
        self.missed += piece.missed;
        if let Some(taken) = &self.capture.taken {
            taken.send_replace(self.offset);
        }
        Some(Bytes::from(piece.bytes))
    }
}
