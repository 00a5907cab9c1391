//! What is wrong with a rollout, told instead of hidden.

use std::fmt;
use std::path::PathBuf;

/// Something that could not be read as it was written, or that changed under a running thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub path: PathBuf,
    /// Where in the file, in bytes.
    pub offset: u64,
    /// What.
    pub kind: DamageKind,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DamageKind {
    /// A line in the middle is no record. It is passed over.
    Unreadable {
        /// What the reader says.
        reason: Box<str>,
    },
    /// The last line was cut. It stays as it is; the next record begins a new line.
    Torn,
    /// A record stands there twice. It counts once.
    Duplicate {
        /// Its number.
        ordinal: u64,
    },
    /// The first line is no header. What it would tell is taken from the name and the rest.
    NoHeader,
    /// The file has no bytes.
    Empty,
    /// Another rollout that this one continues is gone; what came before is missing.
    MissingBase,
    /// The file went away while the thread was loaded, and was made again.
    Removed {
        /// Whether all that it held is back; if not, it holds what came since.
        restored: bool,
    },
    /// The file became shorter while the thread was loaded.
    Shortened {
        /// How long it was.
        from: u64,
        /// How long it is.
        to: u64,
    },
    /// Somebody else wrote to the file while the thread was loaded. Their lines stay.
    Foreign {
        /// How many bytes.
        bytes: u64,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        let at = self.offset;
        match &self.kind {
            DamageKind::Unreadable { reason } => {
                write!(
                    f,
                    "{path}: the line at byte {at} cannot be read and was passed over ({reason})"
                )
            }
            DamageKind::Torn => write!(f, "{path}: the last line, at byte {at}, was cut off"),
            DamageKind::Duplicate { ordinal } => {
                write!(
                    f,
                    "{path}: record {ordinal} stands there again at byte {at}; it counts once"
                )
            }
            DamageKind::NoHeader => write!(f, "{path}: the header cannot be read"),
            DamageKind::Empty => write!(f, "{path}: the file is empty"),
            DamageKind::MissingBase => {
                write!(f, "{path}: the thread it continues is gone, so its earlier part is missing")
            }
            DamageKind::Removed { restored: true } => {
                write!(f, "{path}: the file was removed while in use and has been restored")
            }
            DamageKind::Removed { restored: false } => write!(
                f,
                "{path}: the file was removed while in use; it was made again without its earlier part"
            ),
            DamageKind::Shortened { from, to } => {
                write!(f, "{path}: the file was cut from {from} to {to} bytes while in use")
            }
            DamageKind::Foreign { bytes } => {
                write!(f, "{path}: another program added {bytes} bytes while the thread was in use")
            }
        }
    }
}

#[cfg(test)]
mod tests;
