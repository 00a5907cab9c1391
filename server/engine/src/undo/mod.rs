//! What turns do to files can be taken back.
//!
//! [`ThreadUndo`] is a session's part: for each turn it gives a [`TurnUndo`], which is told
//! before files change and when the turn is over, and writes the `journal`. A patch says itself
//! what it changes. For commands the folders that they may write in are looked at twice: before
//! the first one that may write, and when the turn ends. [`Keeper`] is the engine's part: it reads
//! journals, takes turns back and makes them again, and throws away what is old.
//!
//! Nothing here may fail a turn: what cannot be kept is told.
//!
//! This room must not know sessions, threads or tools. Start reading at `journal.rs`, then
//! `turn.rs`, then `history.rs`.

mod error;
mod history;
mod journal;
mod keeper;
mod news;
mod overlap;
mod prune;
mod report;
mod root;
mod turn;

pub use error::Error;
pub(crate) use keeper::{Asked, Keeper, ThreadUndo};
pub use report::{Action, Report, ReportFile, ReportTurn};
pub(crate) use turn::TurnUndo;

/// What is to be taken back, or made again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// The last turn that changed files and was not taken back.
    Last,
    /// That turn and all later ones.
    Back(spindle_schema::ids::TurnId),
    /// What was taken back last is made again.
    Again,
}
