//! Plugins: `plugin/…` and `marketplace/…`.

mod marketplace;
#[expect(clippy::module_inception, reason = "it holds the family's own types")]
mod plugin;
mod share;

pub use marketplace::*;
pub use plugin::*;
pub use share::*;
