//! What can be wrong with a patch.

use std::io;
use std::path::PathBuf;

/// The text is no patch. The messages are read by the model, which then tries again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The envelope does not open.
    #[error("invalid patch: The first line of the patch must be '*** Begin Patch'")]
    NoBegin,
    /// The envelope does not close.
    #[error("invalid patch: The last line of the patch must be '*** End Patch'")]
    NoEnd,
    /// Nothing is between the two.
    #[error("invalid patch: the patch changes no file")]
    Empty,
    /// A line stands where a file should be named.
    #[error(
        "invalid hunk at line {line}, '{text}' is not a valid hunk header. Valid hunk headers: \
         '*** Add File: {{path}}', '*** Delete File: {{path}}', '*** Update File: {{path}}'"
    )]
    Header {
        /// Line of the patch, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// A line of an update has no sign in front.
    #[error(
        "invalid hunk at line {line}, unexpected line '{text}' in an update: every line starts \
         with ' ' (context), '+' (added) or '-' (removed)"
    )]
    Sign {
        /// Line of the patch, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// A file is named with nothing to do.
    #[error("invalid hunk at line {line}, update of '{path}' is empty")]
    NoChunks {
        /// Line of the patch that names the file, from 1.
        line: usize,
        /// The file.
        path: String,
    },
    /// A header has no path.
    #[error("invalid hunk at line {line}, the path is missing")]
    NoPath {
        /// Line of the patch, from 1.
        line: usize,
    },
}

/// The patch does not fit the files. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The text is no patch.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A line after `@@` does not occur in the file.
    #[error("Failed to find context '{context}' in {}", path.display())]
    Context {
        /// The file.
        path: PathBuf,
        /// The line.
        context: String,
    },
    /// The lines to replace do not occur in the file.
    #[error("Failed to find expected lines in {}:\n{}", path.display(), lines.join("\n"))]
    Lines {
        /// The file.
        path: PathBuf,
        /// The lines that were looked for.
        lines: Vec<String>,
    },
    /// A file to update cannot be read. The message carries the system's own words, which the
    /// model knows.
    #[error("Failed to read file to update {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file to delete is not there or cannot be looked at.
    #[error("Failed to delete file {}: {source}", path.display())]
    Delete {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file to write cannot be looked at.
    #[error("Failed to write file {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl VerifyError {
    /// Returns what the model is told.
    pub fn for_model(&self) -> String {
        format!("apply_patch verification failed: {self}")
    }
}

/// The patch was good but could not be written. Every file is as it was, unless `Undo` says else.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// A file is not what it was when the patch was checked.
    #[error("{} changed since the patch was checked", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A file could not be written.
    #[error("Failed to write file {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file could not be written, and then another could not be put back.
    #[error("Failed to write file {}, and {} could not be put back: {source}", path.display(), left.display())]
    Undo {
        /// The file that could not be written.
        path: PathBuf,
        /// The file that still has its new content.
        left: PathBuf,
        /// Why it could not be put back.
        source: io::Error,
    },
}
