//! Keeps rollouts in JSONL files and an index of them in SQLite.
//!
//! A rollout is the truth: one file per thread, one record per line, only ever appended to. The
//! index makes rollouts findable and can be made again from them at any time.
//!
//! Start with [`Store`], the handle, and [`Log`], the right to append to one thread. Behind them:
//! `writer` is the one thread that appends, `rollout` reads and writes files, `index` answers
//! lists, `names` keeps the names of threads and `notes` what else people noted about them, `lock` keeps two writers apart, `disk` holds every
//! call that changes a file.

mod branch;
mod check;
mod damage;
mod disk;
mod error;
#[cfg(test)]
mod faults;
mod find;
mod index;
mod journal;
mod listing;
mod lock;
mod log;
mod manage;
mod names;
mod notes;
mod pending;
mod reading;
mod rollout;
mod search;
mod shared;
mod store;
#[cfg(test)]
mod testing;
mod writer;

pub use check::Report;
pub use damage::{Damage, DamageKind};
pub use error::Error;
pub use index::{Direction, ListQuery, Page, Progress, SortKey, SourceKind, ThreadRow};
pub use log::Log;
pub use manage::Hold;
pub use notes::{NewAttachment, NewProject, NoteError, ProjectUpdate, SectionUpdate, ThreadUpdate};
pub use rollout::{
    Appended, ForkPoint, History, ItemsQuery, LastTurn, PlacedItem, TimelineEntry, TimelineEvent,
    TurnsQuery,
};
pub use search::{Found, Occurrence, Snippet, Watch};
pub use store::{Loaded, Store, timestamp};
