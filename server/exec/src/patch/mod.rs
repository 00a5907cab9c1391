//! Reads the model's patches, checks them against the files and writes them, all or nothing.
//!
//! `parse`, `seek`, `edit`, `summary` and `turn_diff` are pure; `apply` reads, `write` writes. It
//! must not know approvals, models or clients: whoever calls asks `Plan::targets` where it would
//! write. Start reading at `parse.rs`, then `apply.rs`.

mod apply;
mod edit;
mod error;
mod folder;
mod grammar;
mod heredoc;
mod parse;
mod seek;
mod stream;
mod summary;
mod turn_diff;
mod write;

pub use apply::{Content, FileState, Plan};
pub use error::{ApplyError, ParseError, VerifyError};
pub(crate) use folder::Folder;
pub use grammar::GRAMMAR;
pub use heredoc::{ShellPatch, patch_in_argv};
pub use parse::{Chunk, FileOp, Line, Patch};
pub use stream::PatchStream;
pub use summary::{client_diff, summary};
pub use turn_diff::TurnDiff;
pub use write::Applied;
