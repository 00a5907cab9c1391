//! Configuration: `config/…` and `configRequirements/read`.

#[expect(clippy::module_inception, reason = "it holds the family's own types")]
mod config;
mod requirements;
mod section;

pub use config::*;
pub use requirements::*;
pub use section::*;
