//! Entries of a turn: `item/…`.

#[expect(clippy::module_inception, reason = "it holds the family's own types")]
mod item;
mod part;
mod progress;

pub use item::*;
pub use part::*;
pub use progress::*;
