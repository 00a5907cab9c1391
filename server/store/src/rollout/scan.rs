//! Lines of a file, from either end, in blocks. Memory is a block and the longest line.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use memchr::{memchr, memrchr};

/// Bytes per read.
const BLOCK: usize = 64 * 1024;

/// One line, without its line end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// Where it begins in the file.
    pub(crate) offset: u64,
    /// What it holds.
    pub(crate) bytes: &'a [u8],
    /// Whether a line end follows. A last line without one may have been cut.
    pub(crate) ended: bool,
}

impl Line<'_> {
    /// Whether it holds nothing but blanks.
    pub(crate) fn is_blank(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }

    /// The first byte after the line and its end.
    pub(crate) fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64 + u64::from(self.ended)
    }
}

/// Reads lines in order.
#[derive(Debug)]
pub(crate) struct Forward<'f> {
    file: &'f File,
    buffer: Vec<u8>,
    /// The part of `buffer` that has been handed out.
    used: usize,
    /// Where `buffer` begins in the file.
    base: u64,
    /// Where to stop.
    limit: u64,
}

impl<'f> Forward<'f> {
    /// Begins at `start`, which is the first byte of a line, and ends at `limit`.
    pub(crate) fn new(file: &'f File, start: u64, limit: u64) -> Self {
        Self { file, buffer: Vec::new(), used: 0, base: start, limit }
    }

    /// The next line.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut searched = self.used;
        loop {
            if let Some(at) = memchr(b'\n', &self.buffer[searched..]) {
                return Ok(Some(self.take(searched + at, true)));
            }
            searched = self.buffer.len() - self.used;
            if !self.fill()? {
                let end = self.buffer.len();
                return Ok((self.used < end).then(|| self.take(end, false)));
            }
        }
    }

    fn take(&mut self, end: usize, ended: bool) -> Line<'_> {
        let start = std::mem::replace(&mut self.used, end + usize::from(ended));
        Line { offset: self.base + start as u64, bytes: &self.buffer[start..end], ended }
    }

    /// Drops what was handed out and reads another block; tells whether there was more.
    fn fill(&mut self) -> io::Result<bool> {
        self.buffer.drain(..self.used);
        self.base += self.used as u64;
        self.used = 0;
        let have = self.buffer.len();
        let at = self.base + have as u64;
        let want =
            BLOCK.max(have).min(usize::try_from(self.limit.saturating_sub(at)).unwrap_or(BLOCK));
        self.buffer.resize(have + want, 0);
        let got = read_some(self.file, &mut self.buffer[have..], at)?;
        self.buffer.truncate(have + got);
        Ok(got > 0)
    }
}

/// Reads lines from the end.
#[derive(Debug)]
pub(crate) struct Backward<'f> {
    file: &'f File,
    /// Bytes before `end` that have been read and not been handed out.
    buffer: Vec<u8>,
    /// Where `buffer` begins in the file.
    base: u64,
    /// How much of `buffer` is left.
    left: usize,
    /// Whether a line end stands behind what is left.
    ended: bool,
}

impl<'f> Backward<'f> {
    /// Begins with the line that ends at `end`.
    pub(crate) fn new(file: &'f File, end: u64) -> Self {
        Self { file, buffer: Vec::new(), base: end, left: 0, ended: false }
    }

    /// The line before the one that was handed out last.
    pub(crate) fn prev(&mut self) -> io::Result<Option<Line<'_>>> {
        if self.left == 0 && !self.ended && !self.fill()? {
            return Ok(None);
        }
        if !self.ended && self.buffer[self.left - 1] == b'\n' {
            self.left -= 1;
            self.ended = true;
        }
        loop {
            if let Some(at) = memrchr(b'\n', &self.buffer[..self.left]) {
                return Ok(Some(self.take(at + 1)));
            }
            if !self.fill()? {
                return Ok(Some(self.take(0)));
            }
        }
    }

    fn take(&mut self, start: usize) -> Line<'_> {
        let end = std::mem::replace(&mut self.left, start.saturating_sub(1));
        let ended = std::mem::replace(&mut self.ended, start > 0);
        Line { offset: self.base + start as u64, bytes: &self.buffer[start..end], ended }
    }

    /// Puts the block before what is left in front of it; tells whether there was one.
    fn fill(&mut self) -> io::Result<bool> {
        let want = BLOCK.max(self.left).min(usize::try_from(self.base).unwrap_or(BLOCK));
        if want == 0 {
            return Ok(false);
        }
        let mut block = vec![0; want + self.left];
        let at = self.base - want as u64;
        read_exact(self.file, &mut block[..want], at)?;
        block[want..].copy_from_slice(&self.buffer[..self.left]);
        self.buffer = block;
        self.base = at;
        self.left += want;
        Ok(true)
    }
}

/// Fills as much of `into` as the file has from `at` on.
fn read_some(file: &File, into: &mut [u8], at: u64) -> io::Result<usize> {
    let mut got = 0;
    while got < into.len() {
        match file.read_at(&mut into[got..], at + got as u64) {
            Ok(0) => break,
            Ok(n) => got += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(got)
}

/// Reads a known part of a file.
pub(crate) fn read_exact(file: &File, into: &mut [u8], at: u64) -> io::Result<()> {
    if read_some(file, into, at)? < into.len() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
