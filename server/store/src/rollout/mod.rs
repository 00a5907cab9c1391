//! Rollouts: one JSONL file per thread. Append-only, and the truth.
//!
//! Start with `append` for how records get in and `history` for how they come out. `envelope`
//! reads the outside of a line, `scan` finds lines from either end, `path` names files.

pub(crate) mod append;
pub(crate) mod copy;
pub(crate) mod envelope;
pub(crate) mod history;
pub(crate) mod legacy;
pub(crate) mod lineage;
mod marks;
pub(crate) mod outline;
pub(crate) mod pages;
pub(crate) mod parse;
pub(crate) mod path;
pub(crate) mod said;
pub(crate) mod scan;
pub(crate) mod timeline;

pub use append::Appended;
pub use copy::ForkPoint;
pub use history::{History, LastTurn};
pub use pages::{ItemsQuery, PlacedItem, TurnsQuery};
pub use timeline::{TimelineEntry, TimelineEvent};
