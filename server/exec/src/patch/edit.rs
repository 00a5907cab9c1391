//! Applies the chunks of one file to its bytes. Pure.
//!
//! Works on bytes, so that whatever the patch does not touch stays as it is: line ends, a byte
//! order mark, a missing new line at the end, text that is no UTF-8.

use super::parse::{Chunk, Line};
use super::seek::{Place, find};

/// Why a chunk does not fit a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    /// This line after `@@` does not occur.
    Context(String),
    /// These lines do not occur.
    Lines(Vec<String>),
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns `original` with all chunks applied, in order.
pub(super) fn apply_chunks(original: &[u8], chunks: &[Chunk]) -> Result<Vec<u8>, Misfit> {
    let text = original.strip_prefix(BYTE_ORDER_MARK).unwrap_or(original);
    let lines = split_lines(text);
    let bodies: Vec<&[u8]> = lines.iter().map(|line| line.body).collect();
    let mut output = Output::new(&lines);
    let mut from = 0;
    for chunk in chunks {
        from = output.chunk(&lines, &bodies, chunk, from)?;
    }
    output.copy_to(&lines, lines.len());
    let mut bytes = original.get(..original.len() - text.len()).unwrap_or_default().to_vec();
    output.write(&mut bytes);
    Ok(bytes)
}

/// One line of a file: its text and its end, which is empty for a last line without one.
#[derive(Debug, Clone, Copy)]
struct FileLine<'a> {
    body: &'a [u8],
    end: &'a [u8],
}

fn split_lines(text: &[u8]) -> Vec<FileLine<'_>> {
    let pieces = text.split_inclusive(|byte| *byte == b'\n');
    pieces
        .map(|piece| {
            let body = piece.strip_suffix(b"\n").unwrap_or(piece);
            let body = if body.len() < piece.len() {
                body.strip_suffix(b"\r").unwrap_or(body)
            } else {
                body
            };
            FileLine { body, end: piece.get(body.len()..).unwrap_or_default() }
        })
        .collect()
}

/// The lines of the new file.
struct Output<'a> {
    lines: Vec<FileLine<'a>>,
    /// Lines of the old file that were copied or left out.
    taken: usize,
    /// What ends a new line: the more frequent end of the old file.
    end: &'static [u8],
    /// Whether the old file's last line had no end.
    open: bool,
}

impl<'a> Output<'a> {
    fn new(lines: &[FileLine<'a>]) -> Self {
        let crlf = lines.iter().filter(|line| line.end == b"\r\n").count();
        let lf = lines.iter().filter(|line| line.end == b"\n").count();
        Self {
            lines: Vec::with_capacity(lines.len()),
            taken: 0,
            end: if crlf > lf { b"\r\n" } else { b"\n" },
            open: lines.last().is_some_and(|line| line.end.is_empty()),
        }
    }

    /// Applies one chunk at line `from` or below; returns where the next may start.
    fn chunk(
        &mut self,
        lines: &[FileLine<'a>],
        bodies: &[&[u8]],
        chunk: &'a Chunk,
        from: usize,
    ) -> Result<usize, Misfit> {
        let mut start = from;
        let mut context = None;
        for line in &chunk.context {
            let found = find(bodies, &[line], start, Place::After);
            let found = found.ok_or_else(|| Misfit::Context(line.clone()))?;
            context = Some(found);
            start = found + 1;
        }
        let (at, edits) = locate(bodies, chunk, start, context, from)?;
        self.copy_to(lines, at);
        for edit in edits {
            match edit {
                Line::Keep(_) => self.copy_to(lines, self.taken + 1),
                Line::Remove(_) => self.taken += 1,
                Line::Insert(text) => {
                    let body = text.as_bytes();
                    let body = if self.end == b"\r\n" {
                        body.strip_suffix(b"\r").unwrap_or(body)
                    } else {
                        body
                    };
                    self.lines.push(FileLine { body, end: self.end });
                }
            }
        }
        Ok(self.taken.max(start))
    }

    /// Copies old lines up to `to`, not including it.
    fn copy_to(&mut self, lines: &[FileLine<'a>], to: usize) {
        self.lines.extend_from_slice(lines.get(self.taken..to).unwrap_or_default());
        self.taken = self.taken.max(to);
    }

    /// Writes the new file. Only its last line may lack an end, and only if the old one's did.
    fn write(&self, bytes: &mut Vec<u8>) {
        let last = self.lines.len().saturating_sub(1);
        for (at, line) in self.lines.iter().enumerate() {
            bytes.extend_from_slice(line.body);
            let is_open = at == last && self.open;
            let end = if line.end.is_empty() { self.end } else { line.end };
            bytes.extend_from_slice(if is_open { b"" } else { end });
        }
    }
}

/// Finds where a chunk goes, and the part of its lines that is applied there.
fn locate<'c>(
    bodies: &[&[u8]],
    chunk: &'c Chunk,
    start: usize,
    context: Option<usize>,
    from: usize,
) -> Result<(usize, &'c [Line]), Misfit> {
    let edits = chunk.lines.as_slice();
    let old = old_lines(edits);
    if old.is_empty() {
        // Nothing to hold on to: after the context line, else at the file's end.
        let at = if context.is_some() && !chunk.at_end { start } else { bodies.len() };
        return Ok((at, edits));
    }
    let place = if chunk.at_end { Place::End } else { Place::After };
    // Models repeat the line after `@@` as the first line below it.
    let again = context.filter(|line| *line >= from);
    for edits in [edits, without_blank_end(edits)] {
        let old = old_lines(edits);
        let found = find(bodies, &old, start, place)
            .or_else(|| again.and_then(|line| find(bodies, &old, line, place)));
        if let (Some(at), false) = (found, old.is_empty()) {
            return Ok((at, edits));
        }
    }
    Err(Misfit::Lines(old.into_iter().map(str::to_owned).collect()))
}

fn old_lines(edits: &[Line]) -> Vec<&str> {
    edits
        .iter()
        .filter_map(|line| match line {
            Line::Keep(text) | Line::Remove(text) => Some(text.as_str()),
            Line::Insert(_) => None,
        })
        .collect()
}

/// Leaves out an empty last line of context, which a file that ends there does not have.
fn without_blank_end(edits: &[Line]) -> &[Line] {
    match edits {
        [rest @ .., Line::Keep(text)] if text.is_empty() => rest,
        _ => edits,
    }
}

#[cfg(test)]
mod tests;
