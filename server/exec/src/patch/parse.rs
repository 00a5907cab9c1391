//! The text form of a patch.
//!
//! ```text
//! *** Begin Patch
//! *** Add File: notes.txt
//! +a line
//! *** Update File: src/a.rs
//! *** Move to: src/b.rs
//! @@ fn main() {
//!      kept();
//! -    removed();
//! +    added();
//! *** Delete File: old.txt
//! *** End Patch
//! ```

use std::fmt;

use super::error::ParseError;

/// A patch: what happens to which file, in the order in which it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// One entry per file header.
    pub ops: Vec<FileOp>,
}

/// What happens to one file. Paths are as the patch has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileOp {
    /// A file is made, or replaced when there is one.
    Add {
        /// The file.
        path: String,
        /// Its lines; each ends with a new line in the file.
        lines: Vec<String>,
    },
    /// A file is removed.
    Delete {
        /// The file.
        path: String,
    },
    /// A file is changed, moved, or both.
    Update {
        /// The file.
        path: String,
        /// Where it goes.
        move_to: Option<String>,
        /// The changes, from the top of the file down.
        chunks: Vec<Chunk>,
    },
}

/// One place of a file that changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chunk {
    /// Lines of the file that stand somewhere above the place, outermost first (`@@ LINE`).
    pub context: Vec<String>,
    /// The lines around and at the place.
    pub lines: Vec<Line>,
    /// Whether the place is the end of the file.
    pub at_end: bool,
}

/// One line of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// It stands in the file and stays.
    Keep(String),
    /// It stands in the file and goes.
    Remove(String),
    /// It comes.
    Insert(String),
}

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File:";
const DELETE: &str = "*** Delete File:";
const UPDATE: &str = "*** Update File:";
const MOVE: &str = "*** Move to:";
const END_OF_FILE: &str = "*** End of File";

impl Patch {
    /// Reads a whole patch. White space around it, a here-document around it and CRLF line ends
    /// in it are forgiven.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut lines: Vec<&str> = text.trim().lines().collect();
        if let [first, .., last] = lines.as_slice()
            && heredoc_word(first).is_some_and(|word| word == last.trim())
        {
            lines = lines.get(1..lines.len() - 1).unwrap_or_default().to_vec();
        }
        let mut reader = Reader::default();
        for line in lines {
            reader.feed(line)?;
        }
        reader.finish()
    }
}

/// Returns the closing word of a line such as `<<'EOF'`.
fn heredoc_word(line: &str) -> Option<&str> {
    let word = line.trim().strip_prefix("<<")?.trim_matches(['\'', '"']);
    (!word.is_empty() && word.chars().all(char::is_alphanumeric)).then_some(word)
}

/// Where the reader stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Before,
    /// Between files, or in one.
    Files,
    After,
}

/// Takes a patch in line by line, so that a patch can be read while it streams.
#[derive(Debug, Clone)]
pub(super) struct Reader {
    pub(super) patch: Patch,
    at: At,
    /// Lines taken in so far.
    line: usize,
    /// Line that named the file which is being read.
    header: usize,
}

impl Default for Reader {
    fn default() -> Self {
        Self { patch: Patch::default(), at: At::Before, line: 0, header: 0 }
    }
}

impl Reader {
    /// Tells whether nothing was taken in yet.
    pub(super) fn is_fresh(&self) -> bool {
        self.at == At::Before
    }

    /// Takes in one line, without its end.
    pub(super) fn feed(&mut self, line: &str) -> Result<(), ParseError> {
        self.line += 1;
        match self.at {
            At::Before if line.trim() == BEGIN => self.at = At::Files,
            At::Before => return Err(ParseError::NoBegin),
            At::After if line.trim().is_empty() => {}
            At::After => return Err(ParseError::NoEnd),
            At::Files => {
                if !self.body(line)? {
                    self.header(line)?;
                }
            }
        }
        Ok(())
    }

    /// Ends the patch.
    pub(super) fn finish(mut self) -> Result<Patch, ParseError> {
        match self.at {
            At::Before => return Err(ParseError::NoBegin),
            At::Files => return Err(ParseError::NoEnd),
            At::After => {}
        }
        self.close_file()?;
        if self.patch.ops.is_empty() { Err(ParseError::Empty) } else { Ok(self.patch) }
    }

    /// Takes a line as part of the current file; returns whether it was.
    fn body(&mut self, line: &str) -> Result<bool, ParseError> {
        match self.patch.ops.last_mut() {
            Some(FileOp::Add { lines, .. }) => {
                let Some(added) = line.strip_prefix('+') else { return Ok(false) };
                lines.push(added.to_owned());
                Ok(true)
            }
            Some(FileOp::Update { move_to, chunks, .. }) => {
                if let Some(target) = line.trim_end().strip_prefix(MOVE)
                    && chunks.is_empty()
                    && move_to.is_none()
                {
                    *move_to = Some(named(target, self.line)?);
                    return Ok(true);
                }
                if line.starts_with("*** ") && line.trim_end() != END_OF_FILE {
                    return Ok(false);
                }
                chunk_line(chunks, line, self.line)?;
                Ok(true)
            }
            Some(FileOp::Delete { .. }) | None => Ok(false),
        }
    }

    fn header(&mut self, line: &str) -> Result<(), ParseError> {
        let text = line.trim();
        if text.is_empty() {
            return Ok(());
        }
        self.close_file()?;
        self.header = self.line;
        let path = |rest: &str| named(rest, self.line);
        let op = if let Some(rest) = text.strip_prefix(ADD) {
            FileOp::Add { path: path(rest)?, lines: Vec::new() }
        } else if let Some(rest) = text.strip_prefix(DELETE) {
            FileOp::Delete { path: path(rest)? }
        } else if let Some(rest) = text.strip_prefix(UPDATE) {
            FileOp::Update { path: path(rest)?, move_to: None, chunks: Vec::new() }
        } else if text == END {
            self.at = At::After;
            return Ok(());
        } else {
            return Err(ParseError::Header { line: self.line, text: text.to_owned() });
        };
        self.patch.ops.push(op);
        Ok(())
    }

    /// Checks the file that ends here.
    fn close_file(&mut self) -> Result<(), ParseError> {
        let Some(FileOp::Update { path, move_to, chunks }) = self.patch.ops.last_mut() else {
            return Ok(());
        };
        // A header line without lines below it asks for nothing.
        chunks.retain(|chunk| !chunk.lines.is_empty());
        if chunks.is_empty() && move_to.is_none() {
            return Err(ParseError::NoChunks { line: self.header, path: path.clone() });
        }
        Ok(())
    }
}

fn named(rest: &str, line: usize) -> Result<String, ParseError> {
    let path = rest.trim();
    if path.is_empty() { Err(ParseError::NoPath { line }) } else { Ok(path.to_owned()) }
}

/// Takes in one line of an update.
fn chunk_line(chunks: &mut Vec<Chunk>, line: &str, number: usize) -> Result<(), ParseError> {
    if let Some(context) = context_line(line) {
        if chunks.last().is_none_or(|chunk| !chunk.lines.is_empty() || chunk.at_end) {
            chunks.push(Chunk::default());
        }
        if let (Some(chunk), false) = (chunks.last_mut(), context.is_empty()) {
            chunk.context.push(context.to_owned());
        }
        return Ok(());
    }
    if line.trim_end() == END_OF_FILE {
        if let Some(chunk) = chunks.last_mut() {
            chunk.at_end = true;
        }
        return Ok(());
    }
    let parsed = match (line.get(..1), line.get(1..)) {
        (None, _) => Line::Keep(String::new()),
        (Some(" "), Some(rest)) => Line::Keep(rest.to_owned()),
        (Some("-"), Some(rest)) => Line::Remove(rest.to_owned()),
        (Some("+"), Some(rest)) => Line::Insert(rest.to_owned()),
        _ => return Err(ParseError::Sign { line: number, text: line.to_owned() }),
    };
    if chunks.last().is_none_or(|chunk| chunk.at_end) {
        // The first chunk may stand without its `@@` line.
        chunks.push(Chunk::default());
    }
    if let Some(chunk) = chunks.last_mut() {
        chunk.lines.push(parsed);
    }
    Ok(())
}

/// Returns the text after `@@`. The form of unified diffs, `@@ -1,2 +1,2 @@ text`, is forgiven.
fn context_line(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("@@")?;
    if let Some((ranges, text)) = rest.split_once("@@") {
        let is_range = |c: char| c.is_ascii_digit() || " -+,".contains(c);
        if ranges.contains('-') && ranges.chars().all(is_range) {
            return Some(text.strip_prefix(' ').unwrap_or(text));
        }
    }
    match rest.strip_prefix(' ') {
        Some(text) => Some(text.trim_end_matches('\r')),
        None => rest.trim().is_empty().then_some(""),
    }
}

impl fmt::Display for Patch {
    /// Writes the text form, which reads back as the same patch.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{BEGIN}")?;
        for op in &self.ops {
            write!(f, "{op}")?;
        }
        writeln!(f, "{END}")
    }
}

impl fmt::Display for FileOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileOp::Add { path, lines } => {
                writeln!(f, "{ADD} {path}")?;
                lines.iter().try_for_each(|line| writeln!(f, "+{line}"))
            }
            FileOp::Delete { path } => writeln!(f, "{DELETE} {path}"),
            FileOp::Update { path, move_to, chunks } => {
                writeln!(f, "{UPDATE} {path}")?;
                if let Some(target) = move_to {
                    writeln!(f, "{MOVE} {target}")?;
                }
                chunks.iter().try_for_each(|chunk| write!(f, "{chunk}"))
            }
        }
    }
}

impl fmt::Display for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.context.is_empty() {
            writeln!(f, "@@")?;
        }
        for context in &self.context {
            writeln!(f, "@@ {context}")?;
        }
        for line in &self.lines {
            match line {
                Line::Keep(text) => writeln!(f, " {text}")?,
                Line::Remove(text) => writeln!(f, "-{text}")?,
                Line::Insert(text) => writeln!(f, "+{text}")?,
            }
        }
        if self.at_end { writeln!(f, "{END_OF_FILE}") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;
